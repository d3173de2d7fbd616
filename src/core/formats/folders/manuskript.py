"""Manuskript projects (format 1): the outline, characters and world.

Each item is a file of ``Key: value`` lines over a text; a folder's own is ``folder.txt``. Left out is what is
not compiled, and of characters the summaries and epiphanies, which tell what is yet to come.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from ....errors import DocumentError
from ...text.encodings import normalized
from ...text.markdown import story_markdown
from ..archive import Archive
from ..blocks import AuthorNote, Converted, Section, clean_title, sectioned
from ..xml_tree import decoded_markup, xml_tree
from .markdown import folder_tree, natural_order

PROJECT = "MANUSKRIPT"
_FIELD = re.compile(r"(\S[^:]{0,200}):[ \t]*(.*)\Z")
_DEEPEST = 20
_PLANS = frozenset(
    "name id importance pov color epiphany phrase_summary paragraph_summary full_summary".split()
)
_KINDS = {
    "places": re.compile(r"\b(?:places?|locations?|settings?)\b", re.IGNORECASE),
    "groups": re.compile(r"\b(?:groups?|cultures?|races?|organi[sz]ations?|factions?)\b", re.IGNORECASE),
    "things": re.compile(r"\b(?:objects?|things?|items?)\b", re.IGNORECASE),
    "rules": re.compile(r"\b(?:rules?|laws?)\b", re.IGNORECASE),
}


def manuskript_document(archive: Archive, folder: str, name: str) -> Converted:
    """The outline of the project in that folder of the archive, and its notes. Raises DocumentError where it
    has no text."""
    outline = f"{folder}outline/"
    members = {one.removeprefix(outline): one for one in _below(archive, outline)}
    title = dict(_parts(archive, f"{folder}infos.txt", name)[0]).get("title")
    found = sectioned(tuple(_sections(archive, folder_tree(members), name, 0)), title=clean_title(title))
    if not found.chapters:
        raise DocumentError(
            f"{name} has no text in its outline that is compiled: write some, or compile more"
        )
    return replace(found, notes=tuple(_notes(archive, folder, name)))


def _notes(archive: Archive, folder: str, name: str) -> Iterator[AuthorNote]:
    """The characters, then what the world holds under headings such as "Places", "Objects" or "Rules"."""
    for member in sorted(_below(archive, f"{folder}characters/"), key=natural_order):
        fields = [one for one in _parts(archive, member, name)[0] if one[1].strip()]
        names = [said for key, said in fields if key == "name"]
        yield AuthorNote("characters", names[:1], details=[one for one in fields if one[0] not in _PLANS])
    if (world := f"{folder}world.opml") in archive:
        waiting = [(one, "") for one in xml_tree(archive.read(world), f"{name}, world.opml")]
        while waiting:
            item, kind = waiting.pop()
            said = item.get("name") or ""
            if kind:
                yield AuthorNote(kind, [said], item.get("description") or "")
            kind = kind or next((one for one, pattern in _KINDS.items() if pattern.search(said)), "")
            waiting += [(one, kind) for one in reversed(item)]


def _below(archive: Archive, folder: str) -> list[str]:
    return [one for one in archive.names if one.startswith(folder) and one.endswith((".md", ".txt"))]


def _sections(archive: Archive, tree: Mapping[str, Any], name: str, depth: int) -> Iterator[Section]:
    for key in sorted(tree, key=natural_order):
        held = tree[key]
        if key == "folder.txt" or depth > _DEEPEST:
            continue
        inside = isinstance(held, dict)
        fields, text = _parts(archive, held.get("folder.txt", "") if inside else held, name)
        said = dict(fields)
        if said.get("compile") != "0":
            below = tuple(_sections(archive, held, name, depth + 1)) if inside else ()
            yield Section(said.get("title", key), story_markdown(text).strip(), below)


def _parts(archive: Archive, member: str, name: str) -> tuple[list[tuple[str, str]], str]:
    """The fields at the head of a file, their keys as ``phrase_summary``, and the text below them."""
    if member not in archive:
        return [], ""
    text = normalized(decoded_markup(archive.read(member), f"{name}, {member}"))
    lines, fields = text.splitlines(), list[tuple[str, list[str]]]()
    at = 0
    for line in lines:
        if found := _FIELD.match(line):
            fields.append((found[1].replace("_.._", ":").casefold().replace(" ", "_"), [found[2]]))
        elif line.startswith("    ") and fields:
            fields[-1][1].append(line.strip())
        else:
            break
        at += 1
    return [(key, "\n".join(said)) for key, said in fields], "\n".join(lines[at:])
