"""Moods, goals, typed facts, who knows what, and threads, told of whoever the story knows them to be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...core.types import Span
from ..model.aspects import ASPECTS
from ..model.chapter_reading import ChapterReading
from ..model.types import WORLD, FactTold, KnowingTold, StateTold, ThreadTold
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
    """In order of the reading; of people whom the story counts and whose gender agrees, of places and things
    where the aspect is one of theirs, and of the world."""
    for fact in reading.facts:
        entity = WORLD if fact.character is None else ids[fact.character]
        row = ASPECTS.get(fact.aspect)
        if entity is None or not state.agrees(fact.genders, ids):
            continue
        if entity != WORLD and not (row is not None and row.anything) and not state.are(PEOPLE, entity):
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
            told.stands(constant=row is not None and row.constant, modality=fact.modality),
        )


def knowings_of(
    told: ToldChapter, reading: ChapterReading, ids: Sequence[str | None], state: KnownSoFar
) -> Iterator[KnowingTold]:
    """In order of the reading, of people whom the story counts."""
    for each in reading.knowings:
        entity, other = ids[each.character], ids[each.other] if each.other is not None else None
        if entity is not None and state.are(PEOPLE, entity):
            known = other if other is not None and state.are(PEOPLE, other) else None
            quotes = told.all_evidence(each.evidence)
            rest = (told.number, quotes, each.modality, each.confidence)
            yield KnowingTold(entity, each.verb, each.what, known, *rest)


def threads_of(told: ToldChapter, reading: ChapterReading, ids: Sequence[str | None]) -> Iterator[ThreadTold]:
    """In order of the reading."""
    for each in reading.threads:
        entity = ids[each.character] if each.character is not None else None
        quotes = told.all_evidence(each.evidence)
        yield ThreadTold(each.kind, each.what, each.step, entity, told.number, quotes, each.confidence)
