"""Ways from one character to another along which something could have passed, each step in its time.

A way respects time (Kempe, Kleinberg and Kumar, "Connectivity and inference problems for temporal
networks", 2002) where its links can be put at chapters that never go back: an act at the chapter that tells
it, a bond at any chapter from its telling until it is over.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ....core.types import Evidence
from ...model.predicates import PREDICATES
from ...model.types import Relation
from ..views.acts import Act, acts
from ..views.story_view import StoryView
from ..views.timeline import closing, holds_when_told
from .links import Link, link_of, links, quotes_of

__all__ = ["TimePaths", "TimedConnection"]

BREADTH = 24


@dataclass(frozen=True, slots=True)
class TimedConnection:
    """A way from ``entities[0]`` to ``entities[-1]``: link i joins entities i and i + 1 and carries at
    chapter ``times[i]``, no earlier than the link before. ``surprise`` is in nats, see
    ``TimePaths.between``."""

    entities: tuple[str, ...]
    links: tuple[Link, ...]
    times: tuple[int, ...]
    surprise: float

    @property
    def hops(self) -> int:
        """How many links the way has."""
        return len(self.links)

    @property
    def arrives(self) -> int:
        """The first chapter by which something set out from the first could be with the last."""
        return self.times[-1]

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """The quotes of the links, in order, each once."""
        return quotes_of(self.links)

    def sentence(self, view: StoryView) -> str:
        """The way in words, link by link, with the names of ``view``."""
        steps = "; ".join(link.sentence(view) for link in self.links)
        through = ", then ".join(view.name(entity) for entity in self.entities[1:-1])
        return (
            f"From {view.name(self.entities[0])} by way of {through} to {view.name(self.entities[-1])}, "
            f"there by ch. {self.arrives}: {steps}."
        )


@dataclass(frozen=True, slots=True)
class _Open:
    """A link and the last chapter at which it carries; None: it is not over."""

    link: Link
    until: int | None

    def carries(self, since: int) -> int | None:
        """The first chapter from ``since`` on at which it does."""
        at = max(since, self.link.told)
        return at if self.until is None or at <= self.until else None


class TimePaths:
    """All links of a view with the chapters at which they carry. Built in one pass over the view."""

    def __init__(self, view: StoryView, *, min_confidence: float) -> None:
        found: dict[tuple[str, str], list[_Open]] = {}
        for each in _opened(view, min_confidence):
            found.setdefault(each.link.pair, []).append(each)
        self._near: dict[str, dict[str, tuple[_Open, ...]]] = {}
        for (one, other), told in sorted(found.items()):
            best = tuple(
                sorted(told, key=lambda each: (each.link.told, -each.link.confidence, each.link.predicate))
            )
            self._near.setdefault(one, {})[other] = best
            self._near.setdefault(other, {})[one] = best
        self._degrees = sum(map(len, self._near.values()))

    def between(self, start: str, goal: str, *, max_hops: int, limit: int) -> tuple[TimedConnection, ...]:
        """Ways of 2 to ``max_hops`` links, the most surprising first, ties by arrival, hops and ids.

        Each step is taken as early as it can be. Surprise is the least of ``-log(degree / sum of degrees)``
        over the entities between, as for connections out of time. From each entity the 24 neighbours of
        lowest degree from which the goal can still be reached are followed.
        """
        if start == goal or start not in self._near or goal not in self._near:
            return ()
        far = self._distances(goal, max_hops)
        found = [
            TimedConnection(path, taken, times, min(self._rarity(entity) for entity in path[1:-1]))
            for path, taken, times in self._ways((start,), (), (), goal, far, max_hops)
        ]
        found.sort(key=lambda way: (-way.surprise, way.arrives, way.hops, way.entities))
        return tuple(found[:limit])

    def _ways(
        self,
        path: tuple[str, ...],
        taken: tuple[Link, ...],
        times: tuple[int, ...],
        goal: str,
        far: Mapping[str, int],
        left: int,
    ) -> Iterator[tuple[tuple[str, ...], tuple[Link, ...], tuple[int, ...]]]:
        near, since = self._near[path[-1]], times[-1] if times else 0
        onward = [step for step in near if step != goal and far.get(step, left) < left and step not in path]
        steps = sorted(onward, key=lambda step: (len(self._near[step]), step))[:BREADTH]
        for step in ([goal] if goal in near and len(path) > 1 else []) + steps:
            first = _first(near[step], since)
            if first is None:
                continue
            link, at = first
            grown = (*path, step), (*taken, link), (*times, at)
            if step == goal:
                yield grown
            elif left > 1:
                yield from self._ways(*grown, goal, far, left - 1)

    def _distances(self, goal: str, most: int) -> Mapping[str, int]:
        distances, queue = {goal: 0}, deque([goal])
        while queue:
            here = queue.popleft()
            if distances[here] < most:
                for step in self._near[here]:
                    if step not in distances:
                        distances[step] = distances[here] + 1
                        queue.append(step)
        return distances

    def _rarity(self, entity: str) -> float:
        return -math.log(len(self._near[entity]) / self._degrees)


def _first(told: tuple[_Open, ...], since: int) -> tuple[Link, int] | None:
    """The link that carries first from then on; of those that carry at once, the first told."""
    best: tuple[Link, int] | None = None
    for each in told:
        at = each.carries(since)
        if at is not None and (best is None or at < best[1]):
            best = each.link, at
    return best


def _opened(view: StoryView, min_confidence: float) -> Iterator[_Open]:
    bonds: dict[tuple[str, str], list[Relation]] = {}
    moves: dict[str, list[Relation]] = {}
    for relation in view.relations():
        if relation.confidence >= min_confidence and PREDICATES[relation.predicate].lasting:
            bonds.setdefault(link_of(relation).pair, []).append(relation)
            if relation.predicate == "LOCATED_AT":
                moves.setdefault(relation.subject, []).append(relation)
    between, deaths = _endings(view, min_confidence)
    for pair, told in sorted(bonds.items()):
        ends = (*between.get(pair, ()), *deaths.get(pair[0], ()), *deaths.get(pair[1], ()))
        for bond in told:
            if holds_when_told(bond):
                over = closing(view, bond, dict.fromkeys((*told, *moves.get(bond.subject, ()))), ends)
                yield _Open(link_of(bond), over.chapter if over else None)
    for link in links(view, min_confidence=min_confidence, bonds=False):
        yield _Open(link, link.told)


def _endings(
    view: StoryView, min_confidence: float
) -> tuple[Mapping[tuple[str, str], list[Act]], Mapping[str, list[Act]]]:
    """What may end a bond: what the two do to each other, and their deaths."""
    between: dict[tuple[str, str], list[Act]] = {}
    deaths: dict[str, list[Act]] = {}
    for act in acts(view):
        if act.record.confidence < min_confidence:
            continue
        for one in dict.fromkeys(act.agents):
            for other in dict.fromkeys((*act.patients, *act.places)):
                if one != other:
                    between.setdefault((min(one, other), max(one, other)), []).append(act)
        for dead in dict.fromkeys(act.dead):
            deaths.setdefault(dead, []).append(act)
    return between, deaths
