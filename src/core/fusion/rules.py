"""The rules by which ranked lists are fused.

Reciprocal rank fusion: Cormack, Clarke & Büttcher, "Reciprocal Rank Fusion outperforms Condorcet and
individual Rank Learning Methods" (SIGIR 2009), with a weight for each list. Convex combination of normalised
scores: Bruch, Gai & Ingber, "An Analysis of Fusion Functions for Hybrid Retrieval" (ACM TOIS 42(1), 2023).
CombMNZ: Fox & Shaw, "Combination of Multiple Searches" (TREC-2, 1994); normalised as by Lee, "Analyses of
Multiple Evidence Combination" (SIGIR 1997).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial

from ...errors import ConfigError
from ..types import Hit
from .normalise import Fused, Normalisation, Part, assemble, by_ceiling, min_max, weighted


def reciprocal_rank_fusion(
    lists: Mapping[str, Sequence[Hit]],
    *,
    weights: Mapping[str, float],
    k: float = 60,
    top: int | None = None,
) -> list[Fused]:
    """``score(d) = sum over lists of weight / (k + rank)``, ranks from 1; the ``top`` best, or all.

    Scores are not read, so any lists can be fused; how far one list is ahead is lost. Raises ConfigError
    for a weight that is missing or negative, or a ``k`` under 0.
    """
    if not k >= 0:
        raise ConfigError(f"reciprocal rank fusion needs a k of 0 or more, not {k}")
    parts: list[Part] = []
    for name, hits, weight in weighted(lists, weights):
        parts.append((name, hits, [weight / (k + rank) for rank in range(1, len(hits) + 1)]))
    return assemble(parts, top)


def convex_combination(
    lists: Mapping[str, Sequence[Hit]],
    *,
    weights: Mapping[str, float],
    normalisation: Normalisation = by_ceiling,
    ceilings: Mapping[str, float] | None = None,
    by_holders: bool = False,
    k: int | None = None,
) -> list[Fused]:
    """``score(d) = sum over lists of weight * normalised score``; the ``k`` best, or all; with
    ``by_holders`` times how many lists of positive weight hold d.

    A list without a ceiling has 1 (a cosine's). Weights are used as they stand: to be convex they sum to 1.
    Best where every list holds the score of every candidate, since a chunk that a list does not hold gets
    nothing from it. Raises ConfigError for a weight that is missing or negative.
    """
    counting = weighted(lists, weights)
    held = Counter(hit.ordinal for _, hits, _ in counting for hit in hits) if by_holders else {}
    parts: list[Part] = []
    for name, hits, weight in counting:
        values = normalisation(hits, (ceilings or {}).get(name, 1.0))
        gains = [held.get(hit.ordinal, 1) * weight * v for hit, v in zip(hits, values, strict=True)]
        parts.append((name, hits, gains))
    return assemble(parts, k)


comb_mnz = partial(convex_combination, normalisation=min_max, by_holders=True)
"""Give it lists as they were found, not scores of every candidate: in those each chunk is held by all."""
