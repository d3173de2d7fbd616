"""What is told, of whoever the story knows them to be: relations, events and what joins them, moods, goals,
facts, who knows what, threads."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from ..model.aspects import ASPECTS
from ..model.chapter_reading import Happening, Statement
from ..model.predicates import PREDICATES
from ..model.types import (
    WORLD,
    EventCause,
    EventOrder,
    EventTold,
    FactTold,
    Interval,
    KnowingTold,
    Modality,
    Open,
    Relation,
    StateTold,
    ThreadTold,
    TimeTold,
)
from .state import PEOPLE, PLACES, GrowingLog, Linked

_TURNS = {"adopted": 1.0, "failed": -1.0, "reached": 2.0}
_AT_PLACES = frozenset({"LOCATED_AT", "LIVES_IN", "COMES_FROM"})


def tell_statement(log: GrowingLog, linked: Linked, statement: Statement) -> None:
    """Appends what is said of two, where both are of the kinds that it joins and the genders agree."""
    state, predicate = linked.state, statement.predicate
    subject, target = linked.person(statement.subject), linked.ids[statement.object]
    if subject is None or target is None or state.root(subject) == state.root(target):
        return
    kinds = PLACES if predicate in _AT_PLACES else PEOPLE
    if not linked.agrees(statement.genders) or not (predicate == "OWNS" or state.are(kinds, target)):
        return
    holds = linked.told.holds(predicate, statement.modality)
    if statement.ended:
        since = _since(log, linked, predicate, (subject, target))
        holds = Interval(Open.UNKNOWN if since is None else since, linked.told.number - 1)
    told = linked.record(Relation, statement, subject=subject, object=target, holds=holds)
    log.relations.append(told)
    if predicate == "LOCATED_AT" and statement.modality is Modality.FACT:
        where = StateTold(subject, "location", target, told.told, told.evidence[0], 0.0, told.confidence)
        log.states.append(where)


def _since(log: GrowingLog, linked: Linked, predicate: str, ends: tuple[str, str]) -> int | None:
    """Since which chapter before this one the two are told to stand so; None where they are not."""
    root = linked.state.root
    pair = (root(ends[0]), root(ends[1]))
    pairs = {pair, pair[::-1]} if PREDICATES[predicate].symmetric else {pair}
    starts = (
        bond.holds.start
        for bond in log.relations
        if bond.predicate == predicate and bond.told < linked.told.number
        if (root(bond.subject), root(bond.object)) in pairs
    )
    return next((start for start in starts if isinstance(start, int)), None)


def tell_events(log: GrowingLog, linked: Linked) -> None:
    """Appends the events of a chapter to the log, and what is told of them."""
    told, reading = linked.told, linked.reading
    names: dict[int, str] = {}  # of each happening that becomes an event
    for number, happening in enumerate(reading.happenings):
        cast = _participants(happening, linked)
        if cast is not None and linked.agrees(happening.genders):
            names[number] = name = f"event-{len(log.events) + 1}"
            holds = told.holds(happening.predicate, happening.modality)
            log.events.append(linked.record(EventTold, happening, id=name, participants=cast, holds=holds))
    for cause in reading.causes:
        if cause.effect in names and cause.cause in names:
            ends = {"effect": names[cause.effect], "cause": names[cause.cause]}
            quotes = told.all_evidence((cause.evidence,))
            log.causes.append(linked.record(EventCause, cause, evidence=quotes, **ends))
    for order in reading.orders:
        if order.earlier in names and order.later in names:
            ends = {"earlier": names[order.earlier], "later": names[order.later]}
            log.orders.append(linked.record(EventOrder, order, **ends))
    for time in reading.times:
        whose = linked.ids[time.character] if time.character is not None else None
        event = names.get(time.happening) if time.happening is not None else None
        if time.character is None or whose is not None:
            log.times.append(linked.record(TimeTold, time, entity=whose, event=event))


def _participants(happening: Happening, linked: Linked) -> tuple[tuple[str, str], ...] | None:
    """(role, entity) pairs; None where one is unknown or no person, or both are one."""
    pairs: list[tuple[str, str]] = []
    for role, number in (("agent", happening.agent), ("patient", happening.patient)):
        entity = linked.person(number)
        if entity is not None:
            pairs.append((role, entity))
        elif number is not None:
            return None
    root = linked.state.root
    if not pairs or any(root(a[1]) == root(b[1]) for a, b in pairwise(pairs)):
        return None
    place = linked.place(happening.place)
    return (*pairs, *([("place", place)] if place is not None else []))


def states_of(linked: Linked) -> list[StateTold]:
    """Moods and goals, in order of the text."""
    found: list[StateTold] = []
    for mood in linked.reading.moods:
        if who := linked.person(mood.character):
            found.append(linked.record(StateTold, mood, entity=who, aspect="emotion", value=mood.emotion))
    for goal in linked.reading.goals:
        if who := linked.person(goal.character):
            turn = {"aspect": "goal", "value": goal.wording, "valence": _TURNS[goal.turn]}
            found.append(linked.record(StateTold, goal, entity=who, **turn))
    return sorted(found, key=lambda one: one.evidence.span)


def facts_of(linked: Linked) -> Iterator[FactTold]:
    """In order of the reading; of people whom the story counts and whose gender agrees, of places and things
    where the aspect is one of theirs, and of the world."""
    for fact in linked.reading.facts:
        row = ASPECTS.get(fact.aspect)
        who = linked.person(fact.character)
        if fact.character is None:
            who = WORLD
        elif who is None and row is not None and row.anything:
            who = linked.ids[fact.character]
        if who is not None and linked.agrees(fact.genders):
            constant = row is not None and row.constant
            holds = linked.told.stands(constant=constant, modality=fact.modality)
            yield linked.record(FactTold, fact, entity=who, holds=holds)


def knowings_of(linked: Linked) -> Iterator[KnowingTold]:
    """In order of the reading, of people whom the story counts."""
    for each in linked.reading.knowings:
        if who := linked.person(each.character):
            yield linked.record(KnowingTold, each, entity=who, other=linked.person(each.other))


def threads_of(linked: Linked) -> Iterator[ThreadTold]:
    """In order of the reading."""
    for each in linked.reading.threads:
        who = linked.ids[each.character] if each.character is not None else None
        yield linked.record(ThreadTold, each, entity=who)
