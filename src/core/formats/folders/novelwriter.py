"""novelWriter projects (2.0 and newer): the manuscript in the order of its tree, and the tagged notes.

``nwProject.nwx`` lists the documents; their texts lie in ``content`` as ``HANDLE.nwd``, since version 26.2 as
``HANDLE.md`` under a TOML header. The manuscript is what novelWriter builds by default: active documents of
novels, ``#`` for parts, ``##`` for chapters, ``###`` for scenes, which are printed without their titles.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from ....errors import DocumentError
from ...text.encodings import normalized
from ..archive import Archive
from ..blocks import AuthorNote, Converted, Section, block_of, clean_title, markdown_of, sectioned
from ..xml_tree import decoded_markup, xml_tree

PROJECT = "nwProject.nwx"
_HEADING = re.compile(r"(#{1,4})(!?) (.*)\Z")
_HEADER = re.compile(r"\+\+\+\n.{0,20000}?^\+\+\+[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_SHORT = re.compile(r"%\s*(?:short|synopsis)\s*:\s*(.*)\Z", re.IGNORECASE)
_STRUCK = r"[ \t]?(?<!\\)(?:\[s\](?:(?!\[/?s\])[^\n]){0,2000}\[/s\]|~~(?=[^\s~])[^~\n]{1,2000}~~)"
_CODE = r"(?<!\\)\[(?:/?(?:b|i|u|m|s|sup|sub)|(?:footnote|field):[^\[\]\n]{1,80})\]"
_LINE = r"\A\[(?:new ?page|vspace(?::\d{1,9})?)\]\Z"
_LEFT_OUT = re.compile(f"{_STRUCK}|{_CODE}|{_LINE}", re.IGNORECASE)
_FORMATS = tuple(
    re.compile(rf"(?<![\w\\]){mark}(?=\S)([^{mark[-1]}\n]{{1,500}})(?<=[^\s\\]){mark}(?!\w)")
    for mark in (r"\*\*", r"\*", "==", "_")
)
_TABLES = {"CHARACTER": "characters", "WORLD": "places", "OBJECT": "things", "ENTITY": "groups"}


@dataclass(slots=True)
class _Passage:
    """What stands under one heading (``level`` 1 to 4; 0 before the first), and what is ``inside`` it."""

    title: str
    level: int
    is_page: bool = False
    lines: list[str] = field(default_factory=list)
    tags: list[tuple[str, str]] = field(default_factory=list)
    inside: list[_Passage] = field(default_factory=list)

    @property
    def text(self) -> str:
        """Its paragraphs as Markdown."""
        found = (block_of(one.split("\n")) for one in "\n".join(self.lines).split("\n\n"))
        return markdown_of(one for one in found if one is not None).strip()

    def take(self, one: _Passage) -> None:
        """Puts the next passage of the book in its place; one without a heading goes on with the last."""
        place = last = self
        while last.inside:
            last = last.inside[-1]
        if one.level in (0, 4) and last.level and not last.is_page:
            last.lines += ["", *one.lines]
            last.tags += one.tags
        elif one.level or any(one.lines):
            one.is_page, one.level = not one.level, one.level or 2
            while place.inside and place.inside[-1].level < one.level:
                place = place.inside[-1]
            keys = {key for key, _ in one.tags}
            one.tags += [tag for tag in place.tags if tag[0] not in keys]
            place.inside.append(one)

    def section(self, scenes: list[_Passage]) -> Section:
        """A chapter's own text is its first scene, so that what holds chapters is always a part. What has
        text is added to the ``scenes``."""
        text = self.text
        scenes += [self] if text else []
        own = [Section(self.title, text)] if self.level == 2 else []
        inside = (*own, *(one.section(scenes) for one in self.inside))
        return Section(self.title, "" if own else text, inside)


def novelwriter_document(archive: Archive, listing: str, name: str) -> Converted:
    """The manuscript of the project with that ``nwProject.nwx``, and its tagged notes. Raises DocumentError
    where it is damaged or has no active document with a text."""
    project, book, title = _Project(archive, listing, name), _Passage("", 0), None
    for passages in project.documents("NOVEL", "DOCUMENT"):
        for one in passages[any(one.is_page for one in passages) :]:
            if one.is_page:
                one.lines = []
            if one.is_page and title is None:
                title = clean_title(one.title)
            else:
                book.take(one)
    scenes: list[_Passage] = []
    found = sectioned([one.section(scenes) for one in book.inside], title=title or project.title)
    if not found.chapters:
        raise DocumentError(
            f"{name} has no text in its active documents, title pages aside: write or activate some"
        )
    lacks = f"{name} lacks the files of {project.missing} documents: they were left out"
    notes = tuple(_notes(project, scenes, found))
    return replace(found, warning=lacks if project.missing else "", notes=notes)


def _notes(project: _Project, scenes: list[_Passage], found: Converted) -> Iterator[AuthorNote]:
    """Those on people, places, things and groups, since the first chapter that names their tag."""
    notes: dict[str, AuthorNote] = {}
    for kind, table in _TABLES.items():
        for passages in project.documents(kind, "NOTE"):
            subjects: list[_Passage] = []
            for one in passages:
                if any(key == "tag" for key, _ in one.tags):
                    subjects.append(one)
                elif subjects and one.level > subjects[-1].level:
                    subjects[-1].lines += ["", *one.lines]
            for one in subjects:
                said = dict(reversed(one.tags))
                label, _, shown = map(str.strip, said["tag"].partition("|"))
                is_name = label[:1].isupper() and not re.search(r"[\d_]", label)
                own = shown or (one.title if not is_name or label in one.title else label)
                names = (own, label) if is_name else (own,)
                notes.setdefault(
                    label.casefold(), AuthorNote(table, names, f"{said.get('%', '')} {one.text}")
                )
    at, starts = 0, [one.body.start for one in found.chapters]
    chapters, places = defaultdict[str, list[int]](list), defaultdict[str, list[tuple[int, str]]](list)
    for scene in scenes:
        at = found.text.index(scene.text, at)
        chapter = bisect_right(starts, at)
        located = [tag for key, tag in scene.tags if key == "location"]
        for key, tag in scene.tags:
            chapters[tag].append(chapter)
            if key in ("pov", "focus", "char"):
                places[tag] += [(chapter, notes[one].names[0] if one in notes else one) for one in located]
    for tag, note in notes.items():
        yield replace(note, since=min(chapters[tag], default=None), places=tuple(dict.fromkeys(places[tag])))


class _Project:
    """``missing`` counts the documents without a file, once they were read."""

    def __init__(self, archive: Archive, listing: str, name: str) -> None:
        self._archive, self._name, self.missing = archive, name, 0
        self._folder = f"{listing.removesuffix(PROJECT)}content/"
        root = xml_tree(archive.read(listing), f"{name}, {PROJECT}")
        self.title = clean_title(root.findtext("project/name"))
        replaced = root.iterfind("settings/autoReplace/entry")
        self._replaced = {f"<{one.get('key')}>": one.text or "" for one in replaced}
        items: dict[str, Any] = {}
        for item in root.iterfind("content/item"):
            items.setdefault(item.get("handle"), item)
        self._inside: defaultdict[str | None, list[Any]] = defaultdict(list)
        for item in items.values():
            self._inside["" if item.get("type") == "ROOT" else item.get("parent")].append(item)
        if not any(one.get("class") == "NOVEL" for one in self._inside[""]):
            raise DocumentError(
                f"{name} has no novel in its tree: open and save it in novelWriter 2 or newer"
            )

    def documents(self, kind: str, layout: str) -> Iterator[list[_Passage]]:
        """The active ones of a layout below the roots of that kind, each before those inside it."""
        waiting = [one for one in reversed(self._inside[""]) if one.get("class") == kind]
        while waiting:
            item = waiting.pop()
            waiting += reversed(self._inside[item.get("handle")])
            active = any("yes" in (one.get("active"), one.get("exported")) for one in item.iterfind("name"))
            if item.get("layout") == layout and active:
                yield self._passages(item)

    def _passages(self, item: Any) -> list[_Passage]:
        """What the file of a document holds, by headings, the first before any heading."""
        found = [_Passage(item.findtext("name") or "", 0)]
        places = (f"{self._folder}{item.get('handle')}{ending}" for ending in (".md", ".nwd"))
        member = next((one for one in places if one in self._archive), None)
        if member is None:
            self.missing += 1
            return found
        text = decoded_markup(self._archive.read(member), f"{self._name}, {member}").replace("\r\n", "\n")
        header = _HEADER.match(text)
        for line in (
            text[header.end() if header else 0 :].replace("[br]\n", "\n").replace("[br]", "\n").splitlines()
        ):
            if heading := _HEADING.match(line):
                level = len(heading[1])
                found.append(_Passage(self._plain(heading[3]), level, level == 1 and bool(heading[2])))
            elif line.startswith("@"):
                key, _, said = line[1:].partition(":")
                tags = [one.strip() for one in said.split(",")]
                found[-1].tags += [(key.strip(), one if key == "tag" else one.casefold()) for one in tags]
            elif short := _SHORT.match(line):
                found[-1].tags.append(("%", short[1]))
            elif not line.startswith("%"):
                found[-1].lines.append(self._plain(line))
        return found

    def _plain(self, line: str) -> str:
        """A line without marks of alignment and format, with what the project's settings replace in it."""
        line = (
            normalized(line).strip().removeprefix(">").removeprefix(">").removesuffix("<").removesuffix("<")
        )
        line = _LEFT_OUT.sub("", line)
        for pattern in _FORMATS:
            line = pattern.sub(r"\1", line)
        line = re.sub(r"<[^<>\n]{1,100}>", lambda found: self._replaced.get(found[0], found[0]), line)
        return re.sub(r"\\([*_~=\[\]])", r"\1", line).strip()
