"""From a pattern's confidence to the chance that a careful reader would sign the edge.

The patterns' own confidences are guesses made when the rules were written. 269 relations of ten novels were
read in their sentences and judged: right subject, object, predicate and modality. The tables below are
isotonic fits (pool adjacent violators, Ayer et al. 1955) of the verdicts to the patterns' confidences, one
for each kind of pattern, drawn to few knots and shrunk towards the kind's own share of right ones (74 to 85
of 100).
"""

from __future__ import annotations

from bisect import bisect_right
from types import MappingProxyType

SURE_ENOUGH = 0.8
"""The least chance with which a lasting relation is read off the graph where precision is wanted. Of 252
judged edges told with as much in novels that rules were written on 92 of 100 are right; of all 442 in ten
novels that were kept back 85 of 100, and 92 of those between rightly known people."""

_Knots = tuple[tuple[float, float], ...]

_KNOWN: _Knots = ((0.35, 0.55), (0.6, 0.65), (0.74, 0.72), (0.76, 0.9))
_PLACE: _Knots = ((0.35, 0.4), (0.55, 0.5), (0.65, 0.62), (0.75, 0.8), (0.85, 0.94))
_NOUN: _Knots = ((0.35, 0.55), (0.6, 0.62), (0.75, 0.82), (0.88, 0.93))
_COUPLE: _Knots = ((0.35, 0.6), (0.85, 0.85))
_FEELING: _Knots = ((0.35, 0.5), (0.5, 0.62), (0.65, 0.75), (0.85, 0.83), (0.9, 0.88))

_TABLES: MappingProxyType[str, _Knots] = MappingProxyType(
    dict.fromkeys(("LOCATED_AT", "LIVES_IN", "COMES_FROM"), _PLACE)
    | dict.fromkeys(("PARENT_OF", "CHILD_OF", "SIBLING_OF", "KIN_OF", "OWNS"), _NOUN)
    | dict.fromkeys(("FRIEND_OF", "ENEMY_OF", "ALLIES_WITH", "SERVES", "SERVED_BY"), _NOUN)
    | {"KNOWS": _KNOWN, "MARRIED_TO": _COUPLE}
)


def calibrated(predicate: str, confidence: float) -> float:
    """Chance (0 to 1, three digits) that the edge is right, between knots by a straight line; it never falls
    as ``confidence`` (0 to 1) rises."""
    knots = _TABLES.get(predicate, _FEELING)
    k = bisect_right(knots, (confidence, 1.0))
    if k == 0:
        return round(knots[0][1] * confidence / knots[0][0], 3)
    if k == len(knots):
        return knots[-1][1]
    (low, one), (high, other) = knots[k - 1], knots[k]
    return round(one + (other - one) * (confidence - low) / (high - low), 3)
