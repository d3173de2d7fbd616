"""A LangChain retriever over a project: passages by hybrid search, never beyond a chapter."""

from __future__ import annotations

from typing import Any

from pydantic import ConfigDict

from ..engine import Project
from . import not_installed

try:
    from langchain_core.callbacks import CallbackManagerForRetrieverRun
    from langchain_core.documents import Document
    from langchain_core.retrievers import BaseRetriever
except ModuleNotFoundError as error:
    raise not_installed("langchain", error) from None


class FabulaRetriever(BaseRetriever):
    """``k`` passages of an open ``project``, told up to chapter ``as_of`` (None: the whole story).

    Each document's metadata holds its chapter, its place (half-open character offsets of the story's text)
    and its score. Raises what ``Project.search`` does."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    project: Project
    k: int = 5
    as_of: int | None = None

    def _get_relevant_documents(
        self,
        query: str,
        *,
        run_manager: CallbackManagerForRetrieverRun,  # noqa: ARG002 (LangChain hands it in)
        **wanted: Any,
    ) -> list[Document]:
        found = self.project.search(query, wanted.get("k", self.k), as_of=self.as_of).passages
        return [
            Document(
                id=one.chunk.id,
                page_content=one.chunk.text,
                metadata={
                    "chapter": one.chunk.chapter,
                    "start": one.chunk.span.start,
                    "end": one.chunk.span.end,
                    "score": one.score,
                },
            )
            for one in found
        ]
