"""The values of the story model: who, what, when, and on which quote it stands.

Two clocks run through all of it. ``told`` is the chapter in which the reader learns a thing (the
syuzhet); ``holds`` is the stretch of story time in which it is true (the fabula).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Generic, Protocol, TypeVar

from ...core.types import Evidence

_K = TypeVar("_K")
_T = TypeVar("_T")
Who = TypeVar("Who")
Quote = TypeVar("Quote")


def gathered(pairs: Iterable[tuple[_K, _T]]) -> dict[_K, list[_T]]:
    """The values of each key, both in order of coming."""
    found: dict[_K, list[_T]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return found


def followed(into: Mapping[str, str], entity: str) -> str:
    """The id that the entity was merged into, in the end; its own where it was not."""
    while entity in into:
        entity = into[entity]
    return entity


# --- what kinds of things there are, when they hold, how the text vouches for them ---------------


class EntityKind(StrEnum):
    """What an entity is. OBJECT is a thing; GROUP is several people under one name."""

    CHARACTER = "character"
    LOCATION = "location"
    EVENT = "event"
    OBJECT = "object"
    GROUP = "group"


PEOPLE = frozenset({EntityKind.CHARACTER, EntityKind.GROUP})


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


EVER = Interval(Open.UNKNOWN)
CODEX_ID = "codex"
"""The document of what the author lays down, and the origin of what it tells."""
WORLD = "world"
"""Whose a fact is that holds of nobody in particular: a law of the story's world."""
KNOWING = ("learns", "tells", "hides", "lies about", "forgets")
THREADS = ("promise", "plan", "secret", "threat", "question", "planted object")
STEPS = ("opened", "advanced", "closed")


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
class EntityCorrected:
    """From chapter ``told`` on the author has the entity shown by ``name`` and as of ``kind`` (as the text
    tells where empty, or None). The latest word of each holds."""

    entity: str
    told: int
    evidence: Evidence
    name: str = ""
    kind: EntityKind | None = None


@dataclass(frozen=True, slots=True)
class Relation:
    """subject -predicate-> object. Predicates come from ``model.predicates``; confidence is 0 to 1.

    ``origin`` is who read it in the text: ``"rules"``, ``"model"`` (a language model), ``"rules+model"``
    where both did, or ``"codex"``, the author's own word. ``word`` is what the text calls the subject in it
    ("half-sister", "ex-wife", "boss"), empty where it has no word for it.
    """

    subject: str
    predicate: str
    object: str
    holds: Interval
    told: int
    evidence: tuple[Evidence, ...]
    confidence: float = 1.0
    modality: Modality = Modality.FACT
    origin: str = "rules"
    word: str = ""


@dataclass(frozen=True, slots=True)
class EventTold:
    """Something happened (or was planned, denied, dreamt: see ``modality``).

    ``participants`` are (role, entity id) pairs; roles are ``"agent"``, ``"patient"``, ``"place"``.
    ``predicate`` is the event's type, e.g. ``"KILLS"``, or ``"DOES"`` where no type of the table fits;
    ``verb`` the lemma of the verb that heads the clause; ``when`` its time phrase in the text's words;
    ``origin`` as on a Relation. ``what`` says what happens in a few words, empty where nobody worded it;
    ``key``: it is one of the few that turn its chapter.
    """

    id: str
    predicate: str
    participants: tuple[tuple[str, str], ...]
    told: int
    holds: Interval
    evidence: tuple[Evidence, ...]
    modality: Modality = Modality.FACT
    confidence: float = 1.0
    verb: str = ""
    when: str = ""
    origin: str = "rules"
    what: str = ""
    key: bool = False


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


