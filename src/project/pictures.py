"""Portraits, maps and other pictures of a story: whom or what each shows, and from which chapter it may be
seen.

``pictures.toml`` in the project's folder lists them, ``pictures/`` holds them. A picture is seen by a reader
who knows whom it shows, and who has read up to its chapter: a caption may tell what is told late.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ..core.files.atomic import changing, replace_file
from ..core.formats.converting import draw_image
from ..errors import UsageError
from .storage.pictures_file import (
    PICTURES,
    PICTURES_FILE,
    Picture,
    plain_words,
    read_pictures,
    write_pictures,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .parts import OpenProject

LONGEST_CAPTION = 2000  # characters
_MOST = 2000


@dataclass(frozen=True, slots=True)
class Hung:
    """Seen at a horizon: ``entities`` are ids of whom it shows, ``names`` what a reader calls them."""

    picture: Picture
    entities: tuple[str, ...] = ()
    names: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """Whom it shows, and the caption: what is searched."""
        return ": ".join(part for part in (", ".join(self.names), self.picture.caption) if part)


def pictures_at(project: OpenProject, as_of: int | None = None) -> tuple[Hung, ...]:
    """Those that a reader at ``as_of`` may see, in the order of the file. Raises HorizonError for a chapter
    that the book does not have, UsageError as :func:`read_pictures`."""
    view, hung = project.view(as_of), list[Hung]()
    for one in read_pictures(project.folder):
        shown = [view.find(name) for name in one.of]
        known = [each for each in shown if each is not None]
        is_told = not one.from_chapter or view.horizon.admits(one.from_chapter)
        if is_told and len(known) == len(shown):
            hung.append(Hung(one, tuple(each.id for each in known), tuple(each.name for each in known)))
    return tuple(hung)


def picture_data(project: OpenProject, id: str, as_of: int | None = None) -> tuple[Hung, bytes]:
    """A picture and its file. Raises UsageError where none is seen at ``as_of``, or the file differs."""
    for one in pictures_at(project, as_of):
        if one.picture.id == id:
            return one, file_of(project.folder, one.picture)
    raise UsageError(f"there is no picture {id!r} to show: fabula pictures lists them")


def file_of(folder: Path, picture: Picture) -> bytes:
    """What is in a picture's file. Raises UsageError where it is gone, or another."""
    try:
        data = (folder / PICTURES / picture.file).read_bytes()
    except OSError as error:
        why = error.strerror or error
        raise UsageError(f"the picture {picture.file} cannot be read ({why}): add it again") from error
    if _name(data) != picture.id:
        raise UsageError(f"the picture {picture.file} was changed: add it again")
    return data


def add_picture(
    project: OpenProject,
    data: bytes,
    name: str,
    *,
    of: Sequence[str] = (),
    caption: str = "",
    from_chapter: int = 0,
) -> Picture:
    """Keeps a copy of a picture (PNG or JPEG, at most 1600 pixels a side, without metadata); the same once
    more changes what is said of it. Raises DocumentError for a file that is no picture, UsageError for a name
    that the story does not use, without name and caption, or for too long a one; HorizonError."""
    said = plain_words(caption)
    called = tuple(dict.fromkeys(filter(None, map(plain_words, of))))
    if not said and not called:
        raise UsageError("name who or what the picture shows, or give a caption")
    if len(said) > LONGEST_CAPTION:
        raise UsageError(f"the caption has {len(said):,} characters, at most {LONGEST_CAPTION:,} are kept")
    if from_chapter:
        project.horizon(from_chapter)
    view = project.view()
    for one in called:
        if view.find(one) is None:
            raise UsageError(f"the story has nobody and nothing called {one!r}: use a name it uses")
    shown = draw_image(data, name, limits=project.config.documents.limits)
    made = Picture(_name(shown.data) + shown.ending, called, said, from_chapter)
    with changing(project.folder / PICTURES_FILE):
        held = {one.id: one for one in read_pictures(project.folder)}
        if held.get(made.id) == made:
            return made
        if len(held) >= _MOST and made.id not in held:
            raise UsageError(f"the project holds {_MOST:,} pictures, which is the maximum: remove some")
        replace_file(project.folder / PICTURES / made.file, shown.data)
        write_pictures(project.folder, (held | {made.id: made}).values())
    return made


def remove_picture(folder: Path, id: str) -> Picture:
    """Takes a picture out, with its file. Raises UsageError where there is none of that id."""
    with changing(folder / PICTURES_FILE):
        held = read_pictures(folder)
        gone = next((one for one in held if one.id == id), None)
        if gone is None:
            raise UsageError(f"there is no picture {id!r} here: fabula pictures lists them")
        write_pictures(folder, (one for one in held if one is not gone))
        (folder / PICTURES / gone.file).unlink(missing_ok=True)
    return gone


def _name(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]
