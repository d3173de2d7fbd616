"""What kinds of things a story has, when they hold, and how the text vouches for them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class EntityKind(StrEnum):
    """What an entity is. OBJECT is a thing; GROUP is several people under one name."""

    CHARACTER = "character"
    LOCATION = "location"
    EVENT = "event"
    OBJECT = "object"
    GROUP = "group"


class Open(StrEnum):
    """An end of an interval that is not a chapter. The two are not the same: an UNKNOWN end may have
    passed already, an UNBOUNDED one never comes (blood kinship, death)."""

    UNKNOWN = "unknown"
    UNBOUNDED = "unbounded"


Bound = int | Open


@dataclass(frozen=True, slots=True)
class Interval:
    """Story time, in chapters of the main line, both ends inclusive.

    What is told at chapter n of the main line holds from n, its end UNKNOWN. What a flashback tells
    has an UNKNOWN start and ends before the chapter that tells it.
    """

    start: Bound
    end: Bound = Open.UNKNOWN

    def overlaps(self, other: Interval) -> bool | None:
        """True, False, or None where an UNKNOWN end leaves it open."""
        before = _before(self.end, other.start)
        after = _before(other.end, self.start)
        if before is True or after is True:
            return False
        if before is None or after is None:
            return None
        return True


def _before(end: Bound, start: Bound) -> bool | None:
    """Does something that ends at ``end`` end before something that starts at ``start``?"""
    if end is Open.UNBOUNDED or start is Open.UNBOUNDED:
        return False
    if isinstance(end, int) and isinstance(start, int):
        return end < start
    return None


class Modality(StrEnum):
    """How the text vouches for what it tells. Only FACT and FLASHBACK happened."""

    FACT = "fact"
    NEGATED = "negated"
    PLANNED = "planned"
    IMAGINED = "imagined"
    REPORTED = "reported"
    FLASHBACK = "flashback"

    @property
    def happened(self) -> bool:
        """Does the text vouch that it happened, in the main line or in a flashback?"""
        return self in (Modality.FACT, Modality.FLASHBACK)
