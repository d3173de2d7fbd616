"""Where on its pages a book's text is printed: a row a word, found by offset."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ....errors import ProjectError
from ...files.atomic import opened
from ...types import Box, PagePlace, Span

PLACES_FILE, BOOK_FILE = "pages.npy", "book.pdf"
"""In the folder of an index: the rows, and the PDF as it was read."""
_COLUMNS = 8  # start, end, page, line, left, top, right, bottom
_SCALE = 100.0  # coordinates are kept in hundredths of a point

Rows = NDArray[np.int32]
PrintedLine = tuple[int, int, Box]
"""A page (from 1), a line on it (from 1), and the box around words of that line."""


class WordPlaces:
    """``rows`` has shape (n, 8), int32, in order of telling: half-open offsets into the text, page and line
    (both from 1; every printed line counts, running heads too), and the box in hundredths of a point from
    the top left of the page as it is shown."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    @classmethod
    def of(cls, words: Iterator[tuple[Span, int, int, Box]]) -> WordPlaces:
        """The table of words with their offsets, pages, lines and boxes (in points)."""
        rows = [
            (span.start, span.end, page, line, *(round(side * _SCALE) for side in box))
            for span, page, line, box in words
        ]
        return cls(np.array(rows, dtype=np.int32).reshape(-1, _COLUMNS))

    def __len__(self) -> int:
        return len(self._rows)

    def at(self, span: Span) -> tuple[PagePlace, ...]:
        """Where a part of the text is printed, a place a page; none where no printed word is in it."""
        return tuple(
            PagePlace(int(rows[0, 2]), int(rows[:, 3].min()), int(rows[:, 3].max()), _box(rows))
            for rows in _runs(self._inside(span), [2])
        )

    def lines(self, span: Span) -> list[PrintedLine]:
        """The same line by line, so that each box holds words of the span and no others."""
        return [(int(rows[0, 2]), int(rows[0, 3]), _box(rows)) for rows in _runs(self._inside(span), [2, 3])]

    def on_page(self, page: int) -> list[tuple[int, Box]]:
        """The end of each word on a page in the text, and the word's box."""
        rows = self._rows[self._rows[:, 2] == page]
        return [(int(row[1]), _box(row[None])) for row in rows]

    def _inside(self, span: Span) -> Rows:
        first = int(np.searchsorted(self._rows[:, 1], span.start, side="right"))
        last = int(np.searchsorted(self._rows[:, 0], span.end, side="left"))
        return self._rows[first:last]

    # --- files -----------------------------------------------------------------------------------

    def to_bytes(self) -> bytes:
        """As a ``.npy`` file."""
        target = io.BytesIO()
        np.save(target, self._rows, allow_pickle=False)
        return target.getvalue()

    @classmethod
    def from_bytes(cls, data: bytes) -> WordPlaces:
        """What :meth:`to_bytes` gave."""
        return cls(np.load(io.BytesIO(data), allow_pickle=False))

    @classmethod
    def load(cls, folder: Path) -> WordPlaces | None:
        """The table in the folder of an index; None where the book was no PDF. Raises ProjectError where it
        is damaged."""
        file = folder / PLACES_FILE
        if not file.is_file():
            return None
        rows = opened(file, "the pages")
        if rows.ndim != 2 or rows.shape[1] != _COLUMNS or rows.dtype != np.int32:
            raise ProjectError(f"the pages in {folder.name} are no table of words: index the book again")
        return cls(rows)


def in_words(places: Sequence[PagePlace]) -> str:
    """``Page 12, Lines 30-36; Page 13, Lines 1-4``; empty without a place."""
    return "; ".join(place.label for place in places)


def _runs(rows: Rows, columns: list[int]) -> Iterator[Rows]:
    """The rows in runs that are equal in these columns."""
    keys = rows[:, columns].tolist()
    for _, places in groupby(range(len(rows)), key=lambda at: keys[at]):
        run = list(places)
        yield rows[run[0] : run[-1] + 1]


def _box(rows: Rows) -> Box:
    low, high = rows[:, 4:6].min(axis=0).tolist(), rows[:, 6:8].max(axis=0).tolist()
    return low[0] / _SCALE, low[1] / _SCALE, high[0] / _SCALE, high[1] / _SCALE
