"""Template filters: text set for reading, quotes in their context, and the marks of an answer's quotes."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from typing import Any

from markupsafe import Markup, escape

from ...core.answering.grounding import Citation
from ...core.text.sentences import in_marks
from ...core.types import Span
from ...views.chapter import chapter_words
from ...views.comparison_page import left_out, sections
from ...views.quotes import QuoteShown, Surroundings, quote_shown
from ...views.text.check import LEAST_WORDS
from ...views.text.comparison import horizon_words, metric_rows, quote_place
from ...views.text.render import counted
from ...views.text.so_far import LAID_DOWN, by_chapter, how_sure, laid_down, quotes_head
from ...views.word_diff import changed_share
from ..state.conversation import Turn

_MARK = re.compile(r"\[(\d{1,3})\]")
_HARD_WRAP = re.compile(r"(?<=[^\n]{45})\n(?=[^\n\s])")


def flowing(text: str) -> str:
    """As long as before, so that offsets hold: the line breaks of a hard-wrapped paragraph become blanks;
    short lines (verse, letter heads) keep theirs."""
    return _HARD_WRAP.sub(" ", text.replace("\r\n", " \n").replace("\r", "\n"))


def marked(text: str, marks: Sequence[Span]) -> Markup:
    """The text with each of ``marks`` (in order, not overlapping) in ``<mark>``."""
    shown, pieces, place = flowing(text), [], 0
    for mark in marks:
        pieces += [escape(shown[place : mark.start]), Markup("<mark>{}</mark>").format(mark.of(shown))]
        place = mark.end
    return Markup("").join([*pieces, escape(shown[place:])])


def in_context(around: Surroundings) -> Markup:
    """A quote among the paragraphs round it."""
    before = ("… " if around.more_before else "") + around.before.lstrip()
    after = around.after.rstrip() + (" …" if around.more_after else "")
    quote = Span(len(before), len(before) + len(around.quote))
    told = marked(before + around.quote + after, [quote])
    return Markup('<div class="f-prose f-around" dir="auto">{}</div>').format(told)


def paragraphs(text: str) -> str:
    """Paragraphs stay, line ends within them do not."""
    parts = [" ".join(part.split()) for part in text.split("\n\n")]
    flat = "\n".join(parts)
    left = " " if text[:1].isspace() and not flat.startswith("\n") else ""
    right = " " if text[-1:].isspace() and flat and not flat.endswith("\n") else ""
    return f"{left}{flat}{right}"


def raised(turn: Turn) -> Markup:
    """The answer with each mark of a quote that is shown as a link to it."""
    known = {one.number for one, _ in turn.cited}

    def linked(found: re.Match[str]) -> str:
        number = int(found[1])
        link = Markup('<sup><a href="#{}">{}</a></sup>')
        return link.format(quote_id(turn, number), number) if number in known else found[0]

    return Markup(_MARK.sub(linked, str(escape(turn.answered.text))).strip())  # noqa: S704 (escaped)


def quote_id(turn: Turn, number: int) -> str:
    """Where on the page the quote of this number stands: browsers open what holds the place they go to."""
    asked = sha256(f"{turn.as_of} {turn.answered.question}".encode()).hexdigest()[:8]
    return f"quote-{asked}-{number}"


def cited(one: Citation) -> QuoteShown:
    """The citation as a quote with its place."""
    return QuoteShown(one.chapter, one.span.start, one.span.end, one.quote)


FILTERS: Mapping[str, Callable[..., Any]] = {
    "flat": lambda text: " ".join(text.split()),
    "capital": lambda text: text[:1].upper() + text[1:],
    "zip": zip,
    **{made.__name__: made for made in (in_marks, flowing, in_context, paragraphs, marked)},
}
_QUOTES = (raised, quote_id, cited, quote_shown, quote_place, left_out, sections)
_ASKED = (how_sure, laid_down, quotes_head)
_WORDS = (chapter_words, horizon_words, metric_rows, counted, changed_share, by_chapter, *_ASKED)
FUNCTIONS: Mapping[str, object] = {
    "LAID_DOWN": LAID_DOWN,
    "LEAST_WORDS": LEAST_WORDS,
    **{made.__name__: made for made in (*_QUOTES, *_WORDS)},
}
