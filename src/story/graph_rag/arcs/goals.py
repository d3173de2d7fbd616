"""What a character wants: goals adopted, lost and reached, told in the text's own words."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from ...model.types import StateTold
from .measures import GoalMoves

_REACHED = 2.0
_ALIKE = 0.5
_SMALL = frozenset("a an the to of for in on at and her his their its my our your as into with from".split())


@dataclass(frozen=True, slots=True)
class GoalFate:
    """A goal from its adoption to its end: ``adopted`` is None where only the end is told, ``ended`` where
    none is told."""

    adopted: StateTold | None
    ended: StateTold | None = None

    @property
    def name(self) -> str:
        """``"open"``, ``"reached"`` or ``"lost"``."""
        if self.ended is None:
            return "open"
        return "reached" if self.ended.valence >= _REACHED else "lost"


def goal_fates(told: Iterable[StateTold]) -> tuple[GoalFate, ...]:
    """What became of each goal told, in order of telling.

    The end of a goal is matched to the active one in the same words, else to the one that shares most of its
    words (Jaccard 0.5 or more, ties to the latest adopted).
    """
    fates: list[GoalFate] = []
    open_: dict[int, StateTold] = {}  # place in fates
    for goal in told:
        known = _matching(goal, list(open_.values()))
        if goal.valence < 0 or goal.valence >= _REACHED:
            place = next((i for i, one in open_.items() if one is known), None)
            if place is None:
                fates.append(GoalFate(None, goal))
            else:
                fates[place] = GoalFate(open_.pop(place), goal)
        elif known is None or _words(known.value) != _words(goal.value):
            open_[len(fates)] = goal
            fates.append(GoalFate(goal))
    return tuple(fates)


def active_goals(told: Iterable[StateTold]) -> tuple[StateTold, ...]:
    """Goals adopted and neither lost nor reached since, in order of adoption."""
    return tuple(one.adopted for one in goal_fates(told) if one.adopted is not None and one.ended is None)


def goal_moves(told: Iterable[StateTold], *, before: int) -> GoalMoves:
    """What ``told`` does to goals of which ``before`` were active. A goal whose loss is told without its
    adoption is lost all the same."""
    adopted = lost = reached = 0
    for goal in told:
        if goal.valence < 0:
            lost += 1
        elif goal.valence >= _REACHED:
            reached += 1
        else:
            adopted += 1
    return GoalMoves(before=before, adopted=adopted, lost=lost, reached=reached)


def _matching(goal: StateTold, active: list[StateTold]) -> StateTold | None:
    """The active goal that is meant, the latest of those alike; an end may name its object alone ("the shop")
    or by another verb ("looking for her brother")."""
    ends = goal.valence < 0 or goal.valence >= _REACHED
    best, closest = None, 0.0
    for known in active:
        likeness = _likeness(_words(goal.value), _words(known.value))
        if ends:
            likeness = max(likeness, _shared(_objects(goal.value), _objects(known.value)))
        if likeness >= max(closest, _ALIKE):
            best, closest = known, likeness
    return best


def _likeness(one: frozenset[str], other: frozenset[str]) -> float:
    either = one | other
    return len(one & other) / len(either) if either else 0.0


def _shared(one: frozenset[str], other: frozenset[str]) -> float:
    least = min(len(one), len(other))
    return len(one & other) / least if least else 0.0


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", text.casefold()))


def _objects(text: str) -> frozenset[str]:
    """The words that name what is wanted: all but small ones and the verb before them."""
    words = re.findall(r"\w+", text.casefold())
    return frozenset(word for word in (words[1:] if len(words) > 1 else words) if word not in _SMALL)
