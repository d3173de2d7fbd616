"""A story in a few numbers that can be set beside another's: the shape of its arcs, where it turns, and how
its people stand to one another."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from ..graph_rag.arc_tracker import DynamicArcTracker
from ..graph_rag.arcs.shapes import compare, shape_of
from ..graph_rag.views.story_view import StoryView
from ..model.predicates import PREDICATES
from ..model.types import CharacterState, EntityKind
from .arc_turning_points import turning_points

__all__ = ["ArcProfile", "Likeness", "StoryProfile", "alike", "profile_of"]

_SURE = 0.5


@dataclass(frozen=True, slots=True)
class ArcProfile:
    """One character's arc: its shape (see ``arcs.shapes``) and that shape's fit, 0 to 1, the mean valence (-1
    to 1) of its chapters, how many of them stand in each phase, and the states themselves."""

    name: str
    mentions: int
    shape: str
    fit: float
    valence: float
    phases: tuple[tuple[str, int], ...]
    states: tuple[CharacterState, ...]


@dataclass(frozen=True, slots=True)
class StoryProfile:
    """A story as a reader at the view's horizon has it.

    ``turns`` are its turning points as (place, weight): the place is 0 at the first chapter and 1 at the
    last. ``pairs`` counts pairs of characters with a lasting relation, ``warm`` and ``cold`` those of them
    with a relation of that sign (a pair can be both); ``density`` is ``pairs`` by all pairs, 0 to 1, and
    ``conflict`` is cold / (warm + cold), None where there is neither.
    """

    title: str
    chapters: int
    characters: int
    arcs: tuple[ArcProfile, ...]
    turns: tuple[tuple[float, float], ...]
    pairs: int
    warm: int
    cold: int

    @property
    def density(self) -> float:
        """``pairs`` over all pairs of characters, 0 to 1; 0 where there are fewer than two."""
        every = self.characters * (self.characters - 1) // 2
        return self.pairs / every if every else 0.0

    @property
    def conflict(self) -> float | None:
        """``cold / (warm + cold)``, 0 to 1; None where there is neither."""
        return self.cold / (self.warm + self.cold) if self.warm + self.cold else None


@dataclass(frozen=True, slots=True)
class Likeness:
    """Two stories side by side. ``arc`` is the likeness of their leads' arcs (0 to 1, see
    ``arc_shapes.compare``), None where one has none; ``turns`` is ``1 - d``, d being the mean distance from
    each turning point to the nearest of the other story, both ways; None where one has none."""

    one: str
    other: str
    arc: float | None
    turns: float | None


def profile_of(
    view: StoryView,
    *,
    title: str,
    chapters: int,
    leads: int = 3,
    turns: int = 5,
    tracker: DynamicArcTracker | None = None,
) -> StoryProfile:
    """The profile of the story up to the view's horizon, ``chapters`` long; the arcs of its ``leads`` most
    mentioned characters, and its ``turns`` weightiest turning points. Costs the arcs of all characters."""
    arcs = tracker or DynamicArcTracker(view)
    people = view.entities(EntityKind.CHARACTER)
    signs = _signs(view)
    found = turning_points(view, count=turns, tracker=arcs)
    return StoryProfile(
        title=title,
        chapters=chapters,
        characters=len(people),
        arcs=tuple(_arc(one.name, one.mentions, arcs.arc(one.id)) for one in people[:leads]),
        turns=tuple((_place(point.chapter, chapters), round(point.weight, 3)) for point in found),
        pairs=len(signs),
        warm=sum(1 in own for own in signs.values()),
        cold=sum(-1 in own for own in signs.values()),
    )


def alike(one: StoryProfile, other: StoryProfile) -> Likeness:
    """How alike two stories run, by their leads and by where they turn."""
    arc = None
    if one.arcs and other.arcs and one.arcs[0].shape and other.arcs[0].shape:
        arc = round(compare(one.arcs[0].states, other.arcs[0].states).likeness, 3)
    places = [place for place, _ in one.turns], [place for place, _ in other.turns]
    turns = None
    if all(places):
        away = [_nearest(places[0], places[1]), _nearest(places[1], places[0])]
        turns = round(1.0 - sum(away) / 2, 3)
    return Likeness(one.title, other.title, arc, turns)


def _arc(name: str, mentions: int, states: tuple[CharacterState, ...]) -> ArcProfile:
    shape = shape_of(states)
    phases = Counter(state.arc_phase for state in states)
    valence = sum(state.valence for state in states) / len(states) if states else 0.0
    return ArcProfile(
        name,
        mentions,
        shape.name,
        round(shape.fit, 3),
        round(valence, 3),
        tuple(sorted(phases.items())),
        states,
    )


def _signs(view: StoryView) -> dict[tuple[str, str], set[int]]:
    """By pair of characters, in order of id, the signs of what lasts between them."""
    people = {one.id for one in view.entities(EntityKind.CHARACTER)}
    found: dict[tuple[str, str], set[int]] = {}
    for relation in view.relations():
        ends = (relation.subject, relation.object)
        if relation.confidence >= _SURE and ends[0] != ends[1] and people.issuperset(ends):
            pair = (min(ends), max(ends))
            found.setdefault(pair, set()).add(PREDICATES[relation.predicate].sign)
    return found


def _place(chapter: int, chapters: int) -> float:
    return round((chapter - 1) / (chapters - 1), 3) if chapters > 1 else 0.0


def _nearest(one: list[float], other: list[float]) -> float:
    return sum(min(abs(a - b) for b in other) for a in one) / len(one)
