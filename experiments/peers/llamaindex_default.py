"""LlamaIndex with its default BM25 backend: a tenth slower than on Numba, and without Numba's memory, so
memory is compared with this one. Everything else is as in ``peers.llamaindex``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from experiments.peers import llamaindex
from experiments.peers.given import Given
from experiments.peers.llamaindex import Opened, save

__all__ = ["MODES", "Opened", "build", "save", "warm"]

MODES = ("hybrid",)


def warm() -> None:
    import faiss

    faiss.omp_set_num_threads(1)
    llamaindex.settings()


def build(given: Given, folder: Path) -> Any:
    index, lexical = llamaindex.build(given, folder)
    lexical.bm25.backend = "numpy"
    return index, lexical
