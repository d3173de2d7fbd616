"""What "Correct this" on the page *World* does: the corrections known at the horizon, one more, one less."""

from __future__ import annotations

from ...project.correcting import Corrected, Workshop, corrections_at
from ...story.corrections import Correction
from ...views.corrections import change_words
from ..frame import Frame
from .story_views import horizon


def corrections(frame: Frame) -> tuple[tuple[str, str], ...]:
    """(id, words) of each that speaks of nothing told after the horizon, in the author's order."""
    return frame.cached(
        "corrections",
        lambda project: tuple((one.id, one.words) for one in corrections_at(project, horizon(frame))),
    )


def correct(frame: Frame, correction: Correction) -> str:
    """Adds it; what was done, in words. Takes a few seconds. Raises UsageError for what cannot be
    corrected so."""
    return _words("Corrected", _workshop(frame).add(correction))


def take_back(frame: Frame, id: str) -> str:
    """Takes the correction of that id out; what was done, in words."""
    return _words("Taken back", _workshop(frame).undo(id))


def _workshop(frame: Frame) -> Workshop:
    return Workshop(
        frame.story.folder, horizon(frame), settings=frame.library.settings, monitor=frame.shelf.monitor
    )


def _words(said: str, done: Corrected) -> str:
    told = "; ".join(map(change_words, done.changes)) or "nothing that has been told so far is changed by it"
    return f"{said}. {told}"
