"""From the rows that an endpoint sent to unit vectors; whatever is no vector of numbers is refused."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...core.interfaces import Vectors
from .wire import BadReply

_SMALLEST = 1e-12  # a length below which there is no direction


def unit_rows(rows: Sequence[object], *, dimension: int) -> Vectors:
    """Shape (len(rows), dimension), float32, each of length 1; ``dimension`` 0 takes that of the first row.

    Raises BadReply, naming the first row (from 0) that is empty, of another length, has something that is
    no finite number, or is all zeros."""
    made = np.empty((len(rows), dimension or _width(rows)), np.float32)
    for place, row in enumerate(rows):
        if not isinstance(row, list) or not row:
            raise BadReply(f"has no vector for text {place}")
        if len(row) != made.shape[1]:
            raise BadReply(f"has a vector of {len(row)} numbers, not of {made.shape[1]}, for text {place}")
        if not all(type(number) is float or type(number) is int for number in row):
            raise BadReply(f"has something that is no number in the vector for text {place}")
        try:
            exact = np.array(row, np.float64)
        except OverflowError:
            exact = np.full(len(row), np.inf)
        length = float(np.linalg.norm(exact)) if np.isfinite(exact).all() else np.inf
        if not _SMALLEST < length < np.inf:
            what = "only zeros" if length <= _SMALLEST else "a number that is not finite"
            raise BadReply(f"has {what} in the vector for text {place}")
        made[place] = exact / length
    return made


def _width(rows: Sequence[object]) -> int:
    first = rows[0] if rows else None
    return len(first) if isinstance(first, list) else 1
