"""Passages that a good passage points to: scores pulled toward the score of what leads there.

A hop is a reason to read ``target`` once ``source`` has been read: it comes next in the telling, or both
name the same rare person. A hop does not say that the target answers the query, so it adds nothing by itself;
it lets the target keep part of its source's standing::

    s'(target) = s(target) + share * max over hops of weight * (s(source) - s(target)),  where positive

No target overtakes its source and the best passage stays the best, whatever the graph says. The rule
commutes with any increasing linear map of the scores, so it needs no scale of its own. It is one round of
spreading activation (Crestani, "Application of Spreading Activation Techniques in Information Retrieval",
1997) with the pull taken relative to the target's own score, and the maximum in place of the sum.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ..types import Hop

FOLLOWING = "the passage after"
PRECEDING = "the passage before"
_SHARE = 0.5  # of the difference in standing, that a hop of full weight passes on


@dataclass(frozen=True, slots=True)
class Lifted:
    """A passage's score after the hops. ``hop`` is the one that lifted it, None where none did."""

    ordinal: int
    score: float
    base: float
    hop: Hop | None = None

    @property
    def gain(self) -> float:
        """What the hop gave, 0 or more: the share of the retriever "graph"."""
        return self.score - self.base


def lifted(scores: Mapping[int, float], hops: Iterable[Hop]) -> list[Lifted]:
    """All passages of ``scores``, best first, ties by ordinal. A hop whose ends are not both in ``scores``
    is passed over; sources act with the score they came with, so one call is one hop.

    Of hops that lift a passage equally, that of the earlier source counts, then of the earlier name.
    """
    best: dict[int, tuple[float, Hop]] = {}
    for hop in sorted(hops, key=lambda one: (one.source, one.via)):
        if hop.source not in scores or hop.target not in scores:
            continue
        gain = _SHARE * hop.weight * (scores[hop.source] - scores[hop.target])
        if gain > best.get(hop.target, (0.0,))[0]:
            best[hop.target] = gain, hop
    out = []
    for ordinal, base in scores.items():
        gain, via = best.get(ordinal, (0.0, None))
        out.append(Lifted(ordinal, base + gain, base, via))
    return sorted(out, key=lambda passage: (-passage.score, passage.ordinal))


def neighbour_hops(
    seeds: Iterable[int], *, documents: Sequence[object], limit: int | None = None
) -> list[Hop]:
    """Hops from each seed to the passages told right before and after it, within its document and among
    the first ``limit`` passages. ``documents[i]`` is whatever tells passage i's document from others.
    """
    n = len(documents) if limit is None else min(limit, len(documents))
    hops = []
    for seed in seeds:
        for target, via in ((seed - 1, PRECEDING), (seed + 1, FOLLOWING)):
            if 0 <= target < n and 0 <= seed < n and documents[seed] == documents[target]:
                hops.append(Hop(seed, target, 1.0, via))
    return hops
