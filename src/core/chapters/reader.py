"""From a text to its chapters: headings, bodies, and what around them is no part of the story.

A chapter is a heading with text behind it. A part or volume heading with no more than an epigraph behind
it joins the heading of the chapter that follows, and names it ("VOLUME II, CHAPTER I"). Left out are the
licence and notes that Project Gutenberg adds, title pages, contents, dedications, notes by editors and
translators, and what follows the end. A preface or prologue is a chapter; so is a long opening without a
heading before the first one, titled "Opening". A text without headings is one chapter, or parts where it is
long.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from ..types import Chapter, Span
from .dates import is_date
from .headings import TEASER, Heading, Page, Rank, read_as, scan
from .markdown import markdown_headings, title_of
from .parts import in_parts
from .sequences import Outline, choose
from .titles import Block, block
from .unnumbered import listed_titles, serial_headings

_EPIGRAPH = 120  # words that may stand between a part's heading and its first chapter
_OPENING, _GUTENBERG_OPENING = 100, 250  # words of prose before the first heading that make a chapter
_START = re.compile(
    r"\*{3}\s*START OF (?:THE|THIS) PROJECT GUTENBERG|\*END\s*\*?\s*THE SMALL PRINT", re.IGNORECASE
)
_END = re.compile(r"(?:\*{3}\s*)?END OF (?:THE |THIS )?PROJECT GUTENBERG", re.IGNORECASE)
_CREDIT = re.compile(r"(?:Produced by|E-?text prepared by|\[?Transcriber|This e-?text was)", re.IGNORECASE)
_FOREIGN = re.compile(r"gutenberg|transcriber|copyright|e-?text", re.IGNORECASE)
_LISTS = ("contents", "illustrations", "dedication")
_ENDINGS = ("the end", "finis", "fin")
_BRACKETS = re.compile(
    r"\[(?P<kind>illustration|(?:foot|side|end)-?note|transcriber['\u2019]s note)\b"
    r"(?P<said>(?:[^\[\]]|\[[^\[\]]{0,200}\]){0,9000})\]",
    re.IGNORECASE,
)
_MARK = re.compile(r"(?<=[^\s\[\]])\[(?:\d{1,3}|[A-Z*])\]")


@dataclass(frozen=True, slots=True)
class _Part:
    """A heading with its title, and the span of trimmed text up to whatever comes next."""

    heading: Heading
    block: Block
    body: Span
    words: int


def find_chapters(text: str, *, title: str) -> tuple[Chapter, ...]:
    """The chapters of ``text``, numbered from 1, in order, never overlapping; at least one.

    ``title`` names the only chapter of a short text without headings. Bodies are trimmed of white space at
    both ends and may be empty where two headings meet. Linear in the length of the text.
    """
    page = Page(text)
    first, last = _bounds(page)
    proposals = scan(page, first, last)
    last = _before_teaser(proposals, last)
    proposals = [heading for heading in proposals if heading.line < last]
    outline = _outline(page, proposals, first, last)
    end = page.ends[last - 1]
    if not outline.headings:
        return in_parts(text, _whole(page, first, end, title))
    stops = _stops(page, proposals, outline, last)
    parts = _parts(page, outline.headings, stops, end)
    opening = _opening(page, first, outline.headings[0], stops)
    return _chapters(parts, opening)


def _outline(page: Page, proposals: Sequence[Heading], first: int, last: int) -> Outline:
    """Markdown's headings where there are some; else numbered ones; else those a contents page lists; else
    dates or names in turn."""
    marked = Outline(tuple(markdown_headings(page, proposals, first, last)), ())
    titled = title_of(page.text[page.starts[first] : page.ends[last - 1]]) is not None
    if len(marked.headings) >= 2 or (marked.headings and titled):
        return marked
    outline = choose(page, proposals, last)
    if not any(heading.rank is not Rank.NAMED for heading in outline.headings):
        outline = _merged(outline, listed_titles(page, proposals, last))
    numbered = [heading for heading in outline.headings if heading.rank in (Rank.CHAPTER, Rank.BARE)]
    if all(heading.rank is Rank.BARE and is_date(page.strips[heading.line]) for heading in numbered):
        serial = serial_headings(page, proposals, first, last)
        others = tuple(heading for heading in outline.headings if heading.rank is not Rank.BARE)
        outline = _merged(Outline(others, outline.listed), Outline(tuple(serial), ())) if serial else outline
    return outline if outline.headings else marked


def _merged(outline: Outline, other: Outline | None) -> Outline:
    """Both outlines' headings, once each, in order of the text."""
    if other is None:
        return outline
    headings = {heading.start: heading for heading in (*outline.headings, *other.headings)}
    return Outline(tuple(headings[start] for start in sorted(headings)), outline.listed + other.listed)


