"""Who is on stage where, as entities: the signs of a chapter's reading and its quotations, put together."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ...core.types import Evidence
from ..reading import ChapterReading
from ..types import EntityKind, PresenceTold, QuotationTold
from .telling import KnownSoFar, ToldChapter

__all__ = ["ON_STAGE", "presences_of"]

ON_STAGE = 0.5  # who is less surely there is not told to be
SPEAKER, HEARER = 0.9, 0.8  # of a quotation whose speaker and hearers are certain
_PEOPLE = frozenset({EntityKind.CHARACTER, EntityKind.GROUP})
_PLACES = frozenset({EntityKind.LOCATION})


@dataclass(slots=True)
class _Part:
    """One entity in one scene: the chance that it is not there, and the surest sign that it is."""

    entity: str
    absent: float = 1.0
    best: float = -1.0
    evidence: Evidence | None = None
    place: str | None = None

    def add(self, confidence: float, evidence: Evidence, place: str | None) -> None:
        self.absent *= 1.0 - confidence
        self.place = self.place or place
        if confidence > self.best:
            self.best, self.evidence = confidence, evidence


def presences_of(
    told: ToldChapter,
    reading: ChapterReading,
    ids: list[str | None],
    state: KnownSoFar,
    quotations: Sequence[QuotationTold],
) -> Iterator[PresenceTold]:
    """One record for each person of a scene who is there with confidence ``ON_STAGE`` or more, by scene,
    then by surest sign. Independent signs are joined by noisy-or; ``quotations`` are this chapter's."""
    parts: dict[tuple[int, str], _Part] = {}

    def add(entity: str, scene: int, confidence: float, evidence: Evidence, place: str | None) -> None:
        part = parts.setdefault((scene, state.root(entity)), _Part(entity))
        part.add(confidence, evidence, place)

    for presence in reading.presences:
        entity = ids[presence.character]
        if entity is None or not state.are(_PEOPLE, entity):
            continue
        place = ids[presence.place] if presence.place is not None else None
        if place is not None and not state.are(_PLACES, place):
            place = None
        add(entity, presence.scene, presence.confidence, told.evidence(presence.evidence), place)
    starts = [told.chapter.body.start + scene.span.start for scene in reading.scenes]
    for quotation in quotations:
        said = quotation.evidence[0]
        scene = max(0, bisect_right(starts, said.span.start) - 1)
        if quotation.speaker is not None:
            add(quotation.speaker, scene, SPEAKER * quotation.confidence, said, None)
        for hearer in quotation.hearers:
            add(hearer, scene, HEARER * quotation.confidence, said, None)
    for (scene, _), part in sorted(parts.items(), key=lambda item: (item[0][0], _at(item[1]), item[0][1])):
        confidence = round(1.0 - part.absent, 3)
        if confidence >= ON_STAGE and part.evidence is not None:
            yield PresenceTold(part.entity, scene, part.place, told.number, part.evidence, confidence)


def _at(part: _Part) -> tuple[int, int]:
    span = part.evidence.span if part.evidence is not None else None
    return (span.start, span.end) if span is not None else (0, 0)
