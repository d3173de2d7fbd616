"""What a chunk must not cut through, and no line of which means anything to the story around it: fenced code
blocks (CommonMark's rules for fences) and the items of lists."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from ..types import Span

__all__ = ["Fences", "fences", "list_items"]

_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})(.*)$")
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_ITEM = re.compile(r"[ \t]{0,12}(?:[-*+•]|\(?(?:[0-9]{1,3}|[a-z])[.)])[ \t]+\S")


class Fences:
    """Fenced code blocks of a text, by place."""

    def __init__(self, spans: Sequence[Span]) -> None:
        self.spans = tuple(spans)
        self._starts = [span.start for span in spans]

    def around(self, place: int) -> Span | None:
        """The block that holds the character at ``place``."""
        at = bisect_right(self._starts, place) - 1
        return self.spans[at] if at >= 0 and place < self.spans[at].end else None


def fences(text: str, inside: Span) -> Fences:
    """Those that are closed, from the opening line to the closing one; a fence that stays open is no block,
    so that a row of tildes in a story hides nothing."""
    if "```" not in text and "~~~" not in text:
        return Fences(())
    found: list[Span] = []
    opened: tuple[str, int] | None = None
    for line in _LINE.finditer(text, inside.start, inside.end):
        if not line[0]:
            break
        words = line[0].rstrip("\r\n")
        mark = _FENCE.match(words)
        if mark is None:
            continue
        if opened is None:
            if not (mark[1][0] == "`" and "`" in mark[2]):
                opened = mark[1], line.start()
        elif mark[1][0] == opened[0][0] and len(mark[1]) >= len(opened[0]) and not mark[2].strip():
            found.append(Span(opened[1], line.start() + len(words)))
            opened = None
    return Fences(found)


def list_items(text: str, paragraph: Span) -> Iterator[Span]:
    """The items of a paragraph whose first line begins one, each with its further lines; nothing for any
    other paragraph."""
    starts: list[int] = []
    for line in _LINE.finditer(text, paragraph.start, paragraph.end):
        if not line[0]:
            break
        if _ITEM.match(line[0]):
            starts.append(line.start())
        elif not starts:
            return
    for start, end in zip(starts, [*starts[1:], paragraph.end], strict=True):
        yield Span(start, start + len(text[start:end].rstrip()))
