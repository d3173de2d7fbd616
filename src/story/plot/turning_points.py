"""Turning points of a character: the chapters in which mood, goals and bonds change most."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from ...core.types import Evidence
from ..graph_rag.arc_tracker import DynamicArcTracker
from ..graph_rag.views.story_view import StoryView

MOST_REASONS = 6
MOST_QUOTES = 6


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """A chapter that turns a character. ``weight``, 0 to 1, is the magnitude of the transition into it;
    ``reasons`` are worded with names."""

    chapter: int
    weight: float
    reasons: tuple[str, ...]
    evidence: tuple[Evidence, ...]

    def sentence(self, _view: StoryView) -> str:
        """The turn in words; the reasons hold their names already."""
        return f"Ch. {self.chapter} turns (weight {self.weight:.2f}): {'; '.join(self.reasons)}."


def character_turning_points(
    tracker: DynamicArcTracker, view: StoryView, entity: str, *, count: int = 5
) -> tuple[TurningPoint, ...]:
    """The greatest moves of one character that are told in their chapter, at most ``count``, in order of
    telling; the weight is the transition's magnitude. ``tracker`` is of ``view``."""
    found = []
    for move in tracker.transitions(entity):
        state = tracker.state(entity, move.to_chapter)
        quotes = tuple(quote for quote in state.evidence if quote.chapter == move.to_chapter)[:MOST_QUOTES]
        if move.kind != "steady" and quotes and move.magnitude > 0:  # without quotes a mood fades
            said = f"{view.name(entity)}: {move.kind} ({move.magnitude:.2f})"
            reasons = (said, *named_reasons(view, move.reasons))[:MOST_REASONS]
            found.append(TurningPoint(move.to_chapter, move.magnitude, reasons, quotes))
    best = sorted(found, key=lambda point: (-point.weight, point.chapter))[:count]
    return tuple(sorted(best, key=lambda point: point.chapter))


def named_reasons(view: StoryView, reasons: Iterable[str]) -> tuple[str, ...]:
    """The reasons of a transition with names: it names people by id, since names change with the horizon,
    and here the horizon is known."""
    stands = re.compile(r"(?<=\Astands to )(.*)(?= by )")
    return tuple(stands.sub(lambda entity: view.name(entity[0]), reason, count=1) for reason in reasons)
