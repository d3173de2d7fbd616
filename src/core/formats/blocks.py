"""What every converter makes of a file: paragraphs and headings in order, and the Markdown they give."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from ..chapters.headings import Rank, read_as
from ..text.encodings import normalized
from ..text.sentences import is_scene_break
from ..types import Chapter, Span

SCENE_BREAK = "***"
_MARKDOWN = re.compile(r"^(#{1,6}[ \t]|```|~~~)", re.MULTILINE)
_UNFIT = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_LONGEST_TITLE = 200
ALIASES = frozenset({"alias", "aliases", "nickname", "nicknames", "also_known_as"})
"""Keys of a note's details that give other names, parted by commas."""
_NO_NAMES = frozenset(
    "The A An Of Old Young Mr Mr. Mrs Mrs. Ms Ms. Miss Dr Dr. Sir Lady Lord Aunt Uncle".split()
)


@dataclass(frozen=True, slots=True)
class TextBlock:
    """A paragraph (``level`` 0; its lines parted by newlines) or a heading (``level`` 1 to 6, one line).
    ``anchors`` are the names by which links point to it."""

    text: str
    level: int = 0
    anchors: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AuthorNote:
    """What an author's notes say of one subject of a ``table`` of the codex. ``names`` begin with the main
    one, ``details`` are key and value; known ``since`` a chapter (None: before the story)."""

    table: str
    names: Sequence[str]
    text: str = ""
    details: Sequence[tuple[str, str]] = ()
    since: int | None = None


@dataclass(frozen=True, slots=True)
class Converted:
    """A file's story as Markdown, and the title that the file itself gives, if any. ``chapters`` are those
    that its own outline names; none where they are to be found by their headings. ``places`` is the table of
    where its words are printed (see :mod:`.pdf.places`), empty where it has no pages; ``warning`` one line on
    what may be read wrongly, if anything; ``notes`` are the author's own, which are no part of the text."""

    text: str
    title: str | None = None
    chapters: tuple[Chapter, ...] = ()
    places: bytes = b""
    warning: str = ""
    notes: tuple[AuthorNote, ...] = ()


def first_named(note: AuthorNote, found: Converted) -> int:
    """The first chapter that has one of its names, or a part of the name of a person; the last chapter where
    none has."""
    aliases = (said for key, said in note.details if key in ALIASES)
    names = [" ".join(one.split()) for said in (*note.names, *aliases) for one in said.split(",")]
    if note.table == "characters":
        names += [part for name in names for part in name.split() if part not in _NO_NAMES]
    patterns = {r"\s+".join(map(re.escape, one.split())) for one in (*names, *map(str.upper, names)) if one}
    words = re.compile("|".join(rf"(?<![A-Za-z]){one}(?![A-Za-z])" for one in sorted(patterns)) or "$^")
    told = (one.number for one in found.chapters if words.search(one.body.of(found.text)))
    return next(told, found.chapters[-1].number)


def block_of(lines: Iterable[str], *, level: int = 0, anchors: Sequence[str] = ()) -> TextBlock | None:
    """A block of lines as they came, white space evened out; None where nothing is left.

    A line of nothing but ornaments becomes a scene break; a heading's lines become one.
    """
    said = [flat for line in lines if (flat := " ".join(_UNFIT.sub("", normalized(line)).split()))]
    if not said:
        return None
    if level:
        return TextBlock(_joined(said), level, tuple(anchors))
    if len(said) == 1 and is_scene_break(said[0]):
        return TextBlock(SCENE_BREAK, 0, tuple(anchors))
    return TextBlock("\n".join(said), 0, tuple(anchors))


def markdown_of(blocks: Iterable[TextBlock], *, title: str | None = None) -> str:
    """The blocks as Markdown, a blank line between them, under ``# title`` if one is given.

    A paragraph's line that Markdown would take for a heading or a fence gets a backslash. Ends with a newline
    unless there is nothing at all.
    """
    parts = [f"# {title}"] if title else []
    parts += [_prefix(block) + _body(block) for block in blocks]
    return "\n\n".join(parts) + "\n" if parts else ""


def text_starts(blocks: Iterable[TextBlock], *, title: str | None = None) -> list[int]:
    """Where the text of each block, of one line each, begins in what :func:`markdown_of` makes of them."""
    found, at = [], len(f"# {title}\n\n") if title else 0
    for block in blocks:
        rendered = _prefix(block) + _body(block)
        found.append(at + len(rendered) - len(block.text))
        at += len(rendered) + 2
    return found


