"""Markdown folders with a file a scene or a chapter: Obsidian's vaults, and projects of Longform in them.

The order is that of a Longform index file (``longform: scenes:`` in its front matter), else of the names,
with numbers by value.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ....errors import DocumentError
from ...text.encodings import normalized
from ...text.markdown import fenced_lines, read_markdown
from ..archive import Archive
from ..blocks import Converted, Section, clean_title, sectioned
from ..xml_tree import decoded_markup

_HEADING = re.compile(r"(#{1,6})[ \t]+(\S.*?)[ \t#]*\Z")
_ORDERING = re.compile(r"\d{1,4}(?:[\s._-]+|\s*[.)]\s*)(?=\S)")
_NUMBERS = re.compile(r"([0-9]{1,18})")
_DEEPEST = 20


@dataclass(frozen=True, slots=True)
class _Note:
    """A file: its front matter, and its story."""

    name: str
    front: Mapping[str, Any]
    text: str

    @property
    def longform(self) -> Mapping[str, Any]:
        found = self.front.get("longform")
        return found if isinstance(found, dict) else {}


def markdown_document(archive: Archive, names: Sequence[str], name: str) -> Converted:
    """The book in these members of the archive of a folder. Raises DocumentError where they are several
    books, or hold no text."""
    notes = {one: _note(one, decoded_markup(archive.read(one), f"{name}, {one}")) for one in names}
    index = _index(notes, name)
    if index is not None:
        title = clean_title(str(index.longform.get("title") or "")) or _stem(index.name)
        sections = _by_index(index, notes)
    else:
        title = None
        sections = _by_name(notes)
    found = sectioned(sections, title=title)
    if not found.chapters:
        raise DocumentError(f"{name} holds no text in its Markdown files: write some, or index another file")
    return found


# --- the order ---------------------------------------------------------------------------------------


def _index(notes: Mapping[str, _Note], name: str) -> _Note | None:
    """The index file of the only Longform project, of several drafts the latest."""
    found = [note for note in notes.values() if note.longform.get("format") in ("scenes", "single")]
    titles = {str(note.longform.get("title") or _stem(note.name)) for note in found}
    if len(titles) > 1:
        raise DocumentError(
            f"{name} holds {len(titles)} Longform projects ({', '.join(sorted(titles)[:3])}): "
            "name the folder of one"
        )
    return max(found, key=lambda note: (_draft(note), note.name), default=None)


def _draft(note: _Note) -> int:
    number = note.longform.get("draftNumber")
    return number if isinstance(number, int) else 0


def _by_index(index: _Note, notes: Mapping[str, _Note]) -> list[Section]:
    if index.longform.get("format") == "single":
        return list(_sections(index))
    folder = posixpath.join(
        posixpath.dirname(index.name), str(index.longform.get("sceneFolder") or "").strip("/")
    )
    scenes = index.longform.get("scenes")

    def nested(entries: Any, depth: int) -> list[Section]:
        found: list[Section] = []
        for entry in entries if isinstance(entries, list) and depth < _DEEPEST else ():
            if isinstance(entry, list):
                inside = nested(entry, depth + 1)
                if found:
                    last = found[-1]
                    found[-1] = Section(last.title, last.text, (*last.inside, *inside))
                else:
                    found += inside
                continue
            note = notes.get(posixpath.normpath(posixpath.join(folder, f"{entry}.md")))
            if note is not None:
                found += _sections(note)
        return found

    return nested(scenes, 0)


def _by_name(notes: Mapping[str, _Note]) -> list[Section]:
    """The tree of folders, each in natural order; a folder that holds nothing but one other is passed."""
    tree: dict[str, Any] = {}
    for name, note in notes.items():
        *folders, file = name.split("/")
        place = tree
        for folder in folders:
            place = place.setdefault(f"{folder}/", {})
        place[file] = note
    while len(tree) == 1 and isinstance(only := next(iter(tree.values())), dict):
        tree = only
    return list(_walked(tree, 0))


def _walked(tree: Mapping[str, Any], depth: int) -> Iterator[Section]:
    for name in sorted(tree, key=natural_order):
        held = tree[name]
        if isinstance(held, _Note):
            yield from _sections(held)
        elif depth < _DEEPEST:
            yield Section(_stem(name.rstrip("/")), "", tuple(_walked(held, depth + 1)))


def natural_order(name: str) -> tuple[list[tuple[bool, int, str]], str]:
    """The key that sorts names: numbers by value, and before letters."""
    pieces = _NUMBERS.split(name.casefold().rstrip("/").removesuffix(".md"))
    return [(False, int(one), "") if one.isdecimal() else (True, 0, one) for one in pieces if one], name


# --- a file ------------------------------------------------------------------------------------------


def _note(name: str, text: str) -> _Note:
    front, story = read_markdown(normalized(text).replace("\r\n", "\n").replace("\r", "\n"))
    return _Note(name, front, story)


def _sections(note: _Note) -> Iterator[Section]:
    """The file as one section, its first heading for a title; as several where others of the same level
    follow."""
    said = clean_title(str(note.front.get("title") or "")) or _stem(note.name)
    lines = note.text.strip().split("\n")
    code = {line for block in fenced_lines(lines) for line in block}
    found = [
        (at, match) for at, line in enumerate(lines) if at not in code and (match := _HEADING.match(line))
    ]
    if not found or found[0][0] != 0:
        yield Section(said, note.text.strip())
        return
    level = len(found[0][1][1])
    same = [(at, match[2]) for at, match in found if len(match[1]) == level]
    ends = [*(at for at, _ in same[1:]), len(lines)]
    for (at, title), end in zip(same, ends, strict=True):
        yield Section(title, "\n".join(lines[at + 1 : end]).strip())


def _stem(name: str) -> str:
    """What a file or folder is called, without the number that only orders it."""
    stem = posixpath.basename(name)
    stem = stem.rpartition(".")[0] if stem.lower().endswith((".md", ".markdown")) else stem
    return _ORDERING.sub("", stem, count=1).strip() or stem
