"""``pictures.toml`` in a project's folder: the pictures of its story, as they are listed."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ...core.files.atomic import changing, replace_file
from ...core.files.toml import list_text, tables_of
from ...errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

PICTURES = "pictures"
PICTURES_FILE = "pictures.toml"
_HEAD = "# Portraits and maps: fabula pictures adds and removes them.\n"
_FILE = re.compile(r"([0-9a-f]{16})\.(?:png|jpg)")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_KEYS = ("file", "of", "caption", "from_chapter")


@dataclass(frozen=True, slots=True)
class Picture:
    """``file`` is its name in ``pictures/``. It shows ``of``, names that the story uses; none for the whole
    story (a map, say). A reader may see it from ``from_chapter`` on; 0 is at once."""

    file: str
    of: tuple[str, ...]
    caption: str
    from_chapter: int = 0

    @property
    def id(self) -> str:
        """16 hexadecimal digits."""
        return self.file.partition(".")[0]


def read_pictures(folder: Path) -> tuple[Picture, ...]:
    """All of a project, in the order of the file. Raises UsageError that says what is wrong with the file."""
    path = folder / PICTURES_FILE
    if not path.is_file():
        return ()
    tables = tables_of(list_text(path, "pictures"), "picture", source=PICTURES_FILE)
    return tuple(_picture(table, number) for number, table in enumerate(tables, 1))


def write_pictures(folder: Path, pictures: Iterable[Picture]) -> None:
    """Replaces the list; call while :func:`.atomic.changing` holds it."""

    def table(one: Picture) -> str:  # JSON without control characters is TOML
        lines = (f"{key} = {json.dumps(getattr(one, key), ensure_ascii=False)}" for key in _KEYS)
        return "\n".join(("[[picture]]", *lines))

    replace_file(folder / PICTURES_FILE, "\n\n".join([_HEAD.rstrip(), *map(table, pictures)]) + "\n")


def postpone_pictures(folder: Path, place: Callable[[int], int]) -> Callable[[], None]:
    """Lets pictures go on where books changed their order: one that might be seen from a chapter on is seen
    from the one that ``place`` gives for it. Gives what takes them back, where nobody has changed the list
    meanwhile. Raises UsageError as :func:`read_pictures`."""
    if not (folder / PICTURES_FILE).exists():
        return lambda: None
    with changing(folder / PICTURES_FILE):
        held = read_pictures(folder)
        moved = tuple(replace(one, from_chapter=place(one.from_chapter)) for one in held)
        if moved != held:
            write_pictures(folder, moved)

    def undo() -> None:
        with changing(folder / PICTURES_FILE):
            if read_pictures(folder) == moved != held:
                write_pictures(folder, held)

    return undo


def plain_words(text: str) -> str:
    """On one line, without control characters."""
    return " ".join(_CONTROL.sub(" ", text).split())


def _picture(table: object, number: int) -> Picture:
    where = f"{PICTURES_FILE}, picture {number}"
    if not isinstance(table, dict):
        raise UsageError(f"{where} is no table: write [[picture]] above its keys")
    if unknown := sorted(set(table) - set(_KEYS)):
        raise UsageError(f"{where}: there is no key {unknown[0]!r}: a picture takes {', '.join(_KEYS)}")
    file, caption, since = table.get("file", ""), table.get("caption", ""), table.get("from_chapter", 0)
    of = table.get("of", [])
    names = [of] if isinstance(of, str) else of
    if not (isinstance(file, str) and _FILE.fullmatch(file)):
        raise UsageError(f"{where}: file names no picture in {PICTURES}/: fabula pictures adds them")
    if not (isinstance(names, list) and all(isinstance(one, str) for one in [*names, caption])):
        raise UsageError(f"{where}: of is a name or a list of names, and caption a text, in quotation marks")
    if not isinstance(since, int) or isinstance(since, bool) or since < 0:
        raise UsageError(f"{where}: from_chapter is a number from 0")
    return Picture(file, tuple(filter(None, map(plain_words, names))), plain_words(caption), since)
