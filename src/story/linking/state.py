"""What linking carries along: the story known so far, and the chapter that is being told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ...core.types import Chapter, Document, Evidence, Span
from ..model.predicates import PREDICATES
from ..model.types import EntityKind, Interval, Modality, Open
from ..names.alias_book import AliasBook


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

    def copy(self) -> KnownSoFar:
        """The same knowledge: what the one learns the other does not."""
        kinds = {entity: dict(votes) for entity, votes in self.kinds.items()}
        things, weak, into = dict(self.things), dict(self.weak), dict(self.into)
        return KnownSoFar(self.book.copy(), things, kinds, weak, into, self.last, dict(self.given))

    def root(self, entity: str) -> str:
        """The id that the entity was merged into, in the end; its own where it was not."""
        while entity in self.into:
            entity = self.into[entity]
        return entity

    def kind(self, entity: str) -> EntityKind:
        """The kind most mentions gave so far; of equals the one first given."""
        votes = self.kinds[entity]
        return max(votes, key=lambda kind: votes[kind])

    def are(self, kinds: frozenset[EntityKind], *entities: str) -> bool:
        """Is each of them of one of these kinds?"""
        return all(self.kind(entity) in kinds for entity in entities)

    def agrees(self, genders: tuple[tuple[int, str], ...], ids: Sequence[str | None]) -> bool:
        """False where somebody read through a pronoun is known to be of the other gender."""
        for mention, gender in genders:
            entity = ids[mention]
            known = self.book.gender(self.root(entity)) if entity is not None else ""
            if known and known != gender:
                return False
        return True


@dataclass(frozen=True, slots=True)
class ToldChapter:
    """The chapter being told: makes absolute evidence and intervals of story time."""

    document: Document
    chapter: Chapter

    @property
    def number(self) -> int:
        """The chapter's number."""
        return self.chapter.number

    def evidence(self, span: Span) -> Evidence:
        """The quote at a span of the chapter's body, with offsets into the document's text."""
        start = self.chapter.body.start
        return Evidence.of(self.document, self.chapter.number, Span(start + span.start, start + span.end))

    def all_evidence(self, spans: tuple[Span, ...]) -> tuple[Evidence, ...]:
        """The quotes at several spans of the chapter's body, in the order given."""
        return tuple(self.evidence(span) for span in spans)

    def holds(self, predicate: str, modality: Modality) -> Interval:
        """Kinship and origin hold throughout. What happens at chapter n holds there, and a death for good;
        a bond holds from n on. What is told from before ends before n, a death and an acquaintance again
        never."""
        row, n = PREDICATES[predicate], self.chapter.number
        if row.permanent and row.lasting:
            return Interval(Open.UNBOUNDED, Open.UNBOUNDED)
        if modality is Modality.FLASHBACK:
            lasts = row.permanent or row.endless
            return Interval(Open.UNKNOWN, Open.UNBOUNDED if lasts else n - 1)
        if row.permanent:
            return Interval(n, Open.UNBOUNDED)
        return Interval(n, Open.UNKNOWN if row.lasting else n)

    def stands(self, *, constant: bool, modality: Modality) -> Interval:
        """When a fact told in this chapter holds: a constant one always, what is told from before until then,
        any other from here on."""
        if constant:
            return Interval(Open.UNBOUNDED, Open.UNBOUNDED)
        if modality is Modality.FLASHBACK:
            return Interval(Open.UNKNOWN, self.number - 1)
        return Interval(self.number, Open.UNKNOWN)
