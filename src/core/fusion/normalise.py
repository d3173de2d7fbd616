"""Putting scores of different retrievers on one scale: pure functions from a list to as many numbers.

The lowest score that is possible becomes 0, since a chunk that a list does not hold adds nothing. Names as
in Bruch, Gai & Ingber, "An Analysis of Fusion Functions for Hybrid Retrieval" (TOIS 2023), section 4.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import fsum, sqrt

from ..types import Hit

Normalisation = Callable[[Sequence[Hit], float], list[float]]
"""From a list's hits, and the highest score that its retriever could give to this query."""


def by_ceiling(hits: Sequence[Hit], ceiling: float) -> list[float]:
    """``score / ceiling``: the theoretical maximum, so a weak best hit stays weak. BM25 (lucene): the sum
    of idf over the query's terms; cosine: 1. All 0 where the ceiling is 0."""
    return [hit.score / ceiling for hit in hits] if ceiling > 0 else [0.0] * len(hits)


def min_max(hits: Sequence[Hit], _ceiling: float = 1.0) -> list[float]:
    """``(score - min) / (max - min)`` of the list; all 1 where all scores are equal. A chunk that is not in
    the list counts as its lowest."""
    if not hits:
        return []
    scores = [hit.score for hit in hits]
    low, width = min(scores), max(scores) - min(scores)
    return [(score - low) / width for score in scores] if width > 0 else [1.0] * len(scores)


def z_score(hits: Sequence[Hit], _ceiling: float = 1.0) -> list[float]:
    """``(score - min) / standard deviation`` of the list; all 1 where all scores are equal.

    The usual z-score moved up until its lowest is 0. The order is that of the usual one where a chunk that
    is not in the list counts as its lowest; at 0 it would count as the list's mean, above chunks in it."""
    if not hits:
        return []
    scores = [hit.score for hit in hits]
    low, mean = min(scores), fsum(scores) / len(scores)
    deviation = sqrt(fsum((score - mean) ** 2 for score in scores) / len(scores))
    if max(scores) == low or deviation == 0:
        return [1.0] * len(scores)
    return [(score - low) / deviation for score in scores]


def raw(hits: Sequence[Hit], _ceiling: float = 1.0) -> list[float]:
    """The scores as they are: for lists that share a scale already."""
    return [hit.score for hit in hits]
