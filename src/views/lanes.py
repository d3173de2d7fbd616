"""Timeline lanes: key events and presence by person or place, chapter by chapter; ages and dates a person."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..story.graph_rag.views.story_view import StoryView
from ..story.graph_rag.views.timeline import act_of, deaths_of
from ..story.model.predicates import PREDICATES, SURE_ENOUGH
from ..story.model.types import EntityKind, EventTold, Modality, StoryEntity
from .cards import read_by_model
from .quotes import QuoteShown, quote_shown
from .times import event_label, time_words, times_at

MOST_LANES = 6
_MOST_IN_CELL = 4
_GRAVE = 0.5  # of an event that is named though no model said that it turns its chapter
_SURE = 0.7
_MOST_BACK = 6
_DATE = re.compile(r"\d{4}|XXXX-\d\d-\d\d$")


@dataclass(frozen=True, slots=True)
class KeyEvent:
    """``words`` say what happens; ``past``: it is told as past; ``when`` is the text's own time phrase,
    ``quote`` the first of its quotes."""

    id: str
    words: str
    when: str
    past: bool
    quote: QuoteShown | None


@dataclass(frozen=True, slots=True)
class CellShown:
    """A chapter of a lane: is the person on stage (is anybody at the place), ``where`` they are (who is
    there), and what happens."""

    chapter: int
    present: bool
    where: tuple[str, ...]
    events: tuple[KeyEvent, ...]


@dataclass(frozen=True, slots=True)
class LaneShown:
    """A person or a place."""

    id: str
    name: str
    cells: tuple[CellShown, ...]


@dataclass(frozen=True, slots=True)
class LanesShown:
    """Lanes over the same ``chapters``. ``offered`` are (id, name) of all that could be a lane, the most
    mentioned first."""

    chapters: tuple[int, ...]
    lanes: tuple[LaneShown, ...]
    offered: tuple[tuple[str, str], ...]

    @property
    def named(self) -> int:
        """How many different events are named."""
        return len({one.id for lane in self.lanes for cell in lane.cells for one in cell.events})


@dataclass(frozen=True, slots=True)
class PersonTimes:
    """A person's ages, or with an empty ``who`` the story's dates: (words, quote), in order of telling."""

    who: str
    times: tuple[tuple[str, QuoteShown], ...]


@dataclass(frozen=True, slots=True)
class BackShown:
    """``chapter`` tells ``events`` that happened before something of chapter ``before`` (the same one where
    it dwells in the past)."""

    chapter: int
    before: int
    events: tuple[KeyEvent, ...]


def lanes_at(view: StoryView, *, places: bool = False, chosen: Sequence[str] = ()) -> LanesShown:
    """Lanes of those ``chosen`` (ids), else of the most mentioned people or of the places where most happens.
    Costs one pass over events and scenes."""
    key = _key_events(view)
    stage = _stage(view)
    known = view.entities(EntityKind.LOCATION if places else EntityKind.CHARACTER)
    offered = [one for one in known if not places or _busy(one, key, stage)]
    if places:
        offered.sort(key=lambda one: -_busy(one, key, stage))
    wanted = [one for one in offered if one.id in chosen] or offered[:MOST_LANES]
    lanes = tuple(_lane(view, one, key, stage, places=places) for one in wanted)
    chapters = sorted({cell.chapter for lane in lanes for cell in lane.cells})
    told = tuple((one.id, one.name) for one in offered)
    return LanesShown(tuple(chapters), lanes, told)


def ages_and_dates(view: StoryView) -> tuple[PersonTimes, ...]:
    """Ages a person a row, in order of mention; then the story's dates: those with a day, or a year."""
    ages: dict[str, dict[tuple[str, int], QuoteShown]] = {}
    dates: list[tuple[str, QuoteShown]] = []
    for time in view.times():
        if time.kind == "age" and time.entity:
            words = time_words(time.value, "age")
            known = ages.setdefault(view.resolve(time.entity), {})
            known.setdefault((words, time.told), quote_shown(time.evidence))
        elif time.kind == "date" and _DATE.match(time.value):
            dates.append((time_words(time.value), quote_shown(time.evidence)))
    for fact in view.facts():
        if fact.aspect == "age" and fact.value.isdecimal() and fact.confidence >= SURE_ENOUGH:
            known = ages.setdefault(view.resolve(fact.entity), {})
            known.setdefault((f"{fact.value} years", fact.told), quote_shown(fact.evidence[0]))
    rows = []
    for one in view.entities():
        told = sorted(ages.get(one.id, {}).items(), key=lambda each: each[1].start)
        rows += [PersonTimes(one.name, tuple((words, quote) for (words, _), quote in told))] if told else []
    return (*rows, *([PersonTimes("", tuple(dates))] if dates else []))


