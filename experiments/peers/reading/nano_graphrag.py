"""nano-graphrag, asked in its mode "local". Its defaults, but for gleaning, which is off, and how much is
asked at once."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from experiments.peers.reading.given import AT_ONCE, DIMENSION, Edge, Given, Said

PACKAGE = "nano-graphrag"
MODE = "local"
JOINED = 4400


class System:
    def __init__(self, folder: Path, given: Given) -> None:
        from nano_graphrag import GraphRAG
        from nano_graphrag._utils import wrap_embedding_func_with_attrs

        async def complete(
            prompt: str, system_prompt: str | None = None, history_messages: Any = (), **how: Any
        ) -> str:
            system = [{"role": "system", "content": system_prompt}] if system_prompt else []
            schema = '{"type": "object"}' if how.get("response_format") else ""
            return await given.answer(
                [*system, *history_messages, {"role": "user", "content": prompt}], schema
            )

        @wrap_embedding_func_with_attrs(embedding_dim=DIMENSION, max_token_size=512)  # type: ignore[untyped-decorator]
        async def embed(texts: list[str]) -> Any:
            return given.embed(texts)

        self._rag = GraphRAG(
            working_dir=str(folder),
            best_model_func=complete,
            cheap_model_func=complete,
            embedding_func=embed,
            entity_extract_max_gleaning=0,
            best_model_max_async=AT_ONCE,
            cheap_model_max_async=AT_ONCE,
        )

    async def index(self, texts: Sequence[str]) -> None:
        await self._rag.ainsert(list(texts))

    async def ask(self, question: str) -> Said:
        from nano_graphrag import QueryParam

        return {"text": str(await self._rag.aquery(question, QueryParam(mode="local"))), "cited": []}

    async def edges(self) -> list[Edge]:
        graph = self._rag.chunk_entity_relation_graph._graph
        return [{"a": [a], "b": [b], "says": held["description"]} for a, b, held in graph.edges(data=True)]
