"""Finds quotes in a text: a claim about a story counts only where its words stand there."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from collections.abc import Iterator
from functools import cached_property

from ...core.types import Span

_SPACE = re.compile(r"\s+")


class QuoteFinder:
    """Looks things up in one text. White space of any kind and length counts as one blank, since line breaks
    are lost on the way through other programs; every other character must be the same.

    Making one costs a pass over the text and a few bytes a character.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        pieces: list[str] = []
        places = array("q")
        last = 0
        for gap in _SPACE.finditer(text):
            pieces += (text[last : gap.start()], " ")
            places.extend(range(last, gap.start() + 1))
            last = gap.end()
        pieces.append(text[last:])
        places.extend(range(last, len(text) + 1))
        self._plain = "".join(pieces)
        self._places = places

    def find(self, quote: str, *, within: Span | None = None) -> Span | None:
        """Where the quote first stands, ``within`` a stretch of the text if one is given; None where it does
        not stand. The span covers the text's own characters, without white space at its ends."""
        return next(self.find_all(quote, within=within), None)

    def find_all(self, quote: str, *, within: Span | None = None) -> Iterator[Span]:
        """All places, in order, none overlapping another."""
        wanted = _SPACE.sub(" ", quote).strip()
        if not wanted:
            return
        start, end = (0, len(self._plain)) if within is None else self._plain_span(within)
        while (found := self._plain.find(wanted, start, end)) >= 0:
            start = found + len(wanted)
            yield Span(self._places[found], self._places[start - 1] + 1)

    def find_name(self, name: str, *, within: Span | None = None, any_case: bool = False) -> Iterator[Span]:
        """All places where the name stands as whole words, in order; ``any_case`` passes over case."""
        wanted = _SPACE.sub(" ", name).strip()
        if not wanted:
            return
        start, end = (0, len(self._plain)) if within is None else self._plain_span(within)
        text = self._plain
        if any_case:
            text, wanted = self._lower, wanted.lower()
        while (found := text.find(wanted, start, end)) >= 0:
            last = found + len(wanted)
            if not (_in_word(text, found - 1) or _in_word(text, last)):
                yield Span(self._places[found], self._places[last - 1] + 1)
            start = found + 1

    @cached_property
    def _lower(self) -> str:
        """In lower case, each character by itself where the whole would change the length."""
        lower = self._plain.lower()
        if len(lower) == len(self._plain):
            return lower
        return "".join(each.lower() if len(each.lower()) == 1 else each for each in self._plain)

    def _plain_span(self, span: Span) -> tuple[int, int]:
        return bisect_left(self._places, span.start), bisect_left(self._places, span.end)


def _in_word(text: str, place: int) -> bool:
    return 0 <= place < len(text) and (text[place].isalnum() or text[place] == "_")
