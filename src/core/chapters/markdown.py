"""Chapters that a text marks with Markdown headings (``#`` to ``######``)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from ..text.breaks import HEADING
from ..text.markdown import fenced_lines
from .headings import Heading, Page, Rank, scan

_TOP = re.compile(r"\s*#[ \t]+(\S[^\r\n]*)")
_NEXT = re.compile(r"^[ \t]*(#{1,6})[ \t]+\S", re.MULTILINE)


def title_of(text: str) -> str | None:
    """The book's title: a first line ``# ...`` above deeper headings; None where there is none, or where that
    line is the heading of a chapter or part."""
    top = _TOP.match(text)
    following = _NEXT.search(text.replace("\r", "\n"), top.end()) if top else None
    if not top or not following or len(following[1]) == 1:
        return None
    said = top[1].rstrip("# \t")
    line = Page(said)
    ranked = scan(line, 0, 1) if said else ()
    return None if any(one.rank is not Rank.BARE for one in ranked) else said or None


def markdown_headings(page: Page, proposals: Sequence[Heading], first: int, last: int) -> list[Heading]:
    """The headings that begin chapters, and those of the parts that hold them. A single heading above all
    others is the book's title; headings below the chapters' level are sections and stay in the text."""
    found = _drop_title(page, _marked(page, proposals, first, last))
    if not found:
        return []
    level = min(depth for depth, _ in found)
    while True:
        deeper = [depth for depth, _ in found if depth > level]
        if not deeper or not _holds(page, found, level):
            break
        level = min(deeper)
    kept = [(depth, heading) for depth, heading in found if depth <= level]
    return [
        replace(heading, rank=Rank.CONTAINER if depth < level else heading.rank, kind=f"level {depth}")
        if heading.rank is not Rank.CONTAINER and heading.rank is not Rank.NAMED
        else heading
        for depth, heading in kept
        if heading.rank is not Rank.APPARATUS
    ]


def _marked(page: Page, proposals: Sequence[Heading], first: int, last: int) -> list[tuple[int, Heading]]:
    typed = {heading.line: heading for heading in reversed(proposals) if heading.rank is not Rank.BARE}
    fenced = {first + line for block in fenced_lines(page.strips[first:last]) for line in block}
    found: list[tuple[int, Heading]] = []
    for line in range(first, last):
        said = page.strips[line]
        match = HEADING.match(said) if said[:1] == "#" and line not in fenced else None
        if not match:
            continue
        heading = typed.get(line)
        start = page.starts[line]
        rank = heading.rank if heading else Rank.CHAPTER
        kind = heading.kind if heading else "title"
        found.append((len(match[1]), Heading(kind, rank, None, match[2], line, start, page.ends[line])))
    return found


def _drop_title(page: Page, found: list[tuple[int, Heading]]) -> list[tuple[int, Heading]]:
    """Without the book's title: the first heading, if it is the highest and alone at its level, or is
    followed at once by another of its level that is numbered."""
    if len(found) < 2:
        return found
    (depth, heading), (after, following) = found[:2]
    alone = depth < min(level for level, _ in found[1:]) and heading.kind == "title"
    bare = page.words[following.line] - page.words[heading.line + 1] == 0
    if alone or (bare and after == depth and heading.kind == "title" and following.kind != "title"):
        return found[1:]
    return found


def _holds(page: Page, found: list[tuple[int, Heading]], level: int) -> bool:
    """Are the headings of this level parts: have most nothing under them but a deeper heading? Those that
    say that they are chapters are not, where what is deeper does not say so and there is more of it."""
    own = direct = chapters = scenes = 0
    for at, (depth, heading) in enumerate(found):
        says_chapter = heading.rank is Rank.CHAPTER and heading.kind != "title"
        scenes += depth > level and not says_chapter
        if depth != level or heading.rank in (Rank.NAMED, Rank.APPARATUS):
            continue
        own += 1
        following = found[at + 1] if at + 1 < len(found) else None
        if following and following[0] > level:
            between = page.words[following[1].line] - page.words[heading.line + 1]
            direct += between == 0 or (heading.rank is Rank.CONTAINER and between < 120)
            chapters += says_chapter and following[1].kind == "title"
    if 2 * chapters > own and scenes > chapters:
        return False
    return own > 0 and direct >= 0.5 * own
