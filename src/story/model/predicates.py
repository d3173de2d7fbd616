"""The closed table of predicates: what may stand on an edge of the story graph.

One row says everything that rules and readers need: sign (how the subject stands to the object),
symmetry, inverse, opposites, whether it lasts (a bond) or happens (an event), and whether it turns a
bond, so that a change after it is a story and not a contradiction. And what a pattern's confidence is worth:
the chance that a careful reader would sign the edge.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

from ..tables import read_records

SURE_ENOUGH = 0.8
"""The least chance with which a lasting relation is read off the graph where precision is wanted. Of 252
judged edges told with as much in novels that rules were written on 92 of 100 are right; of all 442 in ten
novels that were kept back 85 of 100, and 92 of those between rightly known people."""

# The patterns' own confidences are guesses made when the rules were written. 269 relations of ten novels were
# read in their sentences and judged: right subject, object, predicate and modality. The tables below are
# isotonic fits (pool adjacent violators, Ayer et al. 1955) of the verdicts to the patterns' confidences, one
# for each kind of pattern, drawn to few knots and shrunk towards the kind's own share of right ones (74 to 85
# of 100).
_Knots = tuple[tuple[float, float], ...]
_KNOTS: dict[str, _Knots] = {
    "known": ((0.35, 0.55), (0.6, 0.65), (0.74, 0.72), (0.76, 0.9)),
    "place": ((0.35, 0.4), (0.55, 0.5), (0.65, 0.62), (0.75, 0.8), (0.85, 0.94)),
    "noun": ((0.35, 0.55), (0.6, 0.62), (0.75, 0.82), (0.88, 0.93)),
    "couple": ((0.35, 0.6), (0.85, 0.85)),
    "feeling": ((0.35, 0.5), (0.5, 0.62), (0.65, 0.75), (0.85, 0.83), (0.9, 0.88)),
}


def calibrated(predicate: str, confidence: float) -> float:
    """Chance (0 to 1, three digits) that the edge is right, between knots by a straight line; it never falls
    as ``confidence`` (0 to 1) rises."""
    knots = _KNOTS[PREDICATES[predicate].pattern]
    k = bisect_right(knots, (confidence, 1.0))
    if k == 0:
        return round(knots[0][1] * confidence / knots[0][0], 3)
    if k == len(knots):
        return knots[-1][1]
    (low, one), (high, other) = knots[k - 1], knots[k]
    return round(one + (other - one) * (confidence - low) / (high - low), 3)


@dataclass(frozen=True, slots=True)
class Predicate:
    """``sign`` is -1, 0 or 1. ``lasting`` predicates hold until something ends them. A ``turning`` one
    accounts for a later change between the same two. ``permanent`` ones cannot be undone, and hold from the
    start where they last; ``endless`` ones begin at some time and then never end. ``moral``: done to
    another's good (1) or harm (-1); partings and weddings are neither. ``gravity``, 0 (nothing) to 1 (a
    death), set by hand, is how much an event turns a story. ``pattern``: the kind of pattern that tells it;
    ``f`` and ``m``: the noun for a subject of that gender."""

    name: str
    phrase: str
    sign: int = 0
    pattern: str = "feeling"
    symmetric: bool = False
    inverse: str | None = None
    opposites: frozenset[str] = frozenset()
    lasting: bool = False
    turning: bool = False
    permanent: bool = False
    endless: bool = False
    moral: int = 0
    gravity: float = 0.0
    f: str = ""
    m: str = ""

    def phrase_for(self, gender: str) -> str:
        """The phrase as it is said of a subject of this gender (``"f"``, ``"m"``): ``is the aunt of``."""
        noun = {"f": self.f, "m": self.m}.get(gender)
        return f"is the {noun} of" if noun else self.phrase


PREDICATES = read_records("predicates.tsv", Predicate)


def opposed(one: str, other: str) -> bool:
    """Can the two not hold between the same two at the same time? Symmetric in its arguments."""
    return other in PREDICATES[one].opposites or one in PREDICATES[other].opposites


FAMILY = frozenset(
    """SIBLING_OF PARENT_OF CHILD_OF MARRIED_TO KIN_OF GRANDPARENT_OF AUNT_OR_UNCLE_OF COUSIN_OF
    STEP_KIN_OF""".split()
)
"""Ties that nobody has to themselves, so that those who have one are two, however alike their names."""
