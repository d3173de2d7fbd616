"""Where a passage speaks of what was asked: the words that a query's terms find there."""

from __future__ import annotations

import re

from ..core.text.tokenizing import Tokenizer
from ..core.types import Span

__all__ = ["highlights"]

_WORD = re.compile(r"[^\W_]+")
_CODE = re.compile(r"\w+(?:[-_.]\w+)+")
# Question words and the like: the index knows them, but a page full of marked pronouns shows nothing.
_DULL = frozenset(
    "about am been can could did do doe does done from had has have he her him his how i me my our s she so "
    "than their them they us we were what when where which who whom whose whi why would you your".split()
)


def highlights(text: str, query: str) -> tuple[Span, ...]:
    """The words of ``text`` that share a stem with a telling word of ``query``, in order, never overlapping.
    Whole words: "ran" is not marked for "run", "running" is. Costs about a microsecond a word."""
    tokenizer = Tokenizer()
    wanted = frozenset(tokenizer.terms(query)) - _DULL
    if not wanted:
        return ()
    found = [_span(one) for one in _CODE.finditer(text) if one[0].lower() in wanted]
    for match in _WORD.finditer(text):
        span = _span(match)
        if any(term in wanted for term in tokenizer.terms(match[0])) and not any(map(span.overlaps, found)):
            found.append(span)
    return tuple(sorted(found))


def _span(match: re.Match[str]) -> Span:
    return Span(*match.span())
