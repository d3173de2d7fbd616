"""Manuskript projects (format 1): the outline, characters and world.

Each item is a file of ``Key: value`` lines over a text; a folder's own is ``folder.txt``. Left out is what is
not compiled, and of characters what tells what is yet to come (goals, conflicts, epiphanies, summaries).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from ....errors import DocumentError
from ...text.markdown import story_markdown
from ..archive import Archive
from ..blocks import AuthorNote, Converted, Section, clean_title, first_named, sectioned
from ..xml_tree import decoded_markup, xml_tree
from .markdown import natural_order

PROJECT = "MANUSKRIPT"
_FIELD = re.compile(r"^(\S[^:\n]{0,200}):(.*(?:\n {4}.*)*)", re.MULTILINE)
_PLANS = frozenset(
    "name id importance pov color motivation goal conflict epiphany phrase_summary paragraph_summary "
    "full_summary".split()
)
_KIND = re.compile(
    r"\b(?:(?P<places>places?|locations?|settings?)|(?P<things>objects?|things?|items?)|(?P<rules>rules?|laws?)"
    r"|(?P<groups>groups?|cultures?|races?|organi[sz]ations?|factions?))\b",
    re.IGNORECASE,
)
_OPENS = frozenset({"title", "name", "id", "type", "compile"})  # of a head of fields
_DEEPEST = 20


def manuskript_document(archive: Archive, folder: str, name: str) -> Converted:
    """The outline of the project in that folder of the archive, and its notes, each known since its subject
    is named; damaged notes are left out with a warning. Raises DocumentError where it has no text."""
    files = _Files(archive, folder, name)
    title = clean_title(dict(files.parts("infos.txt")[0]).get("title"))
    found = sectioned(tuple(files.sections("outline/", files.below("outline/"), 0)), title=title)
    if not found.chapters:
        raise DocumentError(f"{name} has no text in its outline to compile: write some, or compile more")
    try:
        notes = [*files.characters(), *files.world()]
    except DocumentError as error:
        return replace(found, warning=f"{error}; all of its notes were left out")
    for at, one in enumerate(notes):
        if one.table != "rules":
            notes[at] = replace(one, since=first_named(one, found))
    return replace(found, notes=tuple(notes))


class _Files:
    def __init__(self, archive: Archive, folder: str, name: str) -> None:
        self._archive, self._folder, self._name = archive, folder, name

    def below(self, folder: str) -> list[str]:
        """The files in a folder of the project, by their paths in it, in the order of their numbers."""
        place = self._folder + folder
        found = (one.removeprefix(place) for one in self._archive.names if one.startswith(place))
        texts = (one for one in found if one.endswith((".md", ".txt")))
        return sorted(texts, key=lambda one: [natural_order(part) for part in one.split("/")])

    def sections(self, folder: str, paths: Sequence[str], depth: int) -> Iterator[Section]:
        """What is compiled of these paths in a folder."""
        for part, run in groupby(paths, key=lambda one: one.partition("/")[0]):
            inside = [rest for _, _, rest in (one.partition("/") for one in run) if rest]
            place = f"{folder}{part}"
            fields, text = self.parts(f"{place}/folder.txt" if inside else place)
            said = dict(fields)
            if part != "folder.txt" and said.get("compile") != "0" and depth < _DEEPEST:
                below = tuple(self.sections(f"{place}/", inside, depth + 1))
                yield Section(said.get("title", part), story_markdown(text).strip(), below)

    def characters(self) -> Iterator[AuthorNote]:
        for path in self.below("characters/"):
            fields = [one for one in self.parts(f"characters/{path}")[0] if one[1]]
            names = [said for key, said in fields if key == "name"][:1]
            yield AuthorNote("characters", names, details=[one for one in fields if one[0] not in _PLANS])

    def world(self) -> Iterator[AuthorNote]:
        """What stands below headings such as "Places", "Magical objects" or "Rules"."""
        member = f"{self._folder}world.opml"
        root = (
            xml_tree(self._archive.read(member), f"{self._name}, world.opml")
            if member in self._archive
            else ()
        )
        waiting = [(one, "") for one in root]
        while waiting:
            item, kind = waiting.pop()
            said = item.get("name") or ""
            if kind:
                yield AuthorNote(kind, [said], item.get("description") or "")
            named = _KIND.search(said)
            kind = kind or (named and named.lastgroup) or ""
            waiting += [(one, kind) for one in reversed(item)]

    def parts(self, path: str) -> tuple[list[tuple[str, str]], str]:
        """The fields at the head of a file, their keys as ``phrase_summary``, and the text below them."""
        member = self._folder + path
        data = self._archive.read(member) if member in self._archive else b""
        text = "\n".join(decoded_markup(data, f"{self._name}, {path}").splitlines())
        head, _, body = text.partition("\n\n")
        found = ((key.replace("_.._", ":").casefold(), said) for key, said in _FIELD.findall(head))
        fields = [(key.replace(" ", "_"), " ".join(said.split())) for key, said in found]
        if not _OPENS & dict(fields).keys():  # "Dear Anna: come home." is text
            return [], text
        return fields, body
