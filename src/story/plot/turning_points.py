"""Turning points of a story: the chapters in which its people move most and the gravest things happen, and
the five turning points of its plot.

Opportunity, change of plans, point of no return, major setback and climax (Papalampidi, Keller and Lapata,
EMNLP 2019). Where they stand is screenwriting theory (10, 25, 50, 75 and 90 % of the way: Hauge,
"Storytelling Made Easy", 2017) drawn towards the means that those authors report for films (11, 32, 51, 74
and 89 %).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...core.types import Evidence
from ..graph_rag.arc_tracker import DynamicArcTracker
from ..graph_rag.views.acts import Act, acts
from ..graph_rag.views.gravity import GRAVITY
from ..graph_rag.views.story_view import StoryView
from ..model.predicates import PREDICATES
from ..model.types import EntityKind, Transition

MOST_CHARACTERS = 12
MOST_REASONS = 6
MOST_QUOTES = 6
ROLES = ("opportunity", "change of plans", "point of no return", "major setback", "climax")
_PLACES = (0.11, 0.28, 0.50, 0.75, 0.90)  # theory and the means of films, half each
_SPREAD = 0.14  # standard deviation about the place, as a part of the whole
Vector = NDArray[np.float64]
SHARE = 0.5  # how much of a chapter's weight one move or event alone can give


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """A chapter that turns the story (or one character). ``weight`` is 0 to 1; ``entities`` are those who
    move or act in it, the most moved first; ``reasons`` are worded with names."""

    chapter: int
    weight: float
    entities: tuple[str, ...]
    reasons: tuple[str, ...]
    evidence: tuple[Evidence, ...]

    def sentence(self, _view: StoryView) -> str:
        """The turn in words; the reasons hold their names already."""
        return f"Ch. {self.chapter} turns (weight {self.weight:.2f}): {'; '.join(self.reasons)}."


@dataclass(frozen=True, slots=True)
class PlotTurn:
    """The chapter that plays ``role``, one of ``ROLES``, in the plot that ends with chapter
    ``last``; ``probability`` is what the model itself gives it among all chapters, 0 to 1."""

    role: str
    last: int
    probability: float
    point: TurningPoint

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """The quotes of ``point``."""
        return self.point.evidence

    def sentence(self, _view: StoryView) -> str:
        """The role and its probability in words, with the reasons of ``point``."""
        return (
            f"Ch. {self.point.chapter} is the {self.role}, if the story ends with ch. {self.last} "
            f"(probability {self.probability:.2f}): {'; '.join(self.point.reasons)}."
        )


@dataclass(frozen=True, slots=True)
class _Part:
    """One move or event of a chapter: what it adds."""

    weight: float
    entities: tuple[str, ...]
    reason: str
    evidence: tuple[Evidence, ...]


def turning_points(
    view: StoryView, *, count: int = 5, tracker: DynamicArcTracker | None = None
) -> tuple[TurningPoint, ...]:
    """The chapters that turn the story most, at most ``count``, in order of telling; of the first chapter
    only events count.

    A chapter weighs ``1 - prod(1 - p w / 2)`` over the moves, told in it and not steady, of the twelve most
    mentioned characters (w the magnitude of the transition into the chapter, p the character's mentions as a
    part of the most mentioned one's) and the events that happen in it (w of ``GRAVITY`` by confidence, p of
    the most mentioned who takes part), each event once by predicate and people. ``tracker`` saves work where
    one of the same view is at hand. Costs the arcs of the twelve.
    """
    return _chosen(_weighed(view, tracker).values(), count)


def plot_turns(view: StoryView, *, tracker: DynamicArcTracker | None = None) -> tuple[PlotTurn, ...]:
    """Which chapters are the opportunity, change of plans, point of no return, major setback and climax, at
    most five in order of the plot, by what ``turning_points`` weighs and by where in a plot they stand as a
    rule (see ``placed_points``): taken for a whole, the chapters up to the horizon being all
    there are. None of fewer than five chapters; a place where no chapter turns at all stays empty."""
    last = max((mention.told for mention in view.log.mentions), default=0)
    weighed = _weighed(view, tracker)
    found = placed_points([weighed[n].weight if n in weighed else 0.0 for n in range(1, last + 1)])
    return tuple(
        PlotTurn(role, last, probability, weighed[piece + 1])
        for role, piece, probability in found
        if piece + 1 in weighed and weighed[piece + 1].weight > 0
    )


def _weighed(view: StoryView, tracker: DynamicArcTracker | None) -> dict[int, TurningPoint]:
    """By chapter what is told to turn in it."""
    moved = tracker or DynamicArcTracker(view)
    weights = _prominence(view)
    parts: dict[int, list[_Part]] = {}
    for entity in list(weights)[:MOST_CHARACTERS]:
        for move in moved.transitions(entity):
            moving = _of_move(view, moved, entity, move, weights[entity])
            if moving is not None:
                parts.setdefault(move.to_chapter, []).append(moving)
    for act in _distinct(acts(view)):
        part = _of_act(view, act, weights)
        if part.weight > 0:
            parts.setdefault(act.record.told, []).append(part)
    return {chapter: _point(chapter, told) for chapter, told in parts.items()}


def character_turning_points(
    tracker: DynamicArcTracker, view: StoryView, entity: str, *, count: int = 5
) -> tuple[TurningPoint, ...]:
    """The greatest moves of one character that are told in their chapter, at most ``count``, in order of
    telling; the weight is the transition's magnitude. ``tracker`` is of ``view``."""
    found = []
    for move in tracker.transitions(entity):
        part = _of_move(view, tracker, entity, move, 1.0)
        if part is not None:
            reasons = (part.reason, *named_reasons(view, move.reasons))[:MOST_REASONS]
            found.append(
                TurningPoint(move.to_chapter, move.magnitude, (move.entity,), reasons, part.evidence)
            )
    return _chosen(found, count)


