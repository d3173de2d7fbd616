"""Chapters of an opened project replayed: what each pipeline's context holds of what they really use."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..errors import UsageError
from ..story.evaluation.replay import Replayer
from .comparing import context_maker, settings_of

if TYPE_CHECKING:
    from ..story.evaluation.replay import ReplayedChapter
    from ..story.writing.pipelines import Pipeline
    from .indexing import Progress
    from .parts import OpenProject

__all__ = ["replay"]


def replay(
    project: OpenProject,
    chapters: Sequence[int],
    *,
    pipelines: Sequence[Pipeline],
    progress: Progress | None = None,
) -> tuple[ReplayedChapter, ...]:
    """See ``Project.replay``."""
    first = next((number for number in chapters if number < 2), None)
    if first is not None:
        raise UsageError(f"chapter {first} has nothing before it to hold: replay chapters from 2 on")
    replayer = Replayer(project.document, graph=project.graph, maker=context_maker(project))
    room = settings_of(project.config)
    found: list[ReplayedChapter] = []
    for done, number in enumerate(chapters):
        if progress is not None:
            progress("replaying", done, len(chapters))
        found += replayer.replay(number, pipelines, room=room)
    return tuple(found)
