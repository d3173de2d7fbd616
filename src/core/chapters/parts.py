"""Parts of a book that marks no chapters, so that no unit of work or horizon is the whole of it.

A part ends at the first scene break after 2,500 words, or where a paragraph ends after 5,000. Where a part
begins depends on nothing told after it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ..text.breaks import is_scene_break
from ..text.sentences import sentences
from ..types import Chapter, Span

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
