"""Somebody called by name as if known, though nothing has said who they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from ....core.types import Evidence, Span
from ...graph_rag.views.story_view import StoryView
from ...model.findings import Severity, Violation
from ...model.trait_values import AS_KNOWN, INTRODUCTION
from ...model.types import EntityKind, EntityMention, TraitTold
from ...names.person_name import PersonName
from ..background.name_likeness import same_word
from ..seams.rule import Fact

__all__ = ["NeverIntroduced"]

_OF_OLD = frozenset({"again", "before", "met", "owner"})  # uses that only somebody known can have


@dataclass(frozen=True, slots=True)
class NeverIntroduced:
    """The first mention of a person is a bare name, and nothing at it says who that is.

    Its field is a draft or a summary on top of a source (``only_document``): a retelling that takes over a
    name and leaves out who bears it (the error "character never introduced" of SNaC, Goyal et al. 2022).
    Whom the source has named is known. What introduces somebody is told by
    ``extraction.naming.introductions`` (an apposition, "his friend X", "a man named X", "X is a baker") at
    the first mention or within ``near`` characters behind it. Let pass, too: who is first named in direct
    speech, who is called by a role ("the sergeant", "Duke of Florence"), who shares a given name or surname
    with somebody named before, and a name that is the short form or another spelling of one.

    A story against itself is only checked so with ``own_story``: novelists bring in most of their people by
    name alone, so there it would not be an error. For the same reason the severity is INFO. Found there is
    one case alone, in a text with ``long_story`` mentions or more: a single given name that stands once in
    the whole, in the narration, of somebody treated as known (``extraction.naming.taken_as_known``). It is a
    WARNING where the words ask for somebody known (does it again, had done it, is heard, "Ruth's cough"),
    else INFO.

    Assumes that names are told from other words with a capital. Cannot see people whom extraction does not
    count yet (a name met once and without a deed of its own), nor an introduction told earlier without the
    name ("a stranger … it was Tom").
    """

    name: ClassVar[str] = "never_introduced"
    severity: ClassVar[Severity] = Severity.INFO

    near: int = 120
    own_story: bool = False
    long_story: int = 100

    def find(self, view: StoryView, *, only_document: str | None = None) -> Iterator[Violation]:
        if only_document is None and not self.own_story:
            if len(view.log.mentions) >= self.long_story:
                yield from self._met_once(view)
            return
        told, speech = _introduced_at(view), _speech(view)
        known: list[EntityMention] = []
        for first in _first_mentions(view):
            draft = only_document in (None, first.evidence.document_id)
            strange = draft and self._strange(first, known) and not _spoken(first, speech)
            if strange and not self._introduced(view, first, told):
                yield self._violation(view, first)
            known.append(first)

    def checkable(  # a first mention is no fact
        self,
        view: StoryView,  # noqa: ARG002
        *,
        only_document: str | None = None,  # noqa: ARG002
    ) -> frozenset[Fact]:
        """None, ever."""
        return frozenset()

    def _met_once(self, view: StoryView) -> Iterator[Violation]:
        told = {trait.entity: trait for trait in view.traits() if trait.aspect == AS_KNOWN}
        if not told:
            return
        once = {who for who in told if (known := view.entity(who)) is not None and known.mentions == 1}
        names_at = Counter(told[who].evidence[0] for who in once)
        introduced = {trait.entity for trait in view.traits() if trait.aspect == INTRODUCTION}
        names = _names(view)
        for entity in sorted(told, key=lambda who: (view.place(told[who]), who)):
            if entity not in once or entity in introduced or names_at[told[entity].evidence[0]] > 1:
                continue
            own = _parts(view.name(entity))
            if not any(_akin(own, name) for who, name in names if who != entity):
                yield self._once(view, told[entity])

    def _once(self, view: StoryView, trait: TraitTold) -> Violation:
        name = view.name(trait.entity)
        return Violation(
            rule=self.name,
            severity=Severity.WARNING if trait.value in _OF_OLD else self.severity,
            message=f"{name} is spoken of as known, though the story names nobody so before or after.",
            entities=(trait.entity,),
            evidence=(trait.evidence[0],),
            suggestion=f"Say who {name} is, or write the name that is meant.",
            unless="the name is told elsewhere, or it is nobody of this story",
        )

    def _strange(self, first: EntityMention, known: list[EntityMention]) -> bool:
        surface = first.surface
        words = surface.casefold().split()
        if not words or words[0] in ("the", "i") or (len(words) > 1 and words[1] == "of"):
            return False
        own = _parts(surface)
        return bool(own) and not any(_akin(own, _parts(other.surface)) for other in known)

    def _introduced(self, view: StoryView, first: EntityMention, told: dict[str, list[Evidence]]) -> bool:
        at = first.evidence
        return any(
            quote.document_id == at.document_id
            and quote.chapter == at.chapter
            and quote.span.start <= at.span.end + self.near
            for quote in told.get(view.resolve(first.entity), ())
        )

    def _violation(self, view: StoryView, first: EntityMention) -> Violation:
        return Violation(
            rule=self.name,
            severity=self.severity,
            message=f"{first.surface} is spoken of as if known, but nothing has said who that is.",
            entities=(view.resolve(first.entity),),
            evidence=(first.evidence,),
            suggestion=f"Say at the first mention who {first.surface} is.",
            unless="the name is told earlier, or an apposition or the like says who bears it",
        )


def _introduced_at(view: StoryView) -> dict[str, list[Evidence]]:
    found: dict[str, list[Evidence]] = {}
    for trait in view.traits():
        if trait.aspect == INTRODUCTION and trait.evidence:
            found.setdefault(trait.entity, []).append(trait.evidence[0])
    return found


def _speech(view: StoryView) -> dict[tuple[str, int], list[Span]]:
    """The pieces of direct speech by document and chapter."""
    found: dict[tuple[str, int], list[Span]] = {}
    for quotation in view.quotations():
        for piece in quotation.evidence[: quotation.pieces]:
            found.setdefault((piece.document_id, piece.chapter), []).append(piece.span)
    return found


def _spoken(first: EntityMention, speech: dict[tuple[str, int], list[Span]]) -> bool:
    at = first.evidence
    return any(piece.contains(at.span) for piece in speech.get((at.document_id, at.chapter), ()))


def _first_mentions(view: StoryView) -> list[EntityMention]:
    """Of each person, the first mention, in order of telling."""
    first: dict[str, EntityMention] = {}
    for mention in view.log.mentions:
        entity = view.entity(mention.entity)
        if entity is not None and entity.kind is EntityKind.CHARACTER:
            first.setdefault(entity.id, mention)
    return sorted(first.values(), key=lambda mention: (view.place(mention), mention.entity))


def _names(view: StoryView) -> list[tuple[str, tuple[str, ...]]]:
    """Every name by which anybody is called, with who bears it."""
    pairs = {(view.resolve(mention.entity), mention.surface): None for mention in view.log.mentions}
    return [(who, _parts(surface)) for who, surface in pairs]


def _parts(surface: str) -> tuple[str, ...]:
    """The words of a name that are its bearer's own: no title."""
    name = PersonName.parse(surface)
    return tuple(
        dict.fromkeys(
            word for part in (name.given, name.surname, name.bare) for word in part.split() if len(word) > 1
        )
    )


def _akin(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    return any(same_word(a, b) for a in one for b in other)
