"""LightRAG, asked in its mode "hybrid". Its defaults, but for gleaning, which is off, and how much is asked
at once."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from experiments.peers.reading.given import AT_ONCE, DIMENSION, Edge, Given, Said

PACKAGE = "lightrag-hku"
MODE = "hybrid"
JOINED = 4400


class System:
    def __init__(self, folder: Path, given: Given) -> None:
        from lightrag import LightRAG
        from lightrag.utils import EmbeddingFunc

        async def complete(
            prompt: str, system_prompt: str | None = None, history_messages: Any = (), **how: Any
        ) -> str:
            system = [{"role": "system", "content": system_prompt}] if system_prompt else []
            schema = '{"type": "object"}' if how.get("response_format") else ""
            asked = [*system, *(history_messages or ()), {"role": "user", "content": prompt}]
            return await given.answer(asked, schema)

        async def embed(texts: list[str]) -> Any:
            return given.embed(texts)

        self._rag = LightRAG(
            working_dir=str(folder),
            llm_model_func=complete,
            embedding_func=EmbeddingFunc(embedding_dim=DIMENSION, func=embed),
            entity_extract_max_gleaning=0,
            llm_model_max_async=AT_ONCE,
            max_parallel_insert=AT_ONCE,
            default_llm_timeout=int(given.timeout_s),
            default_embedding_timeout=int(given.timeout_s),
        )

    async def index(self, texts: Sequence[str]) -> None:
        from lightrag.base import DocStatus

        await self._rag.initialize_storages()
        await self._rag.ainsert(list(texts))
        lost = await self._rag.doc_status.get_docs_by_statuses([DocStatus.FAILED])
        if lost:  # it goes on without them
            raise RuntimeError("; ".join(str(one.error_msg) for one in lost.values()))

    async def ask(self, question: str) -> Said:
        from lightrag import QueryParam

        return {"text": str(await self._rag.aquery(question, QueryParam(mode="hybrid"))), "cited": []}

    async def edges(self) -> list[Edge]:
        held = await self._rag.chunk_entity_relation_graph.get_all_edges()
        return [
            {"a": [one["source"]], "b": [one["target"]], "says": f"{one['keywords']}: {one['description']}"}
            for one in held
        ]
