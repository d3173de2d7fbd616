"""Happenings to events: participants become entities; and what joins events (cause, order, time)."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

from ..model.chapter_reading import ChapterReading, Happening
from ..model.types import EntityKind, EventCause, EventOrder, EventTold, TimeTold
from .state import KnownSoFar, ToldChapter

_PEOPLE = frozenset({EntityKind.CHARACTER, EntityKind.GROUP})
_PLACES = frozenset({EntityKind.LOCATION})


@dataclass(slots=True)
class EventLog:
    """The events told so far and what is told of them, each list in order of telling."""

    events: list[EventTold] = field(default_factory=list)
    causes: list[EventCause] = field(default_factory=list)
    orders: list[EventOrder] = field(default_factory=list)
    times: list[TimeTold] = field(default_factory=list)

    def copy(self) -> EventLog:
        """A log with the same records: what is added to the one is not in the other."""
        return EventLog(list(self.events), list(self.causes), list(self.orders), list(self.times))

    def add(
        self, told: ToldChapter, reading: ChapterReading, ids: list[str | None], state: KnownSoFar
    ) -> None:
        """``ids`` gives the entity of each mention of the reading, None where it names nobody."""
        names = self._events(told, reading, ids, state)
        for cause in reading.causes:
            if cause.effect in names and cause.cause in names:
                self.causes.append(
                    EventCause(
                        names[cause.effect],
                        names[cause.cause],
                        told.number,
                        (told.evidence(cause.evidence),),
                        cause.confidence,
                    )
                )
        for order in reading.orders:
            if order.earlier in names and order.later in names:
                quotes = told.all_evidence(order.evidence)
                earlier, later = names[order.earlier], names[order.later]
                self.orders.append(EventOrder(earlier, later, told.number, quotes, order.confidence))
        self._add_times(told, reading, ids, names)

    def _events(
        self, told: ToldChapter, reading: ChapterReading, ids: list[str | None], state: KnownSoFar
    ) -> dict[int, str]:
        """Appends the events; gives the id of each happening that became one."""
        names: dict[int, str] = {}
        for number, happening in enumerate(reading.happenings):
            if not state.agrees(happening.genders, ids):
                continue
            participants = _participants(happening, ids, state)
            if participants is None:
                continue
            names[number] = f"event-{len(self.events) + 1}"
            self.events.append(
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
        return names

    def _add_times(
        self, told: ToldChapter, reading: ChapterReading, ids: list[str | None], names: dict[int, str]
    ) -> None:
        for time in reading.times:
            whose = ids[time.character] if time.character is not None else None
            if time.character is not None and whose is None:
                continue
            event = names.get(time.happening) if time.happening is not None else None
            quote = told.evidence(time.evidence)
            sentence = told.evidence(time.sentence) if time.sentence is not None else None
            self.times.append(TimeTold(time.kind, time.value, told.number, quote, whose, event, sentence))


def _participants(
    happening: Happening, ids: list[str | None], state: KnownSoFar
) -> tuple[tuple[str, str], ...] | None:
    """(role, entity) pairs; None where one is unknown or no person, or both are one."""
    pairs: list[tuple[str, str]] = []
    for role, number in (("agent", happening.agent), ("patient", happening.patient)):
        if number is None:
            continue
        entity = ids[number]
        if entity is None or not state.are(_PEOPLE, entity):
            return None
        pairs.append((role, entity))
    if not pairs or any(state.root(a[1]) == state.root(b[1]) for a, b in pairwise(pairs)):
        return None
    place = ids[happening.place] if happening.place is not None else None
    if place is not None and state.are(_PLACES, place):
        pairs.append(("place", place))
    return tuple(pairs)
