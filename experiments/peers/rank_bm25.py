"""rank_bm25 alone: BM25Okapi over lower-cased words without stop words. It cannot be saved but by pickle."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

from experiments.peers.given import Given, K
from experiments.peers.langchain import words

MODES = ("lexical",)


def build(given: Given, folder: Path) -> Any:  # noqa: ARG001
    from rank_bm25 import BM25Okapi

    return BM25Okapi([words(text) for text in given.texts])


def save(built: Any, folder: Path) -> None:
    (folder / "bm25.pickle").write_bytes(pickle.dumps(built))


class Opened:
    def __init__(self, folder: Path, data: Path) -> None:  # noqa: ARG002
        self._index = pickle.loads((folder / "bm25.pickle").read_bytes())  # noqa: S301 (made above)
        self._ids = list(range(self._index.corpus_size))

    def prepare(self, text: str, vector: Any) -> str:  # noqa: ARG002
        return text

    def search(self, mode: str) -> Callable[[str], Any]:  # noqa: ARG002
        return lambda query: self._index.get_top_n(words(query), self._ids, n=K)

    def hits(self, mode: str, answer: Any) -> list[tuple[int, float]]:  # noqa: ARG002
        return [(i, 1 / (1 + rank)) for rank, i in enumerate(answer)]
