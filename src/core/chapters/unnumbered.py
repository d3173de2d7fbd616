"""Chapters without numbers: their titles stand in a contents page, or are dates, or names that take turns."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import pairwise

from ..text.sentences import is_scene_break
from .dates import is_date
from .headings import Heading, Page, Rank, is_caps
from .sequences import Outline

_LEADERS = re.compile(r"(?:[\s.·\u2026_-]*\s)?\d{1,4}\s*\Z|[\s.·\u2026]+\Z")
_SPACES = re.compile(r"[\W_]+")
_MOST = 400  # lines of the longest contents page
_SHORT = 60  # characters of a line that stands alone
_TITLES, _OPENING = 60, 250  # words that may stand before the first name, the first date
_PROSE = 40  # words behind an entry that make its line in the text a chapter's heading


def listed_titles(page: Page, proposals: Sequence[Heading], last: int) -> Outline | None:
    """The outline that a contents page spells out, where most of its entries, up to the last that
    does, stand again later alone on a line, in order, with prose behind them. None otherwise."""
    contents = next((h for h in proposals if h.kind.endswith("contents")), None)
    if contents is None:
        return None
    notes = {
        heading.line for heading in proposals if heading.rank is Rank.APPARATUS and heading.kind != "contents"
    }
    entries = [entry for entry in _entries(page, contents.line + 1, last) if entry[0] not in notes]
    places: dict[str, list[int]] = defaultdict(list)
    for line in range(contents.line + 1, last):
        if page.strips[line] and len(page.strips[line]) <= 120 and page.blank_before(line):
            places[_key(page.strips[line])].append(line)
    lines: list[int] = []
    rank = 0
    for at, (_, key) in enumerate(entries, 1):
        after = max(lines[-1] if lines else 0, entries[-1][0])
        behind = [line for line in places[key] if line > after and _has_prose(page, line, last)]
        if behind:
            lines.append(behind[0])
            rank = at
    if not lines or len(lines) < 0.5 * rank:
        return None
    known = {heading.line: heading for heading in proposals}
    headings = [known.get(line) or _heading(page, line) for line in lines]
    listed = [_heading(page, line) for line, _ in entries if line < lines[0]]
    return Outline(tuple(headings), tuple(listed))


def serial_headings(page: Page, proposals: Sequence[Heading], first: int, last: int) -> list[Heading]:
    """Lines that stand alone over the text from its beginning on: dates, or else names that come again (ANNA,
    BO, ANNA), with what is like them."""
    ranks = {heading.line: heading.rank for heading in proposals}
    lines = [line for line in range(first, last) if _stands_alone(page, line)]
    dated = [line for line in lines if ranks.get(line, Rank.BARE) is Rank.BARE and is_date(page.strips[line])]
    found = _with_prose(page, dated, last, least=1)
    opening = next((line for line, rank in ranks.items() if rank is Rank.NAMED), last)
    if len(found) < 2 or _words(page, first, min(found[0], opening)) > _OPENING:
        found = _in_turn(page, [line for line in lines if line not in ranks], last)
        if found and _words(page, first, min(found[0], opening)) > _TITLES:
            return []
    return [_heading(page, line) for line in found]


def _stands_alone(page: Page, line: int) -> bool:
    """Is a line short, with the end of a sentence above it, so that it is no running head or signature?"""
    said = page.strips[line]
    if not said or len(said) > _SHORT or not page.blank_before(line) or is_scene_break(said):
        return False
    above = next((page.strips[at] for at in range(line - 1, -1, -1) if page.strips[at]), "")
    below = next((page.strips[at] for at in range(line + 1, len(page)) if page.strips[at]), "")
    broken_off = above[-1:].isalnum() and (len(above) > _SHORT or below[:1].islower())
    return not broken_off and above[-1:] not in (",", ";", "-")


def _in_turn(page: Page, lines: Sequence[int], last: int) -> list[int]:
    """The lines that are names, where most of them come again."""
    named = [line for line in lines if page.blank_after(line) and _is_name(page.strips[line])]
    named = _with_prose(page, named, last, least=_PROSE)
    counts = Counter(_key(page.strips[line]) for line in named)
    again = [line for line in named if counts[_key(page.strips[line])] > 1]
    if len(again) < 2 or len(named) < 3 or 2 * len(again) < len(named) or len(counts) < 2:
        return []
    return [line for line in named if line >= again[0]]


def _is_name(said: str) -> bool:
    words = _SPACES.sub(" ", said).split()
    capital = all(word[0].isupper() for word in words) and said[0].isalpha() and said[-1].isalpha()
    return 0 < len(words) <= 4 and (is_caps(said) or capital)


def _with_prose(page: Page, lines: Sequence[int], last: int, *, least: int) -> list[int]:
    """The lines that have so many words before the next of them; none where few have."""
    found = [a for a, b in pairwise([*lines, last]) if _words(page, a, b) - _words(page, a, a + 1) >= least]
    return found if 5 * len(found) >= 4 * len(lines) else []


def _words(page: Page, first: int, last: int) -> int:
    return page.words[last] - page.words[first]


def _entries(page: Page, first: int, last: int) -> list[tuple[int, str]]:
    """The contents page's lines, up to the first that repeats an earlier one or runs on as prose."""
    found: list[tuple[int, str]] = []
    seen: set[str] = set()
    for line in range(first, min(last, first + _MOST)):
        if not page.strips[line]:
            continue
        key = _key(_LEADERS.sub("", page.strips[line][:200]))
        if key in seen or len(page.strips[line]) > 120 or page.paragraph_end(line, most=1 << 20) > line + 80:
            break
        if key and key != "page":
            seen.add(key)
            found.append((line, key))
    return found


def _key(text: str) -> str:
    return _SPACES.sub(" ", text).strip().casefold()


def _has_prose(page: Page, line: int, last: int) -> bool:
    """Is there a paragraph of running text close behind?"""
    close = (at for at in range(line + 1, min(last, line + 12)) if page.strips[at])
    return any(_words(page, at, min(page.paragraph_end(at, most=200), last)) >= _PROSE for at in close)


def _heading(page: Page, line: int) -> Heading:
    return Heading(
        "listed", Rank.CHAPTER, None, page.strips[line], line, page.starts[line], page.ends[line], "listed"
    )
