"""From an EPUB's pages and its table of contents to blocks with one heading a chapter."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..chapters.headings import names_apparatus
from .blocks import TextBlock

APART_WORDS = 2000
"""A cover, a title page, a list of contents and the like have fewer words; what has more is kept."""

_WORD = re.compile(r"\w+")
_LONGEST = 160  # characters of a title put together of a table's words and the page's
_LEADING = 4  # blocks at a chapter's start that may repeat its title
_PAGE_WORDS = 60  # words of a page that is taken for a chapter where nothing else parts the book


@dataclass(frozen=True, slots=True)
class Page:
    """A page of the spine: its member's name and its blocks."""

    path: str
    blocks: tuple[TextBlock, ...]

    @property
    def words(self) -> int:
        """Words outside headings."""
        return _words(self.blocks)


@dataclass(frozen=True, slots=True)
class TocEntry:
    """A line of the table of contents. ``path`` is None where it links to nothing; ``depth`` from 0."""

    label: str
    path: str | None
    fragment: str
    depth: int


@dataclass(slots=True)
class _Section:
    entry: TocEntry
    start: int
    end: int
    words: int
    inner: list[_Section]


def chaptered(pages: Sequence[Page], toc: Sequence[TocEntry]) -> list[TextBlock]:
    """All blocks in order, the headings being those of the chapters and the parts that hold them, from level
    2. Text before the first one stays before it."""
    blocks = [block for page in pages for block in page.blocks]
    kept = _chosen(_sections(pages, toc, blocks))
    if len(kept) >= 2:
        return _by_contents(blocks, kept)
    if sum(block.level > 0 for block in blocks) >= 2:
        return [replace(block, level=min(6, block.level + 1)) if block.level else block for block in blocks]
    if len(kept) == 1:
        return _by_contents(blocks, kept)
    return _by_pages(pages)


def _sections(pages: Sequence[Page], toc: Sequence[TocEntry], blocks: Sequence[TextBlock]) -> list[_Section]:
    """What each entry covers, up to the next one, in order of the text."""
    starts: dict[str, int] = {}
    anchors: dict[tuple[str, str], int] = {}
    at = 0
    for page in pages:
        starts.setdefault(page.path, at)
        for block in page.blocks:
            for anchor in block.anchors:
                anchors.setdefault((page.path, anchor), at)
            at += 1
    placed: list[tuple[int, int, TocEntry]] = []
    waiting: list[tuple[int, TocEntry]] = []  # parts without a link stand where what they hold begins
    for order, entry in enumerate(toc):
        if entry.path is None:
            waiting.append((order, entry))
        elif entry.path in starts:
            place = anchors.get((entry.path, entry.fragment), starts[entry.path])
            placed += [(place, before, held) for before, held in waiting if held.depth < entry.depth]
            waiting = []
            placed.append((place, order, entry))
    placed.sort(key=lambda one: one[:2])
    if not placed:
        return []
    ends = [*(place for place, _, _ in placed[1:]), len(blocks)]
    return [
        _Section(entry, place, end, _words(blocks[place:end]), [])
        for (place, _, entry), end in zip(placed, ends, strict=True)
    ]


def _chosen(sections: Sequence[_Section]) -> list[_Section]:
    """The sections that are chapters, or parts that hold some. What lies inside a chapter that has text of
    its own is none; what covers no text and holds nothing is none either."""
    top: list[_Section] = []
    open_: list[_Section] = []
    for section in sections:
        while open_ and open_[-1].entry.depth >= section.entry.depth:
            open_.pop()
        (open_[-1].inner if open_ else top).append(section)
        open_.append(section)
    kept: list[_Section] = []
    stack = list(reversed(top))
    while stack:
        section = stack.pop()
        inner = [one for one in section.inner if one.words or one.inner]
        if not section.words and not inner:
            continue
        kept.append(section)
        mean = sum(map(_whole, inner)) / len(inner) if inner else 0.0
        if inner and section.words < 0.5 * mean:
            stack.extend(reversed(inner))
    return kept


def _whole(section: _Section) -> int:
    """Words of a section with all inside it."""
    total, stack = 0, [section]
    while stack:
        one = stack.pop()
        total += one.words
        stack.extend(one.inner)
    return total


def _by_contents(blocks: Sequence[TextBlock], kept: Sequence[_Section]) -> list[TextBlock]:
    found = [replace(block, level=0) for block in blocks[: kept[0].start]]
    ends = [*(section.start for section in kept[1:]), len(blocks)]
    for section, end in zip(kept, ends, strict=True):
        if names_apparatus(section.entry.label) and section.words < APART_WORDS:
            continue
        title, taken = _titled(section.entry.label, blocks[section.start : end])
        found.append(TextBlock(title, min(6, 2 + section.entry.depth)))
        found += [replace(block, level=0) for block in blocks[section.start + taken : end]]
    return found


def _titled(label: str, blocks: Sequence[TextBlock]) -> tuple[str, int]:
    """A chapter's title, and how many blocks at its start only repeat it or belong to it."""
    title, taken = label, 0
    left = _WORD.findall(label.casefold())
    for block in blocks[:_LEADING]:
        said = _WORD.findall(block.text.casefold())
        at = _place(said, left)
        if said and at is not None:
            del left[at : at + len(said)]
        elif block.level and said and _place(left, said) is not None and taken == 0:
            title, left = block.text, []
        elif block.level and said and len(title) + len(block.text) + 2 <= _LONGEST:
            title += f" {block.text}" if title[-1] in ".:!?" else f": {block.text}"
        else:
            break
        taken += 1
    return title, taken


def _place(words: Sequence[str], within: Sequence[str]) -> int | None:
    """Where ``words`` stand in a row within others; None where they do not."""
    for at in range(len(within) - len(words) + 1):
        if list(within[at : at + len(words)]) == list(words):
            return at
    return None


def _by_pages(pages: Sequence[Page]) -> list[TextBlock]:
    """Every page with some text is a chapter, called by its number; where only one is, none is."""
    long = [page.words >= _PAGE_WORDS for page in pages]
    several = sum(long) > 1
    found: list[TextBlock] = []
    number = 0
    for page, is_long in zip(pages, long, strict=True):
        if is_long and several:
            number += 1
            found.append(TextBlock(str(number), 2))
        found += [replace(block, level=0) for block in page.blocks]
    return found


def _words(blocks: Sequence[TextBlock]) -> int:
    return sum(len(block.text.split()) for block in blocks if not block.level)
