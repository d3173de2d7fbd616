"""All chunks of a book as three columns of offsets; a chunk is made when it is asked for.

Fifty thousand chunks are opened in a millisecond, and a search makes only those that it returns.

A search may look at a prefix, for the horizon, and within it at those that a filter lets through.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import overload

import numpy as np
from numpy.typing import NDArray

from ...errors import ConfigError, ProjectError
from ..files.atomic import opened
from ..kernels import compiled
from ..types import Chunk, Document, Span

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Selection:
    """The first ``limit`` chunks, or those of them where ``mask`` is True.

    The limit is the horizon: an index takes its statistics from those chunks, whatever the mask says, so a
    filter picks among scores and changes none. ``mask`` may be given longer than ``limit`` (what is past the
    horizon is cut off); it is kept as a read-only copy of shape (limit,), and None where it is True
    throughout. Raises ConfigError for a negative limit, and for a mask that is shorter or of another type.
    """

    limit: int
    mask: Mask | None = None

    def __post_init__(self) -> None:
        if self.limit < 0:
            raise ConfigError(f"a selection is of the first chunks, 0 or more, not {self.limit}")
        if self.mask is None:
            return
        if self.mask.dtype != np.bool_ or self.mask.ndim != 1 or len(self.mask) < self.limit:
            raise ConfigError(
                f"a mask over {self.limit} chunks is a row of as many booleans, "
                f"not {self.mask.dtype} of shape {self.mask.shape}"
            )
        kept = self.mask[: self.limit].copy()
        kept.flags.writeable = False
        object.__setattr__(self, "mask", None if kept.all() else kept)

    def __contains__(self, ordinal: int) -> bool:
        return 0 <= ordinal < self.limit and (self.mask is None or bool(self.mask[ordinal]))


_FILE = "chunks.npy"


class ChunkTable(Sequence[Chunk]):
    """``rows`` has shape (n, 3), int64: chapter, start, end of each chunk, in order of telling."""

    def __init__(self, document: Document, rows: NDArray[np.int64]) -> None:
        self.document = document
        self.rows = rows

    @classmethod
    def of(cls, document: Document, chunks: Sequence[Chunk]) -> ChunkTable:
        """The table of these chunks of a document. Their ordinals are their places."""
        rows = [(c.chapter, c.span.start, c.span.end) for c in chunks]
        return cls(document, np.array(rows, dtype=np.int64).reshape(-1, 3))

    @property
    def chapters(self) -> NDArray[np.int64]:
        """The chapter of each chunk, shape (n,), ascending."""
        return self.rows[:, 0]

    def __len__(self) -> int:
        return len(self.rows)

    @overload
    def __getitem__(self, place: int) -> Chunk: ...

    @overload
    def __getitem__(self, place: slice) -> list[Chunk]: ...

    def __getitem__(self, place: int | slice) -> Chunk | list[Chunk]:
        if isinstance(place, slice):
            return [self._chunk(i) for i in range(*place.indices(len(self)))]
        ordinal = place if place >= 0 else len(self) + place
        if not 0 <= ordinal < len(self):
            raise IndexError(f"there are {len(self)} chunks, none of number {place}")
        return self._chunk(ordinal)

    def __iter__(self) -> Iterator[Chunk]:
        return map(self._chunk, range(len(self)))

    def some(self, ordinals: list[int]) -> list[Chunk]:
        """The chunks of these numbers, all of which there must be."""
        if compiled.KERNEL is None:
            return [self._chunk(ordinal) for ordinal in ordinals]
        own = self.document
        make = compiled.KERNEL.chunks
        found: list[Chunk] = make(own.id, own.text, self.rows, ordinals, Chunk.make_id, Chunk, Span)
        return found

    def _chunk(self, ordinal: int) -> Chunk:
        chapter, start, end = self.rows[ordinal].tolist()
        return Chunk.of(self.document, chapter, ordinal, Span(start, end))

    def save(self, folder: Path) -> None:
        """Writes ``chunks.npy`` into the folder, which must be there. The text is not in it: :meth:`load`
        needs the document."""
        np.save(folder / _FILE, self.rows, allow_pickle=False)

    @classmethod
    def load(cls, folder: Path, document: Document) -> ChunkTable:
        """Opens the columns by mmap. Raises ProjectError where the file is missing, damaged, or of another
        text."""
        rows = opened(folder / _FILE, "the chunks")
        if rows.ndim != 2 or rows.shape[1] != 3 or (len(rows) and int(rows[:, 2].max()) > len(document.text)):
            raise ProjectError(f"the chunks in {folder.name} do not fit the text: index the book again")
        return cls(document, rows)
