"""In two places at once: somebody on stage here is told to be elsewhere at the same moment."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from ....core.types import Evidence
from ...graph_rag.views.story_view import StoryView
from ...lexicon.stage_words import ARRIVING, GOING, LEAVING, is_room
from ...model.findings import Severity, Violation
from ...model.trait_values import WHEREABOUTS, Sighting
from ...model.types import EntityKind, EventTold, Modality, TraitTold
from ..seams.rule import Fact
from .sightings import away_and_here, off_the_stage, same_moment

__all__ = ["TwoPlacesAtOnce"]

_SAME_MOMENT = re.compile(
    r"\b(?:at (?:that|this|the) (?:very |same |selfsame |exact |precise )*(?:moment|instant|minute|second|"
    r"hour|time)|meanwhile|in the mean ?time|all (?:this|that|the) (?:while|time)|just then|simultaneously|"
    r"(?:while|as) (?:this|all this|these things) (?:was|were) (?:happening|going on|passing))\b",
    re.IGNORECASE,
)
_MOVING = (ARRIVING | GOING | LEAVING | frozenset("fly flee escape cross board embark disembark move cycle "
           "gallop disappear vanish emerge rejoin accompany jump dash slip back".split())
           ) - {"show"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Stay:
    """Somebody told to be at a place (a name without case)."""

    entity: str
    place: str
    quote: Evidence
    record: TraitTold


@dataclass(frozen=True, slots=True)
class TwoPlacesAtOnce:
    """Two tellings, in one chapter, of where one person is, that cannot both hold, nothing between that
    moves him or lets time pass.

    The later one says "at that very moment", "meanwhile" or the like (and he acted or spoke no more than
    ``passage`` characters before it), or both stand within ``passage`` characters; then the places must
    surely be apart: two rooms, or two places between which somebody is told to travel. Places whose names
    share a word are taken for one within the other. Any act of motion of his told between the two, any
    expression of time and any change of scene there makes the rule silent.

    Besides, one moment that the text pins down ("at noon on the Saturday") and two towns, or two kinds of
    place,
    where he is seen then, however far apart it is told; somebody who acts on both sides of a sentence that
    sees him far off at the time (``sightings``); and who is told to be away for the time being ("in Paris for
    the month"), and acts in the ``passage`` characters behind that, "the same evening".

    Assumes that linking is right about who and where. Cannot see motion told of a party ("they drove on"),
    or which place lies in which where the text does not say. Severity WARNING.
    """

    name: ClassVar[str] = "two_places_at_once"
    severity: ClassVar[Severity] = Severity.WARNING

    min_confidence: float = 0.6
    passage: int = 1500
    chapter_part: int = 6000

    def find(self, view: StoryView, *, only_document: str | None = None) -> Iterator[Violation]:
        told = _Told(view)
        for earlier, later in self._pairs(view):
            if only_document not in (None, later.quote.document_id):
                continue
            gap = later.quote.span.start - earlier.quote.span.end
            at_once = _SAME_MOMENT.search(later.quote.line) is not None
            if gap < 0 or told.between(earlier, later) or _within(earlier.place, later.place):
                continue
            if at_once:
                wrong = told.acts_before(later, self.passage)
            else:
                wrong = gap <= self.passage and told.apart(earlier.place, later.place)
            if wrong:
                yield self._violation(view, earlier, later)
        yield from self._sighted(view, only_document)

    def _sighted(self, view: StoryView, only_document: str | None) -> Iterator[Violation]:
        for earlier, later in same_moment(view):
            if only_document in (None, later.evidence[0].document_id):
                sighting = Sighting.parse(later.value)
                moment, place = sighting.moment, sighting.place
                before = Sighting.parse(earlier.value).place
                message = (
                    f"{view.name(later.entity)} is seen in {before.title()} and in {place.title()} "
                    f"at one moment ({moment})."
                )
                yield self._seen(later, message, earlier.evidence[:1])
        for here, elsewhere in off_the_stage(view, passage=self.chapter_part):
            if only_document in (None, elsewhere.evidence[0].document_id):
                place = Sighting.parse(elsewhere.value).place
                message = (
                    f"{view.name(elsewhere.entity)} is told to be in {place.title()} while on stage here."
                )
                yield self._seen(elsewhere, message, here)

        for away, act in away_and_here(view, passage=self.passage):
            if only_document in (None, act.document_id):
                place = Sighting.parse(away.value).place
                message = (
                    f"{view.name(away.entity)} is told to be away ({place.title()}), and acts here that day."
                )
                yield self._seen(away, message, (act,))

    def _seen(self, later: TraitTold, message: str, earlier: tuple[Evidence, ...]) -> Violation:
        return Violation(
            rule=self.name,
            severity=self.severity,
            message=message,
            entities=(later.entity,),
            evidence=(*earlier, later.evidence[0]),
            suggestion="Let one of the two be somebody else, another time or another place.",
            unless="time passes or a way is made between the two, or one place lies in the other",
        )

    def checkable(self, view: StoryView, *, only_document: str | None = None) -> frozenset[Fact]:
        """Where somebody is told to be, told of him shortly before as well."""
        return frozenset(
            later.record for _, later in self._pairs(view) if only_document in (None, later.quote.document_id)
        )

    def _pairs(self, view: StoryView) -> Iterator[tuple[_Stay, _Stay]]:
        """Each stay with the one told of the same person before it, in the same part of a chapter."""
        last: dict[str, _Stay] = {}
        for stay in self._stays(view):
            before = last.get(stay.entity)
            if before is not None and self._near(before.quote, stay.quote):
                yield before, stay
            last[stay.entity] = stay

    def _stays(self, view: StoryView) -> Iterator[_Stay]:
        for trait in view.traits():
            if (
                trait.aspect == WHEREABOUTS
                and trait.modality is Modality.FACT
                and trait.confidence >= self.min_confidence
                and trait.evidence
                and _one_person(view, trait.entity)
            ):
                yield _Stay(trait.entity, trait.value, trait.evidence[0], trait)

    def _near(self, one: Evidence, other: Evidence) -> bool:
        same = one.document_id == other.document_id and one.chapter == other.chapter
        return same and other.span.start - one.span.end <= self.chapter_part

    def _violation(self, view: StoryView, earlier: _Stay, later: _Stay) -> Violation:
        name = view.name(later.entity)
        return Violation(
            rule=self.name,
            severity=self.severity,
            message=(
                f"{name} is at {earlier.place} and, at the same time, at {later.place} "
                f"(chapter {later.record.told})."
            ),
            entities=(later.entity,),
            evidence=(earlier.quote, later.quote),
            suggestion=f"Tell how {name} comes from {earlier.place} to {later.place}, or keep to one place.",
            unless="the one place lies in the other, or time passes or somebody moves between the two",
        )


class _Told:
    """What stands between two places of the text: motion of somebody, and time that passes."""

    def __init__(self, view: StoryView) -> None:
        self._moves: dict[tuple[str, str], list[int]] = {}
        self._acts: dict[tuple[str, str], list[int]] = {}
        self._times: dict[str, list[int]] = {}
        for event in view.events(untyped=True, happened=False):
            if event.evidence:
                self._add_event(event)
        for quotation in view.quotations():
            if quotation.speaker is not None:
                _put(
                    self._acts, (quotation.evidence[0].document_id, quotation.speaker), quotation.evidence[0]
                )
        for time in view.times():
            if time.kind in ("date", "shift", "duration"):
                self._times.setdefault(time.evidence.document_id, []).append(time.evidence.span.start)
        for table in (self._moves, self._acts, self._times):
            for starts in table.values():
                starts.sort()
        self._ways = _travelled(view)

    def _add_event(self, event: EventTold) -> None:
        quote = event.evidence[0]
        for role, who in event.participants:
            if role != "place" and event.verb in _MOVING:
                _put(self._moves, (quote.document_id, who), quote)
            if role == "agent" and event.modality is Modality.FACT:
                _put(self._acts, (quote.document_id, who), quote)

    def between(self, earlier: _Stay, later: _Stay) -> bool:
        """Does he move, or time pass, from the one sentence to the other, both included?"""
        low, high = earlier.quote.span.start, later.quote.span.end
        document = earlier.quote.document_id
        moved = _any(self._moves.get((document, later.entity), []), low, high)
        since = earlier.quote.span.end
        return moved or _any(self._times.get(document, []), since, high, but=_SAME_MOMENT, quote=later.quote)

    def acts_before(self, later: _Stay, passage: int) -> bool:
        start = later.quote.span.start
        return _any(self._acts.get((later.quote.document_id, later.entity), []), start - passage, start)

    def apart(self, one: str, other: str) -> bool:
        """Are the two surely not one within the other?"""
        if is_room(one) and is_room(other):
            return True
        return frozenset((one, other)) in self._ways


def _put(table: dict[tuple[str, str], list[int]], key: tuple[str, str], quote: Evidence) -> None:
    table.setdefault(key, []).append(quote.span.start)


def _any(
    starts: list[int],
    low: int,
    high: int,
    *,
    but: re.Pattern[str] | None = None,
    quote: Evidence | None = None,
) -> bool:
    """Does anything start in ``[low, high)``, but for what ``quote`` itself says by a match of ``but``?"""
    found = starts[bisect_left(starts, low) : bisect_right(starts, high - 1)]
    if but is None or quote is None:
        return bool(found)
    return any(not (quote.span.start <= start < quote.span.end and but.search(quote.line)) for start in found)


def _travelled(view: StoryView) -> frozenset[frozenset[str]]:
    """Pairs of places between which somebody goes there and somebody back: "went to X", "returned to Y"."""
    ways: set[tuple[str, str]] = set()
    last: dict[str, str] = {}
    for relation in view.relations(predicate="LOCATED_AT"):
        place = view.name(relation.object).casefold()
        before = last.get(relation.subject, place)
        if before != place:
            ways.add((before, place))
        last[relation.subject] = place
    return frozenset(frozenset(way) for way in ways if (way[1], way[0]) in ways)


def _within(one: str, other: str) -> bool:
    """Do the names share a word, so that one may lie in the other or be the other?"""
    little = {"the", "of", "a", "at", "in"}
    return bool((set(one.split()) & set(other.split())) - little)


def _one_person(view: StoryView, who: str) -> bool:
    entity = view.entity(who)
    return entity is not None and entity.kind is EntityKind.CHARACTER
