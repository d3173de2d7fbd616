"""What one chapter says by itself: the values that reading its text alone gives.

A reading depends on the body text of one chapter and on nothing else, so it can be kept under a digest of
that text and never changes when other chapters do. All spans are offsets into that body text. Participants
are indices into ``mentions``; who the mentioned are in the story is for the linker to say.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import Field, dataclass, field, fields, replace
from functools import cache
from typing import TYPE_CHECKING, Any, Protocol

from ...core.files.plain_json import parse_json
from ...core.types import Span
from ...errors import ProjectError
from .types import EntityKind, Fact, Knowing, Modality, Order, Presence, ThreadStep, Time

if TYPE_CHECKING:
    from pydantic import TypeAdapter

SCHEMA = 7


@dataclass(frozen=True, slots=True)
class Mention:
    """A name (or a definite role, place or thing) in the text.

    ``surface`` is the name without possessive, ``gender`` is ``"f"``, ``"m"`` or ``""``, told by title or
    given name alone. ``strong``: the chapter gives evidence that this is a name of that kind (title, two
    votes of the parser, a deed that only people do); a weak mention counts only if the story knows the
    name already. ``spoken``: it stands inside direct speech. ``hint`` is the gender that a pronoun bound to
    it by the grammar tells ("Sissy dropped her eyes"). ``meant`` is the fuller name of whoever is meant,
    where a reader knows it.
    """

    span: Span
    surface: str
    kind: EntityKind
    gender: str
    scene: int
    sentence: Span
    strong: bool
    spoken: bool = False
    hint: str = ""
    meant: str = ""


@dataclass(frozen=True, slots=True)
class Statement:
    """subject -predicate-> object, for predicates that last.

    ``evidence`` is the sentence that says it, then for each participant named by a pronoun the sentence
    that names them. ``when`` is a time phrase of the sentence in its own words, or empty. Confidence 0 to 1.
    ``genders`` holds (mention, ``"f"`` or ``"m"``) for participants read through a pronoun: where the story
    knows better, the statement is not told. ``ended``: what the text tells is that it is over by now.
    ``origin`` and ``word`` as on ``Relation``.
    """

    predicate: str
    subject: int
    object: int
    evidence: tuple[Span, ...]
    modality: Modality
    confidence: float
    when: str = ""
    genders: tuple[tuple[int, str], ...] = ()
    origin: str = "rules"
    ended: bool = False
    word: str = ""


@dataclass(frozen=True, slots=True)
class Happening:
    """Something that happens (predicates that do not last). Whoever dies or is killed is the patient.

    ``verb`` is the lemma that heads the clause, ``at`` where that verb stands; ``genders`` as on a Statement,
    ``what`` and ``key`` as on an EventTold.
    """

    predicate: str
    agent: int | None
    patient: int | None
    place: int | None
    evidence: tuple[Span, ...]
    modality: Modality
    confidence: float
    when: str = ""
    verb: str = ""
    at: Span | None = None
    genders: tuple[tuple[int, str], ...] = ()
    origin: str = "rules"
    what: str = ""
    key: bool = False


@dataclass(frozen=True, slots=True)
class Mood:
    """How a character feels: ``emotion`` is a name of ``emotions.EMOTIONS``, ``valence`` -1 to 1."""

    character: int
    emotion: str
    valence: float
    arousal: float
    evidence: Span
    confidence: float


@dataclass(frozen=True, slots=True)
class Goal:
    """What a character is after, in the text's words. ``turn`` is ``adopted``, ``failed`` or ``reached``."""

    character: int
    wording: str
    turn: str
    evidence: Span
    confidence: float


@dataclass(frozen=True, slots=True)
class Identity:
    """The text says that two names are one ("X's real name was Y")."""

    one: int
    other: int
    evidence: Span
    confidence: float


@dataclass(frozen=True, slots=True)
class Voice:
    """Who may be speaking: a mention, ``gender`` where a pronoun or noun tells one, and what says so."""

    mention: int
    confidence: float
    evidence: tuple[Span, ...]
    gender: str = ""


@dataclass(frozen=True, slots=True)
class Quotation:
    """Direct speech in one or more ``pieces``, quotation marks included.

    ``speakers`` and ``hearers`` are candidates, the best first: the story may know that one cannot be (of
    another gender) and takes the next. ``kind`` as on ``QuotationTold``.
    """

    pieces: tuple[Span, ...]
    speakers: tuple[Voice, ...]
    hearers: tuple[Voice, ...]
    kind: str


@dataclass(frozen=True, slots=True)
class Scene:
    """A stretch of the chapter between scene breaks; ``flashback`` where it opens as one."""

    span: Span
    flashback: bool = False


@dataclass(frozen=True, slots=True)
class ReaderFailure:
    """So often a reader, by the name of its module, failed on the chapter, of which it read nothing then."""

    reader: str
    count: int


@dataclass(frozen=True, slots=True)
class Called:
    """Who or what a language model lists as one: the name that it gives them ("I": who tells the story),
    other names that they go by, and the quote that shows them."""

    name: str
    evidence: Span = field(default_factory=lambda: Span(0, 0))  # empty in readings of earlier versions
    also: tuple[str, ...] = ()
    kind: EntityKind = EntityKind.CHARACTER


