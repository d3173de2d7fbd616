"""Fusing ranked lists: pure functions over hits.

Reciprocal rank fusion: Cormack, Clarke & Büttcher, "Reciprocal Rank Fusion outperforms Condorcet and
individual Rank Learning Methods" (SIGIR 2009), with a weight for each list.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..errors import ConfigError
from .types import Hit, Share

__all__ = ["Fused", "reciprocal_rank_fusion"]


@dataclass(frozen=True, slots=True)
class Fused:
    """A chunk's fused score and what each list gave to it; the shares sum to the score."""

    ordinal: int
    score: float
    shares: tuple[Share, ...]


def reciprocal_rank_fusion(
    lists: Mapping[str, Sequence[Hit]], *, weights: Mapping[str, float], k: int = 60
) -> list[Fused]:
    """``score(d) = sum over lists of weight / (k + rank)``, ranks from 1, best first, ties by ordinal.

    A chunk that no list of positive weight holds is left out. Raises ConfigError for a negative weight
    or a ``k`` under 0.
    """
    if k < 0 or any(weights[name] < 0 for name in lists):
        raise ConfigError(f"fusion needs weights and k of 0 or more, not {dict(weights)} and k={k}")
    shares: dict[int, list[Share]] = {}
    for name in sorted(lists):
        if weights[name] == 0:
            continue
        for rank, hit in enumerate(lists[name], start=1):
            share = Share(name, rank, hit.score, weights[name] / (k + rank))
            shares.setdefault(hit.ordinal, []).append(share)
    fused = [Fused(o, sum(s.share for s in parts), tuple(parts)) for o, parts in shares.items()]
    return sorted(fused, key=lambda f: (-f.score, f.ordinal))
