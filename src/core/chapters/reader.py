"""From a text to its chapters: headings, bodies, and what around them is no part of the story.

A chapter is a heading with text behind it. A part or volume heading with no more than an epigraph behind
it joins the heading of the chapter that follows, and names it ("VOLUME II, CHAPTER I"). Left out are the
licence and notes that Project Gutenberg adds, title pages, contents, dedications, notes by editors and
translators, and what follows the end. A preface or prologue is a chapter; so is a long opening without a
heading before the first one, titled "Opening". A text without headings is one chapter, or parts where it is
long.

A book that marks no chapters has parts, so that no unit of work or horizon is the whole of it. A part ends at
the first scene break after 2,500 words, or where a paragraph ends after 5,000. Where a part begins depends on
nothing told after it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ..text.markdown import fenced_lines
from ..text.sentences import HEADING, is_scene_break, sentences
from ..types import Chapter, Span
from .dates import is_date
from .headings import TEASER, Heading, Page, Rank, read_as, scan
from .sequences import Outline, choose
from .titles import Block, block
from .unnumbered import listed_titles, serial_headings

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


LONGEST_WHOLE = 10_000
"""Words of the longest text that stays one chapter."""
_LEAST, _MOST = 2_500, 5_000  # words of a part
_LEFT_OVER = 1_000  # words of a last part that joins the one before
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r|\Z)")


@dataclass(frozen=True, slots=True)
class _Unit:
    """A paragraph, or a piece of a long one: parts are made of whole ones. A scene break has no words."""

    span: Span
    words: int
    is_break: bool = False


def in_parts(text: str, whole: Chapter) -> tuple[Chapter, ...]:
    """The chapter as it is where it has 10,000 words or fewer, else its parts, called "Part 1" and on.
    Linear in its length."""
    units = list(_units(text, whole.body))
    if sum(unit.words for unit in units) <= LONGEST_WHOLE:
        return (whole,)
    spans = _packed(units)
    return tuple(
        Chapter(number, f"Part {number}", Span(span.start, span.start), span)
        for number, span in enumerate(spans, 1)
    )


def _packed(units: list[_Unit]) -> list[Span]:
    found: list[tuple[Span, int]] = []
    start, end, words = -1, -1, 0
    for unit in units:
        ends = words >= _LEAST if unit.is_break else words >= _MOST
        if ends:
            found.append((Span(start, end), words))
            start, words = -1, 0
        if unit.is_break:
            continue
        start = unit.span.start if start < 0 else start
        end, words = unit.span.end, words + unit.words
    if words:
        found.append((Span(start, end), words))
    if len(found) > 1 and found[-1][1] < _LEFT_OVER:
        (last, _), (before, _) = found.pop(), found.pop()
        found.append((Span(before.start, last.end), 0))
    return [span for span, _ in found]


def _units(text: str, body: Span) -> Iterator[_Unit]:
    start, end = -1, -1
    for line in _LINE.finditer(text, body.start, body.end):
        blank = not line[0].strip()
        apart = is_scene_break(line[0])
        if start >= 0 and (blank or apart):
            yield from _pieces(text, Span(start, end))
            start = -1
        if apart:
            yield _Unit(Span(line.start(), line.end()), 0, is_break=True)
        elif not blank:
            start = line.start() if start < 0 else start
            end = line.start() + len(line[0].rstrip())
    if start >= 0:
        yield from _pieces(text, Span(start, end))


def _pieces(text: str, paragraph: Span) -> Iterator[_Unit]:
    """A paragraph whole, its lines where it is longer than a part, its sentences where a line is."""
    words = len(paragraph.of(text).split())
    if words <= _MOST:
        yield _Unit(paragraph, words)
        return
    for line in _LINE.finditer(text, paragraph.start, paragraph.end):
        said = line[0].rstrip()
        if not said.strip():
            continue
        if len(said.split()) <= _MOST:
            yield _Unit(Span(line.start(), line.start() + len(said)), len(said.split()))
            continue
        for one in sentences(said):
            span = Span(line.start() + one.start, line.start() + one.end)
            yield _Unit(span, len(span.of(text).split()))


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
        body = _trimmed(text, page.starts[first], end)
        return in_parts(text, Chapter(1, title, Span(body.start, body.start), body))
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
        """Its own name alone for one that stands in none: a prologue."""
        named = part.heading.rank is Rank.NAMED
        labels = [] if named else [label for _, label in self._inside]
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
        title = place.name(part)
        found.append(Chapter(len(found) + 1, title, Span(start, max(start, part.block.end)), part.body))
        start = None
    return tuple(found)


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
