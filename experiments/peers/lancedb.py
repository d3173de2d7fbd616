"""LanceDB: native full-text index and vectors in one table, hybrid search with its RRFReranker.

Vectors are scanned up to 10,000 rows. Above, they have an IVF_RQ index, with more probes and refinement than
by default: of its indexes the one that is as quick as any at 50,000 and still finds all of the nearest."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from experiments.peers.given import RRF_K, Given, K

MODES = ("hybrid", "lexical", "dense")
SCANNED = 10_000
_PROBES, _REFINED = 60, 4
_AT_ONCE = 20_000


def warm() -> None:
    import lancedb
    import lancedb.rerankers  # noqa: F401


def build(given: Given, folder: Path) -> None:
    import lancedb
    import pyarrow as pa

    def batches() -> Any:
        for start in range(0, len(given.texts), _AT_ONCE):
            texts = given.texts[start : start + _AT_ONCE]
            flat = pa.array(given.vectors[start : start + _AT_ONCE].reshape(-1))
            vectors = pa.FixedSizeListArray.from_arrays(flat, given.vectors.shape[1])
            ids = pa.array(range(start, start + len(texts)), pa.int64())
            yield pa.RecordBatch.from_arrays([ids, pa.array(texts), vectors], schema=schema)

    vector = pa.list_(pa.float32(), given.vectors.shape[1])
    schema = pa.schema([("id", pa.int64()), ("text", pa.string()), ("vector", vector)])
    table = lancedb.connect(folder / "lance").create_table("chunks", batches(), schema=schema)
    table.create_fts_index("text", language="English", stem=True, remove_stop_words=True)
    if len(given.texts) > SCANNED:
        table.create_index(metric="cosine", index_type="IVF_RQ")
    table.optimize()


def save(built: None, folder: Path) -> None:
    """It is on disk already."""


class Opened:
    def __init__(self, folder: Path, data: Path) -> None:  # noqa: ARG002
        import lancedb
        from lancedb.rerankers import RRFReranker

        self._table = lancedb.connect(folder / "lance").open_table("chunks")
        self._indexed = self._table.count_rows() > SCANNED
        self._fusion = RRFReranker(K=RRF_K)
        self._modes = {"hybrid": self._hybrid, "lexical": self._lexical, "dense": self._dense}

    def prepare(self, text: str, vector: Any) -> tuple[str, Any]:
        return text, vector

    def search(self, mode: str) -> Callable[[tuple[str, Any]], Any]:
        return self._modes[mode]

    def _hybrid(self, query: tuple[str, Any]) -> Any:
        text, vector = query
        asked = self._table.search(query_type="hybrid").vector(vector).text(text).rerank(self._fusion)
        return self._probed(asked.distance_type("cosine")).select(["id", "text"]).limit(K).to_arrow()

    def _lexical(self, query: tuple[str, Any]) -> Any:
        asked = self._table.search(query[0], query_type="fts")
        return asked.select(["id", "text"]).limit(K).to_arrow()

    def _dense(self, query: tuple[str, Any]) -> Any:
        asked = self._table.search(query[1]).distance_type("cosine")
        return self._probed(asked).select(["id", "text"]).limit(K).to_arrow()

    def _probed(self, asked: Any) -> Any:
        return asked.nprobes(_PROBES).refine_factor(_REFINED) if self._indexed else asked

    def hits(self, mode: str, answer: Any) -> list[tuple[int, float]]:  # noqa: ARG002
        return [(i, 1 / (1 + rank)) for rank, i in enumerate(answer["id"].to_pylist())]


def cold_lexical(folder: Path, query: str, data: Path) -> str:  # noqa: ARG001
    import lancedb

    table = lancedb.connect(folder / "lance").open_table("chunks")
    found = table.search(query, query_type="fts").select(["text"]).limit(K).to_arrow()
    return str(found["text"][0].as_py())
