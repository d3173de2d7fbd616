"""Which came first, told both ways round: "he left before she came" and "she came before he left"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .....core.types import Evidence
from ....graph_rag.views.story_view import StoryView
from ....model.types import EventOrder, EventTold

__all__ = ["noun_order_conflicts", "order_conflicts"]

Found = tuple[Evidence, Evidence, str, str, tuple[str, ...]]
_Act = tuple[str, str, tuple[tuple[str, str], ...]]
_JOINING = re.compile(r"\b(?:before|after|until|till|once|as soon as)\b", re.IGNORECASE)
_ONCE = frozenset({"DIES", "KILLS", "MARRIES"})
_LIGHT = frozenset("be have do say see look hear know think feel ask answer reply speak turn seem".split())
_SURE = 0.8


def order_conflicts(view: StoryView) -> Iterator[Found]:
    """(earlier quote, later quote, message, suggestion, people). Acts are the same where verb and people are,
    in one chapter or the next, or in any where both can happen but once."""
    events = {event.id: event for event in view.events(untyped=True)}
    told: dict[tuple[_Act, _Act], list[EventOrder]] = {}
    for order in view.orders():
        one, other = events.get(order.earlier), events.get(order.later)
        if one is None or other is None or not _joined(order) or not (_acted(one) and _acted(other)):
            continue
        pair = (_act(view, one), _act(view, other))
        for back in told.get((pair[1], pair[0]), ()):
            once = one.predicate in _ONCE and other.predicate in _ONCE
            if once or order.told - back.told <= 1:
                yield _found(view, back, order, one, other)
        told.setdefault(pair, []).append(order)


def noun_order_conflicts(view: StoryView) -> Iterator[Found]:
    """The same for happenings that nouns name ("the sale of the farm"), wherever they are told."""
    told: dict[tuple[str, str], Evidence] = {}
    for time in view.times():
        earlier, mark, later = time.value.partition(" < ")
        quote = time.sentence or time.evidence
        if time.kind != "order" or not mark:
            continue
        back = told.get((later, earlier))
        if back is not None and back != quote:
            yield (
                back,
                quote,
                f"In chapter {back.chapter}, “{_words(later)}” comes before “{_words(earlier)}”; in chapter "
                f"{time.told} it is the other way round.",
                "Keep to one order, or say that it was another time.",
                (),
            )
        told.setdefault((earlier, later), quote)


def _words(key: str) -> str:
    return key.replace("+", ", ")


def _joined(order: EventOrder) -> bool:
    """Is it told by a conjunction, in one sentence?"""
    quotes = order.evidence
    return len(quotes) == 1 and order.confidence >= _SURE and _JOINING.search(quotes[0].line) is not None


def _acted(event: EventTold) -> bool:
    return event.verb not in _LIGHT and any(role != "place" for role, _ in event.participants)


def _act(view: StoryView, event: EventTold) -> _Act:
    people = sorted({(role, view.resolve(who)) for role, who in event.participants if role != "place"})
    return event.predicate, event.verb, tuple(people)


def _found(view: StoryView, back: EventOrder, order: EventOrder, one: EventTold, other: EventTold) -> Found:
    people = sorted({who for event in (one, other) for role, who in event.participants if role != "place"})
    first = f"{_named(view, one)} ({one.verb})"
    second = f"{_named(view, other)} ({other.verb})"
    return (
        back.evidence[0],
        order.evidence[0],
        f"In chapter {back.told}, {second} comes before {first}; in chapter {order.told} it is the other "
        "way round.",
        "Keep to one order, or say that it was another time.",
        tuple(people),
    )


def _named(view: StoryView, event: EventTold) -> str:
    return " and ".join(view.name(who) for role, who in event.participants if role != "place")
