"""The events of a story in the order in which they happened: its fabula, out of its telling.

What no word or tense places elsewhere happened in the order in which it is told. A link ("after", "had
gone", a flashback) moves the earlier event to right before the first event that it must precede.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ...model.types import EventOrder
from .story_view import StoryView


def fabula_order(view: StoryView, *, min_confidence: float = 0.0) -> list[str]:
    """The ids of all events that happened, typed or not, as far as the view's horizon, the earliest first.

    A topological order of ``view.orders()``, ties by telling. Links that
    contradict each other count by confidence; those below ``min_confidence`` (0 to 1) do not count.
    """
    events = [event.id for event in view.events(untyped=True)]
    return sorted_by_links(events, [o for o in view.orders() if o.confidence >= min_confidence])


def sorted_by_links(events: Sequence[str], orders: Iterable[EventOrder]) -> list[str]:
    """``events`` in the order given, but for what ``orders`` put before others: each event comes right after
    all that must precede it. Of links that run in a circle the least sure are left out, of equals the one
    told last. Costs events plus links, and the size of the circles squared."""
    place = {event: i for i, event in enumerate(events)}
    links = [o for o in orders if o.earlier in place and o.later in place and o.earlier != o.later]
    before: dict[str, list[str]] = {}
    for link in _without_circles(links):
        before.setdefault(link.later, []).append(link.earlier)
    done: dict[str, None] = {}
    for event in events:
        _settle(event, before, place, done)
    return list(done)


def _settle(
    event: str, before: Mapping[str, list[str]], place: Mapping[str, int], done: dict[str, None]
) -> None:
    """Appends the event to ``done`` behind all that comes before it (depth first, without recursion)."""
    stack = [event]
    while stack:
        top = stack[-1]
        open_ = [one for one in before.get(top, ()) if one not in done]
        if top in done or not open_:
            done.setdefault(top)
            stack.pop()
        else:
            stack.append(min(open_, key=place.__getitem__))


def _without_circles(links: list[EventOrder]) -> list[EventOrder]:
    """The links without the least sure ones of each circle."""
    import networkx as nx

    kept = set(range(len(links)))
    while True:
        graph = nx.DiGraph((links[i].earlier, links[i].later) for i in sorted(kept))
        circles = [circle for circle in nx.strongly_connected_components(graph) if len(circle) > 1]
        if not circles:
            return [links[i] for i in sorted(kept)]
        for circle in circles:
            inside = [i for i in kept if links[i].earlier in circle and links[i].later in circle]
            kept.discard(min(inside, key=lambda i: (links[i].confidence, -i)))