def _bounds(page: Page) -> tuple[int, int]:
    """Lines between which the book stands: after a Gutenberg header, before its licence."""
    first, last = 0, len(page)
    for line, said in enumerate(page.strips):
        if said[:1] == "*" and _START.match(said) and line < 0.5 * len(page):
            first = line + 1
            while (
                first < last and page.strips[first] and page.strips[line][-3:] != "***" and first < line + 4
            ):
                first += 1
        elif said[:1] in "*Ee" and _END.match(said) and line > first:
            last = line
            break
    first = min(first, last - 1)
    while first < last - 1 and not page.strips[first]:
        first += 1
    while first < last - 1 and _CREDIT.match(page.strips[first]):
        first = page.paragraph_end(first)
        while first < last - 1 and not page.strips[first]:
            first += 1
    return first, last


def _before_teaser(proposals: Sequence[Heading], last: int) -> int:
    """The line at which an excerpt of another book begins, whose chapters are counted anew; else ``last``."""
    most, teaser = 0, last
    for heading in proposals:
        value = 1 if heading.kind == "prologue" else int(heading.value or 0)
        if heading.kind == TEASER and most:
            teaser = min(teaser, heading.line)
        elif value and teaser < last:
            if value <= most:
                return teaser
            teaser = last
        most = max(most, value)
    return last


def _trimmed(text: str, start: int, end: int) -> Span:
    piece = text[start:end]
    left = len(piece) - len(piece.lstrip())
    return Span(start + left, start + left + len(piece.strip())) if piece.strip() else Span(start, start)


def _whole(page: Page, first: int, end: int, title: str) -> Chapter:
    body = _trimmed(page.text, page.starts[first], end)
    return Chapter(1, title, Span(body.start, body.start), body)


def _stops(page: Page, proposals: Sequence[Heading], outline: Outline, last: int) -> list[Heading]:
    """Headings that end a text without beginning one: contents before the story, notes, the end."""
    numbered = [heading for heading in outline.headings if heading.rank is not Rank.NAMED]
    first = (numbered or outline.headings)[0].start
    lines = [*(heading.line for heading in outline.headings), last]
    stops = [heading for heading in outline.listed if heading.start < first]
    for heading in proposals:
        if heading.rank is not Rank.APPARATUS:
            continue
        if heading.kind in _ENDINGS:
            at = bisect_right(lines, heading.line)
            chapter = page.words[lines[min(at, len(lines) - 1)]] - page.words[lines[at - 1]] if at else 0
            late = at > 0 and page.words[heading.line] - page.words[lines[at - 1]] >= 0.8 * chapter
            stops += [heading] if late else []
        elif heading.start < first or not any(name in heading.kind for name in _LISTS):
            stops.append(heading)
    return sorted(stops, key=lambda heading: heading.start)


def _parts(page: Page, headings: Sequence[Heading], stops: Sequence[Heading], end: int) -> list[_Part]:
    parts: list[_Part] = []
    marks = [*(heading.start for heading in headings[1:]), end]
    ends = iter(sorted(page.starts[heading.line] for heading in stops))  # with the marks before its words
    stop = next(ends, end)
    for heading, mark in zip(headings, marks, strict=True):
        found = block(page, heading, mark)
        while stop < found.end:
            stop = next(ends, end)
        body = _trimmed(page.text, found.end, max(found.end, min(mark, stop)))
        parts.append(_Part(heading, found, body, len(body.of(page.text).split())))
    return parts


