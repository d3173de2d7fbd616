"""Moods, goals and typed facts, told of whoever the story knows them to be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...core.types import Span
from ..model.aspects import ASPECTS
from ..model.chapter_reading import ChapterReading
from ..model.types import FactTold, StateTold
from .state import PEOPLE, KnownSoFar, ToldChapter

_TURNS = {"adopted": 1.0, "failed": -1.0, "reached": 2.0}


def states_of(
    told: ToldChapter, reading: ChapterReading, ids: Sequence[str | None], state: KnownSoFar
) -> list[StateTold]:
    """Moods and goals, in order of the text."""
    found: list[tuple[Span, StateTold]] = []
    for mood in reading.moods:
        entity = ids[mood.character]
        if entity is not None and state.are(PEOPLE, entity):
            evidence = told.evidence(mood.evidence)
            told_of = StateTold(
                entity, "emotion", mood.emotion, told.number, evidence, mood.valence, mood.confidence
            )
            found.append((mood.evidence, told_of))
    for goal in reading.goals:
        entity = ids[goal.character]
        if entity is not None and state.are(PEOPLE, entity):
            evidence, turn = told.evidence(goal.evidence), _TURNS[goal.turn]
            told_of = StateTold(entity, "goal", goal.wording, told.number, evidence, turn, goal.confidence)
            found.append((goal.evidence, told_of))
    found.sort(key=lambda pair: pair[0])
    return [each for _, each in found]


def facts_of(
    told: ToldChapter, reading: ChapterReading, ids: Sequence[str | None], state: KnownSoFar
) -> Iterator[FactTold]:
    """In order of the reading; only of people whom the story counts and whose gender agrees."""
    for fact in reading.facts:
        entity = ids[fact.character]
        if entity is None or not state.are(PEOPLE, entity) or not state.agrees(fact.genders, ids):
            continue
        yield FactTold(
            entity,
            fact.aspect,
            fact.value,
            told.number,
            told.all_evidence(fact.evidence),
            fact.modality,
            fact.confidence,
            fact.change,
            fact.origin,
            fact.when,
            told.stands(
                constant=fact.aspect in ASPECTS and ASPECTS[fact.aspect].constant, modality=fact.modality
            ),
        )
