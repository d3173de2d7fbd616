"""fast-graphrag with its defaults (it does not glean by itself); the domain and kinds of things, which a user
has to name, are those of its own example of a tale."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from experiments.peers.reading.given import DIMENSION, Edge, Given, Said

PACKAGE = "fast-graphrag"
MODE = "its only one"
JOINED = 3150
_DOMAIN = (
    "Analyze this text and identify the people in it. Focus on how they interact with each other, the "
    "locations they explore, and their relationships."
)
_QUERIES = "Who is this person to that one?\nWhere and when did this happen?\nWhat caused it?"
_KINDS = ["Character", "Animal", "Place", "Object", "Activity", "Event", "Organization", "Work"]


class System:
    def __init__(self, folder: Path, given: Given) -> None:
        from fast_graphrag import GraphRAG
        from fast_graphrag._llm import BaseEmbeddingService, BaseLLMService
        from fast_graphrag._models import BaseModelAlias

        class Reader(BaseLLMService):  # type: ignore[misc, unused-ignore]
            async def send_message(
                self,
                prompt: str,
                system_prompt: str | None = None,
                history_messages: list[dict[str, str]] | None = None,
                response_model: Any = None,
                **how: Any,  # noqa: ARG002
            ) -> Any:
                is_alias = issubclass(response_model, BaseModelAlias)
                form = response_model.Model if is_alias else response_model
                system = [{"role": "system", "content": system_prompt}] if system_prompt else []
                asked = [*system, *(history_messages or []), {"role": "user", "content": prompt}]
                told = await given.answer(asked, json.dumps(form.model_json_schema()))
                made = form.model_validate_json(told)
                history = [*asked, {"role": "assistant", "content": told}]
                return (form.to_dataclass(made) if is_alias else made), history

        class Embedding(BaseEmbeddingService):  # type: ignore[misc, unused-ignore]
            async def encode(self, texts: list[str], model: str | None = None) -> Any:  # noqa: ARG002
                return given.embed(texts)

        config = GraphRAG.Config(
            llm_service=Reader(model="given"),
            embedding_service=Embedding(embedding_dim=DIMENSION, model="given"),
        )
        self._rag = GraphRAG(
            working_dir=str(folder),
            domain=_DOMAIN,
            example_queries=_QUERIES,
            entity_types=_KINDS,
            config=config,
        )

    async def index(self, texts: Sequence[str]) -> None:
        await self._rag.async_insert(list(texts), show_progress=False)
        await self._rag.state_manager.query_start()

    async def ask(self, question: str) -> Said:
        return {"text": (await self._rag.async_query(question)).response, "cited": []}

    async def edges(self) -> list[Edge]:
        graph = self._rag.state_manager.graph_storage._graph
        names = graph.vs["name"]
        return [
            {"a": [names[one.source]], "b": [names[one.target]], "says": one["description"]}
            for one in graph.es
        ]
