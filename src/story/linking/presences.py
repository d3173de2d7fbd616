"""Who is on stage where, as entities: the signs of a chapter's reading and its quotations, put together."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import log1p

from ...core.types import Evidence
from ..extraction.presence.places import BASE, WEIGHTS, chance, log_odds
from ..model.chapter_reading import Presence
from ..model.types import PresenceTold, QuotationTold
from .state import Linked, ToldChapter

ON_STAGE = 0.5  # who is less surely there is not told to be
SPEAKER, HEARER = WEIGHTS["says"], WEIGHTS["called"]
SPOKEN, HEARD = 0.9, 0.8  # how good a quotation is as evidence, beside a sentence that names somebody


@dataclass(slots=True)
class _Part:
    """One entity in one scene: log-odds of its being there, by its names and by its speech, with the surest
    sign; ``places`` with the sign that shows it there and the quote that tells the place."""

    entity: str
    names: dict[int, float] = field(default_factory=dict)
    said: float = 0.0
    heard: float = 0.0
    best: float = -1.0
    evidence: Evidence | None = None
    places: dict[str, tuple[Evidence, Evidence | None]] = field(default_factory=dict)

    def sign(self, confidence: float, evidence: Evidence) -> None:
        if confidence > self.best:
            self.best, self.evidence = confidence, evidence

    @property
    def confidence(self) -> float:
        spoken = SPEAKER * log1p(self.said) + HEARER * log1p(self.heard)
        return round(chance(BASE + spoken + sum(each - BASE for each in self.names.values())), 3)


def presences_of(linked: Linked, quotations: Sequence[QuotationTold]) -> Iterator[PresenceTold]:
    """Who is there with confidence ``ON_STAGE`` or more: by scene, then by surest sign, one record for each
    place where a scene has him, or one without. ``quotations`` are this chapter's."""
    told, state = linked.told, linked.state
    parts: dict[tuple[int, str], _Part] = {}
    for presence in linked.reading.presences:
        entity = linked.person(presence.character)
        if entity is not None:
            part = parts.setdefault((presence.scene, state.root(entity)), _Part(entity))
            _add_named(linked, part, presence)
    starts = [told.chapter.body.start + scene.span.start for scene in linked.reading.scenes]
    for quotation in quotations:
        said, sure = quotation.evidence[0], quotation.confidence
        scene = max(0, bisect_right(starts, said.span.start) - 1)
        for entity in (quotation.speaker, *quotation.hearers):
            if entity is not None:
                part = parts.setdefault((scene, state.root(entity)), _Part(entity))
                speaks = entity == quotation.speaker
                part.said, part.heard = part.said + sure * speaks, part.heard + sure * (not speaks)
                part.sign(sure * (SPOKEN if speaks else HEARD), said)
    for (scene, _), part in sorted(parts.items(), key=lambda item: (item[0][0], _at(item[1]), item[0][1])):
        yield from _told(told, scene, part)


def _add_named(linked: Linked, part: _Part, presence: Presence) -> None:
    told, place = linked.told, linked.place(presence.place)
    evidence = told.evidence(presence.evidence)
    part.names[presence.character] = log_odds(min(0.999, max(0.001, presence.confidence)))
    part.sign(presence.confidence, evidence)
    if place is not None:
        where = told.evidence(presence.where) if presence.where is not None else None
        part.places.setdefault(linked.state.root(place), (evidence, where))


def _told(told: ToldChapter, scene: int, part: _Part) -> Iterator[PresenceTold]:
    confidence = part.confidence
    if confidence < ON_STAGE or part.evidence is None:
        return
    if not part.places:
        yield PresenceTold(part.entity, scene, None, told.number, part.evidence, confidence)
    for place, (evidence, where) in part.places.items():
        yield PresenceTold(part.entity, scene, place, told.number, evidence, confidence, where)


def _at(part: _Part) -> tuple[int, int]:
    span = part.evidence.span if part.evidence is not None else None
    return (span.start, span.end) if span is not None else (0, 0)
