"""CombMNZ: Fox & Shaw, "Combination of Multiple Searches" (TREC-2, 1994); normalised as by Lee, "Analyses of
Multiple Evidence Combination" (SIGIR 1997)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from ..types import Hit
from .fused import Fused, Part, assemble, weighted
from .normalise import Normalisation, min_max


def comb_mnz(
    lists: Mapping[str, Sequence[Hit]],
    *,
    weights: Mapping[str, float],
    normalisation: Normalisation = min_max,
    ceilings: Mapping[str, float] | None = None,
    k: int | None = None,
) -> list[Fused]:
    """``score(d) = lists that hold d * sum of weight * normalised score``; the ``k`` best, or all.

    Only lists of positive weight are counted. Give it lists as they were found, not scores of every
    candidate: in those each chunk is held by all. Raises ConfigError for a weight missing or negative.
    """
    ceilings = ceilings or {}
    counting = weighted(lists, weights)
    holders = Counter(hit.ordinal for _, hits, _ in counting for hit in hits)
    parts: list[Part] = []
    for name, hits, weight in counting:
        values = normalisation(hits, ceilings.get(name, 1.0))
        gains = [holders[hit.ordinal] * weight * v for hit, v in zip(hits, values, strict=True)]
        parts.append((name, hits, gains))
    return assemble(parts, k)
