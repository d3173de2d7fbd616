"""LlamaIndex: BM25Retriever and a VectorStoreIndex on a flat FAISS index under a QueryFusionRetriever,
reciprocal ranks, one query, no language model. Its BM25 runs on Numba, which is not its default.
The query's vector is handed over in the QueryBundle."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from experiments.peers.given import DEEP, Given, K

MODES = ("hybrid", "lexical", "dense")


def warm() -> None:
    from experiments.peers import glued

    glued.warm()
    settings()


def settings() -> None:
    from llama_index.core import MockEmbedding, Settings
    from llama_index.core.llms import MockLLM

    Settings.llm = MockLLM()
    Settings.embed_model = MockEmbedding(embed_dim=384)


def build(given: Given, folder: Path) -> Any:  # noqa: ARG001
    import faiss
    from llama_index.core import StorageContext, VectorStoreIndex
    from llama_index.core.schema import TextNode
    from llama_index.retrievers.bm25 import BM25Retriever
    from llama_index.vector_stores.faiss import FaissVectorStore

    nodes = [
        TextNode(id_=str(i), text=text, embedding=vector.tolist())
        for i, (text, vector) in enumerate(zip(given.texts, given.vectors, strict=True))
    ]
    store = FaissVectorStore(faiss_index=faiss.IndexFlatIP(given.vectors.shape[1]))
    index = VectorStoreIndex(nodes, storage_context=StorageContext.from_defaults(vector_store=store))
    for node in nodes:
        node.embedding = None
    lexical = BM25Retriever.from_defaults(nodes=nodes, similarity_top_k=DEEP)
    lexical.bm25.backend = "numba"
    return index, lexical


def save(built: Any, folder: Path) -> None:
    index, lexical = built
    index.storage_context.persist(str(folder / "vectors"))
    lexical.persist(str(folder / "bm25"))


class Opened:
    def __init__(self, folder: Path, data: Path) -> None:  # noqa: ARG002
        from llama_index.core import StorageContext, load_index_from_storage
        from llama_index.core.retrievers import QueryFusionRetriever
        from llama_index.retrievers.bm25 import BM25Retriever
        from llama_index.vector_stores.faiss import FaissVectorStore

        place = str(folder / "vectors")
        context = StorageContext.from_defaults(
            vector_store=FaissVectorStore.from_persist_dir(place), persist_dir=place
        )
        dense = load_index_from_storage(context).as_retriever(similarity_top_k=DEEP)
        lexical = BM25Retriever.from_persist_dir(str(folder / "bm25"))
        self._modes = {
            "hybrid": QueryFusionRetriever(
                [lexical, dense],
                similarity_top_k=K,
                num_queries=1,
                mode="reciprocal_rerank",
                use_async=False,
            ),
            "lexical": lexical,
            "dense": dense,
        }

    def prepare(self, text: str, vector: Any) -> Any:
        from llama_index.core import QueryBundle

        return QueryBundle(query_str=text, embedding=vector.tolist())

    def search(self, mode: str) -> Callable[[Any], Any]:
        retriever: Any = self._modes[mode]
        if mode == "lexical":
            retriever.similarity_top_k = K
        elif mode == "dense":
            retriever._similarity_top_k = K
        else:
            self._modes["lexical"].similarity_top_k = self._modes["dense"]._similarity_top_k = DEEP
        found: Callable[[Any], Any] = retriever.retrieve
        return found

    def hits(self, mode: str, answer: Any) -> list[tuple[int, float]]:  # noqa: ARG002
        return [(int(found.node.node_id), float(found.score or 0)) for found in answer]


def cold_lexical(folder: Path, query: str, data: Path) -> str:  # noqa: ARG001
    """Its BM25 retriever alone, without Numba, which would make the start longer."""
    from llama_index.retrievers.bm25 import BM25Retriever

    params = folder / "bm25" / "params.index.json"
    saved = json.loads(params.read_text(encoding="utf-8"))
    if saved.get("backend") == "numba":
        params.write_text(json.dumps({**saved, "backend": "numpy"}), encoding="utf-8")
    retriever = BM25Retriever.from_persist_dir(str(folder / "bm25"))
    retriever.similarity_top_k = K
    return str(retriever.retrieve(query)[0].node.get_content())