def printable(text: str) -> str:
    """Without control characters, and halves of characters."""
    return _UNFIT.sub("", text)


def _prefix(block: TextBlock) -> str:
    return f"{'#' * min(block.level, 6)} " if block.level else ""


def _body(block: TextBlock) -> str:
    return block.text if block.level else _MARKDOWN.sub(r"\\\1", block.text)


def clean_title(said: str | None) -> str | None:
    """A title as one line of at most 200 characters without anything unseen; None for a blank one."""
    flat = " ".join(_UNFIT.sub(" ", normalized(said or "")).split())
    return flat[:_LONGEST_TITLE].rstrip() or None


def _joined(lines: Sequence[str]) -> str:
    text = lines[0]
    for line in lines[1:]:
        one = text[-1] in ".:;,!?\u2014\u2013-" or (read_as(f"{text} {line}") and not read_as(text))
        text += f" {line}" if one else f": {line}"
    return text


_UNTITLED = "Untitled"
_DEEPEST = 20
_SCENES = ("scene", "section")


@dataclass(frozen=True, slots=True)
class Section:
    """A node of an outline: its own ``text`` (Markdown, may be empty) and what is ``inside`` it.

    ``shown`` is False where the text begins with the title already, so that no heading is set above it.
    """

    title: str
    text: str = ""
    inside: tuple[Section, ...] = ()
    shown: bool = True


@dataclass(frozen=True, slots=True)
class _Chapter:
    """``parts`` hold it, from the outermost: the place of each among its siblings, and its title."""

    parts: tuple[tuple[int, str], ...]
    title: str
    scenes: tuple[str, ...]
    shown: bool


def sectioned(sections: Sequence[Section], *, title: str | None) -> Converted:
    """The book as Markdown under its title, with its chapters.

    A section without others inside is a chapter. One that holds only such is a chapter of scenes, unless it
    is named as parts are ("Part One") or most of them as chapters are ("Chapter 3", "Epilogue"): then it is
    a part. One that holds deeper ones is a part too. Sections without any text are passed over.
    """
    pieces = [f"# {title}\n\n"] if title else []
    length = sum(map(len, pieces))
    chapters: list[Chapter] = []
    before: tuple[tuple[int, str], ...] = ()
    for found in _in_order(sections, ()):
        pairs = zip(before, found.parts, strict=False)
        opened = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        headings = [(depth, part) for depth, (_, part) in enumerate(found.parts)][opened:]
        headings += [(len(found.parts), found.title)] if found.shown else []
        heading = "\n\n".join(f"{'#' * min(2 + depth, 6)} {said}" for depth, said in headings)
        body = f"\n\n{SCENE_BREAK}\n\n".join(found.scenes)
        start = length + len(heading) + (2 if heading else 0)
        name = ", ".join((*(part for _, part in found.parts), found.title))
        spans = Span(length, length + len(heading)), Span(start, start + len(body))
        chapters.append(Chapter(len(chapters) + 1, name, *spans))
        pieces += [f"{heading}\n\n" if heading else "", f"{body}\n\n"]
        length = start + len(body) + 2
        before = found.parts
    return Converted("".join(pieces).rstrip() + "\n" if pieces else "", title, tuple(chapters))


def _in_order(sections: Sequence[Section], parts: tuple[tuple[int, str], ...]) -> Iterator[_Chapter]:
    for place, section in enumerate(sections):
        title = clean_title(section.title) or _UNTITLED
        if not section.inside or _is_chapter(section) or len(parts) >= _DEEPEST:
            scenes = tuple(filter(None, (one.text.strip() for one in (section, *section.inside))))
            if scenes:
                yield _Chapter(parts, title, scenes, section.shown)
            continue
        own = [Section(section.title, section.text)] if section.text.strip() else []
        yield from _in_order([*own, *section.inside], (*parts, (place, title)))


def _is_chapter(section: Section) -> bool:
    own = read_as(section.title)
    if any(one.inside for one in section.inside) or (own and own.rank is Rank.CONTAINER):
        return False
    if own and own.rank in (Rank.CHAPTER, Rank.NAMED) and own.kind not in _SCENES:
        return True
    named = [found for one in section.inside if (found := read_as(one.title)) and found.kind not in _SCENES]
    return 2 * sum(found.rank in (Rank.CHAPTER, Rank.NAMED) for found in named) <= len(section.inside)