def _chosen(found: Iterable[TurningPoint], count: int) -> tuple[TurningPoint, ...]:
    best = sorted(found, key=lambda point: (-point.weight, point.chapter))[:count]
    return tuple(sorted((point for point in best if point.weight > 0), key=lambda point: point.chapter))


def _point(chapter: int, parts: Iterable[_Part]) -> TurningPoint:
    told = sorted(parts, key=lambda part: (-part.weight, part.entities, part.reason))
    weight = 1 - math.prod(1 - SHARE * part.weight for part in told)
    said = told[:MOST_REASONS]
    return TurningPoint(
        chapter,
        weight,
        tuple(dict.fromkeys(entity for part in said for entity in part.entities)),
        tuple(dict.fromkeys(part.reason for part in said)),
        tuple(dict.fromkeys(quote for part in said for quote in part.evidence[:2]))[:MOST_QUOTES],
    )


def _prominence(view: StoryView) -> Mapping[str, float]:
    """Mentions of each character as a part of the most mentioned one's, most mentioned first."""
    people = view.entities(EntityKind.CHARACTER)
    most = people[0].mentions if people else 1
    return {person.id: person.mentions / most for person in people}


def _of_move(
    view: StoryView, tracker: DynamicArcTracker, entity: str, move: Transition, prominence: float
) -> _Part | None:
    """None for a steady move, and for one of which nothing is told in its chapter: a mood that fades."""
    state = tracker.state(entity, move.to_chapter)
    quotes = tuple(quote for quote in state.evidence if quote.chapter == move.to_chapter)[:MOST_QUOTES]
    if move.kind == "steady" or not quotes:
        return None
    reason = f"{view.name(entity)}: {move.kind} ({move.magnitude:.2f})"
    return _Part(prominence * move.magnitude, (view.resolve(entity),), reason, quotes)


def _of_act(view: StoryView, act: Act, weights: Mapping[str, float]) -> _Part:
    people = tuple(dict.fromkeys((*act.agents, *act.patients)))
    prominence = max((weights.get(person, 0.0) for person in people), default=0.0)
    row = PREDICATES[act.predicate]
    names = [" and ".join(map(view.name, side)) for side in (act.agents, act.patients) if side]
    worded = f" {row.phrase} ".join(names) if len(names) > 1 else f"{''.join(names)} {row.phrase}"
    if len(names) == 1 and act.patients and act.predicate != "DIES":
        worded = f"somebody {row.phrase} {names[0]}"
    weight = prominence * GRAVITY.get(act.predicate, 0.0) * act.record.confidence
    return _Part(weight, people, worded, act.record.evidence)


