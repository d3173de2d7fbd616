"""Measures of a ranking, and paired intervals over several sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log2
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

__all__ = ["MEASURES", "macro_interval", "measure", "ndcg"]

MEASURES = ("ndcg@10", "r@2", "r@5", "r@10", "mrr")
Floats = NDArray[np.float64]
T = TypeVar("T")


def ndcg(ranked: Sequence[T], relevant: frozenset[T] | Mapping[T, int], k: int = 10) -> float:
    """Järvelin & Kekäläinen (2002): a passage's gain is its grade (1 in a set); 0 where none is relevant."""
    grades = relevant if isinstance(relevant, Mapping) else dict.fromkeys(relevant, 1)
    best = sorted(grades.values(), reverse=True)[:k]
    ideal = sum(grade / log2(place + 1) for place, grade in enumerate(best, start=1))
    gain = sum(grades.get(o, 0) / log2(place + 1) for place, o in enumerate(ranked[:k], start=1))
    return gain / ideal if ideal else 0.0


def measure(ranked: Sequence[T], relevant: frozenset[T]) -> tuple[float, ...]:
    """The values of ``MEASURES``, for a ranking of at least ten (or all there are)."""
    recalls = (
        len(relevant.intersection(ranked[:k])) / len(relevant) if relevant else 0.0 for k in (2, 5, 10)
    )
    first = next((1 / place for place, o in enumerate(ranked[:10], start=1) if o in relevant), 0.0)
    return (ndcg(ranked, relevant), *recalls, first)


def macro_interval(
    differences: Mapping[str, Floats],
    groups: Mapping[str, Sequence[str]],
    *,
    seed: int = 0,
    draws: int = 2000,
) -> tuple[float, float]:
    """95 % percentile interval of the mean over sets of the mean difference, resampling each set's groups."""
    rng = np.random.default_rng(seed)
    total = np.zeros(draws)
    for name in sorted(differences):
        _, own = np.unique(np.asarray(groups[name]), return_inverse=True)
        sums, counts = np.bincount(own, differences[name]), np.bincount(own)
        for start in range(0, draws, 200):
            picked = rng.integers(0, len(sums), (min(200, draws - start), len(sums)))
            total[start : start + 200] += sums[picked].sum(1) / counts[picked].sum(1)
    low, high = np.percentile(total / len(differences), [2.5, 97.5])
    return round(float(low), 4), round(float(high), 4)
