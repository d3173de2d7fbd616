"""What "Codex" on the page *World* does: the author's own text, checked and applied."""

from __future__ import annotations

from ...project.codex_editing import CodexDesk, codex_text, with_entry
from ..frame import Frame

_TABLES = {"character": "characters", "location": "places", "group": "groups", "object": "things"}


def text(frame: Frame) -> str:
    """As its author wrote it, whole."""
    with frame.project() as project:
        return codex_text(project)


def save(frame: Frame, new: str, *, instead_of: str) -> str:
    """Makes it the codex; what was done, in words. Takes a few seconds. Raises DocumentError, with the line,
    for what is no codex, UsageError where it was changed meanwhile."""
    made = _desk(frame).save(new, instead_of=instead_of)
    names = len({one.entity for one in made.log.mentions})
    return f"The codex is saved: {names} names, {len(made.rules)} rules. The story is linked anew with it."


def lay_down(frame: Frame, kind: str, name: str, description: str) -> str:
    """Adds an entry of that name to the table of its kind."""
    before = text(frame)
    return save(frame, with_entry(before, _TABLES.get(kind, "things"), name, description), instead_of=before)


def _desk(frame: Frame) -> CodexDesk:
    return CodexDesk(frame.story.folder, settings=frame.library.settings, monitor=frame.shelf.monitor)
