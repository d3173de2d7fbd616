"""Intervals for a rate of findings: how far a count in so many words can be trusted."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

LEAST_CHAPTERS = 5
"""Chapters below which a bootstrap over chapters says nothing."""

_DRAWS = 2000
_TAIL = 0.025
_Z = 1.959963984540054


def poisson_interval(count: int) -> tuple[float, float]:
    """The exact 95 % interval of a Poisson mean that a count of events leaves, (0, …) for a count of 0.

    Garwood, "Fiducial limits for the Poisson distribution", Biometrika 28 (1936): the lower end is the mean
    at which ``count`` or more has probability 0.025, the upper the mean at which ``count`` or
    fewer has. It takes findings as independent, which those of one slip are not: read it as the least
    uncertainty there is.
    """
    low = 0.0 if count == 0 else _solve(lambda mean: 1.0 - _at_most(count - 1, mean), _TAIL, count)
    return low, _solve(lambda mean: 1.0 - _at_most(count, mean), 1.0 - _TAIL, count)


def chapter_interval(counts: Sequence[int], *, words: Sequence[int]) -> tuple[float, float] | None:
    """The 95 % percentile interval of the rate in 10,000 words when whole chapters are drawn again.

    ``counts`` and ``words`` stand chapter by chapter. Findings crowd in some chapters, so the chapter is the
    block (Efron and Tibshirani, "An Introduction to the Bootstrap", 1993, ch. 8 and 13; 2,000 draws, the rate
    a ratio of sums). None for fewer than ``LEAST_CHAPTERS`` chapters or no words. Same input, same interval.
    """
    if len(counts) < LEAST_CHAPTERS or sum(words) == 0:
        return None
    low, high = _resampled(counts, words)
    return 10_000.0 * low, 10_000.0 * high


def wilson(hits: int, n: int) -> tuple[float, float]:
    """The 95 % score interval of a share, ``hits`` of ``n`` (Wilson 1927), within 0 and 1, to four places;
    all of it where ``n`` is 0."""
    if n == 0:
        return 0.0, 1.0
    share, spread = hits / n, _Z * _Z / n
    middle, reach = share + spread / 2, _Z * math.sqrt(share * (1 - share) / n + spread / (4 * n))
    low, high = (middle - reach) / (1 + spread), (middle + reach) / (1 + spread)
    return round(max(0.0, low), 4), round(min(1.0, high), 4)


def bootstrap_interval(
    values: Sequence[float], *, groups: Sequence[str], seed: int = 0
) -> tuple[float, float]:
    """95 % percentile interval of the mean (Efron & Tibshirani 1993, ch. 13), resampling whole groups, so
    that several runs of one prompt do not count as several prompts."""
    import numpy as np

    _, own = np.unique(np.asarray(groups), return_inverse=True)
    sums = np.bincount(own, np.asarray(values, dtype=np.float64))
    low, high = _resampled(sums, np.bincount(own), seed=seed)
    return round(low, 4), round(high, 4)


def _resampled(sums: ArrayLike, sizes: ArrayLike, *, seed: int = 0) -> tuple[float, float]:
    """The percentile interval of a ratio of sums over blocks that are drawn again."""
    import numpy as np

    found, size = np.asarray(sums, dtype=np.float64), np.asarray(sizes, dtype=np.float64)
    drawn = np.random.default_rng(seed).integers(0, len(found), size=(_DRAWS, len(found)))
    total = size[drawn].sum(axis=1)
    rates = found[drawn].sum(axis=1)[total > 0] / total[total > 0]
    low, high = np.percentile(rates, [2.5, 97.5])
    return float(low), float(high)


def _at_most(count: int, mean: float) -> float:
    """P(X <= count) for a Poisson X."""
    if mean <= 0.0:
        return 1.0
    logs = (k * math.log(mean) - mean - math.lgamma(k + 1) for k in range(count + 1))
    return min(1.0, math.fsum(math.exp(value) for value in logs))


def _solve(rising: Callable[[float], float], target: float, count: int) -> float:
    """Where a rising function of the mean reaches ``target``, by halving."""
    low, high = 0.0, count + 10.0 * math.sqrt(count + 1.0) + 10.0
    for _ in range(64):
        middle = (low + high) / 2.0
        if rising(middle) < target:
            low = middle
        else:
            high = middle
    return (low + high) / 2.0