@dataclass(frozen=True, slots=True)
class ChapterReading:
    """Everything read from one chapter, each tuple in order of the text, and what could not be read of it.
    ``by_model``: a language model read it, so that what it does not say is not guessed."""

    mentions: tuple[Mention, ...] = ()
    statements: tuple[Statement, ...] = ()
    happenings: tuple[Happening, ...] = ()
    moods: tuple[Mood, ...] = ()
    goals: tuple[Goal, ...] = ()
    identities: tuple[Identity, ...] = ()
    scenes: tuple[Scene, ...] = ()
    orders: tuple[Order[int, Span], ...] = ()
    quotations: tuple[Quotation, ...] = ()
    presences: tuple[Presence[int, Span], ...] = ()
    times: tuple[Time[int, Span], ...] = ()
    facts: tuple[Fact[int | None, Span], ...] = ()
    knowings: tuple[Knowing[int, Span], ...] = ()
    threads: tuple[ThreadStep[int, Span], ...] = ()
    cast: tuple[Called, ...] = ()
    failures: tuple[ReaderFailure, ...] = ()
    by_model: bool = False

    def referents(self) -> Iterator[int]:
        """The mentions that something is said of, as indices, some more than once."""
        for records in (getattr(self, each.name) for each in _tables()):
            for record in records:
                yield from mentions_of(record)
        for quotation in self.quotations:
            yield from (voice.mention for voice in (*quotation.speakers, *quotation.hearers))

    def renumbered(self, new: Mapping[int, int]) -> ChapterReading:
        """The same with only the mentions that are keys of ``new``, each at its new index, in order.
        Every referent must be a key."""
        mentions = tuple(self.mentions[old] for old in sorted(new, key=new.__getitem__))
        moved: dict[str, Any] = {
            each.name: tuple(_renumbered(record, new) for record in getattr(self, each.name))
            for each in _tables()
            if each.name != "mentions"
        }
        return replace(self, mentions=mentions, **moved)

    def to_json(self) -> str:
        """Compact JSON of all that is not as by default; the same reading gives the same characters."""
        body = _adapter().dump_json(self, exclude_defaults=True).decode()
        return f'{{"schema":{SCHEMA},"reading":{body}}}'

    @classmethod
    def from_json(cls, text: str) -> ChapterReading:
        """The reading that ``to_json`` wrote. Raises ProjectError for any other text."""
        try:
            data = parse_json(text)
            found = data.get("schema") if isinstance(data, dict) else None
            if found != SCHEMA:
                raise ProjectError(
                    f"a stored reading has schema {found!r}, not {SCHEMA}: read the chapter again"
                )
            return _adapter().validate_python(data["reading"])
        except (ValueError, KeyError) as error:
            raise ProjectError(f"a stored reading is damaged ({error}): read the chapter again") from error


def _tables() -> list[Field[Any]]:
    return [each for each in fields(ChapterReading) if each.name != "by_model"]


# the fields that hold an index into ``mentions``, whatever the record
_MENTION_FIELDS = ("subject", "object", "agent", "patient", "place", "character", "entity", "one", "other")


def mentions_of(record: object) -> Iterator[int]:
    """The mentions that a record of a reading is about, but for speakers and hearers."""
    return (i for name in _MENTION_FIELDS if (i := getattr(record, name, None)) is not None)


def _renumbered(record: Any, new: Mapping[int, int]) -> Any:
    changes: dict[str, Any] = {
        name: new[i] for name in _MENTION_FIELDS if (i := getattr(record, name, None)) is not None
    }
    if genders := getattr(record, "genders", ()):
        changes["genders"] = tuple((new[i], gender) for i, gender in genders)
    if isinstance(record, Quotation):
        for name in ("speakers", "hearers"):
            voices = getattr(record, name)
            changes[name] = tuple(replace(voice, mention=new[voice.mention]) for voice in voices)
    return replace(record, **changes) if changes else record


@cache
def _adapter() -> TypeAdapter[ChapterReading]:
    from pydantic import TypeAdapter

    return TypeAdapter(ChapterReading)


@dataclass(frozen=True, slots=True)
class KnownName:
    """Somebody or something that was named before a chapter."""

    name: str
    also: tuple[str, ...] = ()
    kind: EntityKind = EntityKind.CHARACTER


@dataclass(frozen=True, slots=True)
class ToldBefore:
    """What a reader may be given beside a chapter: the names so far, and the last words before it."""

    names: tuple[KnownName, ...] = ()
    words: str = ""


NOTHING_BEFORE = ToldBefore()


class ChapterReader(Protocol):
    """Reads one chapter's body at a time, from its text; one that can takes account of what was told
    before."""

    @property
    def version(self) -> str:
        """Everything that changes a reading of the same text; part of every cache key."""

    def load(self) -> None:
        """Loads its models now, so that no reading pays for it. Raises ModelMissing."""

    def read(self, text: str, before: ToldBefore = NOTHING_BEFORE) -> ChapterReading:
        """What the body text of a chapter tells. Raises ModelError where a model is missing or fails."""
        ...