def _opening(page: Page, first: int, heading: Heading, stops: Sequence[Heading]) -> Span | None:
    """The span of a long text without heading before the first one, if it is prose and the author's."""
    line = first
    for stop in stops:
        if stop.start > heading.start:
            break
        if stop.rank is Rank.APPARATUS and not any(name in stop.kind for name in _LISTS):
            return None
        line = max(line, stop.line + 1)
    words = 0
    start: int | None = None
    while line < heading.line:
        stop_line = min(max(page.paragraph_end(line, most=1 << 30), line + 1), heading.line)
        lines = page.strips[line:stop_line]
        if any(lines) and _runs(lines):
            start = page.starts[line] if start is None else start
            words += page.words[stop_line] - page.words[line]
        line = stop_line
    marked = _START.search(page.text, 0, page.starts[first]) is not None
    if start is None or words < (_GUTENBERG_OPENING if marked else _OPENING):
        return None
    return _trimmed(page.text, start, heading.start)


def _runs(lines: Sequence[str]) -> bool:
    """Is a paragraph running prose? Its lines go on in small letters where they break; verse does not."""
    said = " ".join(lines)
    if _FOREIGN.search(said):
        return False
    if len(lines) == 1:
        return len(said.split()) >= 25
    return sum(line[:1].islower() for line in lines[1:]) >= 0.3 * (len(lines) - 1)


# --- folding headings into chapters --------------------------------------------------------------


class _Place:
    """The parts and volumes that a chapter stands in, the first kind met being the largest."""

    def __init__(self, headings: Sequence[Heading]) -> None:
        kinds = [heading.kind for heading in headings if heading.rank is Rank.CONTAINER]
        self._depths = {kind: depth for depth, kind in enumerate(dict.fromkeys(kinds), 1)}
        self._inside: list[tuple[int, str]] = []

    def enter(self, heading: Heading) -> None:
        depth = 0 if heading.rank is Rank.NAMED else self._depths[heading.kind]
        self._inside = [one for one in self._inside if 0 < one[0] < depth]
        self._inside.append((depth, _label(heading)))

    def name(self, part: _Part) -> str:
        labels = [label for _, label in self._inside]
        own = _label(part.heading)
        if not labels or labels[-1] != own:
            labels.append(own)
        return ", ".join(labels) + (f": {part.block.title}" if part.block.title else "")


def _label(heading: Heading) -> str:
    return " ".join(heading.label.split()).strip("_*#[] ").rstrip(".:")


def _chapters(parts: Sequence[_Part], opening: Span | None) -> tuple[Chapter, ...]:
    found: list[Chapter] = []
    if opening is not None:
        found.append(Chapter(1, "Opening", Span(opening.start, opening.start), opening))
    place = _Place([part.heading for part in parts])
    start: int | None = None
    for at, part in enumerate(parts):
        start = part.heading.start if start is None else start
        if part.heading.rank is Rank.CONTAINER:
            place.enter(part.heading)
        if _joins(parts, at):
            if part.heading.rank is Rank.NAMED:
                place.enter(part.heading)
            continue
        named = part.heading.rank is Rank.NAMED
        title = _alone(part) if named else place.name(part)
        found.append(Chapter(len(found) + 1, title, Span(start, max(start, part.block.end)), part.body))
        start = None
    return tuple(found)


def _alone(part: _Part) -> str:
    return _label(part.heading) + (f": {part.block.title}" if part.block.title else "")


def _joins(parts: Sequence[_Part], at: int) -> bool:
    """Does this heading have no text of its own, so that it belongs to the next one's?"""
    part = parts[at]
    if at + 1 == len(parts):
        return False
    following = parts[at + 1].heading
    if part.heading.rank is Rank.CONTAINER:
        if following.rank is Rank.NAMED:
            return not part.words
        return following.kind != part.heading.kind and part.words < _EPIGRAPH
    return part.heading.rank is Rank.NAMED and not part.words and following.rank is not Rank.NAMED


def without_brackets(text: str) -> str:
    """The text without such notes and their marks; lines are emptied, none is taken away. An illustration
    that names a chapter stays, as in some books it is the chapter's only heading."""
    notes = 0

    def emptied(found: re.Match[str]) -> str:
        nonlocal notes
        notes += "note" in found["kind"].lower()
        heads = found["kind"].lower() == "illustration" and read_as(found["said"].strip(": \r\n"))
        return found[0] if heads else "\n" * found[0].count("\n")

    text = _BRACKETS.sub(emptied, text)
    return _MARK.sub("", text) if notes else text
