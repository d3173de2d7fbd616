"""A check on the marks themselves: they must not move when the drafts change names and order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from ..writing.context import StoryContext
from ..writing.pipelines import Written
from .comparison_report import PipelineResult

__all__ = ["moved_by_labels"]


class Marks(Protocol):
    """See Marker."""

    def result(
        self,
        pipeline: str,
        *,
        context: StoryContext | None,
        written: Written,
        seconds: tuple[tuple[str, float], ...],
    ) -> PipelineResult: ...


def moved_by_labels(marker: Marks, results: Sequence[PipelineResult]) -> tuple[str, ...]:
    """The pipelines whose scores change when all drafts are marked again, each under the next one's name and
    the last first; none, unless marks depend on who wrote or on what was marked before. Costs one more
    marking, which asks no language model."""
    names = [result.pipeline for result in results]
    moved = []
    for place in reversed(range(len(results))):
        result = results[place]
        written = Written(result.drafts, result.kept, result.error, result.notice)
        label = names[(place + 1) % len(names)]
        again = marker.result(label, context=result.context, written=written, seconds=result.seconds)
        if (again.scores, again.first_scores) != (result.scores, result.first_scores):
            moved.append(result.pipeline)
    return tuple(reversed(moved))
