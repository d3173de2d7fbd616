"""Reciprocal rank fusion: Cormack, Clarke & Büttcher, "Reciprocal Rank Fusion outperforms Condorcet and
individual Rank Learning Methods" (SIGIR 2009), with a weight for each list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...errors import ConfigError
from ..types import Hit
from .fused import Fused, Part, assemble, weighted


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
