"""Putting scores of different retrievers on one scale: pure functions from a list to as many numbers.

The lowest score that is possible becomes 0, since a chunk that a list does not hold adds nothing. Names as
in Bruch, Gai & Ingber, "An Analysis of Fusion Functions for Hybrid Retrieval" (TOIS 2023), section 4.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum, sqrt
from typing import TypeVar

from ...errors import ConfigError
from ..types import Hit, Share

Part = tuple[str, Sequence[Hit], Sequence[float]]
"""A list's name, its hits, and what each hit adds to the score of its chunk."""


@dataclass(frozen=True, slots=True)
class Fused:
    """A chunk's fused score and what each list gave to it; the shares sum to the score."""

    ordinal: int
    score: float
    shares: tuple[Share, ...]


def hits_of(ordinals: Iterable[int], scores: Iterable[float]) -> list[Hit]:
    """Hits best first, ties by ordinal, from ordinals and a score of each (a list, or an array's values)."""
    pairs = sorted(zip(scores, ordinals, strict=True), key=lambda pair: (-pair[0], pair[1]))
    return [Hit(int(ordinal), float(score)) for score, ordinal in pairs]


_List = TypeVar("_List")


def weighted(lists: Mapping[str, _List], weights: Mapping[str, float]) -> list[tuple[str, _List, float]]:
    """Names, lists and weights of the lists that count, by name.

    Raises ConfigError for a list without a weight and for a weight that is not a number of 0 or more.
    """
    counting = []
    for name in sorted(lists):
        weight = weights.get(name)
        if weight is None or not 0 <= weight < float("inf"):
            raise ConfigError(
                f"fusion needs a weight of 0 or more for each of {sorted(lists)}, not {dict(weights)}"
            )
        if weight:
            counting.append((name, lists[name], weight))
    return counting


def assemble(parts: Sequence[Part], k: int | None) -> list[Fused]:
    """The ``k`` best chunks (all, if None); shares are made for those alone, which is what costs."""
    totals: dict[int, float] = {}
    known = totals.get
    places: list[dict[int, int]] = []
    for _, hits, gains in parts:
        ordinals = [hit.ordinal for hit in hits]
        places.append(dict(zip(ordinals, range(len(ordinals)), strict=True)))
        for ordinal, gain in zip(ordinals, gains, strict=True):
            totals[ordinal] = known(ordinal, 0.0) + gain
    # a stable sort in reverse keeps ties in order of ordinal, and needs no tuple for each
    chosen = sorted(sorted(totals), key=totals.__getitem__, reverse=True)[:k]
    fused = []
    for ordinal in chosen:
        shares = []
        for (name, hits, gains), place in zip(parts, places, strict=True):
            at = place.get(ordinal)
            if at is not None:
                shares.append(Share(name, at + 1, hits[at].score, gains[at]))
        fused.append(Fused(ordinal, totals[ordinal], tuple(shares)))
    return fused


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
