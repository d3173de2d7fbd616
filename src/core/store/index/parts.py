"""The parts of an index that a store publishes together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ...chunks.table import ChunkTable
from ...lexical.bm25 import LexicalIndex
from ...vectors.index import VectorIndex

__all__ = ["IndexParts"]


@dataclass(frozen=True, slots=True, eq=False)
class IndexParts:
    """``chunks`` in order of telling; ``lexical`` and ``vectors`` number them the same way. ``fill`` writes
    into a folder the files of what else was made of the book."""

    chunks: ChunkTable
    lexical: LexicalIndex
    vectors: VectorIndex
    fill: Callable[[Path], None]

    def save(self, folder: Path) -> None:
        """Writes all of it as files."""
        self.chunks.save(folder)
        self.lexical.save(folder)
        self.vectors.save(folder)
        self.fill(folder)
