"""Chapters without numbers whose titles only a contents page gives away."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from .headings import Heading, Page, Rank
from .sequences import Outline

__all__ = ["listed_titles"]

_LEADERS = re.compile(r"(?:[\s.·\u2026_-]*\s)?\d{1,4}\s*\Z|[\s.·\u2026]+\Z")
_SPACES = re.compile(r"[\W_]+")
_MOST = 400  # lines of the longest contents page
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
    stop = min(last, line + 12)
    for at in range(line + 1, stop):
        if page.strips[at]:
            end = min(page.paragraph_end(at, most=200), last)
            if page.words[end] - page.words[at] >= _PROSE:
                return True
    return False


def _heading(page: Page, line: int) -> Heading:
    return Heading(
        "listed", Rank.CHAPTER, None, page.strips[line], line, page.starts[line], page.ends[line], "listed"
    )
