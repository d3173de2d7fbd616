"""A LlamaIndex retriever over a project: passages by hybrid search, never beyond a chapter.

For example, in a query engine::

    with Project.open(Path("my-novel")) as project:
        engine = RetrieverQueryEngine.from_args(FabulaRetriever(project, k=5, as_of=12), llm=llm)
        print(engine.query("Who kept the lock?"))
"""

from __future__ import annotations

from ..engine import Project
from . import not_installed

try:
    from llama_index.core.retrievers import BaseRetriever
    from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode
except ModuleNotFoundError as error:
    raise not_installed("llama-index", error) from None


class FabulaRetriever(BaseRetriever):
    """``k`` passages of an open ``project``, told up to chapter ``as_of`` (None: the whole story). A node's
    metadata holds its chapter; its character offsets are those of the story's text. Raises what
    ``Project.search`` does."""

    def __init__(self, project: Project, *, k: int = 5, as_of: int | None = None) -> None:
        self._project, self._k, self._as_of = project, k, as_of
        super().__init__()

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        found = self._project.search(query_bundle.query_str, self._k, as_of=self._as_of).passages
        return [
            NodeWithScore(
                node=TextNode(
                    id_=one.chunk.id,
                    text=one.chunk.text,
                    metadata={"chapter": one.chunk.chapter},
                    start_char_idx=one.chunk.span.start,
                    end_char_idx=one.chunk.span.end,
                ),
                score=one.score,
            )
            for one in found
        ]
