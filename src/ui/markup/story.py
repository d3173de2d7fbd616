"""What the pages about the story show: each function gives HTML (see :mod:`.markup`)."""

from __future__ import annotations

from functools import partial

from markupsafe import Markup

from ...views.quotes import QuoteInContext
from . import html

_LONGEST_SIDE = 700  # characters of context on one side of a quote
_html = partial(html, "story")


def empty(title: str, text: str) -> str:
    """Nothing to show, and what would change that."""
    return _html("empty", title, text)


def titled(title: str, body: str) -> str:
    """A list with its heading; ``body`` is HTML made here."""
    return _html("titled", title, Markup(body))  # noqa: S704 (it is made here)


def side(shown: QuoteInContext) -> tuple[str, str, str, str, str]:
    """Place, text before, quote, text after, address."""
    before, after = shown.before[-_LONGEST_SIDE:], shown.after[:_LONGEST_SIDE]
    return shown.quote.place, _flat(before), _flat(shown.quote.words), _flat(after), shown.link


def _flat(text: str) -> str:
    """Paragraphs stay, line ends within them do not."""
    parts = [" ".join(part.split()) for part in text.split("\n\n")]
    flat = "\n".join(parts)
    left = " " if text[:1].isspace() and not flat.startswith("\n") else ""
    right = " " if text[-1:].isspace() and flat and not flat.endswith("\n") else ""
    return f"{left}{flat}{right}"
