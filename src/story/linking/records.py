"""What is told, of whoever the story knows them to be: events and what joins them, moods, goals, facts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from ...core.types import Span
from ..model.aspects import ASPECTS
from ..model.chapter_reading import ChapterReading, Happening
from ..model.types import EventCause, EventOrder, EventTold, FactTold, StateTold, TimeTold
from .state import PEOPLE, PLACES, GrowingLog, KnownSoFar, ToldChapter

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


def tell_events(
    log: GrowingLog, told: ToldChapter, reading: ChapterReading, ids: Sequence[str | None], state: KnownSoFar
) -> None:
    """Appends the events of a chapter to the log, and what is told of them. ``ids`` gives the entity of each
    mention of the reading, None where it names nobody."""
    names: dict[int, str] = {}  # of each happening that becomes an event
    for number, happening in enumerate(reading.happenings):
        participants = _participants(happening, ids, state)
        if participants is None or not state.agrees(happening.genders, ids):
            continue
        names[number] = f"event-{len(log.events) + 1}"
        log.events.append(
            EventTold(
                names[number],
                happening.predicate,
                participants,
                told.number,
                told.holds(happening.predicate, happening.modality),
                told.all_evidence(happening.evidence),
                happening.modality,
                happening.confidence,
                happening.verb,
                happening.when,
                happening.origin,
            )
        )
    for cause in reading.causes:
        if cause.effect in names and cause.cause in names:
            effect, by = names[cause.effect], names[cause.cause]
            quotes = told.all_evidence((cause.evidence,))
            log.causes.append(EventCause(effect, by, told.number, quotes, cause.confidence))
    for order in reading.orders:
        if order.earlier in names and order.later in names:
            quotes = told.all_evidence(order.evidence)
            earlier, later = names[order.earlier], names[order.later]
            log.orders.append(EventOrder(earlier, later, told.number, quotes, order.confidence))
    _tell_times(log, told, reading, ids, names)


def _tell_times(
    log: GrowingLog,
    told: ToldChapter,
    reading: ChapterReading,
    ids: Sequence[str | None],
    names: Mapping[int, str],
) -> None:
    for time in reading.times:
        whose = ids[time.character] if time.character is not None else None
        if time.character is not None and whose is None:
            continue
        event = names.get(time.happening) if time.happening is not None else None
        quote = told.evidence(time.evidence)
        sentence = told.evidence(time.sentence) if time.sentence is not None else None
        log.times.append(TimeTold(time.kind, time.value, told.number, quote, whose, event, sentence))


def _participants(
    happening: Happening, ids: Sequence[str | None], state: KnownSoFar
) -> tuple[tuple[str, str], ...] | None:
    """(role, entity) pairs; None where one is unknown or no person, or both are one."""
    pairs: list[tuple[str, str]] = []
    for role, number in (("agent", happening.agent), ("patient", happening.patient)):
        if number is None:
            continue
        entity = ids[number]
        if entity is None or not state.are(PEOPLE, entity):
            return None
        pairs.append((role, entity))
    if not pairs or any(state.root(a[1]) == state.root(b[1]) for a, b in pairwise(pairs)):
        return None
    place = ids[happening.place] if happening.place is not None else None
    if place is not None and state.are(PLACES, place):
        pairs.append(("place", place))
    return tuple(pairs)
