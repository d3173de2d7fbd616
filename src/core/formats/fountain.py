"""Screenplays in Fountain (fountain.io, syntax 1.1).

Sections are parts and chapters, scenes are scenes in them, or chapters where there are no sections. A
speech is set as ``Anna says, softly: “I know him.”``, which the readers of stories know; so that they know
the speakers too, their names are set in small letters wherever the screenplay has them in capitals. Notes,
synopses, what is struck out (``/* */``) and transitions are no part of the text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ..text.markdown import without_between
from .blocks import Converted, Section, block_of, clean_title, markdown_of, sectioned

_PAGE_KEY = re.compile(r"([A-Za-z][A-Za-z ]{0,40}):[ \t]*(.*)\Z")
_SCENE = re.compile(r"(?:INT|EXT|EST|INT\.?/EXT|I/E)[. ]", re.IGNORECASE)
_SCENE_NUMBER = re.compile(r"\s*#[A-Za-z0-9.\-]{1,20}#\s*\Z")
_SECTION = re.compile(r"(#{1,6})[ \t]*(\S.*)\Z")
_NOTE = re.compile(r"\[\[[^\[\]]{0,20000}\]\]")
_EXTENSION = re.compile(r"\s*\(([^()]{0,80})\)")
_EMPHASIS = re.compile(r"(?<![\w\\*])(\*{1,3}|_)(?=\S)([^*_\n]{1,500})(?<=\S)\1(?![\w*])")
_CAPITALS = r"[A-Z][A-Z'\u2019-]{1,30}"
_WORD = re.compile(r"[^\W\d_]+")
_SHOUTED = re.compile(r"[A-Z]{2}")
_QUIET = ("cont'd", "cont\u2019d", "contd", "v.o.", "o.s.", "o.c.")


@dataclass(slots=True)
class _Node:
    """A section (``level`` 1 to 6) or the book (0), while it is read."""

    title: str
    level: int
    inside: list[_Node | _Scene] = field(default_factory=list)


@dataclass(slots=True)
class _Scene:
    """A scene heading, empty where text stands before the first, and its paragraphs, raw."""

    title: str
    paragraphs: list[list[str]] = field(default_factory=list)


def fountain_document(text: str) -> Converted:
    """The screenplay as Markdown with its chapters, titled as its title page says. Linear in its length."""
    text = without_between(text.replace("\r\n", "\n").replace("\r", "\n"), "/*", "*/", lines=False)
    lines = _NOTE.sub("", text).split("\n")  # with their white space, as two spaces hold a speech together
    title, start = _title_page(lines)
    book = _read(lines[start:])
    speakers = _speakers(book)
    found = sectioned([_section(one, speakers) for one in book.inside], title=title)
    return found if found.chapters else Converted("", title)


def _title_page(lines: list[str]) -> tuple[str | None, int]:
    """The title, and the line after the title page."""
    first = next((at for at, line in enumerate(lines) if line.strip()), 0)
    if not lines or not (key := _PAGE_KEY.match(lines[first])) or _transition(lines[first].strip()):
        return None, 0
    title: list[str] = []
    at = first
    while at < len(lines) and lines[at].strip():
        found = _PAGE_KEY.match(lines[at]) if not lines[at][0].isspace() else None
        key = found or key
        if key[1].casefold() == "title":
            title.append((found[2] if found else lines[at]).strip(" \t*_"))
        at += 1
    return clean_title(" ".join(title)), at


# --- elements ----------------------------------------------------------------------------------------


def _read(lines: list[str]) -> _Node:
    """The outline with every paragraph in its scene."""
    book = _Node("", 0)
    open_ = [book]
    scene: _Scene | None = None
    blank = True
    for line in lines:
        said = line.strip()
        if section := _SECTION.match(said):
            level = len(section[1])
            while open_[-1].level >= level:
                open_.pop()
            node = _Node(section[2].strip(), level)
            open_[-1].inside.append(node)
            open_.append(node)
            scene, blank = None, True
        elif blank and (heading := _heading(said)):
            scene = _Scene(heading)
            open_[-1].inside.append(scene)
            blank = True
        elif not said and line.startswith("  ") and not blank and scene is not None:
            scene.paragraphs[-1].append("")  # two spaces: the speech goes on
        elif not said or (said[0] == "=" and (said.startswith("===") or blank)):
            blank = True
        else:
            if scene is None:
                scene = _Scene("")
                open_[-1].inside.append(scene)
            if blank:
                scene.paragraphs.append([])
            scene.paragraphs[-1].append(said)
            blank = False
    return book


def _heading(said: str) -> str:
    """The scene heading that a line is; empty where it is none."""
    if said[:1] == "." and said[1:2] not in ("", "."):
        return _SCENE_NUMBER.sub("", said[1:]).strip()
    return _SCENE_NUMBER.sub("", said).strip() if _SCENE.match(said) else ""


def _transition(said: str) -> bool:
    if said.startswith(">"):
        return not said.endswith("<")
    return said[0] != "!" and said.isupper() and said.endswith(("TO:", "IN:", "OUT.", "OUT:"))


def _cue(paragraph: list[str]) -> tuple[str, str] | None:
    """The speaker that a paragraph begins with, and what is said of the speech ("on the phone")."""
    said = paragraph[0]
    if len(paragraph) < 2 or said[0] in "!~>":
        return None
    forced = said[0] == "@"
    said = said.removeprefix("@").removesuffix("^").strip()
    extras = [one for one in _EXTENSION.findall(said) if one.casefold().strip() not in _QUIET]
    name = _EXTENSION.sub("", said).strip()
    if not name or not (forced or (name.upper() == name and any(map(str.isalpha, name)))):
        return None
    written = forced and not _SHOUTED.search(name)
    return name if written else name_case(name), ", ".join(extras).lower()


def name_case(name: str) -> str:
    """``DR. O'NEIL`` as ``Dr. O'Neil``, ``McKAY`` as ``McKay``."""

    def word(found: re.Match[str]) -> str:
        before = name[max(0, found.start() - 2) : found.start()]
        whole: str = found[0]
        if before[-1:] in ("'", "\u2019") and before[:1].upper() not in ("O", "D"):
            return whole.lower()
        scottish = whole[:2].upper() == "MC" and len(whole) > 3
        return f"Mc{whole[2:].capitalize()}" if scottish else whole.capitalize()

    return _WORD.sub(word, name)


# --- as a story --------------------------------------------------------------------------------------


def _speakers(book: _Node) -> re.Pattern[str] | None:
    """Finds the speakers' names where they stand in capitals; with a family name where somebody is brought
    in ("ANNA DAHL (20)")."""
    names: set[str] = set()
    waiting: list[_Node | _Scene] = [book]
    while waiting:
        one = waiting.pop()
        if isinstance(one, _Node):
            waiting += one.inside
            continue
        for paragraph in one.paragraphs:
            if cue := _cue(paragraph):
                names.update(word for word in _WORD.findall(cue[0].upper()) if len(word) > 1)
    if not names:
        return None
    names |= {f"Mc{word[2:]}" for word in names if word.startswith("MC")}
    name = f"(?:{'|'.join(sorted(map(re.escape, names), key=len, reverse=True))})"
    return re.compile(
        rf"\b(?:{_CAPITALS} ){{0,3}}{name}(?: {_CAPITALS}){{0,3}}(?= ?\(|,)|\b{name}(?:['\u2019]S)?\b"
    )


def _section(one: _Node | _Scene, speakers: re.Pattern[str] | None) -> Section:
    if isinstance(one, _Node):
        return Section(_plain(one.title), "", tuple(_section(inner, speakers) for inner in one.inside))
    paragraphs = [said for raw in one.paragraphs if (said := _paragraph(raw, speakers))]
    lines = [[_plain(one.title, speakers)], *paragraphs] if one.title and paragraphs else paragraphs
    blocks = [made for said in lines if (made := block_of(said)) is not None]
    return Section(_plain(one.title) or "Opening", markdown_of(blocks), shown=False)


def _paragraph(raw: list[str], speakers: re.Pattern[str] | None) -> list[str]:
    if cue := _cue(raw):
        return [_plain(_speech(*cue, raw[1:]), speakers)]
    if len(raw) == 1 and _transition(raw[0]):
        return []
    return [_plain(_action(line), speakers) for line in raw]


def _speech(name: str, manner: str, lines: list[str]) -> str:
    """``Anna says, softly: “No.” (beat) “Never.”``"""
    pieces: list[str] = []
    spoken: list[str] = []
    manners = [manner] if manner else []

    def close() -> None:
        if spoken:
            pieces.append(f"\u201c{' '.join(spoken)}\u201d")
            spoken.clear()

    for line in lines:
        if line.startswith("(") and line.endswith(")"):
            close()
            if pieces:
                pieces.append(line)
            else:
                manners.append(line[1:-1].strip())
        elif line:
            spoken.append(line.removeprefix("~").strip().replace('"', "'"))
    close()
    return f"{', '.join((f'{name} says', *manners))}: {' '.join(pieces)}"


def _action(line: str) -> str:
    if line.startswith(">") and line.endswith("<"):
        return line[1:-1].strip()
    return line[1:].strip() if line[:1] in ("!", "~") else line


def _plain(said: str, speakers: re.Pattern[str] | None = None) -> str:
    said = re.sub(r"\\([*_\[\]])", r"\1", _EMPHASIS.sub(r"\2", said))
    return speakers.sub(lambda found: name_case(found[0]), said) if speakers else said
