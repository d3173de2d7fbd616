"""Convex combination of normalised scores: Bruch, Gai & Ingber, "An Analysis of Fusion Functions for Hybrid
Retrieval" (ACM TOIS 42(1), 2023)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..types import Hit
from .fused import Fused, Part, assemble, weighted
from .normalise import Normalisation, by_ceiling


def convex_combination(
    lists: Mapping[str, Sequence[Hit]],
    *,
    weights: Mapping[str, float],
    normalisation: Normalisation = by_ceiling,
    ceilings: Mapping[str, float] | None = None,
    k: int | None = None,
) -> list[Fused]:
    """``score(d) = sum over lists of weight * normalised score``; the ``k`` best, or all.

    A list without a ceiling has 1 (a cosine's). Weights are used as they stand: to be convex they sum to 1.
    Best where every list holds the score of every candidate, since a chunk that a list does not hold gets
    nothing from it. Raises ConfigError for a weight that is missing or negative.
    """
    ceilings = ceilings or {}
    parts: list[Part] = []
    for name, hits, weight in weighted(lists, weights):
        values = normalisation(hits, ceilings.get(name, 1.0))
        parts.append((name, hits, [weight * value for value in values]))
    return assemble(parts, k)
