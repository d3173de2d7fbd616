"""Where a heading ends: its label, and the title on its line or under it.

Every decision looks at one heading alone, so that a later chapter never moves an earlier one's text.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass

from ..text.sentences import is_heading
from .headings import DINGBATS, Heading, Page, Rank, is_caps, is_title_case
from .numerals import number

_INLINE = 400  # characters: a longer paragraph on a label's line is prose
_UNDER = 300  # characters of the longest title under a label
_SUMMARY = re.compile(
    r"(?:in\s+which|how|wherein|containing|concerning|showing|shews|treats|treating|relates|being|of)\b",
    re.IGNORECASE,
)
_SEPARATORS = re.compile(r"[\s.:;,)\]}_*=\u2014\u2013\-]*")
_ILLUSTRATION = re.compile(r"\[(?:Illustration|Image|Figure|Sidenote)\b", re.IGNORECASE)
_PART = re.compile(r"(?:scene|section)\s+\w+\Z", re.IGNORECASE)
_END = re.compile(r"[.!?\u2026][\"'\u2019\u201d)\]]*\Z")


@dataclass(frozen=True, slots=True)
class Block:
    """A heading's title in words ("" for none), and the offset where the text under it may begin."""

    title: str
    end: int


def block(page: Page, heading: Heading, limit: int) -> Block:
    """The title that belongs to a heading; ``limit`` is the offset where the next heading begins."""
    gap = _SEPARATORS.match(page.text, heading.label_end, page.ends[heading.line])
    start = gap.end() if gap else heading.label_end
    line_end = page.ends[heading.line]
    if start >= min(line_end, limit):
        return _under(page, heading, limit)
    stop = page.paragraph_end(heading.line)
    end = min(page.ends[stop - 1], limit)
    rest = page.text[start:end]
    first_line = page.text[start : min(line_end, limit)]
    if not _prose(rest) and not (stop - heading.line == 12 and not page.dense):
        return Block(_said(rest), end)
    if (
        stop > heading.line + 1
        and len(first_line) <= 80
        and (is_caps(first_line) or (is_title_case(first_line) and (not _END.search(first_line.strip()))))
    ):
        return Block(_said(first_line), line_end)
    return Block("", start)


def _under(page: Page, heading: Heading, limit: int) -> Block:
    """The title on the lines after a label that stands alone."""
    line = heading.line + 1
    none = Block("", page.ends[heading.line])
    while line < len(page) and page.starts[line] < limit:
        if not page.strips[line]:
            line += 1
            continue
        stop = page.paragraph_end(line)
        text = page.text[page.starts[line] : page.ends[stop - 1]]
        if is_heading(page.strips[line]):
            return none
        if _ILLUSTRATION.match(page.strips[line]):
            ends = (at for at in range(line, min(len(page), line + 30)) if "]" in page.strips[at])
            line = next(ends, line) + 1  # the marker may hold blank lines
            continue
        if page.ends[stop - 1] > limit or line - heading.line > 12:
            return none
        adjacent = line == heading.line + 1 and not page.dense
        if stop - line <= 4 and len(text) <= _UNDER:
            under = page.strips[stop : bisect_left(page.starts, limit)]
            alone = heading.rank is Rank.CONTAINER or any(under)  # with nothing under it it is the text
            if _is_title(text, adjacent=adjacent) and alone:
                return Block(_said(text), page.ends[stop - 1])
        elif adjacent:
            return _leading_caps(page, line, stop) or none
        return none
    return none


def _leading_caps(page: Page, line: int, stop: int) -> Block | None:
    """A title in capitals directly over its text, no blank line between."""
    end = line
    while end < stop and is_caps(page.strips[end]) and len(page.strips[end]) > 3:
        end += 1
    if end in {line, stop} or end - line > 4:
        return None
    return Block(_said(page.text[page.starts[line] : page.ends[end - 1]]), page.ends[end - 1])


def _is_title(text: str, *, adjacent: bool) -> bool:
    """Does a short paragraph under a label read as its title? ``adjacent``: no blank line between."""
    said = text.strip()
    bare = said.strip("_*=~. \t")
    read = number(bare)
    if (
        not bare
        or _PART.match(bare)
        or said[-1] in ",;"
        or said[0] == "["
        or (read and not bare[read[2] :].strip(".) "))
    ):
        return False
    if is_caps(said) or (said[0] == said[-1] and said[0] in "_*" and len(said) <= 120):
        return True
    if _SUMMARY.match(bare):
        return adjacent or len(said) > 40 or not _END.search(said)
    if said[0] in "\"'\u2018\u201c" and _END.search(said):
        return False
    if len(said) <= 120 and is_title_case(said):
        return adjacent or not _END.search(said)
    centred = len(text) - len(text.lstrip(" \t")) >= 10 and not _END.search(said)
    return centred or (adjacent and not _END.search(said) and len(said) <= 160)


def _prose(rest: str) -> bool:
    """Does what stands on a label's line begin the chapter's text rather than name it?"""
    said = rest.strip()
    if is_caps(said) or (_SUMMARY.match(said) and len(said) <= 2 * _INLINE):
        return False
    if len(said) > _INLINE:
        return True
    if said[:1] in '"\u201c' and re.search(r"[,!?.][\"\u201d]\s+[a-zA-Z]", said):
        return True
    return len(said.split()) >= 6 and bool(_END.search(said)) and not is_title_case(said)


def _said(text: str) -> str:
    """A title as one line, without the marks that set it off."""
    return " ".join(text.replace("_", "").split()).strip(f"*=~[]|# {DINGBATS}").rstrip(".:* ")
