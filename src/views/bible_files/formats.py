"""Export formats of the story bible: which there are, their names and endings, and how they are written."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from ...core.files.atomic import replace_file
from ...errors import UsageError
from ...story.model.types import EntityKind
from ..bible import BibleShown, EntryShown
from .documents import markdown, word, zipped
from .lorebook import character_card, world_info
from .vault import vault
from .wiki import wiki

Format = Literal["markdown", "docx", "vault", "wiki", "world-info", "character-card"]
FORMATS: tuple[Format, ...] = get_args(Format)
MEDIA: Mapping[Format, tuple[str, str]] = {
    "markdown": ("bible.md", "text/markdown"),
    "docx": ("bible.docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
    "vault": ("bible-vault.zip", "application/zip"),
    "wiki": ("bible-wiki.zip", "application/zip"),
    "world-info": ("bible-world-info.json", "application/octet-stream"),
    "character-card": ("character-card.json", "application/octet-stream"),
}
"""The file's name and the media type of each format; a folder is packed into one file."""
FOLDERS: frozenset[Format] = frozenset({"vault", "wiki"})
_ENDINGS: Mapping[str, Format] = {".md": "markdown", ".docx": "docx", ".json": "world-info", "": "vault"}
_WAYS = "--format wiki or vault and a folder, or a file that ends in .md, .docx or .json"
BibleAt = Callable[..., BibleShown]
"""The bible ``as_of`` a chapter (None: the whole story), ``about`` one name or all (``bible.bible_at``)."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Of a story which bible, and as what. ``progress`` is told of chapters done and of how many: a wiki is
    made of the bible at each of them. Raises UsageError for a card that does not say of whom, and for a wiki
    that does."""

    format: Format
    as_of: int | None = None
    about: str | None = None
    progress: Callable[[int, int], None] | None = None

    def __post_init__(self) -> None:
        if self.format == "wiki" and self.about is not None:
            raise UsageError("a wiki has all entries: leave out whom it is about")
        if self.format == "character-card" and self.about is None:
            raise UsageError("a character card is of one person: say whom it is about")

    def files(self, at: BibleAt) -> Iterator[tuple[str, bytes]]:
        """The files with their names, as they are made: one, but for a folder. The same bible gives the same
        bytes. Raises UsageError for a card whose name is not that of one person."""
        if self.format == "wiki":
            yield from wiki(at, self.as_of or len(at().chapters), self.progress or (lambda *_: None))
        elif self.format == "vault":
            yield from vault(at(self.as_of, self.about)).items()
        elif self.format == "character-card":
            yield MEDIA[self.format][0], character_card(at(self.as_of), self._person(at))
        else:
            make = {"markdown": markdown, "docx": word, "world-info": world_info}[self.format]
            yield MEDIA[self.format][0], make(at(self.as_of, self.about))

    def packed(self, at: BibleAt) -> Iterator[bytes]:
        """The same as one file, in pieces as they are made."""
        files = self.files(at)
        return zipped(files) if self.format in FOLDERS else (data for _, data in files)

    def write(self, at: BibleAt, out: Path) -> tuple[str, ...]:
        """Writes ``out``, for a folder format a new folder; the paths of the files. Raises UsageError as
        :meth:`files`, for a folder that holds files, and where a file is to be written over a folder."""
        if out.is_dir() and (self.format not in FOLDERS or any(out.iterdir())):
            raise UsageError(f"{out} is there already: name a new or empty folder, or for a document a file")
        made = self.files(at)
        files = {out / name if self.format in FOLDERS else out: data for name, data in made}
        for path, data in files.items():
            replace_file(path, data)
        return tuple(path.as_posix() for path in files)

    def _person(self, at: BibleAt) -> EntryShown:
        people = [one for one in at(self.as_of, self.about).entries if one.kind == EntityKind.CHARACTER]
        if len(people) != 1:
            names = ", ".join(one.name for one in people[:5]) or "nobody"
            raise UsageError(f"{self.about!r} is the name of {names}: give one person's name in full")
        return people[0]


def format_of(out: Path) -> Format:
    """What the ending of a path asks for: none, or a folder, a vault. Raises UsageError for any other."""
    format = _ENDINGS.get(out.suffix.lower() if not out.is_dir() else "")
    if format is None:
        raise UsageError(f"a bible cannot be a {out.suffix} file: use {_WAYS}")
    return format
