"""Moods, goals, traits and things, told of whoever the story knows them to be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...core.types import Span
from ..model.chapter_reading import ChapterReading
from ..model.types import EntityKind, StateTold, ThingTold, TraitTold
from .state import KnownSoFar, ToldChapter

__all__ = ["states_of", "things_of", "traits_of"]

_PEOPLE = frozenset({EntityKind.CHARACTER, EntityKind.GROUP})
_TURNS = {"adopted": 1.0, "failed": -1.0, "reached": 2.0}


def states_of(
    told: ToldChapter, reading: ChapterReading, ids: Sequence[str | None], state: KnownSoFar
) -> list[StateTold]:
    """Moods and goals, in order of the text."""
    found: list[tuple[Span, StateTold]] = []
    for mood in reading.moods:
        entity = ids[mood.character]
        if entity is not None and state.are(_PEOPLE, entity):
            evidence = told.evidence(mood.evidence)
            told_of = StateTold(
                entity, "emotion", mood.emotion, told.number, evidence, mood.valence, mood.confidence
            )
            found.append((mood.evidence, told_of))
    for goal in reading.goals:
        entity = ids[goal.character]
        if entity is not None and state.are(_PEOPLE, entity):
            evidence, turn = told.evidence(goal.evidence), _TURNS[goal.turn]
            told_of = StateTold(entity, "goal", goal.wording, told.number, evidence, turn, goal.confidence)
            found.append((goal.evidence, told_of))
    found.sort(key=lambda pair: pair[0])
    return [each for _, each in found]


def traits_of(
    told: ToldChapter, reading: ChapterReading, ids: Sequence[str | None], state: KnownSoFar
) -> Iterator[TraitTold]:
    """In order of the reading; only of people whom the story counts and whose gender agrees."""
    for trait in reading.traits:
        entity = ids[trait.character]
        if entity is None or not state.are(_PEOPLE, entity) or not state.agrees(trait.genders, ids):
            continue
        yield TraitTold(
            entity,
            trait.aspect,
            trait.value,
            told.number,
            told.all_evidence(trait.evidence),
            trait.modality,
            trait.confidence,
            trait.change,
        )


def things_of(
    told: ToldChapter, reading: ChapterReading, ids: Sequence[str | None], state: KnownSoFar
) -> Iterator[ThingTold]:
    """In order of the reading. Who is named and not known to the story is left open; a thing that would be
    left without anybody is told all the same."""
    for each in reading.handlings:
        if not state.agrees(each.genders, ids):
            continue
        owner, entity, other = (
            ids[i] if i is not None else None for i in (each.owner, each.character, each.source)
        )
        yield ThingTold(
            each.thing,
            owner,
            each.act,
            entity,
            told.number,
            told.all_evidence(each.evidence),
            other,
            each.modality,
            each.confidence,
        )
