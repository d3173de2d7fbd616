"""The story bible as an Obsidian vault: notes that link to one another, and a map (JSON Canvas)."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from ..bible import BibleShown, ChapterListed, EntryShown, LineShown, with_links
from ..layout import positions
from .documents import entry_lines, escaped, flat, listed_lines, markdown_line

_INDEX, _MAP = "Story bible", "Story map.canvas"
_NOT_IN_NAMES = dict.fromkeys(map(ord, '\\/:?"`*{}[]<>#|!~$^=&%'), " ")
_DEVICES = frozenset(
    {"con", "prn", "aux", "nul", *(f"{d}{n}" for d in ("com", "lpt") for n in (*range(10), *"¹²³"))}
)
_LONGEST_NAME = 80  # bytes of a note's name
_CARD = (280, 120)
_STRETCH = (5.0, 5.5)  # so that cards that are a layout's spacing apart do not touch
_MOST_TIES = 3  # on one line
_ALWAYS = ("character", "location")
_KINDS = {"character": "", "group": "6", "location": "5", "object": "3", "event": "3"}


def vault(shown: BibleShown) -> dict[str, bytes]:
    """A note an entry and a chapter, which link to those that their lines name; one that lists them all, and
    the map."""
    names = dict(_note_names(shown))
    index, files = (
        [f"# {markdown_line(shown.title)}: story bible", "", shown.until, "", f"[[{_MAP}]]", ""],
        {},
    )
    for section, entries in shown.sections:
        index += [f"## {section}", "", *(f"- {_link(names[one.id], flat(one.name))}" for one in entries), ""]
        for one in entries:
            facts: dict[str, Any] = {"aliases": list(map(flat, one.also if not one.state else ()))}
            facts |= {"kind": one.kind} | ({"state": one.state} if one.state else {})
            worded = _linker(shown, one.lines, names, but=one.id)
            body = [f"# {markdown_line(one.name)}", "", *entry_lines(one, worded)]
            files[f"{section}/{names[one.id]}.md"] = _note({**facts, "first_chapter": one.first}, body)
    if shown.chapters:
        index += ["## Chapters", "", *(f"- {_chapter_link(one)}" for one in shown.chapters), ""]
        files |= {f"Chapters/Chapter {one.number}.md": _chapter(one, shown, names) for one in shown.chapters}
    return {f"{_INDEX}.md": "\n".join(index).encode(), **files, _MAP: _canvas(shown, names)}


def _chapter(chapter: ChapterListed, shown: BibleShown, names: Mapping[str, str]) -> bytes:
    """Who is named in it, and what is laid down there."""
    beside = [one for one in shown.chapters if abs(one.number - chapter.number) == 1]
    body = [f"# {markdown_line(chapter.title)}", "", " · ".join(map(_chapter_link, beside)), ""]
    for section, entries in shown.sections:
        here = [_link(names[one.id], flat(one.name)) for one in entries if one.id in chapter.present]
        body += [f"- {section}: {', '.join(here)}"] if here else []
    if told := shown.told_in(chapter.number):
        body += ["", "## What it tells", "", *listed_lines(told, _linker(shown, told, names)), ""]
    return _note({"aliases": [flat(chapter.title)], "kind": "chapter", "chapter": chapter.number}, body)


def _chapter_link(one: ChapterListed) -> str:
    return _link(f"Chapter {one.number}", flat(one.title))


def _note(facts: Mapping[str, Any], body: list[str]) -> bytes:
    import yaml

    head = yaml.safe_dump(dict(facts), allow_unicode=True, sort_keys=False)
    return f"---\n{head}---\n\n{chr(10).join(body)}".encode()


def _note_names(shown: BibleShown) -> Iterator[tuple[str, str]]:
    """A name for the note of each entry: no path and no mark of a link in it, and no two alike whatever the
    case, as file systems have it."""
    taken = {_INDEX.casefold(), *(f"chapter {one.number}" for one in shown.chapters)}
    for entry in shown.entries:
        name = flat(unicodedata.normalize("NFC", flat(entry.name)).translate(_NOT_IN_NAMES)).strip(" .")
        name = name.encode()[:_LONGEST_NAME].decode(errors="ignore").strip(" .")
        if not name or name.split(".")[0].casefold().strip() in _DEVICES:
            name = f"{entry.kind} {name}".strip()
        number, chosen = 1, name
        while chosen.casefold() in taken:
            number += 1
            chosen = f"{name} ({number})"
        taken.add(chosen.casefold())
        yield entry.id, chosen


def _link(note: str, name: str) -> str:
    """The name as it is, where nothing in it acts."""
    return f"[[{note}]]" if name == note or escaped(name) != name else f"[[{note}|{name}]]"


def _linker(
    shown: BibleShown, lines: Iterable[LineShown], names: Mapping[str, str], but: str = ""
) -> Callable[[str], str]:
    """Words a line, with links to the notes of those whom the lines speak of."""
    about = {each for line in lines for each in line.about} - {but}
    others = {flat(one.name): names[one.id] for one in shown.entries if one.id in about}

    def linked(text: str) -> str:
        parts = enumerate(with_links(flat(text), others))
        return "".join(_link(others[part], part) if n % 2 else escaped(part) for n, part in parts)

    return linked


def _canvas(shown: BibleShown, names: Mapping[str, str]) -> bytes:
    """People, places and what is tied to them, as cards that show their notes; see jsoncanvas.org, 1.0."""
    known = {one.id: one for one in shown.entries if one.kind in _KINDS}
    ties: dict[tuple[str, ...], dict[str, LineShown]] = {}
    for line in (line for one in known.values() for line in one.lines if line.kind == "relation"):
        if len(set(line.about) & known.keys()) == 2:
            ties.setdefault(tuple(sorted(line.about)), {})[line.text] = line
    tied = {id for pair in ties for id in pair}
    drawn = [one for one in known.values() if one.kind in _ALWAYS or one.id in tied]
    placed = positions([one.id for one in drawn], [(one, other) for one, other in ties])
    at = {id: (round(x * _STRETCH[0]), round(y * _STRETCH[1])) for id, (x, y) in placed.items()}
    nodes: list[dict[str, Any]] = []
    for one in drawn:
        node = {"id": one.id, "type": "file", "file": f"{one.section}/{names[one.id]}.md"}
        node |= {"color": _KINDS[one.kind]} if _KINDS[one.kind] else {}
        nodes.append(node | dict(zip(("x", "y", "width", "height"), (*at[one.id], *_CARD), strict=True)))
    edges = [_edge(f"tie-{n}", [*lines.values()], known, at) for n, lines in enumerate(ties.values(), 1)]
    return f"{json.dumps({'nodes': nodes, 'edges': edges}, ensure_ascii=False, indent=1)}\n".encode()


def _edge(
    id: str, told: list[LineShown], known: Mapping[str, EntryShown], at: Mapping[str, tuple[int, int]]
) -> dict[str, str]:
    """What holds between two (else what did), as an arrow the way of its first line; those that go the same
    way are worded without the names."""
    lines = [line for line in told if not line.over][:_MOST_TIES] or told[-1:]
    source, target = lines[0].about
    one, other = known[source].name, known[target].name
    words = [
        line.text.removeprefix(one).replace(other, "", 1) if line.about[0] == source else line.text
        for line in lines
    ]
    x, y = (b - a for a, b in zip(at[source], at[target], strict=True))
    sides = ("right", "left") if abs(x) * _CARD[1] > abs(y) * _CARD[0] else ("bottom", "top")
    sides = sides if (x if sides[0] == "right" else y) > 0 else sides[::-1]
    sign = sum(line.sign for line in lines)
    edge = {"id": id, "fromNode": source, "fromSide": sides[0], "toNode": target, "toSide": sides[1]}
    edge["label"] = "\n".join(map(flat, words))
    return edge | ({"color": "4" if sign > 0 else "1"} if sign else {})
