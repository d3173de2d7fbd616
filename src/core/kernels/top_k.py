"""The best few of many scores, and what several lists hold."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from . import compiled

Ordinals = NDArray[np.intp]
Singles = NDArray[np.float32]

_BLOCK = 64


def best(scores: NDArray[np.floating], k: int) -> Ordinals:
    """Indices of the ``k`` highest scores above 0, best first, ties to the lower index.

    Long arrays are looked through by blocks: at least k blocks have a maximum as high as the k-th highest
    maximum, so whatever is lower than that is not among the best k.
    """
    if k <= 0:
        return np.zeros(0, dtype=np.intp)
    whole = len(scores) // _BLOCK
    floor = 0.0
    if whole > 4 * k:
        blocks = scores[: whole * _BLOCK].reshape(_BLOCK, whole)  # a block is a column: quick to reduce
        maxima = blocks.max(axis=0)
        floor = float(np.partition(maxima, whole - k)[whole - k])
    if floor > 0:
        columns = np.flatnonzero(maxima >= floor)
        place, column = np.nonzero(blocks[:, columns] >= floor)
        found = place * whole + columns[column]
        rest = np.flatnonzero(scores[whole * _BLOCK :] >= floor)
        if len(rest):
            found = np.concatenate([found, whole * _BLOCK + rest])
    else:
        found = np.flatnonzero(scores > 0)
        if len(found) > k:
            worst = np.partition(scores[found], len(found) - k)[len(found) - k]
            found = found[scores[found] >= worst]
    return found[np.lexsort((found, -scores[found]))[:k]]


def ranked(ordinals: Ordinals, scores: Singles, k: int) -> tuple[Ordinals, Singles]:
    """The ``k`` best of a few, best first, ties to the lower ordinal, with their scores."""
    if compiled.KERNEL is not None and scores.dtype == np.float32:
        own = np.ascontiguousarray(ordinals, np.intp)
        found: tuple[Ordinals, Singles] = compiled.KERNEL.ranked(own, np.ascontiguousarray(scores), k)
        return found
    order = np.lexsort((ordinals, -scores))[: max(k, 0)]
    return ordinals[order], scores[order]


def union(left: Ordinals, right: Ordinals) -> Ordinals:
    """What either holds, ascending, each once."""
    if compiled.KERNEL is not None:
        both = [np.ascontiguousarray(one, np.intp) for one in (left, right)]
        found: Ordinals = compiled.KERNEL.union(*both)
        return found
    return np.unique(np.concatenate([left, right]))
