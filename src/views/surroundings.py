"""A quote where it stands: the paragraphs around it, within its chapter."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..core.types import Document, Horizon, Span
from ..errors import EvidenceError, HorizonError

__all__ = ["Surroundings", "surroundings"]

_BREAK = re.compile(r"(?:\r\n|\n|\r(?!\n))[^\S\r\n]*(?:\r\n|\n|\r(?!\n))\s*")
_WHITE = re.compile(r"\s")


@dataclass(frozen=True, slots=True)
class Surroundings:
    """``before + quote + after`` is the text as it stands. ``more_before`` and ``more_after`` say whether the
    chapter goes on beyond."""

    chapter: int
    title: str
    before: str
    quote: str
    after: str
    more_before: bool
    more_after: bool


def surroundings(
    document: Document,
    span: Span,
    *,
    chapter: int,
    horizon: Horizon,
    paragraphs: int = 1,
    longest: int = 1200,
) -> Surroundings:
    """The paragraphs that ``span`` touches and ``paragraphs`` more on each side, at most ``longest``
    characters a side, never beyond the chapter.

    Raises HorizonError for a chapter past the horizon or not in the book, EvidenceError for a span that does
    not lie in the chapter.
    """
    told = document.chapter(chapter)
    if not horizon.admits(chapter):
        raise HorizonError(f"chapter {chapter} is told after chapter {horizon.chapter}: read on to see it")
    in_heading = told.heading.start <= span.start < told.heading.end
    body = Span(told.heading.start, told.body.end) if in_heading else told.body
    if not (body.contains(span) and span.start < span.end):
        raise EvidenceError(
            f"{span.start}:{span.end} is no place in chapter {chapter}: {body.start}:{body.end}"
        )
    before = body.start + _start(Span(body.start, span.start).of(document.text), paragraphs, longest)
    after = span.end + _end(Span(span.end, body.end).of(document.text), paragraphs, longest)
    return Surroundings(
        chapter=chapter,
        title=told.title,
        before=document.text[before : span.start],
        quote=span.of(document.text),
        after=document.text[span.end : after],
        more_before=bool(document.text[body.start : before].strip()),
        more_after=bool(document.text[after : body.end].strip()),
    )


def _start(text: str, paragraphs: int, longest: int) -> int:
    """Where in the text before a quote to begin."""
    starts = [0, *(match.end() for match in _BREAK.finditer(text))]
    begin = starts[max(0, len(starts) - 1 - paragraphs)]
    if len(text) - begin <= longest:
        return begin
    cut = _WHITE.search(text, len(text) - longest)
    return cut.end() if cut else len(text)


def _end(text: str, paragraphs: int, longest: int) -> int:
    """Where in the text after a quote to end."""
    ends = [*(match.start() for match in _BREAK.finditer(text)), len(text)]
    end = ends[min(len(ends) - 1, paragraphs)]
    if end <= longest:
        return end
    spaces = [match.start() for match in _WHITE.finditer(text, 0, longest)]
    return spaces[-1] if spaces else 0
