"""What linking carries along: the log so far, the story known so far, and the chapter that is being told."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields
from types import SimpleNamespace
from typing import Any, TypeVar

from ...core.text.sentences import past_abbreviation
from ...core.types import Chapter, Document, Evidence, Span
from ..model.chapter_reading import ChapterReading
from ..model.predicates import Predicate
from ..model.types import PEOPLE, EntityKind, Interval, Modality, Open, StoryLog, Told, followed
from ..names.alias_book import AliasBook

_ToldT = TypeVar("_ToldT", bound=Told)
PLACES = frozenset({EntityKind.LOCATION})


def thing_key(surface: str) -> str:
    """What the names of one place or thing share: lower case, without an article in front."""
    return surface.casefold().removeprefix("the ")


class GrowingLog(SimpleNamespace):
    """The tables of a ``StoryLog`` as lists, which are only ever appended to."""

    def __init__(self, log: StoryLog | None = None) -> None:
        super().__init__(**{each.name: [] for each in fields(StoryLog)})
        if log is not None:
            self.extend(log)

    def extend(self, log: StoryLog) -> None:
        """Appends each table of the log."""
        for name, table in vars(self).items():
            table.extend(getattr(log, name))

    def frozen(self) -> StoryLog:
        """All told so far."""
        return StoryLog(**{name: tuple(table) for name, table in vars(self).items()})


@dataclass(slots=True)
class KnownSoFar:
    """What the fold carries from chapter to chapter. ``given`` are names in lower case that an author gave,
    and whose they are."""

    book: AliasBook = field(default_factory=AliasBook)
    things: dict[str, str] = field(default_factory=dict)
    kinds: dict[str, dict[EntityKind, int]] = field(default_factory=dict)
    weak: dict[str, int] = field(default_factory=dict)
    into: dict[str, str] = field(default_factory=dict)
    last: tuple[str, int] = ("", 0)
    given: dict[str, str] = field(default_factory=dict)

    @property
    def authored(self) -> frozenset[str]:
        """The ids that an author laid down."""
        return frozenset(self.given.values()) if self.given else frozenset()

    def root(self, entity: str) -> str:
        """The id that the entity was merged into, in the end; its own where it was not."""
        return followed(self.into, entity)

    def kind(self, entity: str) -> EntityKind:
        """The kind most mentions gave so far; of equals the one first given."""
        votes = self.kinds[entity]
        return max(votes, key=lambda kind: votes[kind])

    def are(self, kinds: frozenset[EntityKind], *entities: str) -> bool:
        """Is each of them of one of these kinds?"""
        return all(self.kind(entity) in kinds for entity in entities)


@dataclass(frozen=True, slots=True)
class ToldChapter:
    """The chapter being told: makes absolute evidence and intervals of story time."""

    document: Document
    chapter: Chapter

    @property
    def number(self) -> int:
        return self.chapter.number

    def evidence(self, span: Span) -> Evidence:
        """The quote at a span of the chapter's body, with offsets into the document's text."""
        return Evidence.of(self.document, self.chapter.number, span.moved(self.chapter.body.start))

    def all_evidence(self, spans: tuple[Span, ...]) -> tuple[Evidence, ...]:
        """The quotes at several spans of the chapter's body, in the order given, cut at no abbreviation."""
        body = self.chapter.body.of(self.document.text)
        return tuple(self.evidence(past_abbreviation(body, span)) for span in spans)

    def holds(
        self, modality: Modality, *, permanent: bool, lasting: bool = True, endless: bool = False
    ) -> Interval:
        """Kinship, origin and what never changes hold throughout. What happens at chapter n holds there, and
        a death for good; what lasts holds from n on. What is told from before ends before n, a death and an
        acquaintance again never."""
        n = self.chapter.number
        if permanent and lasting:
            return Interval(Open.UNBOUNDED, Open.UNBOUNDED)
        if modality is Modality.FLASHBACK:
            return Interval(Open.UNKNOWN, Open.UNBOUNDED if permanent or endless else n - 1)
        return Interval(n, Open.UNBOUNDED if permanent else Open.UNKNOWN if lasting else n)

    def row_holds(self, row: Predicate, modality: Modality) -> Interval:
        """The same of what a predicate tells."""
        return self.holds(modality, permanent=row.permanent, lasting=row.lasting, endless=row.endless)


@dataclass(frozen=True, slots=True)
class Linked:
    """A chapter's reading with whom it names: ``ids`` gives the entity of each mention of the reading, None
    where it names nobody."""

    told: ToldChapter
    reading: ChapterReading
    ids: list[str | None]
    state: KnownSoFar

    def person(self, mention: int | None) -> str | None:
        """Whom it names, where that is somebody."""
        return self._of(PEOPLE, mention)

    def place(self, mention: int | None) -> str | None:
        return self._of(PLACES, mention)

    def _of(self, kinds: frozenset[EntityKind], mention: int | None) -> str | None:
        entity = None if mention is None else self.ids[mention]
        return entity if entity is not None and self.state.are(kinds, entity) else None

    def agrees(self, genders: Iterable[tuple[int, str]]) -> bool:
        """False where somebody read through a pronoun is known to be of the other gender."""
        for mention, gender in genders:
            entity = self.ids[mention]
            known = self.state.book.roster.gender(self.state.root(entity)) if entity is not None else ""
            if known and known != gender:
                return False
        return True

    def record(self, kind: Callable[..., _ToldT], read: Any, **own: Any) -> _ToldT:
        """What is told by a record of the reading: its fields of the same names, quotes with their place in
        the document, and the chapter's number, but for what is given."""
        for name in (each.name for each in fields(kind)):  # type: ignore[arg-type]
            value = getattr(read, name, None)
            if value is not None and name not in own and name != "told":
                quoted = isinstance(value, tuple) and isinstance((*value, None)[0], Span)
                value = self.told.all_evidence(value) if quoted else value
                own[name] = self.told.evidence(value) if isinstance(value, Span) else value
        return kind(told=self.told.number, **own)
