"""Where a quote stands in a text, exactly, but for its signs, or nearly: what a judge says it has read."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from fabula.core.types import Span
from fabula.story.evidence.quote_finder import QuoteFinder
from fabula.story.model.findings import normalised_quote

__all__ = ["NEAR", "FoundQuote", "QuoteSearch", "likeness"]

NEAR = 0.9
"""Likeness from which a quote counts as nearly there."""

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_EDGE = re.compile(r"^[\s\"'“”‘’«»…]+|[\s\"'“”‘’«»…]+$|^\.{3,}|\.{3,}$")
_ELLIPSIS = re.compile(r"\s*(?:\[\s*(?:\.{3,}|…)\s*\]|\.{3,}|…)\s*")
_COMMON = 400  # a word that stands oftener than this leads nowhere
_LOOKED_AT = 4000  # places of a quote's rarest word
_TRIED = 6  # alignments looked at
_LONGEST = 2000  # characters of a quote that are compared


@dataclass(frozen=True, slots=True)
class FoundQuote:
    """How a quote stands in the text: ``"exact"`` (white space aside), ``"normalised"`` (the same words,
    whatever signs and case),
    ``"near"`` (likeness from ``NEAR``) or ``"absent"``; where, unless absent; and how alike, 0 to 1."""

    how: str
    span: Span | None
    likeness: float


_HOW = ("absent", "near", "normalised", "exact")


class QuoteSearch:
    """Looks quotes up in one text; making one costs a pass or two over it."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._exact = QuoteFinder(text)

    def find(self, quote: str) -> FoundQuote:
        """The first place, in the best of the ways. Quotation marks and dots round the quote are no part of
        it; one that leaves words out (``…``) stands where each of its parts does, and as its worst part."""
        bare = quote.strip()
        while (cut := _EDGE.sub("", bare)) != bare:
            bare = cut
        whole = self._whole(bare)
        parts = [part for part in _ELLIPSIS.split(bare) if len(part.split()) > 1]
        if whole.how != "absent" or len(parts) < 2:
            return whole
        return min((self._whole(part) for part in parts), key=lambda found: _HOW.index(found.how))

    def _whole(self, bare: str) -> FoundQuote:
        if not _WORD.search(bare):
            return FoundQuote("absent", None, 0.0)
        span = self._exact.find(bare)
        if span is not None:
            return FoundQuote("exact", span, 1.0)
        words = self._words_of(bare)
        first = self._run(words)
        if first is not None:
            return FoundQuote("normalised", first, 1.0)
        best, where = self._nearest(bare, words)
        if best >= NEAR:
            return FoundQuote("near", where, best)
        return FoundQuote("absent", None, best)

    @staticmethod
    def _words_of(text: str) -> list[str]:
        return [word.casefold() for word in _WORD.findall(normalised_quote(text))]

    def _run(self, words: list[str]) -> Span | None:
        """Where these words first stand in a row, whatever signs stand between."""
        if not words:
            return None
        rarest = min(range(len(words)), key=lambda i: (len(self._places.get(words[i], ())), i))
        for place in self._places.get(words[rarest], ())[:_LOOKED_AT]:
            start = place - rarest
            if start >= 0 and self._words[start : start + len(words)] == words:
                return Span(self._spans[start].start, self._spans[start + len(words) - 1].end)
        return None

    def _nearest(self, quote: str, words: list[str]) -> tuple[float, Span | None]:
        """The most alike stretch among those that share rare words with the quote at like distances."""
        if not words or not self._spans:
            return 0.0, None
        votes: Counter[int] = Counter()
        for i, word in enumerate(words):
            places = self._places.get(word, ())
            if len(places) <= _COMMON:
                votes.update(max(0, place - i) for place in places)
        near = {start: sum(votes[start + d] for d in (-2, -1, 0, 1, 2)) for start in votes}
        tried = sorted(near, key=lambda start: (-near[start], start))[:_TRIED]
        said = normalised_quote(quote).casefold()[:_LONGEST]
        best: tuple[float, Span | None] = (0.0, None)
        for start in sorted(tried):
            for first in range(max(0, start - 2), min(len(self._spans), start + 3)):
                for last in range(first + len(words) - 3, first + len(words) + 2):
                    if first <= last < len(self._spans):
                        span = Span(self._spans[first].start, self._spans[last].end)
                        there = normalised_quote(span.of(self._text)).casefold()[:_LONGEST]
                        alike = likeness(said, there)
                        if alike > best[0]:
                            best = (alike, span)
        return best

    @cached_property
    def _spans(self) -> list[Span]:
        return [Span(*match.span()) for match in _WORD.finditer(self._text)]

    @cached_property
    def _words(self) -> list[str]:
        return [normalised_quote(span.of(self._text)).casefold() for span in self._spans]

    @cached_property
    def _places(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for place, word in enumerate(self._words):
            found.setdefault(word, []).append(place)
        return found


def likeness(one: str, other: str) -> float:
    """``2 * LCS / (len(one) + len(other))``, 0 to 1, where LCS is the longest common subsequence of
    characters: 1 less the normalised distance of insertions and deletions, as rapidfuzz's ``fuzz.ratio``.

    By the bit-parallel algorithm of Hyyrö, "Bit-parallel LCS-length computation revisited" (2004).
    """
    if not one or not other:
        return 1.0 if one == other else 0.0
    masks: dict[str, int] = {}
    for place, letter in enumerate(one):
        masks[letter] = masks.get(letter, 0) | (1 << place)
    full = (1 << len(one)) - 1
    row = full
    for letter in other:
        matched = row & masks.get(letter, 0)
        row = ((row + matched) | (row - matched)) & full
    common = len(one) - row.bit_count()
    return 2.0 * common / (len(one) + len(other))
