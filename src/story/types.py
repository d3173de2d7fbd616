"""The values of the story model: who, what, when, and on which quote it stands.

Two clocks run through all of it. ``told`` is the chapter in which the reader learns a thing (the
syuzhet); ``holds`` is the stretch of story time in which it is true (the fabula).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from ..core.types import Evidence

__all__ = [
    "Bound",
    "CharacterState",
    "CheckReport",
    "EntityKind",
    "EntityMention",
    "EntityMerge",
    "EventCause",
    "EventTold",
    "Interval",
    "Modality",
    "Open",
    "Relation",
    "RelationshipStrength",
    "Severity",
    "StateTold",
    "StoryEntity",
    "StoryLog",
    "Told",
    "Transition",
    "Violation",
]


class EntityKind(StrEnum):
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
        return self in (Modality.FACT, Modality.FLASHBACK)


# --- what extraction tells, one record a thing told, in order of telling -------------------------


@dataclass(frozen=True, slots=True)
class EntityMention:
    """A name stood in the text. ``entity`` is the id of who is meant, as a reader there would say.

    ``surface`` is the name as written without possessive; ``kind`` is this mention's own evidence.
    ``gender`` is ``"f"``, ``"m"`` or ``""`` where the mention itself (title, kin term) does not tell.
    """

    entity: str
    kind: EntityKind
    surface: str
    told: int
    evidence: Evidence
    gender: str = ""


@dataclass(frozen=True, slots=True)
class EntityMerge:
    """At chapter ``told`` the reader learns that ``entity`` is ``into``. Ids never change; views merge."""

    entity: str
    into: str
    told: int
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class Relation:
    """subject -predicate-> object. Predicates come from ``story.predicates``; confidence is 0 to 1."""

    subject: str
    predicate: str
    object: str
    holds: Interval
    told: int
    evidence: tuple[Evidence, ...]
    confidence: float = 1.0
    modality: Modality = Modality.FACT


@dataclass(frozen=True, slots=True)
class EventTold:
    """Something happened (or was planned, denied, dreamt: see ``modality``).

    ``participants`` are (role, entity id) pairs; roles are ``"agent"``, ``"patient"``, ``"place"``.
    ``predicate`` is the event's type, e.g. ``"KILLS"``.
    """

    id: str
    predicate: str
    participants: tuple[tuple[str, str], ...]
    told: int
    holds: Interval
    evidence: tuple[Evidence, ...]
    modality: Modality = Modality.FACT
    confidence: float = 1.0


@dataclass(frozen=True, slots=True)
class EventCause:
    """CAUSED_BY: ``effect`` came about through ``cause`` (both event ids)."""

    effect: str
    cause: str
    told: int
    evidence: tuple[Evidence, ...]
    confidence: float = 1.0


@dataclass(frozen=True, slots=True)
class StateTold:
    """One reading of a character at one place of the text.

    ``aspect`` is ``"emotion"`` (``value`` a named emotion, ``valence`` -1 to 1), ``"goal"`` (``value``
    the goal in the text's own words, ``valence`` +1 adopted, -1 given up or failed, +2 reached), or
    ``"location"`` (``value`` an entity id).
    """

    entity: str
    aspect: str
    value: str
    told: int
    evidence: Evidence
    valence: float = 0.0
    confidence: float = 1.0


Told = EntityMention | EntityMerge | Relation | EventTold | EventCause | StateTold


@dataclass(frozen=True, slots=True)
class StoryLog:
    """All that a story tells, in order of telling; never rewritten, only appended to.

    The log of the chapters up to n is exactly the first part of the log of the whole story.
    """

    mentions: tuple[EntityMention, ...] = ()
    merges: tuple[EntityMerge, ...] = ()
    relations: tuple[Relation, ...] = ()
    events: tuple[EventTold, ...] = ()
    causes: tuple[EventCause, ...] = ()
    states: tuple[StateTold, ...] = ()


# --- what the graph answers ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class StoryEntity:
    """An entity as a reader at some horizon knows it; evidence is its first mentions."""

    id: str
    kind: EntityKind
    name: str
    aliases: tuple[str, ...]
    first_appearance: int
    mentions: int
    evidence: tuple[Evidence, ...]
    gender: str = ""


@dataclass(frozen=True, slots=True)
class RelationshipStrength:
    """How one character stands to another: -1 (hostile) to 1 (devoted), and the predicate behind it."""

    entity: str
    strength: float
    predicate: str


@dataclass(frozen=True, slots=True)
class CharacterState:
    """A character at the end of one chapter.

    ``valence`` is -1 to 1, ``arousal`` 0 to 1; ``arc_phase`` is ``"setup"``, ``"rising"``,
    ``"crisis"``, ``"falling"`` or ``"resolution"``. Evidence lists the quotes the state stands on.
    """

    entity: str
    chapter: int
    emotional_state: str
    valence: float
    arousal: float
    active_goals: tuple[str, ...]
    relationships: tuple[RelationshipStrength, ...]
    location: str | None
    arc_phase: str
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True)
class Transition:
    """From one chapter's state to the next: ``magnitude`` 0 to 1, ``kind`` rise, fall or steady."""

    entity: str
    from_chapter: int
    to_chapter: int
    magnitude: float
    kind: str
    reasons: tuple[str, ...] = field(default=())


class Severity(StrEnum):
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Violation:
    """A finding of the critic. ``evidence`` holds the quotes of both sides, the earlier one first.

    ``suggestion`` says what would mend it, ``unless`` what evidence would make it go away.
    """

    rule: str
    severity: Severity
    message: str
    entities: tuple[str, ...]
    evidence: tuple[Evidence, ...]
    suggestion: str = ""
    unless: str = ""


@dataclass(frozen=True, slots=True)
class CheckReport:
    """What the critic found in one text, and how much there was to find it in.

    ``facts_checkable`` counts the statements extracted from the text under check (relations and events
    that the text vouches for); ``facts_checked`` those that at least one rule could set beside
    something told earlier; ``words`` the length of the text.
    """

    violations: tuple[Violation, ...]
    facts_checkable: int
    facts_checked: int
    words: int

    @property
    def consistency(self) -> float | None:
        """``max(0, 1 - 0.1 * violations)``; None where nothing could be checked."""
        if self.facts_checked == 0 and not self.violations:
            return None
        return max(0.0, 1.0 - 0.1 * len(self.violations))

    @property
    def coverage(self) -> float | None:
        """Share of the checkable facts that were checked, 0 to 1; None where there were none."""
        return self.facts_checked / self.facts_checkable if self.facts_checkable else None

    @property
    def per_10k_words(self) -> float | None:
        """None, like the score, where nothing could be checked: no findings there is no praise."""
        if self.facts_checked == 0 and not self.violations:
            return None
        return 10_000 * len(self.violations) / self.words if self.words else None
