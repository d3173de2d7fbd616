"""The convex combination over arrays: the same result as :func:`~.convex.convex_combination`, for callers
that hold every list's score of every candidate as a row of numbers."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from ...errors import ConfigError
from ..types import Share
from .fused import Fused

__all__ = ["fuse_table"]

Floats = NDArray[np.floating]


def fuse_table(
    ordinals: NDArray[np.integer],
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
    parts: dict[str, NDArray[np.float64]] = {}
    total = np.zeros(len(ordinals))
    for name in sorted(scores):
        weight = weights.get(name, -1.0)
        if not 0 <= weight < float("inf"):
            raise ConfigError(f"fusion needs a weight of 0 or more for {name!r}, not {dict(weights)}")
        ceiling = ceilings.get(name, 1.0)
        if weight:
            held = np.maximum(scores[name], 0.0) / ceiling if ceiling > 0 else np.zeros(len(ordinals))
            parts[name] = weight * held
            total += parts[name]
    order = np.argsort(-total, kind="stable")[:k]
    chosen = order[total[order] > 0]
    columns = [
        (name, _ranks(scores[name])[chosen].tolist(), scores[name][chosen].tolist(), part[chosen].tolist())
        for name, part in parts.items()
    ]
    fused = []
    totals = total[chosen].tolist()
    for place, ordinal in enumerate(ordinals[chosen].tolist()):
        shares = tuple(
            Share(name, ranks[place], own[place], part[place])
            for name, ranks, own, part in columns
            if part[place] > 0
        )
        fused.append(Fused(ordinal, totals[place], shares))
    return fused


def _ranks(scores: Floats) -> NDArray[np.intp]:
    """Places from 1 by score, ties in order."""
    place = np.empty(len(scores), dtype=np.intp)
    place[np.argsort(-scores, kind="stable")] = np.arange(1, len(scores) + 1)
    return place