@dataclass(frozen=True, slots=True)
class QuotationTold:
    """Direct speech: ``evidence`` is first what is said, piece by piece, then what tells who says it.

    ``pieces`` counts the pieces. ``speaker`` and ``hearers`` are entity ids (None and () where unknown).
    ``kind`` is how the speaker is told (PDNC's terms, Vishnubhotla et al. 2022): ``"explicit"`` by name
    beside a verb of saying, ``"anaphoric"`` by a pronoun or noun there, ``"implicit"`` by the turns alone.
    """

    speaker: str | None
    hearers: tuple[str, ...]
    told: int
    evidence: tuple[Evidence, ...]
    pieces: int
    kind: str
    confidence: float = 1.0


# --- what a chapter's reading tells and the log keeps ---------------------------------------------------
# A reading speaks of whom by mentions (indices) and of where by spans of the chapter's body; the log by ids
# and by evidence. ``told`` is the log's: the chapter that tells it.


@dataclass(frozen=True, slots=True)
class Order(Generic[Who, Quote]):
    """``earlier`` happened before ``later`` in story time, whatever the order of telling: ids of events, or
    indices into ``happenings`` of a reading."""

    earlier: Who
    later: Who
    evidence: tuple[Quote, ...]
    confidence: float = 1.0
    told: int = 0


@dataclass(frozen=True, slots=True)
class Presence(Generic[Who, Quote]):
    """``entity`` is on stage in a scene, not merely spoken of; ``scene`` counts the scenes of a chapter
    from 0, ``place`` is where, None where the text does not say; ``where`` is the quote that tells it."""

    entity: Who
    scene: int
    place: Who | None
    evidence: Quote
    confidence: float = 1.0
    where: Quote | None = None
    told: int = 0


@dataclass(frozen=True, slots=True)
class Time(Generic[Who, Quote]):
    """An expression of story time. ``kind`` is ``"date"``, ``"age"``, ``"duration"`` or ``"shift"`` (from
    what was told just before); ``value`` is normalised: an ISO 8601 date, part of one or duration (a
    leading ``-`` goes back). ``entity`` is whose age it is, ``event`` what it dates (as in ``Order``);
    ``sentence`` is the sentence it stands in."""

    kind: str
    value: str
    evidence: Quote
    entity: Who | None = None
    event: Who | None = None
    sentence: Quote | None = None
    told: int = 0


@dataclass(frozen=True, slots=True)
class Fact(Generic[Who, Quote]):
    """A typed fact: ``entity`` (in the log :data:`WORLD`, in a reading None for the story's world) has
    ``value`` in an ``aspect`` of ``model.aspects``.

    ``value`` is lower case and in as few words as the aspect needs; ``change`` says that the text tells how
    it came to be so (dyed, promoted); ``when`` is the time phrase in the text's words, empty where there is
    none. Evidence is the sentence, then what names the character where that sentence does not. ``holds`` and
    ``origin`` are as on a Relation, ``genders`` as on a Statement; the log has none.
    """

    entity: Who
    aspect: str
    value: str
    evidence: tuple[Quote, ...]
    modality: Modality = Modality.FACT
    confidence: float = 1.0
    change: bool = False
    genders: tuple[tuple[int, str], ...] = ()
    when: str = ""
    origin: str = "rules"
    told: int = 0
    holds: Interval = EVER


@dataclass(frozen=True, slots=True)
class Knowing(Generic[Who, Quote]):
    """``entity`` learns, tells, hides, lies about or forgets (``verb``, of KNOWING) something: ``what`` in a
    few words, from or to ``other`` where the text says whom. Evidence as on a Fact."""

    entity: Who
    verb: str
    what: str
    other: Who | None
    evidence: tuple[Quote, ...]
    modality: Modality = Modality.FACT
    confidence: float = 1.0
    told: int = 0


@dataclass(frozen=True, slots=True)
class ThreadStep(Generic[Who, Quote]):
    """A step of what a story opens and should close: ``kind`` of THREADS, ``what`` in a few words, ``step``
    of STEPS; ``entity`` is whose it is, None for nobody's."""

    kind: str
    what: str
    step: str
    entity: Who | None
    evidence: tuple[Quote, ...]
    confidence: float = 1.0
    told: int = 0


