"""What a chunk must not cut through, and no line of which means anything to the story around it: fenced code
blocks (CommonMark's rules for fences) and the items of lists."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from ..text.markdown import fenced_lines
from ..types import Span

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
    """Those of :mod:`..text.fences`, from the opening line to the closing one."""
    if "```" not in text and "~~~" not in text:
        return Fences(())
    lines = [line.span() for line in _LINE.finditer(text, inside.start, inside.end)]
    said = [text[start:end].rstrip("\r\n") for start, end in lines]
    blocks = [(block[0], block[-1]) for block in fenced_lines(said)]
    return Fences([Span(lines[a][0], lines[b][0] + len(said[b])) for a, b in blocks])


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
