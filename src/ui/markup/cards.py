"""Cards, relationship histories, lanes and arcs as HTML (see :mod:`.markup`). ``link`` gives the address of a
quote on the page *Read*, or an empty string."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from ...story.model.types import gathered
from ...views.cards import CardShown
from ...views.history import PairShown
from ...views.lives import LifeShown
from ...views.quotes import QuoteInContext, ToldShown
from . import html
from .page import Link, side

Pairs = Callable[[tuple[str, str]], str]

_FEW_CHAPTERS = 40  # in a longer book only those with a feeling are columns
_MOST = 4  # lines of a part that show at once
_FOLDED = ("Turns", "Where", "Also", "Knows")
_TURNS = {"began": "begins:", "turned": "turns:", "ended": "no longer:", "past": "was so, and is over:"}
_TURNS |= {"then": ""}
_FATES = (("reached", "Won"), ("lost", "Lost"), ("open", "Wanted, and not settled so far"))
_html = partial(html, "cards")
lead = partial(_html, "lead")
"""The sentence that a page begins with."""
lanes = partial(_html, "lanes")
"""A table of chapters by people or places (LanesShown, link, label), key events named in it."""
told_back = partial(_html, "told_back")
"""Where the telling goes back, and what it tells there (BackShown each, link)."""
times = partial(_html, "times")
"""Ages and dates, a person a row (PersonTimes each, link)."""


def card(one: CardShown, link: Link, pairs: Pairs, whole: str = "") -> str:
    """Somebody or something, as a writer pins it up. ``pairs`` gives the address of the history of two ids,
    ``whole`` is that of the card on its own page."""
    return _html("card", one, link, pairs, _FOLDED, _MOST, whole)


def history(
    pair: PairShown,
    steps: Sequence[tuple[ToldShown, Sequence[QuoteInContext]]],
    met: Iterable[QuoteInContext],
    link: Link,
) -> str:
    """How two have stood, step by step; what was weighed has its quotes in their context."""
    told = [(step, list(map(side, quotes))) for step, quotes in steps]
    return _html("history", pair, told, list(map(side, met)), link, _TURNS)


def life(one: LifeShown, link: Link) -> str:
    """The picture of an arc: feelings by chapter, and in words what turns, what is won and lost."""
    feelings = gathered(((feeling.chapter, feeling.kind), feeling) for feeling in one.feelings)
    felt = sorted({feeling.chapter for feeling in one.feelings})
    chapters = range(1, one.last + 1) if one.last <= _FEW_CHAPTERS else felt
    return _html("life", one, feelings, chapters, link, _FATES)
