"""How characters fare, chapter by chapter, as lines to draw: mood, goals, bonds, place, phase, turns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..story.graph_rag.arc_moves import GoalFate, goal_fates, shape_of
from ..story.graph_rag.arc_tracker import DynamicArcTracker
from ..story.graph_rag.views.story_view import StoryView
from ..story.model.predicates import PREDICATES
from ..story.model.types import CharacterState, RelationshipStrength, StoryEntity, Transition
from ..story.plot.turning_points import character_turning_points, named_reasons
from .found import characters_asked
from .quotes import QuoteShown, quotes_shown


@dataclass(frozen=True, slots=True)
class BondShown:
    """How the character stands to another: -1 (hostile) to 1 (devoted); ``label`` tells most of it."""

    id: str
    name: str
    strength: float
    predicate: str
    label: str


@dataclass(frozen=True, slots=True)
class ArcPoint:
    """The character at the end of a chapter that mentions them: ``valence`` -1 to 1, ``arousal`` 0 to 1,
    ``emotion`` empty where none is told of late, ``place`` a name or empty; bonds the strongest first."""

    chapter: int
    valence: float
    arousal: float
    emotion: str
    phase: str
    place: str
    goals: tuple[str, ...]
    bonds: tuple[BondShown, ...]
    quotes: tuple[QuoteShown, ...]


@dataclass(frozen=True, slots=True)
class GoalShown:
    """A goal in the text's words. ``adopted`` and ``ended`` are chapters, None where that is not told;
    ``fate`` is ``"open"``, ``"reached"`` or ``"lost"``."""

    goal: str
    adopted: int | None
    ended: int | None
    fate: str
    quotes: tuple[QuoteShown, ...]


@dataclass(frozen=True, slots=True)
class MoveShown:
    """From one point to the next: ``magnitude`` 0 to 1, ``kind`` and reasons as on a Transition, with
    names."""

    from_chapter: int
    to_chapter: int
    magnitude: float
    kind: str
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TurnShown:
    """A chapter that turns the character; ``weight`` 0 to 1."""

    chapter: int
    weight: float
    reasons: tuple[str, ...]
    quotes: tuple[QuoteShown, ...]


@dataclass(frozen=True, slots=True)
class ArcShown:
    """One character's arc. ``shape`` is one of Reagan's six or empty, ``fit`` 0 to 1 how well it fits."""

    id: str
    name: str
    shape: str
    fit: float
    points: tuple[ArcPoint, ...]
    goals: tuple[GoalShown, ...]
    moves: tuple[MoveShown, ...]
    turns: tuple[TurnShown, ...]


@dataclass(frozen=True, slots=True)
class ArcsShown:
    """The arcs that were asked for, by what is told up to the chapter ``as_of`` (None: the whole book)."""

    as_of: int | None
    arcs: tuple[ArcShown, ...]


def arc_lines(
    tracker: DynamicArcTracker, view: StoryView, names: Sequence[str] = (), *, turns: int = 5
) -> ArcsShown:
    """The arcs of those named (names or ids; the five most mentioned characters where none is).

    ``tracker`` is of ``view``. Raises UsageError for a name that nobody has at the horizon.
    """
    asked = characters_asked(view, tuple(names))
    return ArcsShown(
        view.horizon.chapter, tuple(_arc(tracker, view, entity, turns=turns) for entity in asked)
    )


def _arc(tracker: DynamicArcTracker, view: StoryView, entity: StoryEntity, *, turns: int) -> ArcShown:
    states = tracker.arc(entity.id)
    shape = shape_of(states)
    told = sorted(view.states(entity.id, "goal"), key=view.place)
    return ArcShown(
        entity.id,
        entity.name,
        shape.name,
        round(shape.fit, 3),
        tuple(_point(view, state) for state in states),
        tuple(_goal(fate) for fate in goal_fates(told)),
        tuple(_move(view, move) for move in tracker.transitions(entity.id)),
        tuple(
            TurnShown(point.chapter, round(point.weight, 3), point.reasons, quotes_shown(point.evidence))
            for point in character_turning_points(tracker, view, entity.id, count=turns)
        ),
    )


def _point(view: StoryView, state: CharacterState) -> ArcPoint:
    return ArcPoint(
        state.chapter,
        round(state.valence, 3),
        round(state.arousal, 3),
        state.emotional_state,
        state.arc_phase,
        view.name(state.location) if state.location else "",
        state.active_goals,
        _bonds(view, state.relationships),
        # the latest quotes say most of a state that has gathered many
        quotes_shown(reversed(state.evidence))[::-1],
    )


def _bonds(view: StoryView, stands: Iterable[RelationshipStrength]) -> tuple[BondShown, ...]:
    """Ids that have become one since stand once, by their strongest bond."""
    found: dict[str, BondShown] = {}
    for one in stands:
        known = view.resolve(one.entity)
        label = PREDICATES[one.predicate].phrase if one.predicate in PREDICATES else one.predicate
        bond = BondShown(known, view.name(known), round(one.strength, 3), one.predicate, label)
        found.setdefault(known, bond)
    return tuple(found.values())


def _goal(fate: GoalFate) -> GoalShown:
    told = [state for state in (fate.adopted, fate.ended) if state is not None]
    return GoalShown(
        told[0].value,
        fate.adopted.told if fate.adopted else None,
        fate.ended.told if fate.ended else None,
        fate.name,
        quotes_shown(state.evidence for state in told),
    )


def _move(view: StoryView, move: Transition) -> MoveShown:
    return MoveShown(
        move.from_chapter,
        move.to_chapter,
        round(move.magnitude, 3),
        move.kind,
        named_reasons(view, move.reasons),
    )
