"""How far a character moves from one chapter to the next: by mood, goals, deeds and bonds; and the shape of
an arc.

The settings of moves are fixed by hand, not fitted. A curve is the valence of an arc over the time in which
it is told.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import correlation, pstdev
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from ...core.types import Evidence
from ..model.predicates import PREDICATES
from ..model.types import CharacterState, Relation, RelationshipStrength, StateTold, gathered
from .views.story_view import Place, StoryView
from .views.timeline import Act, closing, holds_when_told

GOAL_WEIGHT = 0.6
AROUSAL_WEIGHT = 0.3
RELATION_WEIGHT = 0.4
DEED_WEIGHT = 0.4
ADOPTED = 0.5
EMOTION_HALF_LIFE = 2.0
EMOTION_MEMORY = 4
BOND_HALF_LIFE = 10.0
SHRINKAGE = 0.5
STEADY = 0.1
MOVING = 0.2
CRISIS_FALL = 0.5
CRISIS_VALENCE = -0.6


def faded(value: float, *, chapters: int, half_life: float) -> float:
    """``value * 0.5 ** (chapters / half_life)``; ``half_life`` is in chapters."""
    return float(value * 0.5 ** (chapters / half_life))


def strength_of(signed_weights: Iterable[float]) -> float:
    """-1 to 1: ``sum(s w) / (sum(w) + 0.5)`` over signs s and weights w, given as their products. The
    0.5 keeps one weak telling from counting as devotion, and lets old ones fade."""
    weights = list(signed_weights)
    return math.fsum(weights) / (math.fsum(abs(weight) for weight in weights) + SHRINKAGE)


def mean_change(before: Mapping[str, float], after: Mapping[str, float]) -> float:
    """-1 to 1: half the mean change of strength over all who stand in either; 0 where none do."""
    known = sorted(before.keys() | after.keys())
    if not known:
        return 0.0
    return math.fsum(after.get(one, 0.0) - before.get(one, 0.0) for one in known) / (2 * len(known))


def greatest_change(before: Mapping[str, float], after: Mapping[str, float]) -> float:
    """-1 to 1: half the greatest change of strength over all who stand in either, ties to the better. A
    bond can only break that was warm: enmity where nothing was told before is no change of a bond."""
    changes = [
        change
        for one in {**before, **after}
        for change in [after.get(one, 0.0) - before.get(one, 0.0)]
        if change > 0 or before.get(one, 0.0) > 0
    ]
    return max(changes, key=lambda change: (abs(change), change)) / 2 if changes else 0.0


def magnitude(*, valence: float, arousal: float, goals: float, relations: float, deeds: float = 0.0) -> float:
    """0 to 1, how far a character has moved:
    ``1 - (1 - |v|/2)(1 - 0.3|a|)(1 - 0.6 g)(1 - 0.4|r|)(1 - 0.4|d|)``.

    ``valence`` and ``arousal`` are the changes of either (-2 to 2, -1 to 1), ``goals`` is the extent of
    :func:`goal_moves`, ``relations`` is ``mean_change``, ``deeds`` how much better or worse they act than
    before (-1 to 1, see :func:`deed_change`). A noisy or: each part alone moves, together
    they saturate, and no part undoes another. From hope (0.6) to despair (-0.8) with every goal lost,
    arousal 0.5 to 0.6, is 1 - 0.3 * 0.97 * 0.4 = 0.884.
    """
    rest = 1 - abs(valence) / 2
    rest *= 1 - AROUSAL_WEIGHT * abs(arousal)
    rest *= 1 - GOAL_WEIGHT * goals
    rest *= 1 - RELATION_WEIGHT * abs(relations)
    rest *= 1 - DEED_WEIGHT * abs(deeds)
    return 1 - rest


def direction(extent: float, *, valence: float, goals: float, relations: float) -> str:
    """``"rise"`` or ``"fall"`` by the sign of ``v/2 + 0.6 g + 0.4 r`` (``goals`` is the balance);
    ``"steady"`` where the magnitude is below 0.1, the parts cancel to less than 0.05, or the mood itself
    moves the other way by 0.1 or more: nobody rises whose mood falls."""
    lean = valence / 2 + GOAL_WEIGHT * goals + RELATION_WEIGHT * relations
    if extent < STEADY or abs(lean) < STEADY / 2 or (abs(valence) >= STEADY and lean * valence < 0):
        return "steady"
    return "rise" if lean > 0 else "fall"


def kind_of(fortune: str, extent: float, *, valence: float, goals: float, bond: float, deeds: float) -> str:
    """What a move is above all: ``"bond"`` or ``"break"`` where the greatest of ``|v|/2``, ``0.6|g|``,
    ``0.4|b|`` and ``0.4|d|`` is that of the bond that changed most (b, -1 to 1), ``"growth"`` or
    ``"corruption"`` where it is that of the deeds, else ``fortune``, which ``direction`` gave; ``"steady"``
    where the magnitude is below 0.1."""
    if extent < STEADY:
        return "steady"
    mood = max(abs(valence) / 2, GOAL_WEIGHT * abs(goals))
    bonds, own = RELATION_WEIGHT * abs(bond), DEED_WEIGHT * abs(deeds)
    if max(bonds, own) <= mood:
        return fortune
    if own >= bonds:
        return "growth" if deeds > 0 else "corruption"
    return "bond" if bond > 0 else "break"


def next_phase(phase: str, *, valence: float, extent: float, kind: str) -> str:
    """The phase after one more chapter, from the phase before it, the state and the move into it.

    After Freytag's pyramid (1863), told forwards, since a reader in the middle cannot know which crisis
    is the last:

    - a fall of 0.5 or more, or a valence of -0.6 or less, is a ``"crisis"``, whatever came before;
    - after a crisis, ``"falling"`` until the valence is above 0, which is a ``"resolution"``; a
      resolution that turns negative again is ``"falling"``;
    - before any crisis, ``"setup"`` until a move of 0.2 or more, from then on ``"rising"``.
    """
    if (kind == "fall" and extent >= CRISIS_FALL) or valence <= CRISIS_VALENCE:
        return "crisis"
    if phase in ("crisis", "falling", "resolution"):
        if valence > 0 or (phase == "resolution" and valence == 0):
            return "resolution"
        return "falling"
    return "rising" if phase == "rising" or extent >= MOVING else "setup"


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
            place = next((i for i, one in open_.items() if one is known), len(fates))
            fates[place : place + 1] = [GoalFate(open_.pop(place, None), goal)]
        elif known is None or _words(known.value) != _words(goal.value):
            open_[len(fates)] = goal
            fates.append(GoalFate(goal))
    return tuple(fates)


def goal_moves(told: Iterable[StateTold], *, before: int) -> tuple[float, float]:
    """How far ``told`` moves the goals, of which ``before`` were active, and which way.

    The extent, 0 to 1, is ``(lost + reached + 0.5 adopted) / (before + adopted)``; the balance, -1 to 1, is
    the same with what is lost counted against it. Both are 0 without goals. A goal whose loss is told without
    its adoption is lost all the same."""
    valences = [goal.valence for goal in told]
    lost, reached = sum(one < 0 for one in valences), sum(one >= _REACHED for one in valences)
    adopted = len(valences) - lost - reached
    known, won = max(1, before + adopted), reached + ADOPTED * adopted
    return min(1.0, (won + lost) / known), max(-1.0, min(1.0, (won - lost) / known))


def _matching(goal: StateTold, active: list[StateTold]) -> StateTold | None:
    """The active goal that is meant, the latest of those alike; an end may name its object alone ("the shop")
    or by another verb ("looking for her brother")."""
    ends = goal.valence < 0 or goal.valence >= _REACHED
    best, closest = None, 0.0
    for known in active:
        one, other = _words(goal.value), _words(known.value)
        likeness = len(one & other) / (len(one | other) or 1)
        if ends:
            one, other = _objects(goal.value), _objects(known.value)
            likeness = max(likeness, len(one & other) / (min(len(one), len(other)) or 1))
        if likeness >= max(closest, _ALIKE):
            best, closest = known, likeness
    return best


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", text.casefold()))


def _objects(text: str) -> frozenset[str]:
    """The words that name what is wanted: all but small ones and the verb before them."""
    words = re.findall(r"\w+", text.casefold())
    return frozenset(word for word in (words[1:] if len(words) > 1 else words) if word not in _SMALL)


ACT_WEIGHT = 0.6


class _Weight(NamedTuple):
    other: str
    signed: float
    predicate: str
    place: Place
    evidence: tuple[Evidence, ...]


def strengths(
    view: StoryView, entity: str, *, bonds: Sequence[Relation], happened: Sequence[Act], chapter: int
) -> list[tuple[RelationshipStrength, tuple[Evidence, ...]]]:
    """Each strength with the quotes of the telling that counts most in it, the strongest first, whatever the
    sign, ties by id; only those to whom some sign is told.

    Each telling of a signed bond that still holds weighs its confidence, each signed act between the
    two 0.6 of it, halved every ten chapters since it was told (see ``strength_of``). Bonds count from
    the subject's side, or from both where symmetric; acts for both sides. ``bonds`` and ``happened``
    are what is told of the entity up to the chapter. Grief is no end: the dead keep their strength.
    """
    weights = list(_of_bonds(view, entity, bonds, happened, chapter))
    for act in happened:
        row = PREDICATES[act.predicate]
        for other in act.patients if entity in act.agents else act.agents:
            if row.sign and other != entity:
                weight = _aged(ACT_WEIGHT * row.sign * act.record.confidence, act.record.told, chapter)
                weights.append(_Weight(other, weight, row.name, act.place, act.record.evidence))
    found = []
    for other, told in gathered((one.other, one) for one in weights).items():
        total = strength_of(weight.signed for weight in told)
        behind = max(told, key=lambda weight: (weight.signed * total > 0, abs(weight.signed), weight.place))
        found.append((RelationshipStrength(other, total, behind.predicate), behind.evidence))
    return sorted(found, key=lambda one: (-abs(one[0].strength), one[0].entity))


def _of_bonds(
    view: StoryView, entity: str, bonds: Sequence[Relation], happened: Sequence[Act], chapter: int
) -> Iterator[_Weight]:
    by_other = gathered((one.object if one.subject == entity else one.subject, one) for one in bonds)
    between = gathered((person, act) for act in happened for person in {*act.agents, *act.patients})
    for other, told in by_other.items():
        for bond in told:
            row = PREDICATES[bond.predicate]
            outward = bond.subject == entity or row.symmetric
            if not (row.sign and outward and holds_when_told(bond)):
                continue
            if closing(view, bond, told, between.get(other, ())) is None:
                weight = _aged(row.sign * bond.confidence, bond.told, chapter)
                yield _Weight(other, weight, row.name, view.place(bond), bond.evidence)


def _aged(weight: float, told: int, chapter: int) -> float:
    return faded(weight, chapters=chapter - told, half_life=BOND_HALF_LIFE)


def deed_change(entity: str, happened: Iterable[Act], *, since: int) -> float:
    """-1 to 1: half of how much better the entity's own deeds are after chapter ``since`` than those up to
    it; 0 where it does neither good nor harm after it.

    Each side is ``strength_of`` the signs weighed by confidence, so one deed is no character: a first
    killing gives ``-1 / 1.5 / 2``. What a flashback tells is left out.
    """
    before: list[float] = []
    after: list[float] = []
    for act in happened:
        sign = PREDICATES[act.predicate].moral
        if sign and entity in act.agents and not act.flashback:
            (before if act.record.told <= since else after).append(sign * act.record.confidence)
    return (strength_of(after) - strength_of(before)) / 2 if after else 0.0


POINTS = 20
_WINDOW = 2  # points on either side that smooth a point: a quarter of the arc together
_FLAT = 1e-6
_LEAST = 3  # chapters, below which an arc has no shape

SHAPES: MappingProxyType[str, tuple[int, int]] = MappingProxyType(
    {
        "rags to riches": (1, 1),
        "riches to rags": (1, -1),
        "man in a hole": (2, -1),
        "icarus": (2, 1),
        "cinderella": (3, 1),
        "oedipus": (3, -1),
    }
)
"""The six shapes of Reagan et al. ("The emotional arcs of stories are dominated by six basic shapes", 2016):
the modes that they found are near ``-sign cos(mode pi t)``; here (mode, sign). Rise, fall, fall-rise,
rise-fall, rise-fall-rise, fall-rise-fall."""


@dataclass(frozen=True, slots=True)
class ArcShape:
    """``name`` is one of ``SHAPES``, or ``""`` for an arc of under three chapters or without any change;
    ``fit`` its correlation with the arc's curve, 0 to 1."""

    name: str
    fit: float


