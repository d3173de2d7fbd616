"""How much prose stands behind headings, and which of them a contents page only lists."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence
from itertools import accumulate, pairwise

from ..types import Span
from .headings import Heading, Page

THIN = 15  # words of prose under which a heading has, in effect, nothing behind it
_LISTED = 60  # the same for an entry of a contents page, which may carry an abstract
_TRIES = 20  # beginnings of the text proper that are tried after a contents page


class Prose:
    """Counts words of prose between lines: words on lines that are themselves proposals count nothing."""

    __slots__ = ("_upto", "_words")

    def __init__(self, page: Page, headings: Sequence[Heading]) -> None:
        self._words = page.words
        counts = [after - before for before, after in pairwise(page.words)]
        for heading in headings:
            counts[heading.line] = 0
        self._upto = [0, *accumulate(counts)]

    def between(self, first: int, last: int) -> int:
        """Words of prose on the lines from ``first`` to ``last`` (half-open); 0 where ``last`` is not after
        ``first``."""
        return self._upto[last] - self._upto[min(first, last)]

    def text(self, first: int, last: int) -> int:
        """Words of any kind on the lines after ``first`` and before ``last``."""
        return self._words[last] - self._words[min(first + 1, last)]


def sizes(group: Sequence[Heading], prose: Prose, last: int) -> list[int]:
    """Words of prose from each heading to the next of its group."""
    lines = [*(heading.line for heading in group), last]
    return [prose.between(a, b) for a, b in pairwise(lines)]


def entries_of_contents(
    group: Sequence[Heading], prose: Prose, last: int, announced: Sequence[int]
) -> list[Heading]:
    """Those of a kind's headings that a contents page only lists; ``announced`` are the lines that say
    "Contents". Under such a line it is enough that the first entry comes again: a book may break off."""
    forms = sorted({heading.form for heading in group})
    return [
        heading
        for form in forms
        for heading in _listed_alike([one for one in group if one.form == form], prose, last, announced)
    ]


def _listed_alike(
    group: Sequence[Heading], prose: Prose, last: int, announced: Sequence[int]
) -> list[Heading]:
    words = sizes(group, prose, last)
    places: dict[float | None, list[int]] = defaultdict(list)
    for at, heading in enumerate(group):
        places[heading.value].append(at)
    dropped: list[Heading] = []
    first = 0
    while first < len(group):
        stop = first
        while stop < len(group) and words[stop] <= _LISTED:
            stop += 1
        if stop == first:
            first += 1
            continue
        run = Span(first, min(stop + 1, len(group)))  # the entry after the last thin one closes the list
        above = bisect_left(announced, group[first].line) - 1
        said = above >= 0 and prose.between(announced[above], group[first].line) <= _LISTED
        taken = _listed_part(group, words, places, run, least=0.8) if len(run) >= 2 else 0
        if said and not taken:
            taken = _listed_part(group, words, places, Span(first, stop), least=0.0)
        dropped += group[first : first + taken]
        first = first + taken if taken else stop + 1
    return dropped


def _listed_part(
    group: Sequence[Heading],
    words: Sequence[int],
    places: dict[float | None, list[int]],
    run: Span,
    *,
    least: float,
) -> int:
    """How many of the run's entries come again later, in order, with more behind them (0: too few do).

    ``least`` is the share of entries that must."""
    values = [heading.value for heading in group[run.start : run.end]]
    again = [at for at in range(1, len(run)) if values[at] == values[0]][-_TRIES:]
    for length in (one for one in [len(run), *reversed(again)] if one >= 2):
        later = places[values[0]]
        start = bisect_left(later, run.start + length)
        if start == len(later):
            continue
        copies = _copies(group, values[:length], later[start])
        own = sum(words[run.start : run.start + length - 1])  # behind the last entry stands anything
        if len(copies) >= least * length and sum(words[at] for at in copies) >= max(THIN, 3 * own):
            return length
    return 0


def _copies(group: Sequence[Heading], values: Sequence[float | None], start: int) -> list[int]:
    """Where the values come again from ``start`` on, in the same order, strangers in between allowed."""
    found: list[int] = []
    at = start
    for value in values:
        for ahead in range(at, min(len(group), at + 4)):
            if group[ahead].value == value:
                found.append(ahead)
                at = ahead + 1
                break
    return found
