"""Answers as HTML. What a model wrote and what a story says are both untrusted: escaped."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from hashlib import sha256
from html import escape

from ...core.answering.answered import Answered
from ...core.store.conversations import KeptTurn
from ...core.text.sentences import in_marks
from ...views.text.answer import LAID_DOWN, NEAREST, how_sure, laid_down
from ...views.text.so_far import RecapShown
from ..state.conversation import Cited, Turn
from .page import note
from .reading import flowing, in_context

_MARK = re.compile(r"\[(\d{1,3})\]")


def question(turn: Turn) -> str:
    """The question as a heading."""
    return f'<h2 class="f-question" dir="auto">{escape(turn.answered.question)}</h2>'


def streamed(text: str) -> str:
    """An answer while it is written."""
    if not text:
        return '<p class="f-status" role="status">looking it up</p>'
    return (
        f'<p class="f-status" role="status">answering</p><div class="f-prose" dir="auto">{escape(text)}</div>'
    )


def answer(turn: Turn) -> str:
    """What a codex lays down, where no model was told it; then the answer with its numbers raised, of one in
    the story's own words those that say it, since the quotes that hold them follow."""
    return _laid_down(turn.answered) + _said(turn)


def _laid_down(answered: Answered) -> str:
    lines = "".join(f'<p dir="auto">{escape(in_marks(text))}</p>' for text in laid_down(answered))
    return f'<div class="f-source"><p class="f-tag">{LAID_DOWN}</p>{lines}</div>' if lines else ""


def _said(turn: Turn) -> str:
    answered = turn.answered
    if answered.is_unwritten:
        return note(answered.text)
    if not answered.told:
        why = f"The story has not told enough for that up to chapter {turn.as_of}."
        if turn.known_to:
            why = f"Up to chapter {turn.as_of} {turn.known_to} cannot know, as far as the story tells."
        elif turn.whole:
            why = "I did not find it in the story."
        return note(why)
    if answered.short:
        return f'<div class="f-prose f-answer" dir="auto">{escape(answered.short)}</div>'
    if answered.extractive:
        return note(NEAREST)
    known = {one.citation.number for one in turn.cited}
    text = _raised(answered.text, known, turn=turn).strip()
    return f'<div class="f-prose f-answer" dir="auto">{text}</div>'


def verdict(turn: Turn) -> str:
    """How far it stands on the text, and who wrote it."""
    answered = turn.answered
    who = f"Written by {answered.model}" if answered.model else "The story's own sentences"
    words = [who if answered.told else "No answer"]
    if turn.known_to:
        words.append(f"from what {turn.known_to} has been by to know")
    if answered.supported is not None and answered.model:
        words.append(f"{answered.supported:.0%} of its sentences have support in the quotes")
    if answered.cached:
        kept = f" for “{answered.answers}”" if answered.answers != answered.question else ""
        words.append(f"from an earlier answer{kept}")
    if answered.confidence is not None and not answered.model:
        words.append(how_sure(answered))
    seconds = sum(taken for _, taken in answered.seconds)
    words.append(f"up to chapter {turn.as_of}, {seconds:.1f} s")
    return f'<p class="f-verdict">{escape("; ".join(words))}.</p>'


def citations(turn: Turn) -> str:
    """The quotes by number; each opens in its context, also by the number in the answer."""
    return "".join(_cited(turn, one) for one in turn.cited)


def sources(answered: Answered) -> str:
    """All that the answer may have been made from, and what was left out."""
    items = "".join(
        f'<div class="f-source"><p class="f-tag">{one.number}, {escape(one.kind)}, ch. {one.chapter}</p>'
        f'<div class="f-prose" dir="auto">{escape(flowing(one.text).strip())}</div></div>'
        for one in answered.sources
    )
    left = len(answered.left_out)
    tail = f'<p class="f-tag">{left} more did not fit.</p>' if left else ""
    return f'<div class="f-context">{items}{tail}</div>'


def kept(turns: Sequence[KeptTurn]) -> str:
    """An earlier conversation, to be read."""
    return "".join(
        f'<div class="f-source"><p class="f-tag">up to chapter {one.chapter}</p>'
        f'<p dir="auto"><b>{escape(one.question)}</b></p>'
        f'<div class="f-prose" dir="auto">{escape(flowing(one.answer).strip())}</div></div>'
        for one in turns
    )


def recap(told: RecapShown) -> str:
    """The story so far, a line a sentence, what is not the story's own with the quotes that it stands on; then
    what is still open."""
    if not told.lines:
        return note("Nothing is told yet.")
    lines = []
    for line in (*told.lines, *told.waiting):
        quotes = "".join(
            f'<p class="f-soft" dir="auto">{escape(in_marks(quote.text))}</p>'
            for quote in line.quotes
            if not line.is_quote
        )
        said = in_marks(line.text) if line.is_quote else line.text
        since = "still open since chapter" if line in told.waiting else "chapter"
        lines.append(
            f'<div class="f-source"><p class="f-tag">{since} {line.chapter}</p>'
            f'<div class="f-prose" dir="auto">{escape(said)}</div>{quotes}</div>'
        )
    who = f"Written by {told.model}" if told.model else "The story's own sentences"
    return f'<div class="f-context">{"".join(lines)}</div><p class="f-verdict">{escape(who)}.</p>'


def _cited(turn: Turn, one: Cited) -> str:
    citation = one.citation
    quote = " ".join(citation.quote.split())
    first = " open" if turn.answered.short and one is turn.cited[0] else ""
    return (
        f'<details class="f-cited"{first}><summary><b>{citation.number}</b> '
        f'<span class="f-said" dir="auto">{escape(quote)}</span> '
        f'<span class="f-soft">chapter {citation.chapter}</span></summary>'
        f'<div id="{_place(turn, citation.number)}">{in_context(one.around)}</div></details>'
    )


def _place(turn: Turn, number: int) -> str:
    """Where on the page the quote of this number stands: browsers open what holds the place they go to."""
    asked = sha256(f"{turn.as_of} {turn.answered.question}".encode()).hexdigest()[:8]
    return f"quote-{asked}-{number}"


def _raised(text: str, known: Collection[int], *, turn: Turn) -> str:
    def raised(found: re.Match[str]) -> str:
        number = int(found[1])
        return f'<sup><a href="#{_place(turn, number)}">{number}</a></sup>' if number in known else found[0]

    return _MARK.sub(raised, escape(text))
