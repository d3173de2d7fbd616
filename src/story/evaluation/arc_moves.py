"""How the characters of a draft move, and how they moved before."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Protocol

from ..model.types import CharacterState, EntityKind, StateTold, StoryEntity

__all__ = ["Arcs", "View", "emotional_moves"]


class View(Protocol):
    """The story with the draft told on top; see StoryView."""

    def entities(self, kind: EntityKind | None = None, /) -> Sequence[StoryEntity]:
        """Those of that kind, or all."""
        ...

    def states(self, entity: str, aspect: str | None = None, /) -> Sequence[StateTold]:
        """What is told of the entity's emotions, goals and places, or of one ``aspect`` alone."""
        ...


class Arcs(Protocol):
    """See DynamicArcTracker."""

    def arc(self, entity: str, /) -> Sequence[CharacterState]:
        """The character's states, one for each chapter that mentions them, in order."""
        ...


def emotional_moves(view: View, *, arcs: Arcs, chapter: int) -> tuple[list[float], list[float]]:
    """The changes of valence (-2 to 2) that end in ``chapter``, and those that ended before it, of the
    characters who feel something in ``chapter``.

    A change is taken between two neighbouring chapters of a character's arc, the later of which tells an
    emotion; whoever the story has not met before the chapter moves from nowhere, and is left out. ``arcs``
    is made of ``view``. Costs the arcs of those characters.
    """
    now: list[float] = []
    before: list[float] = []
    for person in view.entities(EntityKind.CHARACTER):
        felt = {state.told for state in view.states(person.id, "emotion")}
        if chapter not in felt:
            continue
        states = arcs.arc(person.id)
        for one, other in pairwise(states):
            if other.chapter in felt and other.chapter <= chapter:
                move = other.valence - one.valence
                (now if other.chapter == chapter else before).append(move)
    return now, before
