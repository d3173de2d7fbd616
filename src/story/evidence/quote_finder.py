"""Finds quotes in a text: a claim about a story counts only where its words stand there."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from enum import StrEnum
from functools import cached_property

from ...core.types import Span

_SPACE = re.compile(r"\s+")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_PARAGRAPH = re.compile(r"\n\s*\n")
_LEFT_OUT = re.compile(r"\[?(?:…|\.\s?\.\s?\.)\]?")
_LEAST_WORDS = 5  # of a quote that is found by most of its words
_LEAST_SHARED = 0.8
_LONGEST_GAP = 40  # words that an ellipsis may stand for


class Tier(StrEnum):
    """How well a quote's words stand in the text: all but white space; all but case, marks and what an
    ellipsis leaves out; most of its words in their order."""

    EXACT = "exact"
    FOLDED = "folded"
    BY_WORDS = "by words"


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
        wanted = _SPACE.sub(" ", quote).strip()
        at = self._plain.find(wanted, *self._plain_span(within)) if wanted else -1
        return Span(self._places[at], self._places[at + len(wanted) - 1] + 1) if at >= 0 else None

    def place(self, quote: str, *, within: Span | None = None) -> tuple[Span, Tier] | None:
        """Where the quote stands best, and how well; None where fewer than four of five words of it stand
        together in one paragraph, in their order. The span covers the text's own words."""
        found = self.find(quote, within=within)
        if found is not None:
            return found, Tier.EXACT
        first, last = (0, len(self._words)) if within is None else self._word_range(within)
        parts = [[_fold(word) for word in _WORD.findall(part)] for part in _LEFT_OUT.split(quote)]
        parts = [words for words in parts if words]
        if parts and (stretch := self._in_order(parts, first, last)):
            return self._of_words(stretch), Tier.FOLDED
        words = [word for part in parts for word in part]
        if len(words) >= _LEAST_WORDS and (stretch := self._most_of(words, first, last)):
            return self._of_words(stretch), Tier.BY_WORDS
        return None

    def _in_order(self, parts: Sequence[Sequence[str]], first: int, last: int) -> tuple[int, int] | None:
        """The first stretch of one paragraph that has all parts, one after the other."""
        texts = [text for text, _, _ in self._words]
        rarest = min(range(len(parts[0])), key=lambda i: len(self._places_of.get(parts[0][i], ())))
        for place in self._places_of.get(parts[0][rarest], ()):
            start = end = place - rarest
            for number, part in enumerate(parts):
                latest = end + (_LONGEST_GAP if number else 0)
                fits = (at for at in range(end, latest + 1) if texts[at : at + len(part)] == part)
                at = next(fits, None) if start >= first else None
                if at is None:
                    break
                end = at + len(part)
            else:
                if end <= last and self._in_one_paragraph(start, end):
                    return start, end
        return None

    def _most_of(self, words: Sequence[str], first: int, last: int) -> tuple[int, int] | None:
        """The stretch that shares most of the words in order, of those that share enough."""
        votes = Counter(
            place - i
            for i, word in enumerate(words)
            for place in self._places_of.get(word, ())
            if first <= place < last
        )
        best, stretch = _LEAST_SHARED * len(words), None
        for begin, _ in sorted(votes.items(), key=lambda vote: (-vote[1], vote[0]))[:3]:
            low, high = max(first, begin - 2), min(last, begin + len(words) + 3)
            near = [text for text, _, _ in self._words[low:high]]
            blocks = SequenceMatcher(None, words, near, autojunk=False).get_matching_blocks()[:-1]
            shared = sum(block.size for block in blocks)
            if shared >= best:
                start, end = low + blocks[0].b, low + blocks[-1].b + blocks[-1].size
                if self._in_one_paragraph(start, end):
                    best, stretch = shared + 1, (start, end)
        return stretch

    @cached_property
    def _words(self) -> list[tuple[str, int, int]]:
        """Each word, folded, and where it starts and ends in the text."""
        return [(_fold(found[0]), *found.span()) for found in _WORD.finditer(self.text)]

    @cached_property
    def _places_of(self) -> Mapping[str, list[int]]:
        places: dict[str, list[int]] = defaultdict(list)
        for place, (word, _, _) in enumerate(self._words):
            places[word].append(place)
        return places

    def _word_range(self, span: Span) -> tuple[int, int]:
        starts = [start for _, start, _ in self._words]
        return bisect_left(starts, span.start), bisect_left(starts, span.end)

    def _of_words(self, stretch: tuple[int, int]) -> Span:
        return Span(self._words[stretch[0]][1], self._words[stretch[1] - 1][2])

    def _in_one_paragraph(self, first: int, last: int) -> bool:
        span = self._of_words((first, last))
        return not _PARAGRAPH.search(self.text, span.start, span.end)

    def find_name(self, name: str, *, within: Span | None = None, any_case: bool = False) -> Iterator[Span]:
        """All places where the name stands as whole words, in order; ``any_case`` passes over case."""
        wanted = _SPACE.sub(" ", name).strip()
        if not wanted:
            return
        start, end = self._plain_span(within)
        text, wanted = (self._lower, wanted.lower()) if any_case else (self._plain, wanted)
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

    def _plain_span(self, span: Span | None) -> tuple[int, int]:
        if span is None:
            return 0, len(self._plain)
        return bisect_left(self._places, span.start), bisect_left(self._places, span.end)


def _fold(word: str) -> str:
    return word.casefold().replace("’", "'")


def _in_word(text: str, place: int) -> bool:
    return 0 <= place < len(text) and (text[place].isalnum() or text[place] == "_")
