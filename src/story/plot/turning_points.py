"""Turning points of a story: the chapters in which its people move most and the gravest things happen."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from ...core.types import Evidence
from ..graph_rag.arc_tracker import DynamicArcTracker
from ..graph_rag.views.story_view import StoryView
from ..graph_rag.views.timeline import Act, acts
from ..model.predicates import PREDICATES
from ..model.types import EntityKind, gathered

MOST_CHARACTERS = 12
MOST_REASONS = 6
MOST_QUOTES = 6
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


def turning_points(
    view: StoryView, *, count: int = 5, tracker: DynamicArcTracker | None = None
) -> tuple[TurningPoint, ...]:
    """The chapters that turn the story most, at most ``count``, in order of telling; of the first chapter
    only events count.

    A chapter weighs ``1 - prod(1 - p w / 2)`` over the moves, told in it and not steady, of the twelve most
    mentioned characters (w the magnitude of the transition into the chapter, p the character's mentions as a
    part of the most mentioned one's) and the events that happen in it (w the ``gravity`` of the predicate by
    confidence, p of the most mentioned who takes part), each event once by predicate and people. ``tracker``
    saves work where one of the same view is at hand. Costs the arcs of the twelve.
    """
    tracker = tracker or DynamicArcTracker(view)
    people = view.entities(EntityKind.CHARACTER)
    prominence = {one.id: one.mentions / people[0].mentions for one in people}
    main = list(prominence)[:MOST_CHARACTERS]
    parts = [part for who in main for part in _moves(view, tracker, who, prominence[who])]
    events = (_of_act(view, act, prominence) for act in _distinct(acts(view)))
    parts += [part for part in events if part.weight > 0]
    chapters = gathered((part.chapter, part) for part in parts)
    return _chosen((_joined(chapter, told) for chapter, told in chapters.items()), count)


def character_turning_points(
    tracker: DynamicArcTracker, view: StoryView, entity: str, *, count: int = 5
) -> tuple[TurningPoint, ...]:
    """The greatest moves of one character that are told in their chapter, at most ``count``, in order of
    telling; the weight is the transition's magnitude. ``tracker`` is of ``view``."""
    return _chosen(_moves(view, tracker, entity, 1.0, explained=True), count)


def _chosen(found: Iterable[TurningPoint], count: int) -> tuple[TurningPoint, ...]:
    best = sorted(found, key=lambda point: (-point.weight, point.chapter))[:count]
    return tuple(sorted((point for point in best if point.weight > 0), key=lambda point: point.chapter))


def _joined(chapter: int, parts: Iterable[TurningPoint]) -> TurningPoint:
    told = sorted(parts, key=lambda part: (-part.weight, part.entities, part.reasons))
    weight = 1 - math.prod(1 - SHARE * part.weight for part in told)
    said = told[:MOST_REASONS]
    entities = dict.fromkeys(entity for part in said for entity in part.entities)
    reasons = dict.fromkeys(reason for part in said for reason in part.reasons)
    quotes = dict.fromkeys(quote for part in said for quote in part.evidence[:2])
    return TurningPoint(chapter, weight, tuple(entities), tuple(reasons), tuple(quotes)[:MOST_QUOTES])


def _moves(
    view: StoryView, tracker: DynamicArcTracker, entity: str, prominence: float, *, explained: bool = False
) -> Iterator[TurningPoint]:
    """Not the steady ones, nor those of which nothing is told in their chapter: a mood that fades."""
    for move in tracker.transitions(entity):
        state = tracker.state(entity, move.to_chapter)
        quotes = tuple(quote for quote in state.evidence if quote.chapter == move.to_chapter)[:MOST_QUOTES]
        if move.kind != "steady" and quotes:
            reasons: tuple[str, ...] = (f"{view.name(entity)}: {move.kind} ({move.magnitude:.2f})",)
            if explained:
                reasons = (*reasons, *named_reasons(view, move.reasons))[:MOST_REASONS]
            weight, who = prominence * move.magnitude, view.resolve(entity)
            yield TurningPoint(move.to_chapter, weight, (who,), reasons, quotes)


def _of_act(view: StoryView, act: Act, weights: Mapping[str, float]) -> TurningPoint:
    people = tuple(dict.fromkeys((*act.agents, *act.patients)))
    prominence = max((weights.get(person, 0.0) for person in people), default=0.0)
    row = PREDICATES[act.predicate]
    names = [" and ".join(map(view.name, side)) for side in (act.agents, act.patients) if side]
    worded = f" {row.phrase} ".join(names) if len(names) > 1 else f"{''.join(names)} {row.phrase}"
    if len(names) == 1 and act.patients and act.predicate != "DIES":
        worded = f"somebody {row.phrase} {names[0]}"
    weight = prominence * row.gravity * act.record.confidence
    return TurningPoint(act.record.told, weight, people, (worded,), act.record.evidence)


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
