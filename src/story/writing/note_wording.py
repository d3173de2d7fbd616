"""How notes word the two clocks of a bond, and which quotes they show."""

from __future__ import annotations

from collections.abc import Sequence

from ...core.types import Evidence
from ..model.predicates import PREDICATES, opposed
from ..model.types import Interval, Open, Relation

__all__ = ["SURE", "clocks", "is_over", "latest_quotes"]

# What was extracted with less confidence than this is not said to a model.
SURE = 0.5
_QUOTES = 6


def clocks(told: int, holds: Interval) -> str:
    """Both clocks in words: when the reader learnt it, and since when (until when) it is so."""
    words = [f"told in ch. {told}"]
    if isinstance(holds.start, int) and holds.start == holds.end:
        return f"told in ch. {told}, happened in ch. {holds.start}"
    if isinstance(holds.start, int):
        words.append(f"since ch. {holds.start}")
    if isinstance(holds.end, int):
        words.append(f"until ch. {holds.end}")
    elif holds.end is Open.UNBOUNDED:
        words.append("for good")
    return ", ".join(words)


def latest_quotes(evidence: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """At most six quotes, the latest ones, in order of telling."""
    ranked = sorted(set(evidence), key=lambda q: (q.chapter, q.document_id, q.span))
    return tuple(ranked[-_QUOTES:])


def is_over(relation: Relation, bonds: Sequence[Relation]) -> bool:
    """Did it end, or was its opposite told later between the same two? What was told several times counts
    from its last telling."""
    if isinstance(relation.holds.end, int):
        return True
    pair = (relation.subject, relation.object)
    for other in bonds:
        if not opposed(relation.predicate, other.predicate):
            continue
        symmetric = PREDICATES[other.predicate].symmetric or PREDICATES[relation.predicate].symmetric
        same = (other.subject, other.object) == pair
        crossed = symmetric and (other.object, other.subject) == pair
        if (same or crossed) and _last(other) > _last(relation):
            return True
    return False


def _last(relation: Relation) -> int:
    return max(relation.told, *(quote.chapter for quote in relation.evidence), 0)
