"""Portraits and maps as the page *World* has them: those that may be seen, one more, one less."""

from __future__ import annotations

from ...project.pictures import Hung, add_picture, picture_data, pictures_at, remove_picture
from ..frame import Frame
from .story_views import horizon


def shown(frame: Frame, entity: str = "") -> tuple[tuple[Hung, bytes], ...]:
    """Those of an entity with their files, those of the story as a whole where none is named. Raises
    UsageError where ``pictures.toml`` or a file of it does not hold."""
    with frame.project() as project:
        as_of = horizon(frame)
        found = [one for one in pictures_at(project, as_of) if _is_of(one, entity)]
        return tuple((one, picture_data(project, one.picture.id, as_of)[1]) for one in found)


def keep(
    frame: Frame, data: bytes, name: str, *, of: tuple[str, ...], caption: str, from_chapter: int
) -> None:
    """Raises DocumentError for a file that is no picture, UsageError for what cannot be said of one."""
    with frame.project() as project:
        add_picture(project, data, name, of=of, caption=caption, from_chapter=from_chapter)


def take_out(frame: Frame, id: str) -> None:
    """With its file."""
    remove_picture(frame.story.folder, id)


def _is_of(one: Hung, entity: str) -> bool:
    return entity in one.entities if entity else not one.entities
