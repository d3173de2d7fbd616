"""Answers, and what they stand on."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial
from hashlib import sha256

from markupsafe import Markup, escape

from ...core.answering.answered import Answered
from ...core.answering.grounding import Citation
from ...core.store.conversations import KeptTurn
from ...core.text.sentences import in_marks
from ...views.quotes import QuoteShown
from ...views.text.so_far import (
    LAID_DOWN,
    NEAREST,
    STATES,
    LedgerShown,
    RecapShown,
    by_chapter,
    how_sure,
    laid_down,
)
from ..state.conversation import Turn
from . import html
from .page import Link, note, soft
from .reading import flowing, in_context

_MARK = re.compile(r"\[(\d{1,3})\]")
_LIKELY, _EVEN = 0.75, 0.5  # of a confidence
_html = partial(html, "ask")
streamed = partial(_html, "streamed")
"""An answer while it is written."""


def question(turn: Turn) -> str:
    """The question as a heading, and who of the story was asked."""
    who = f"{turn.known_to} answers, from what was to be seen up to chapter {turn.as_of}"
    return _html("question", turn.answered.question, who if turn.known_to else "")


def answer(turn: Turn) -> str:
    """What a codex lays down, where no model was told it; then the answer with its numbers raised, of one in
    the story's own words those that say it, since the quotes that hold them follow."""
    lines = laid_down(turn.answered)
    return (_html("laid_down", LAID_DOWN, lines) if lines else "") + _said(turn)


def _said(turn: Turn) -> str:
    answered = turn.answered
    if answered.is_unwritten:
        return note(answered.text)
    if not answered.told:
        why = f"I did not find it in what you have read so far, up to chapter {turn.as_of}."
        if turn.known_to:
            why = f"I found nothing by which {turn.known_to} could know this by chapter {turn.as_of}."
        elif turn.whole:
            why = "I did not find it in the story."
        return note(why)
    if answered.short:
        is_quoted = any(answered.short in one.quote for one in answered.citations)
        return _html("said", in_marks(answered.short) if is_quoted else answered.short)
    return soft(NEAREST) if answered.extractive else _html("said", _raised(turn))


def verdict(turn: Turn) -> str:
    """Who wrote it, and how far it can be relied on, in words."""
    answered = turn.answered
    words = [_writer(answered.model) if answered.told else "No answer"]
    if answered.supported is not None and answered.model:
        words.append("each sentence was checked against its sources")
    if answered.told and answered.confidence is not None and not answered.model:
        words.append(_sure(answered.confidence, short=bool(answered.short)))
    return _html("verdict", "; ".join(words))


def _sure(confidence: float, *, short: bool) -> str:
    if not short:
        return (
            "one of these probably answers it" if confidence >= _EVEN else "perhaps none of these answers it"
        )
    if confidence >= _LIKELY:
        return "very likely right"
    return "probably right" if confidence >= _EVEN else "not sure: see the quote"


def numbers(turn: Turn) -> str:
    """How sure, how long it took, and whether it was answered before."""
    answered = turn.answered
    seconds = sum(taken for _, taken in answered.seconds)
    words = [f"Up to chapter {turn.as_of}, {seconds:.1f} s", how_sure(answered) if not answered.model else ""]
    if answered.cached:
        kept = f" for “{answered.answers}”" if answered.answers != answered.question else ""
        words.append(f"from an earlier answer{kept}")
    return _html("verdict", "; ".join(filter(None, words)))


def citations(turn: Turn, link: Link) -> str:
    """The quotes by number, each a link to its place; its context is folded away below."""
    cited = [
        (one, in_context(around), _place(turn, one.number), link(_quote(one))) for one, around in turn.cited
    ]
    return _html("citations", cited, not turn.answered.extractive)


def _quote(one: Citation) -> QuoteShown:
    return QuoteShown(one.chapter, one.span.start, one.span.end, one.quote)


def sources(answered: Answered) -> str:
    """All that the answer may have been made from, and what was left out."""
    items = [
        (f"{one.number}, {one.kind}, ch. {one.chapter}", "", flowing(one.text), ())
        for one in answered.sources
    ]
    return _html("sources", items, len(answered.left_out))


def kept(turns: Sequence[KeptTurn]) -> str:
    """An earlier conversation, to be read."""
    return _html(
        "pieces", [(f"up to chapter {one.chapter}", one.question, flowing(one.answer), ()) for one in turns]
    )


def so_far(told: RecapShown, titles: Mapping[int, str], link: Link) -> str:
    """The story so far, chapter by chapter: each line of the book's own a link to its place, each other one
    with its quotes."""
    if not told.lines:
        return note("Nothing stands out so far.")
    chapters = [(titles[number], lines) for number, lines in by_chapter(told.lines)]
    return _html("so_far", chapters, _writer(told.model), link)


def threads(shown: LedgerShown, link: Link) -> str:
    """What is waited for, the settled last, each with its quotes."""
    return _html("threads", shown.threads, STATES, link)


def _writer(model: str) -> str:
    return f"Written by {model}" if model else "The story's own sentences"


def _place(turn: Turn, number: int) -> str:
    """Where on the page the quote of this number stands: browsers open what holds the place they go to."""
    asked = sha256(f"{turn.as_of} {turn.answered.question}".encode()).hexdigest()[:8]
    return f"quote-{asked}-{number}"


def _raised(turn: Turn) -> Markup:
    """The answer with each mark of a quote that is shown as a link to it."""
    known = {one.number for one, _ in turn.cited}

    def raised(found: re.Match[str]) -> str:
        number = int(found[1])
        link = Markup('<sup><a href="#{}">{}</a></sup>')
        return link.format(_place(turn, number), number) if number in known else found[0]

    return Markup(_MARK.sub(raised, str(escape(turn.answered.text))).strip())  # noqa: S704 (escaped)
