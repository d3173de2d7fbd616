"""Answers, and what they stand on."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from hashlib import sha256

from markupsafe import Markup, escape

from ...core.answering.answered import Answered
from ...core.store.conversations import KeptTurn
from ...core.text.sentences import in_marks
from ...views.text.so_far import LAID_DOWN, NEAREST, RecapShown, how_sure, laid_down
from ..state.conversation import Turn
from . import html
from .page import note
from .reading import flowing, in_context

_MARK = re.compile(r"\[(\d{1,3})\]")
_html = partial(html, "ask")


def question(turn: Turn) -> str:
    """The question as a heading."""
    return _html("question", turn.answered.question)


def streamed(text: str) -> str:
    """An answer while it is written."""
    return _html("streamed", text)


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
        why = f"The story has not said enough about that up to chapter {turn.as_of}."
        if turn.known_to:
            why = f"Up to chapter {turn.as_of}, {turn.known_to} cannot know this, as far as the story says."
        elif turn.whole:
            why = "I did not find it in the story."
        return note(why)
    if answered.short:
        return _html("said", answered.short)
    return note(NEAREST) if answered.extractive else _html("said", _raised(turn))


def verdict(turn: Turn) -> str:
    """How far it stands on the text, and who wrote it."""
    answered = turn.answered
    words = [_writer(answered.model) if answered.told else "No answer"]
    if turn.known_to:
        words.append(f"from what {turn.known_to} could witness")
    if answered.supported is not None and answered.model:
        words.append("each sentence was checked against its sources")
    if answered.cached:
        kept = f" for “{answered.answers}”" if answered.answers != answered.question else ""
        words.append(f"from an earlier answer{kept}")
    if answered.confidence is not None and not answered.model:
        words.append(how_sure(answered))
    seconds = sum(taken for _, taken in answered.seconds)
    words.append(f"up to chapter {turn.as_of}, {seconds:.1f} s")
    return _html("verdict", "; ".join(words))


def citations(turn: Turn) -> str:
    """The quotes by number; each opens in its context, also by the number in the answer."""
    cited = [(one.citation, in_context(one.around), _place(turn, one.citation.number)) for one in turn.cited]
    return _html("citations", cited, bool(turn.answered.short))


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


def recap(told: RecapShown) -> str:
    """The story so far, a line a sentence, what is not the story's own with its quotes; then what is still
    open."""
    if not told.lines:
        return note("Nothing yet.")
    items = [
        (
            f"chapter {one.chapter}"
            if one not in told.waiting
            else f"still open since chapter {one.chapter}",
            "",
            in_marks(one.text) if one.is_quote else one.text,
            () if one.is_quote else one.quotes,
        )
        for one in (*told.lines, *told.waiting)
    ]
    return _html("recap", items, _writer(told.model))


def _writer(model: str) -> str:
    return f"Written by {model}" if model else "The story's own sentences"


def _place(turn: Turn, number: int) -> str:
    """Where on the page the quote of this number stands: browsers open what holds the place they go to."""
    asked = sha256(f"{turn.as_of} {turn.answered.question}".encode()).hexdigest()[:8]
    return f"quote-{asked}-{number}"


def _raised(turn: Turn) -> Markup:
    """The answer with each mark of a quote that is shown as a link to it."""
    known = {one.citation.number for one in turn.cited}

    def raised(found: re.Match[str]) -> str:
        number = int(found[1])
        link = Markup('<sup><a href="#{}">{}</a></sup>')
        return link.format(_place(turn, number), number) if number in known else found[0]

    return Markup(_MARK.sub(raised, str(escape(turn.answered.text))).strip())  # noqa: S704 (escaped)
