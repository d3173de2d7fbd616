"""How far a character moves from one chapter to the next, and in which phase of an arc that puts them.

Pure functions of numbers; the settings below are fixed by hand, not fitted.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ...lexicon.emotions import EMOTIONS

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


@dataclass(frozen=True, slots=True)
class GoalMoves:
    """What became of goals between two states; ``before`` counts those active at the first."""

    before: int = 0
    adopted: int = 0
    lost: int = 0
    reached: int = 0

    @property
    def extent(self) -> float:
        """0 to 1: ``(lost + reached + 0.5 adopted) / (before + adopted)``, at most 1; 0 without goals."""
        return min(1.0, (self.lost + self.reached + ADOPTED * self.adopted) / self._all)

    @property
    def balance(self) -> float:
        """-1 to 1: as ``extent``, with what is lost counted against it."""
        balance = (self.reached + ADOPTED * self.adopted - self.lost) / self._all
        return max(-1.0, min(1.0, balance))

    @property
    def _all(self) -> int:
        return max(1, self.before + self.adopted)


def arousal_of(emotion: str, valence: float) -> float:
    """0 to 1: as in ``emotions.EMOTIONS``, or the valence's distance from 0 for a name not in it."""
    known = EMOTIONS.get(emotion)
    return known.arousal if known else min(1.0, abs(valence))


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

    ``valence`` and ``arousal`` are the changes of either (-2 to 2, -1 to 1), ``goals`` is
    ``GoalMoves.extent``, ``relations`` is ``mean_change``, ``deeds`` how much better or worse they act
    than before (-1 to 1, see ``bonds.deed_change``). A noisy or: each part alone moves, together
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