def told_back(view: StoryView) -> tuple[BackShown, ...]:
    """Where the telling goes back, a row a chapter and the chapter before which it goes, with the events: of
    a story that a model read only those that it named."""
    by_model = read_by_model(view)
    events = {one.id: one for one in view.events(untyped=True)}
    found: dict[tuple[int, int], list[KeyEvent]] = {}
    for back in times_at(view, limit=len(events) or 1).anachronies:
        event = events[back.event]
        if "model" in event.origin or not by_model:
            found.setdefault((back.told, back.back_to), []).append(_key_event(view, event))
    return tuple(BackShown(told, to, tuple(of[:_MOST_BACK])) for (told, to), of in sorted(found.items()))


_Stage = dict[tuple[str, int], dict[str, None]]  # who in a chapter → where


def _key_events(view: StoryView) -> list[EventTold]:
    """What a model said turns its chapter; where none read it, what is grave and sure enough."""
    marked = [one for one in view.events(untyped=True) if one.key]
    dead = {one.id for one in deaths_of(view).values()}
    grave = [one for one in view.events() if one.id in dead or (not one.key and _is_grave(view, one))]
    read = {one.told for one in marked}
    found = [*marked, *(one for one in grave if one.told not in read)]
    return sorted(found, key=view.place)


def _is_grave(view: StoryView, event: EventTold) -> bool:
    """Does it turn a story, and does the text say who does it to whom?"""
    act = act_of(view, event)
    grave = PREDICATES[event.predicate].gravity >= _GRAVE and not act.dead
    return grave and event.confidence >= _SURE and bool(act.agents and act.patients)


def _stage(view: StoryView) -> _Stage:
    """Who is on stage in which chapter, and where; a place is on stage where anybody is at it."""
    found: _Stage = {}
    for chapter in sorted({one.told for one in view.log.presences}):
        for one in view.on_stage(chapter):
            where = found.setdefault((one.entity, chapter), {})
            if one.place and one.where and one.confidence >= SURE_ENOUGH:
                where[one.place] = None
                found.setdefault((one.place, chapter), {})[one.entity] = None
    return found


def _takes_part(event: EventTold, entity: str, *, place: bool) -> bool:
    return any(who == entity and (role == "place") == place for role, who in event.participants)


def _busy(entity: StoryEntity, key: Iterable[EventTold], stage: _Stage) -> int:
    """How much happens at a place."""
    named = sum(_takes_part(one, entity.id, place=True) for one in key)
    return 2 * named + sum(who == entity.id for who, _ in stage)


def _lane(
    view: StoryView, entity: StoryEntity, key: Sequence[EventTold], stage: _Stage, *, places: bool
) -> LaneShown:
    own = [one for one in key if _takes_part(one, entity.id, place=places)]
    chapters = {one.told for one in own} | {chapter for who, chapter in stage if who == entity.id}
    cells = []
    for chapter in sorted(chapters):
        where = tuple(view.name(one) for one in stage.get((entity.id, chapter), ()))
        events = [_key_event(view, one) for one in own if one.told == chapter][:_MOST_IN_CELL]
        cells.append(CellShown(chapter, (entity.id, chapter) in stage, where, tuple(events)))
    return LaneShown(entity.id, entity.name, tuple(cells))


def _key_event(view: StoryView, event: EventTold) -> KeyEvent:
    quote = quote_shown(event.evidence[0]) if event.evidence else None
    past = event.modality is Modality.FLASHBACK
    return KeyEvent(event.id, event_label(view, event), event.when, past, quote)
