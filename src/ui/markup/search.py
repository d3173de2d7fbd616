"""The hits of a search."""

from __future__ import annotations

from functools import partial

from ...views.search import HitShown, SearchShown
from ...views.text.render import counted
from . import html
from .reading import chapter_words, in_context, marked

_html = partial(html, "search")


def summary(shown: SearchShown) -> str:
    """How many, and how they were weighed."""
    words = counted(len(shown.hits), "passage")
    if shown.semantic is not None:
        words += f", weighed {100 * shown.semantic:.3g}% meaning and {100 - 100 * shown.semantic:.3g}% words"
    if shown.answered and shown.answered != shown.asked.query:
        words += f"; kept from a search for “{shown.answered}”"
    return _html("summary", words)


def why(shown: SearchShown) -> str:
    """How the query was read, and why its hits are weighed as they are; folded away."""
    return _html("why", shown)


def nothing_found(shown: SearchShown) -> str:
    """That nothing was found up to the horizon, and what to try."""
    fewer = "" if shown.asked.wanted.is_empty else ", or fewer filters"
    return _html("nothing_found", shown, f"Try other words{fewer}")


def hit(one: HitShown) -> str:
    """A passage with the query's words marked, its place, and what found it."""
    place = chapter_words(one.chapter, one.title)
    return _html("hit", one, place, marked(one.text, one.marks), in_context(one.around))
