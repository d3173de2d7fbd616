"""The floor: fabula's own two indexes asked thirty deep, joined in four lines, and the texts of the best ten.

Nobody who writes a hybrid search over these indexes by hand can be faster; what fabula takes beyond it goes
into exact scores of every candidate by both indexes, evidence of the query's words, and shares.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from experiments.peers.fabula_core import build, warm
from experiments.peers.given import DEEP, fused
from fabula.core.text.tokenizing import Tokenizer

__all__ = ["MODES", "Opened", "build", "save", "warm"]

MODES = ("hybrid",)


def save(built: Any, folder: Path) -> None:
    """``build`` wrote both indexes."""


class Opened:
    def __init__(self, folder: Path, data: Path) -> None:
        from fabula.core.lexical.bm25 import LexicalIndex
        from fabula.core.vectors.index import VectorIndex

        self._lexical = LexicalIndex.load(folder)
        self._dense = VectorIndex.load(folder)
        self._text = (data / "document.txt").read_bytes().decode()
        self._spans = np.load(data / "rows.npy")[:, 1:].tolist()

    def prepare(self, text: str, vector: Any) -> tuple[str, Any]:
        return text, vector

    def search(self, mode: str) -> Callable[[tuple[str, Any]], Any]:
        return {"hybrid": self._hybrid}[mode]

    def _hybrid(self, query: tuple[str, Any]) -> list[tuple[int, float, str]]:
        lexical, _ = self._lexical.leaders(Counter(Tokenizer().terms(query[0])), DEEP)
        dense, _ = self._dense.nearest(query[1], DEEP)
        best = fused([lexical.tolist(), dense.tolist()])
        return [(chunk, score, self._text[slice(*self._spans[chunk])]) for chunk, score in best]

    def hits(self, mode: str, answer: Any) -> list[tuple[int, float]]:  # noqa: ARG002
        return [(chunk, score) for chunk, score, _ in answer]
