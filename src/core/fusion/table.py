"""The convex combination over arrays: the same result as :func:`~.rules.convex_combination`, for callers
that hold every list's score of every candidate as a row of numbers."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from ..kernels import compiled
from ..types import Share
from .normalise import Fused, hits_of, weighted
from .rules import convex_combination

Floats = NDArray[np.floating]


def fuse_table(
    ordinals: NDArray[np.intp],
    scores: Mapping[str, Floats],
    *,
    weights: Mapping[str, float],
    ceilings: Mapping[str, float],
    k: int | None = None,
) -> list[Fused]:
    """The ``k`` best of the candidates by ``sum over lists of weight * score / ceiling``, ties by ordinal.

    ``ordinals``, ascending, has shape (m,), as has each list's scores. A list holds the candidates that
    score above 0 in it, and a candidate that no list of positive weight holds is left out. Ranks of shares
    count the candidates. A list without a ceiling has 1. Raises ConfigError for a weight missing or negative.
    """
    counting = weighted(scores, weights)
    if not counting:
        return []
    names = [name for name, _, _ in counting]
    highest = [ceilings.get(name, 1.0) for name in names]
    factors = [one[2] / most if most > 0 else 0.0 for one, most in zip(counting, highest, strict=True)]
    table = np.array([row for _, row, _ in counting], dtype=np.float64)
    if compiled.KERNEL is not None:
        most = len(ordinals[:k])
        own = np.ascontiguousarray(ordinals, np.intp)
        fused: list[Fused] = compiled.KERNEL.fuse(own, table, factors, names, most, Fused, Share)
        return fused
    lists = {name: hits_of(ordinals[row > 0], row[row > 0]) for name, row in zip(names, table, strict=True)}
    return convex_combination(lists, weights=dict(zip(names, factors, strict=True)), k=k)
