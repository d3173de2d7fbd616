"""Quotes as a page or an answer shows them: where they stand, the sentences and paragraphs round them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from ..core.text.sentences import sentences
from ..core.types import Document, Evidence, Horizon, Span
from ..errors import EvidenceError, HorizonError
from ..story.continuity.critic import DRAFT_ID
from ..story.graph_rag.views.ties import ORIGIN
from ..story.model.types import CODEX_ID

if TYPE_CHECKING:
    from ..story.bible import Line
    from ..story.model.types import Relation

MOST_QUOTES = 8
_BREAK = re.compile(r"(?:\r\n|\n|\r(?!\n))[^\S\r\n]*(?:\r\n|\n|\r(?!\n))\s*")
_WHITE = re.compile(r"\s")


@dataclass(frozen=True, slots=True)
class QuoteShown:
    """A quote and its place: half-open character offsets into the story's text, or into the draft's own or
    the codex where ``draft`` or ``codex`` says that it stands there."""

    chapter: int
    start: int
    end: int
    text: str
    draft: bool = False
    codex: bool = False

    @property
    def place(self) -> str:
        """Where it stands, in words."""
        return "the draft" if self.draft else "the codex" if self.codex else f"ch. {self.chapter}"

    @property
    def words(self) -> str:
        """The quote for a reader: what a codex says without the marks of YAML, all else as it is."""
        if not self.codex:
            return self.text
        from ..story.codex.file import plain_words  # YAML is loaded where a codex is shown

        return plain_words(self.text)


@dataclass(frozen=True, slots=True)
class ToldShown:
    """What a chapter tells of somebody, in ``words``, with its quotes. ``kind`` is what sort of thing it is,
    as whoever gives it says; ``weighed``: no sentence says it, and the quotes are those that weighed most.
    ``sign``: does it make things better (1) or worse (-1) between two?"""

    chapter: int
    kind: str
    words: str
    quotes: tuple[QuoteShown, ...]
    weighed: bool = False
    sign: int = 0


@dataclass(frozen=True, slots=True)
class QuoteInContext:
    """A quote with the text before and after it, of the same chapter: nothing told later is near it.
    ``title`` is the chapter's; empty for a draft. ``link`` is where a page shows the place, or empty."""

    quote: QuoteShown
    before: str
    after: str
    title: str = ""
    link: str = ""


def quote_shown(evidence: Evidence) -> QuoteShown:
    """The quote with its place; ``draft`` is set where its document is :data:`DRAFT_ID`, ``codex`` where it
    is :data:`CODEX_ID`."""
    return QuoteShown(
        evidence.chapter,
        evidence.span.start,
        evidence.span.end,
        evidence.quote,
        draft=evidence.document_id == DRAFT_ID,
        codex=evidence.document_id == CODEX_ID,
    )


def quotes_shown(evidence: Iterable[Evidence], *, most: int = MOST_QUOTES) -> tuple[QuoteShown, ...]:
    """Each place once, none within an earlier one, in the order given, at most ``most`` of them."""
    return tuple(dict.fromkeys(quote_shown(one) for one in outermost(evidence)))[:most]


def outermost(evidence: Iterable[Evidence]) -> tuple[Evidence, ...]:
    """In the order given, but for those that lie within an earlier one."""
    found: list[Evidence] = []
    for one in evidence:
        if not any(kept.document_id == one.document_id and kept.span.contains(one.span) for kept in found):
            found.append(one)
    return tuple(found)


def told_quotes(one: Relation | Line) -> tuple[Evidence, ...]:
    """Its quotes, without each that stands before the one ahead of it, in its chapter: such a one only tells
    whom a pronoun means. What was weighed over many places keeps all."""
    if one.origin == ORIGIN or getattr(one, "kind", "fact") not in ("fact", "relation"):
        return one.evidence
    pairs = zip((None, *one.evidence), one.evidence, strict=False)
    return tuple(
        quote
        for last, quote in pairs
        if last is None or last.chapter != quote.chapter or last.span.start <= quote.span.start
    )


def in_context(
    quote: QuoteShown, document: Document, *, draft: str | None = None, context: int = 1
) -> QuoteInContext:
    """The quote with ``context`` sentences on either side of it, never beyond its own chapter.

    ``draft`` is the text of the draft, for quotes that stand in it; without it they come bare, and so do
    those of a codex and quotes whose place the document does not hold.
    """
    text, title = draft or "", ""
    body = Span(0, len(text))
    if not quote.draft:
        if quote.codex or not 1 <= quote.chapter <= len(document.chapters):
            return QuoteInContext(quote, "", "")
        chapter = document.chapter(quote.chapter)
        body, title, text = chapter.body, chapter.title, document.text
    at = Span(quote.start, quote.end)
    if not body.contains(at) or at.of(text) != quote.text:
        return QuoteInContext(quote, "", "", title)
    found = [Span(body.start + s.start, body.start + s.end) for s in _sentences(body.of(text))]
    before = sum(s.end <= at.start for s in found)  # sentences that end before the quote
    upto = sum(s.start < at.end for s in found)  # those that begin before its end
    around = found[max(0, before - context) : upto + context]
    left = min([at.start, *(s.start for s in around)])
    right = max([at.end, *(s.end for s in around)])
    return QuoteInContext(quote, text[left : at.start], text[at.end : right], title)


@lru_cache(maxsize=32)
def _sentences(body: str) -> tuple[Span, ...]:
    """Findings quote the same chapter again and again."""
    return tuple(sentences(body))


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
            f"{span.start}:{span.end} is not a place in chapter {chapter}: {body.start}:{body.end}"
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