def curve(arc: Sequence[CharacterState], *, points: int = POINTS) -> tuple[float, ...]:
    """Valence (-1 to 1) at evenly spaced times from the arc's first chapter to its last, linear between
    chapters, each the mean of the points within two; empty for an empty arc."""
    if not arc:
        return ()
    first, last = arc[0].chapter, arc[-1].chapter
    times = [first + (last - first) * i / (points - 1) for i in range(points)]
    raw = np.interp(times, [state.chapter for state in arc], [state.valence for state in arc]).tolist()
    return tuple(
        math.fsum(near) / len(near)
        for i in range(points)
        for near in [raw[max(0, i - _WINDOW) : i + _WINDOW + 1]]
    )


def shape_of(arc: Sequence[CharacterState]) -> ArcShape:
    """The shape that correlates best with the arc's curve, ties to the simpler one; none for an arc of under
    three chapters, or one without any change."""
    best, values = ArcShape("", 0.0), curve(arc)
    if len(arc) < _LEAST or pstdev(values) <= _FLAT:
        return best
    for name, (mode, sign) in SHAPES.items():
        model = [-sign * math.cos(mode * math.pi * i / (len(values) - 1)) for i in range(len(values))]
        fit = min(1.0, correlation(values, model))
        if fit > best.fit + _FLAT:
            best = ArcShape(name, fit)
    return best
