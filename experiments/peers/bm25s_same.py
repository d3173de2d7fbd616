"""bm25s (Numba) over fabula's own terms, so that both must give the same ten chunks."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from experiments.peers import glued
from experiments.peers.given import Given, K

MODES = ("lexical",)


def warm() -> None:
    glued.warm()
    _tokenizer().terms("ready")


def _tokenizer() -> Any:
    """fabula's, which needs nothing but a stemmer; where fabula is not installed, the folder named in
    ``FABULA_SOURCE`` holds it."""
    source = os.environ.get("FABULA_SOURCE")
    if source and source not in sys.path:
        sys.path.append(source)
    from fabula.core.text.tokenizing import Tokenizer

    return Tokenizer()


def build(given: Given, folder: Path) -> Any:  # noqa: ARG001
    import bm25s

    terms = _tokenizer().terms
    lexical = bm25s.BM25(method="lucene", k1=1.5, b=0.75, backend="numba")
    lexical.index([terms(text) for text in given.texts], show_progress=False)
    return lexical


def save(built: Any, folder: Path) -> None:
    built.save(str(folder / "bm25"), show_progress=False)


class Opened:
    def __init__(self, folder: Path, data: Path) -> None:  # noqa: ARG002
        import bm25s

        self._lexical = bm25s.BM25.load(str(folder / "bm25"))
        self._terms = _tokenizer().terms

    def prepare(self, text: str, vector: Any) -> str:  # noqa: ARG002
        return text

    def search(self, mode: str) -> Callable[[str], Any]:  # noqa: ARG002
        return self._search

    def _search(self, query: str) -> Any:
        return self._lexical.retrieve([self._terms(query)], k=K, show_progress=False)

    def hits(self, mode: str, answer: Any) -> list[tuple[int, float]]:  # noqa: ARG002
        ids, scores = answer
        return [(i, s) for i, s in zip(ids[0].tolist(), scores[0].tolist(), strict=True) if s > 0]
