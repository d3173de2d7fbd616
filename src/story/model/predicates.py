"""The closed table of predicates: what may stand on an edge of the story graph.

One row says everything that rules and readers need: sign (how the subject stands to the object),
symmetry, inverse, opposites, whether it lasts (a bond) or happens (an event), and whether it turns a
bond, so that a change after it is a story and not a contradiction. And what a pattern's confidence is worth:
the chance that a careful reader would sign the edge.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from types import MappingProxyType

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


@dataclass(frozen=True, slots=True)
class Predicate:
    """``sign`` is -1, 0 or 1. ``lasting`` predicates hold until something ends them. A ``turning`` one
    accounts for a later change between the same two. ``permanent`` ones cannot be undone, and hold from the
    start where they last; ``endless`` ones begin at some time and then never end. ``moral``: done to
    another's good (1) or harm (-1); partings and weddings are neither. ``gravity``, 0 (nothing) to 1 (a
    death), set by hand, is how much an event turns a story."""

    name: str
    phrase: str
    sign: int = 0
    symmetric: bool = False
    inverse: str | None = None
    opposites: frozenset[str] = frozenset()
    lasting: bool = True
    turning: bool = False
    permanent: bool = False
    endless: bool = False
    moral: int = 0
    gravity: float = 0.0

    def phrase_for(self, gender: str) -> str:
        """The phrase as it is said of a subject of this gender (``"f"``, ``"m"``): ``is the aunt of``."""
        by_gender = _KIN_NOUNS.get(self.name, {})
        return f"is the {by_gender[gender]} of" if gender in by_gender else self.phrase


_KIN_NOUNS = {
    "PARENT_OF": {"f": "mother", "m": "father"},
    "CHILD_OF": {"f": "daughter", "m": "son"},
    "SIBLING_OF": {"f": "sister", "m": "brother"},
    "GRANDPARENT_OF": {"f": "grandmother", "m": "grandfather"},
    "AUNT_OR_UNCLE_OF": {"f": "aunt", "m": "uncle"},
}


def _rows() -> tuple[Predicate, ...]:
    warm = frozenset({"HATES", "ENEMY_OF"})
    cold = frozenset({"LOVES", "ALLIES_WITH", "FRIEND_OF"})
    return (
        # bonds
        Predicate("LOVES", "loves", 1, opposites=frozenset({"HATES"})),
        Predicate("HATES", "hates", -1, opposites=cold),
        Predicate("ALLIES_WITH", "is allied with", 1, symmetric=True, opposites=warm),
        Predicate("FRIEND_OF", "is a friend of", 1, symmetric=True, opposites=warm),
        Predicate("ENEMY_OF", "is an enemy of", -1, symmetric=True, opposites=cold - {"LOVES"}),
        Predicate("TRUSTS", "trusts", 1, opposites=frozenset({"DISTRUSTS"})),
        Predicate("DISTRUSTS", "distrusts", -1, opposites=frozenset({"TRUSTS"})),
        Predicate("ADMIRES", "thinks highly of", 1),
        Predicate("RESENTS", "resents", -1),
        Predicate("FEARS", "fears", -1),
        Predicate("SERVES", "works for", 1, inverse="SERVED_BY"),
        Predicate("SERVED_BY", "employs", 0, inverse="SERVES"),
        Predicate("TEACHES", "teaches", 0),
        Predicate("RIVAL_OF", "is a rival of", -1, symmetric=True),
        Predicate("COLLEAGUE_OF", "works with", 0, symmetric=True),
        Predicate("NEIGHBOUR_OF", "is a neighbour of", 0, symmetric=True),
        Predicate("TREATS", "is the doctor of", 0),
        Predicate("RENTS_FROM", "rents from", 0),
        Predicate("BENEFACTOR_OF", "is a benefactor of", 1),
        Predicate("KNOWS", "knows", 0, symmetric=True, endless=True),
        Predicate("APPEARS_WITH", "appears with", 0, symmetric=True, lasting=False),
        # family
        Predicate("PARENT_OF", "is a parent of", 0, inverse="CHILD_OF", permanent=True),
        Predicate("CHILD_OF", "is a child of", 0, inverse="PARENT_OF", permanent=True),
        Predicate("SIBLING_OF", "is a sibling of", 0, symmetric=True, permanent=True),
        Predicate("MARRIED_TO", "is married to", 1, symmetric=True),
        Predicate("ENGAGED_TO", "is engaged to", 1, symmetric=True),
        Predicate("PARTNER_OF", "is the partner of", 1, symmetric=True),
        Predicate("GRANDPARENT_OF", "is a grandparent of", 0, permanent=True),
        Predicate("AUNT_OR_UNCLE_OF", "is an aunt or uncle of", 0, permanent=True),
        Predicate("COUSIN_OF", "is a cousin of", 0, symmetric=True, permanent=True),
        Predicate("STEP_KIN_OF", "is step-family of", 0, symmetric=True),
        Predicate("IN_LAW_OF", "is an in-law of", 0, symmetric=True),
        Predicate("KIN_OF", "is kin to", 0, symmetric=True, permanent=True),
        # place and possession
        Predicate("LOCATED_AT", "is at", 0),
        Predicate("LIVES_IN", "lives in", 0),
        Predicate("COMES_FROM", "comes from", 0, permanent=True),
        Predicate("OWNS", "has", 0),
        # events
        Predicate("KILLS", "kills", -1, lasting=False, turning=True, permanent=True, moral=-1, gravity=1.0),
        Predicate("DIES", "dies", 0, lasting=False, permanent=True, gravity=1.0),
        Predicate("ATTACKS", "attacks", -1, lasting=False, turning=True, moral=-1, gravity=0.7),
        Predicate("BETRAYS", "betrays", -1, lasting=False, turning=True, moral=-1, gravity=0.8),
        Predicate("DECEIVES", "deceives", -1, lasting=False, turning=True, moral=-1, gravity=0.5),
        Predicate("HARMS", "harms", -1, lasting=False, turning=True, gravity=0.5),
        Predicate("THREATENS", "threatens", -1, lasting=False, turning=True),
        Predicate("INSULTS", "speaks harshly to", -1, lasting=False, turning=True, gravity=0.3),
        Predicate("QUARRELS_WITH", "quarrels with", -1, symmetric=True, lasting=False, turning=True),
        Predicate("REJECTS", "turns away", -1, lasting=False, turning=True),
        Predicate("PRAISES", "speaks well of", 1, lasting=False),
        Predicate("EMBRACES", "embraces", 1, lasting=False, gravity=0.3),
        Predicate("HELPS", "helps", 1, lasting=False, turning=True, moral=1, gravity=0.3),
        Predicate("SAVES", "saves", 1, lasting=False, turning=True, moral=1, gravity=0.7),
        Predicate("FORGIVES", "forgives", 1, lasting=False, turning=True, moral=1, gravity=0.5),
        Predicate("MARRIES", "marries", 1, symmetric=True, lasting=False, turning=True, gravity=0.7),
        Predicate("LEAVES", "leaves", -1, lasting=False, turning=True, gravity=0.5),
        Predicate("MEETS", "meets", 0, symmetric=True, lasting=False, gravity=0.4),
        Predicate("TELLS", "tells", 0, lasting=False),
        Predicate("LEARNS", "learns", 0, lasting=False, turning=True, gravity=0.5),
        Predicate("GIVES_TO", "gives to", 1, lasting=False, moral=1),
        Predicate("STEALS_FROM", "steals from", -1, lasting=False, turning=True, moral=-1, gravity=0.5),
        Predicate("DOES", "does", 0, lasting=False),
        Predicate("PARTICIPATES_IN", "takes part in", 0, lasting=False),
    )


PREDICATES: MappingProxyType[str, Predicate] = MappingProxyType({row.name: row for row in _rows()})


def opposed(one: str, other: str) -> bool:
    """Can the two not hold between the same two at the same time? Symmetric in its arguments."""
    return other in PREDICATES[one].opposites or one in PREDICATES[other].opposites


FAMILY = frozenset(
    """SIBLING_OF PARENT_OF CHILD_OF MARRIED_TO KIN_OF GRANDPARENT_OF AUNT_OR_UNCLE_OF COUSIN_OF
    STEP_KIN_OF""".split()
)
"""Ties that nobody has to themselves, so that those who have one are two, however alike their names."""
