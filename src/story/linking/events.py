"""Happenings to events: participants become entities; and what joins events (cause, order, time)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from ..model.chapter_reading import ChapterReading, Happening
from ..model.types import EventCause, EventOrder, EventTold, TimeTold
from .state import PEOPLE, PLACES, GrowingLog, KnownSoFar, ToldChapter


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
                happening.what,
                happening.key,
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
