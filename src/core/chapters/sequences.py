"""Which of the proposed headings are the book's own.

Real chapters count upwards, and where they begin again a larger heading (a part, a volume) says why. So
the headings of each kind are chained by dynamic programming: the best chain collects headings that have
prose behind them and pays for gaps, repeats and unexplained restarts. Runs of headings with nothing
between them, whose numbers come again later with prose, are a contents page and go first.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from ..types import Span
from .headings import DAYS, Heading, Page, Rank

THIN = 15  # words of prose under which a heading has, in effect, nothing behind it
_LISTED = 60  # the same for an entry of a contents page, which may carry an abstract
_WITHIN = (*DAYS, "scene", "section")
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


_RESTART, _REPEAT, _ONWARD, _ANY, _SWITCH, _UNREAD = 1.5, 1.5, 0.9, 3.0, 0.3, 0.3
_LATE, _SECOND, _GAP, _GAP_STEP, _GAPS = 0.3, 0.05, 0.5, 0.15, 5
_ONLY_BEFORE = {"introduction", "preface", "foreword", "proem", "overture"}
_ONLY_BEHIND = {"epilogue", "conclusion", "finale", "afterword", "coda", "appendix"}


@dataclass(frozen=True, slots=True)
class Outline:
    """The book's headings in order, and the proposals that stand in contents pages."""

    headings: tuple[Heading, ...]
    listed: tuple[Heading, ...]


def choose(page: Page, proposals: Sequence[Heading], last: int) -> Outline:
    """The headings that make the outline, in order of the text; ``last`` is the line where the text ends."""
    prose = Prose(page, proposals)
    groups: dict[str, list[Heading]] = defaultdict(list)
    for heading in proposals:
        if heading.rank in (Rank.CONTAINER, Rank.CHAPTER, Rank.BARE):
            groups[heading.kind].append(heading)
    announced = [h.line for h in proposals if h.rank is Rank.APPARATUS and "contents" in h.kind]
    listed: list[Heading] = []
    chains: dict[str, list[Heading]] = {}
    for kind, group in groups.items():
        dropped = entries_of_contents(group, prose, last, announced)
        listed += dropped
        gone = set(dropped)
        kept = [heading for heading in group if heading not in gone]
        breaks = [h.line for h in proposals if h.kind != kind and h.rank in (Rank.CONTAINER, Rank.NAMED)]
        chains[kind] = _Chain(kept, _gains(page, kept, prose, last), breaks).path()
    leaves = _leaves(page, chains, prose, last)
    containers = [h for chain in chains.values() for h in chain if h.rank is Rank.CONTAINER]
    numbered = sorted(leaves + _used(containers, leaves), key=_place)
    named = _named(proposals, numbered, prose, last)
    return Outline(tuple(sorted(numbered + named, key=_place)), tuple(sorted(listed, key=_place)))


def _place(heading: Heading) -> tuple[int, int]:
    return heading.start, heading.label_end


# --- the best chain ------------------------------------------------------------------------------


