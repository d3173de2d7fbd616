"""A book whose own outline says what its parts, chapters and scenes are: binders, folders, screenplays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from ..chapters.headings import Rank, read_as
from ..types import Chapter, Span
from .blocks import SCENE_BREAK, Converted, clean_title

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