def _distinct(told: Iterable[Act]) -> Iterable[Act]:
    """Without flashbacks; each predicate between the same people once a chapter, the surest telling; of
    their meetings the first alone."""
    best: dict[tuple[object, ...], Act] = {}
    met: set[frozenset[str]] = set()
    for act in told:
        if act.flashback:
            continue
        key = (act.record.told, act.predicate, act.agents, act.patients)
        if act.predicate == "MEETS" and key not in best:
            people = frozenset((*act.agents, *act.patients))
            if people in met:
                continue
            met.add(people)
        if key not in best or act.record.confidence > best[key].record.confidence:
            best[key] = act
    return best.values()


def named_reasons(view: StoryView, reasons: Iterable[str]) -> tuple[str, ...]:
    """The reasons of a transition with names: it names people by id, since names change with the horizon,
    and here the horizon is known."""
    named = []
    for reason in reasons:
        head, sep, tail = reason.partition("stands to ")
        if sep and not head:
            entity, _, change = tail.rpartition(" by ")
            named.append(f"stands to {view.name(entity)} by {change}")
        else:
            named.append(reason)
    return tuple(named)


# --- where the five stand --------------------------------------------------------------------------------


def placed_points(weights: Sequence[float]) -> list[tuple[str, int, float]]:
    """(role, piece, probability): which piece, from 0, plays each of ``ROLES``, and what the model itself
    gives it among all pieces (not calibrated). By how much each turns: the z-score of its weight, added to
    where the role stands as a rule; those five in order that promise most hits. None of fewer than five
    pieces."""
    if len(weights) < len(ROLES):
        return []
    turns = _z(np.asarray(weights, float))
    chances = _marginals(np.stack([_prior(len(turns), place) + turns for place in _PLACES]))
    return [
        (role, piece, round(float(chances[k, piece]), 4))
        for k, (role, piece) in enumerate(zip(ROLES, _ordered_best(chances), strict=True))
    ]


def _prior(pieces: int, place: float) -> Vector:
    where = np.arange(pieces) / (pieces - 1)
    return np.asarray(-0.5 * ((where - place) / _SPREAD) ** 2)


def _marginals(scores: Vector) -> Vector:
    """The chance of each piece for each role, over all ways to choose pieces in strict order with chances in
    proportion to exp(sum of scores): forward and backward sums in logarithms."""
    roles, n = scores.shape
    before, after = np.full((roles, n), -np.inf), np.full((roles, n), -np.inf)
    before[0], after[-1] = scores[0], 0.0
    for k in range(1, roles):
        before[k, 1:] = scores[k, 1:] + np.logaddexp.accumulate(before[k - 1])[:-1]
    for k in range(roles - 2, -1, -1):
        ahead = np.logaddexp.accumulate((scores[k + 1] + after[k + 1])[::-1])[::-1]
        after[k, :-1] = ahead[1:]
    both = before + after
    return np.asarray(np.exp(both - np.logaddexp.reduce(both, axis=1)[:, None]))


def _ordered_best(gains: Vector) -> tuple[int, ...]:
    """The column for each row, strictly ascending, with the greatest sum; ties to the earlier column."""
    roles, n = gains.shape
    best = np.full((roles, n), -np.inf)
    came = np.zeros((roles, n), int)
    best[0] = gains[0]
    for k in range(1, roles):
        at = 0
        for i in range(k, n):
            if best[k - 1, i - 1] > best[k - 1, at] or i == k:
                at = i - 1
            best[k, i], came[k, i] = best[k - 1, at] + gains[k, i], at
    path = [int(best[-1].argmax())]
    for k in range(roles - 1, 0, -1):
        path.append(int(came[k, path[-1]]))
    return tuple(reversed(path))


def _z(values: Vector) -> Vector:
    spread = values.std()
    return (values - values.mean()) / spread if spread > 1e-9 else np.zeros(len(values))
