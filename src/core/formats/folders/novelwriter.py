"""novelWriter projects (2.0 and newer): the manuscript in the order of its tree, and the tagged notes.

``nwProject.nwx`` lists the documents; their texts lie in ``content`` as ``HANDLE.nwd``, since version 26.2 as
``HANDLE.md`` under a TOML header. The manuscript is what novelWriter builds by default: active documents of
novels, ``#`` for parts, ``##`` for chapters, ``###`` for scenes, which are printed without their titles.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any, NamedTuple

from ....errors import DocumentError
from ..archive import Archive
from ..blocks import (
    AuthorNote,
    Converted,
    Section,
    block_of,
    clean_title,
    first_named,
    markdown_of,
    sectioned,
)
from ..xml_tree import decoded_markup, xml_tree

PROJECT = "nwProject.nwx"
_HEADER = re.compile(r"\A\+\+\+\n.{0,20000}?^\+\+\+[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_HEADING = re.compile(r"^(#{1,4}!?) (.*)$", re.MULTILINE)
_TAG = re.compile(r"^@(\w+)[ \t]*:(.*)$", re.MULTILINE)
_NOTE = re.compile(r"^@tag[ \t]*:[ \t]*([^|\n]*?)[ \t]*(?:\|(.*))?$", re.MULTILINE)
_SHORT = re.compile(r"^%[ \t]*short[ \t]*:(.*)$", re.IGNORECASE | re.MULTILINE)
_LEFT_OUT = re.compile(
    r"^(?:[%@]|#{1,4}!? ).*\n?|^[ \t]*>{1,2}|<{1,2}[ \t]*$"  # comments, tags, headings; marks of alignment
    r"|^\[(?:new ?page|vspace(?::\d{1,9})?)\][ \t]*$|(?<!\\)\[(?:footnote|field):[^\[\]\n]{1,80}\]"
    r"|[ \t]?(?<!\\)(?:\[s\](?:(?!\[/?s\])[^\n]){0,2000}\[/s\]|~~(?=[^\s~])[^~\n]{1,2000}~~)"  # struck out
    r"|(?<!\\)\[/?(?:b|i|u|m|s|sup|sub)\]",
    re.IGNORECASE | re.MULTILINE,
)
_FORMATS = tuple(
    re.compile(rf"(?<![\w\\]){mark}(?=\S)([^{mark[-1]}\n]{{1,500}})(?<=[^\s\\]){mark}(?!\w)")
    for mark in ("_", r"\*\*", r"\*", "==")
)
_EPIGRAPH = 100  # words
_TABLES = {"CHARACTER": "characters", "WORLD": "places", "OBJECT": "things", "ENTITY": "groups"}


class _Passage(NamedTuple):
    """What stands under a heading of a ``level`` (1 to 4), or in a document without one (3), in Markdown."""

    level: int
    title: str
    text: str
    tags: Sequence[str]


def novelwriter_document(archive: Archive, listing: str, name: str) -> Converted:
    """The manuscript of the project with that ``nwProject.nwx``, and its tagged notes. Raises DocumentError
    where it is damaged or has no active document with a text."""
    project = _Project(archive, listing, name)
    book, title = list[_Passage](), ""
    for called, text in project.documents("NOVEL", "DOCUMENT"):
        before, *pieces = _HEADING.split(text)
        page = "#!" in pieces[::3]  # what stands before its title belongs to it
        pieces = pieces if page or not project.plain(before) else ["###", called, before, *pieces]
        for mark, heading, body in zip(pieces[::3], pieces[1::3], pieces[2::3], strict=True):
            said = project.plain(body) if mark != "#!" else ""
            tags = [tag.strip().casefold() for _, tags in _TAG.findall(body) for tag in tags.split(",")]
            if mark == "####" and book:
                last = book.pop()
                book.append(last._replace(text=f"{last.text}\n\n{said}".strip(), tags=[*last.tags, *tags]))
            elif mark != "#!" or title:
                book.append(_Passage(len(mark.rstrip("!")), heading, said, tags))
            else:
                title = heading
    found = sectioned(_sections(book), title=clean_title(title) or project.title)
    if not found.chapters:
        raise DocumentError(
            f"{name} has no text in the active documents of a novel: activate some in novelWriter 2 or newer"
        )
    notes = tuple(_notes(project, book, found))
    lacks = f"{name} lacks the files of {project.missing} documents: they were left out"
    return replace(found, warning=lacks if project.missing else "", notes=notes)


def _sections(book: Sequence[_Passage]) -> list[Section]:
    """The outline. A chapter's own text is its first scene, so that what holds chapters is always a part;
    before it stands the text of a part that is no longer than an epigraph or a title page."""
    found: list[tuple[int, Section]] = []  # from the end
    for one in reversed(book):
        inside = [Section(one.title, one.text)] if one.level == 2 else []
        while found and found[-1][0] > one.level:
            inside.append(found.pop()[1])
        own = one.text if one.level != 2 else ""
        if own and one.level == 1 and inside and inside[0].inside and len(own.split()) <= _EPIGRAPH:
            inside[0], own = replace(inside[0], inside=(Section("", own), *inside[0].inside)), ""
        found.append((one.level, Section(one.title, own, tuple(inside))))
    return [section for _, section in reversed(found)]


def _notes(project: _Project, book: Sequence[_Passage], found: Converted) -> Iterator[AuthorNote]:
    """Those on people, places, things and groups, since the first chapter that names their tag; the tags of a
    heading without a text count for the text that follows."""
    at, starts, since, tags = 0, [one.body.start for one in found.chapters], dict[str, int](), list[str]()
    told = ""
    for chapter in found.chapters:  # headings blanked: they may say what a text says
        told += "\0" * (chapter.body.start - len(told)) + chapter.body.of(found.text)
    for one in book:
        tags += one.tags
        if one.text:
            at = told.index(one.text, at)
            for tag in tags:
                since.setdefault(tag, bisect_right(starts, at))
            at, tags = at + len(one.text), []
    for kind, table in _TABLES.items():
        for _, text in project.documents(kind, "NOTE"):
            before, *pieces = _NOTE.split(text)
            for label, shown, body in zip(pieces[::3], pieces[1::3], pieces[2::3], strict=True):
                heading = ([""] + [said for _, said in _HEADING.findall(before)])[-1]
                is_name = label[:1].isupper() and not re.search(r"[\d_]", label)
                own = (shown or "").strip() or (heading if not is_name or label in heading else label)
                said = " ".join([*_SHORT.findall(body), project.plain(re.split(r"(?m)^# ", body)[0])])
                note = AuthorNote(table, (own, label)[: 1 + is_name], said)
                yield replace(note, since=since.get(label.casefold()) or first_named(note, found))
                before = body


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
            items.setdefault(item.get("handle") or "", item)
        items.pop("", None)  # below it the roots would stand again
        self._inside: defaultdict[str, list[Any]] = defaultdict(list)
        for item in items.values():
            self._inside["" if item.get("type") == "ROOT" else item.get("parent") or "-"].append(item)

    def documents(self, kind: str, layout: str) -> Iterator[tuple[str, str]]:
        """Name and text of the active ones of a layout below the roots of that kind, as the tree has them."""
        waiting = [one for one in reversed(self._inside[""]) if one.get("class") == kind]
        while waiting:
            item = waiting.pop()
            waiting += reversed(self._inside[item.get("handle")])
            active = any("yes" in (one.get("active"), one.get("exported")) for one in item.iterfind("name"))
            if item.get("layout") != layout or not active:
                continue
            places = (f"{self._folder}{item.get('handle')}{ending}" for ending in (".md", ".nwd"))
            member = next((one for one in places if one in self._archive), None)
            self.missing += member is None
            if member:
                text = decoded_markup(self._archive.read(member), f"{self._name}, {member}")
                yield item.findtext("name") or "", _HEADER.sub("", "\n".join(text.splitlines()), count=1)

    def plain(self, text: str) -> str:
        """The story in a text, with what the project's settings replace in it, as Markdown."""
        text = _LEFT_OUT.sub("", text).replace("[br]\n", "\n").replace("[br]", "\n")
        for pattern in _FORMATS:
            text = pattern.sub(r"\1", text)
        text = re.sub(r"<[^<>\n]{1,100}>", lambda found: self._replaced.get(found[0], found[0]), text)
        lines = re.sub(r"\\([*_~=\[\]])", r"\1", text).split("\n")
        found = (block_of(run) for is_text, run in groupby(map(str.strip, lines), bool) if is_text)
        return markdown_of(one for one in found if one is not None).strip()