class _Chain:
    """The subsequence of a group that counts upwards best, found in time linear in the group's size."""

    def __init__(self, group: Sequence[Heading], gains: Sequence[float], breaks: Sequence[int]) -> None:
        self._group = group
        self._forms = sorted({heading.form for heading in group})
        self._score = [0.0] * len(group)
        self._back = [-1] * len(group)
        self._by_value: dict[tuple[float, str], int] = {}
        self._best = self._before_break = -1
        self._values: list[float] = []
        seen = 0
        for at, heading in enumerate(group):
            passed = bisect_right(breaks, heading.line)
            if passed > seen:
                seen, self._before_break = passed, self._best
            gained, self._back[at] = max(self._ways(heading))
            self._score[at] = gained + gains[at]
            before = self._values[self._back[at]] if self._back[at] >= 0 else 0
            self._values.append(before + 1 if heading.value is None else heading.value)
            self._note(at, (self._values[at] // 1, heading.form))

    def _note(self, at: int, key: tuple[float, str]) -> None:
        if key not in self._by_value or self._score[at] > self._score[self._by_value[key]]:
            self._by_value[key] = at
        if self._best < 0 or self._score[at] > self._score[self._best]:
            self._best = at

    def _ways(self, heading: Heading) -> Iterator[tuple[float, int]]:
        """Ways to come to this heading: the score before its own gain, and from where (-1: it is first)."""
        value, best, score = heading.value, self._best, self._score
        yield (-_LATE if value != 1 else 0.0 if best < 0 else -_SECOND), -1
        if best >= 0:
            yield score[best] - self._leap(heading), best
        if value is None:
            return
        if value == 1 and self._before_break >= 0:
            yield score[self._before_break], self._before_break
        for form in self._forms:
            for step in range(_GAPS + 1):
                at = self._by_value.get((value // 1 - step, form))
                if at is not None:
                    onward = step == 1 or (step == 0 and value > self._values[at])  # 4a, 4b, 4.5
                    cost = 0.0 if onward else _REPEAT if step == 0 else _GAP + _GAP_STEP * step
                    yield score[at] - cost - (0.0 if form == heading.form else _SWITCH), at

    def _leap(self, heading: Heading) -> float:
        """The cost of coming from the best heading so far, whatever its number."""
        if heading.value is None:
            return _UNREAD
        if heading.value == 1:
            return _RESTART
        onward = heading.rank is Rank.CHAPTER and heading.value > self._values[self._best]
        return _ONWARD if onward else _ANY

    def path(self) -> list[Heading]:
        found: list[Heading] = []
        at = self._best
        while at >= 0:
            found.append(self._group[at])
            at = self._back[at]
        return found[::-1]


def _gains(page: Page, group: Sequence[Heading], prose: Prose, last: int) -> list[float]:
    """1 for a heading with prose behind it, next to nothing for one without; isolation breaks ties.

    Where no heading but the last has prose behind it (a very short text), all count. Containers hold
    other headings and need no prose of their own. Prose is what stands before the next heading of the same
    form, since titled chapters may hold sections that bear a number alone.
    """
    words: dict[Heading, int] = {}
    for form in {heading.form for heading in group}:
        alike = [heading for heading in group if heading.form == form]
        words |= dict(zip(alike, sizes(alike, prose, last), strict=True))
    full = [words[heading] > THIN for heading in group]
    even = not group or group[0].rank is Rank.CONTAINER or not any(full[:-1])
    return [
        1.0 + 0.01 * min(4, page.blanks[heading.line]) if even or behind else 0.005
        for heading, behind in zip(group, full, strict=True)
    ]


# --- which kinds are the chapters ----------------------------------------------------------------


def _leaves(page: Page, chains: dict[str, list[Heading]], prose: Prose, last: int) -> list[Heading]:
    """The finest headings that are chapters: those that say so, else bare numerals, else none."""
    keyed = [chain for chain in chains.values() if chain and chain[0].rank is Rank.CHAPTER]
    numbered = (chain for chain in keyed if chain[0].kind == "chapter")
    chapters = next((chain for chain in numbered if len(chain) > 1 or chain[0].value == 1), None)
    if chapters is not None:  # what lies within chapters are scenes of theirs
        keyed = [c for c in keyed if c[0].kind not in _WITHIN or c[0].line < chapters[0].line]
    starts = [h.line for chain in chains.values() for h in chain if h.rank is Rank.CONTAINER]
    bare = [chain for chain in chains.values() if _solid(page, chain, prose, last, starts)]
    reach = {id(chain): prose.between(chain[0].line, last) for chain in keyed + bare}
    main = _fullest(keyed, prose, last)
    rival = max(bare, key=lambda chain: (len(chain), reach[id(chain)]), default=[])
    if rival and (not main or _beats(rival, main, prose, last)):
        main = rival
    if not main:
        return []
    others = [h for chain in keyed if chain is not main for h in chain]
    lines = sorted([*(h.line for h in others), main[0].line])
    before = [h for h in others if h.line < main[0].line]  # with prose before the next: no entry of a list
    return [h for h in before if prose.between(h.line, lines[bisect_right(lines, h.line)])] + main


def _fullest(chains: Sequence[list[Heading]], prose: Prose, last: int) -> list[Heading]:
    """The chain whose headings have most prose before the next of any; chapters weigh most."""
    merged = sorted((heading for chain in chains for heading in chain), key=_place)
    words: dict[str, int] = defaultdict(int)
    for heading, size in zip(merged, sizes(merged, prose, last), strict=True):
        words[heading.kind] += size if heading.kind == "chapter" else size // 4
    return max(chains, key=lambda chain: (words[chain[0].kind], -chain[0].line), default=[])


def _solid(page: Page, chain: Sequence[Heading], prose: Prose, last: int, starts: Sequence[int]) -> bool:
    """Are bare numerals chapters? Two at least with prose behind them: a list has one, its last. A lone
    first one, as of a book that breaks off, must stand clear or begin the book or a part (``starts``)."""
    if not chain or chain[0].rank is not Rank.BARE:
        return False
    words = sizes(chain, prose, last)
    if len(chain) == 1:
        line = chain[0].line
        clear = chain[0].form == "alone" and page.blanks[line] >= 2
        first = max((start for start in starts if start < line), default=0)
        clear = clear or prose.between(first, line) <= THIN
        return clear and chain[0].value == 1 and words[0] > 2 * THIN
    return sum(count > 2 * THIN for count in words) >= max(2, 0.1 * len(words))


def _weight(chain: Sequence[Heading], prose: Prose, last: int) -> int:
    """Words of prose from the first heading to the end, less those that only the last one holds."""
    return prose.between(chain[0].line, last) - (sizes(chain, prose, last)[-1] if len(chain) > 2 else 0)


def _beats(rival: Sequence[Heading], main: Sequence[Heading], prose: Prose, last: int) -> bool:
    """Are bare numerals the chapters although some headings say CHAPTER? Only where those are strays."""
    if len(main) >= 2:
        return len(rival) > len(main) and _weight(main, prose, last) < 0.4 * _weight(rival, prose, last)
    return len(rival) >= 3 and prose.between(rival[0].line, last) > prose.between(main[0].line, last)


def _used(containers: Sequence[Heading], leaves: Sequence[Heading]) -> list[Heading]:
    """Containers that hold a chapter or a text of their own; a lone one without a number 1 is a phrase."""
    kinds: dict[str, list[Heading]] = defaultdict(list)
    for heading in containers:
        kinds[heading.kind].append(heading)
    return [h for chain in kinds.values() if len(chain) > 1 or leaves or chain[0].value == 1 for h in chain]


def _named(
    proposals: Sequence[Heading], numbered: Sequence[Heading], prose: Prose, last: int
) -> list[Heading]:
    """Prologues, epilogues, prefaces that stand in the sequence, with prose before the next heading."""
    accepted = set(numbered)
    leaves = [heading for heading in numbered if heading.rank is not Rank.CONTAINER]
    first = leaves[0].line if leaves else last
    real = [h for h in proposals if h in accepted or h.rank in (Rank.NAMED, Rank.APPARATUS)]
    ends = [_After(real, last), _After(proposals, last)]
    finals = {heading.kind: heading.line for heading in proposals if heading.rank is Rank.NAMED}
    listed = -1  # the last line of a contents page
    found: list[Heading] = []
    for at, heading in enumerate(proposals):
        if heading.rank is not Rank.NAMED:
            contents = heading.rank is Rank.APPARATUS and "contents" in heading.kind
            listed = heading.line if contents else listed
            continue
        late = heading.line > first
        if late == (heading.kind in _ONLY_BEFORE) and (late or (heading.kind in _ONLY_BEHIND and leaves)):
            continue
        if listed >= 0 and not prose.between(listed, heading.line) and finals[heading.kind] > heading.line:
            listed = heading.line
            continue
        before = proposals[at - 1] if at else None
        if (
            before in accepted
            and before.rank is not Rank.CONTAINER
            and not prose.text(before.line, heading.line)
        ):
            continue  # the title of that chapter
        if ends[not late].has_text(heading, accepted, prose):
            found.append(heading)
    return found


class _After:
    """What comes after a heading. Before the first chapter any line that may be a heading ends a preface,
    since it may be a contents page's; later on only a real one does."""

    def __init__(self, headings: Sequence[Heading], last: int) -> None:
        self._headings = headings
        self._lines = [heading.line for heading in headings]
        self._last = last

    def has_text(self, heading: Heading, accepted: set[Heading], prose: Prose) -> bool:
        """Is there prose behind it, or a chapter at once?"""
        at = bisect_right(self._lines, heading.line)
        if at == len(self._lines):
            return prose.between(heading.line, self._last) > 0
        following = self._headings[at]
        words = prose.between(heading.line, following.line)
        if following in accepted:
            return True
        return words >= 2 * THIN or (words > 0 and following.rank is Rank.NAMED)
