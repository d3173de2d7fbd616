"""The parts of an index that a store publishes together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ...chunks.table import ChunkTable
from ...lexical.bm25 import LexicalIndex
from ...vectors.index import VectorIndex


@dataclass(frozen=True, slots=True)
class GraphRows:
    """A story graph as rows: ``entities`` are (id, kind, name, first chapter), ``relations`` (subject,
    predicate, object, modality, chapter that tells it, confidence, start and end of its first quote or
    None)."""

    entities: tuple[tuple[str, str, str, int], ...] = ()
    relations: tuple[tuple[str, str, str, str, int, float, int | None, int | None], ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class IndexParts:
    """``chunks`` in order of telling; ``lexical`` and ``vectors`` number them the same way. ``fill`` writes
    into a folder the files of what else was made of the book, the story graph among them; ``graph`` gives
    that as rows, for a store that keeps tables of it."""

    chunks: ChunkTable
    lexical: LexicalIndex
    vectors: VectorIndex
    fill: Callable[[Path], None]
    graph: Callable[[], GraphRows] = GraphRows

    def save(self, folder: Path) -> None:
        """Writes all of it as files."""
        self.chunks.save(folder)
        self.lexical.save(folder)
        self.vectors.save(folder)
        self.fill(folder)
