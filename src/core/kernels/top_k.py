"""The best few of many scores, and what several lists hold."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from . import compiled

Ordinals = NDArray[np.intp]
Singles = NDArray[np.float32]


def best(scores: NDArray[np.floating], k: int) -> Ordinals:
    """Indices of the ``k`` highest scores above 0, best first, ties to the lower index."""
    if k <= 0:
        return np.zeros(0, dtype=np.intp)
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
