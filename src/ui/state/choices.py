"""What a page may offer to choose from: no more than is told by the horizon."""

from __future__ import annotations

from ...engine import Project
from ...story.model.types import EntityKind
from ..frame import Frame

_MOST = 200


def characters_known(frame: Frame) -> tuple[str, ...]:
    """Names of characters at the frame's horizon, at most 200, those named most often first."""
    return frame.cached("characters known", lambda project: _names(project, frame.as_of))


def _names(project: Project, as_of: int) -> tuple[str, ...]:
    people = project.view(as_of).entities(EntityKind.CHARACTER)
    ranked = sorted(people, key=lambda one: (-one.mentions, one.name, one.id))
    return tuple(dict.fromkeys(one.name for one in ranked))[:_MOST]
