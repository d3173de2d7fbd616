"""Alignment of two editions of a text: where the words of another one stand in ours (patience diff)."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from functools import cached_property

from ...core.types import Span

_WORD = re.compile(r"(?:[^\W_]|[\u0300-\u036f])+|[^\w\s]|_")
_STRAIGHT = str.maketrans("‘’“”„\u2010\u2011", '\'\'"""--')  # what other programs make of marks
_RUN = 4  # words; a run of so many that stands once in each text is taken for the same place
Pairs = list[tuple[int, int]]


class Edition:
    """A text as words and marks, whatever the case, the writing of accents and the form of the marks."""

    def __init__(self, text: str) -> None:
        found = list(_WORD.finditer(text))
        self.starts = [each.start() for each in found]
        self.ends = [each.end() for each in found]
        plain = (unicodedata.normalize("NFC", each[0].translate(_STRAIGHT)) for each in found)
        self.words = [each.casefold() for each in plain]

    @cached_property
    def runs(self) -> dict[tuple[str, ...], int]:
        """Runs of words that stand once in the text, and where they begin."""
        places: dict[tuple[str, ...], int] = {}
        for place, run in enumerate(zip(*(self.words[i:] for i in range(_RUN)), strict=False)):
            places[run] = -1 if run in places else place
        return {run: place for run, place in places.items() if place >= 0}

    def place(self, other: Edition) -> Span | None:
        """The stretch of this text that is the other text; None where not even a quarter of it is here."""
        chain = other.common(self)
        if not chain or 4 * len(chain) < len(other.runs):
            return None
        (before, first), (last, end) = chain[0], chain[-1]
        first, end = max(0, first - before), min(len(self.words), end + len(other.words) - last)
        return self.span(first, end)

    def span(self, first: int, end: int) -> Span:
        """The characters of these words."""
        return Span(self.starts[first], self.ends[end - 1])

    def common(self, ours: Edition) -> Pairs:
        """Places in both of the runs that both have, as many as stand in the same order."""
        pairs = sorted((place, ours.runs[run]) for run, place in self.runs.items() if run in ours.runs)
        ends: list[int] = []  # the least place of ours that a chain of each length ends with
        last: list[int] = []  # the pair that it stands in
        before: list[int] = []
        for number, (_, place) in enumerate(pairs):
            length = bisect_left(ends, place)
            before.append(last[length - 1] if length else -1)
            ends[length : length + 1], last[length : length + 1] = [place], [number]
        chain: Pairs = []
        number = last[-1] if last else -1
        while number >= 0:
            chain.append(pairs[number])
            number = before[number]
        return chain[::-1]

    def aligned(self, ours: Edition) -> list[int]:
        """For each word its place among ours, -1 where it has none: common runs, lengthened to both sides.
        Costs about n log n."""
        found = [-1] * len(self.words)
        done, used = 0, 0
        for place, other in ((0, 0), *self.common(ours), (len(self.words), len(ours.words))):
            if place < done or other < used:
                continue  # within the run before
            one, two = place, other
            while one > done and two > used and self.words[one - 1] == ours.words[two - 1]:
                one, two = one - 1, two - 1
                found[one] = two
            done, used = place, other
            while self.words[done : done + 1] == ours.words[used : used + 1] != []:
                found[done] = used
                done, used = done + 1, used + 1
        return found