EventOrder = Order[str, Evidence]
PresenceTold = Presence[str, Evidence]
TimeTold = Time[str, Evidence]
FactTold = Fact[str, Evidence]
KnowingTold = Knowing[str, Evidence]
ThreadTold = ThreadStep[str, Evidence]


@dataclass(frozen=True, slots=True)
class Ground:
    """A quote speaks for two being ``what`` to each other, so strongly (log-odds); ``turned``: seen from the
    second."""

    what: str
    turned: bool
    weight: float


@dataclass(frozen=True, slots=True)
class PairTold:
    """What a chapter showed of two characters, ``one`` the lesser id: what ``pairs.pair_model`` adds up.

    ``meetings`` counts by ``pairs.windows.KINDS``, seen from ``one``; ``words`` are (feature, count) of these
    windows; ``nouns`` are (noun, so many sixtieths as ``one``'s with ``other`` near, and as ``other``'s);
    ``near`` the same of any noun. ``grounds`` says of each quote what it speaks for.
    """

    one: str
    other: str
    told: int
    meetings: tuple[int, ...]
    words: tuple[tuple[int, int], ...]
    nouns: tuple[tuple[int, int, int], ...]
    near: tuple[int, int]
    evidence: tuple[Evidence, ...]
    grounds: tuple[tuple[Ground, ...], ...]


@dataclass(frozen=True, slots=True)
class LawTold:
    """A law of the story's world as its author lays it down (see ``codex.codex``). ``kind`` is ``"never"``
    (none of ``who`` does it), ``"only"`` (nobody else does) or ``"always"`` (they never fail to); ``who`` are
    entity ids, () is anybody; ``does`` is the act in words, its verb first; ``until`` the last chapter."""

    kind: str
    who: tuple[str, ...]
    does: str
    told: int
    until: int | None
    evidence: tuple[Evidence, ...]


class Told(Protocol):
    """A record of the log."""

    @property
    def told(self) -> int: ...
    @property
    def evidence(self) -> Evidence | tuple[Evidence, ...]: ...


def quotes_of(record: Told) -> tuple[Evidence, ...]:
    """Its evidence, also where that is one quote alone."""
    return record.evidence if isinstance(record.evidence, tuple) else (record.evidence,)


@dataclass(frozen=True, slots=True)
class StoryLog:
    """All that a story tells, in order of telling; never rewritten, only appended to.

    The log of the chapters up to n is exactly the first part of the log of the whole story.
    """

    mentions: tuple[EntityMention, ...] = ()
    merges: tuple[EntityMerge, ...] = ()
    relations: tuple[Relation, ...] = ()
    events: tuple[EventTold, ...] = ()
    states: tuple[StateTold, ...] = ()
    orders: tuple[EventOrder, ...] = ()
    quotations: tuple[QuotationTold, ...] = ()
    presences: tuple[PresenceTold, ...] = ()
    times: tuple[TimeTold, ...] = ()
    facts: tuple[FactTold, ...] = ()
    knowings: tuple[KnowingTold, ...] = ()
    threads: tuple[ThreadTold, ...] = ()
    pairs: tuple[PairTold, ...] = ()
    laws: tuple[LawTold, ...] = ()
    corrected: tuple[EntityCorrected, ...] = ()

    def told(self, upto: int | None, *, after: int = -1) -> StoryLog:
        """What is told up to a chapter, inclusive, and after another; all of it where ``upto`` is None."""
        if upto is None:
            return self
        rows = {each.name: getattr(self, each.name) for each in fields(self)}
        return StoryLog(**{name: tuple(r for r in of if after < r.told <= upto) for name, of in rows.items()})


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
    """From one chapter's state to the next: ``magnitude`` 0 to 1; ``kind`` is ``"rise"``, ``"fall"``,
    ``"growth"``, ``"corruption"``, ``"bond"``, ``"break"`` or ``"steady"``."""

    entity: str
    from_chapter: int
    to_chapter: int
    magnitude: float
    kind: str
    reasons: tuple[str, ...] = field(default=())
