"""Fenced code in Markdown: the lines between two fences, in which nothing is a heading or a scene break.

As CommonMark has it (section 4.5), but for two things that stories need: a fence that nothing closes is
none, and tildes open one only with a word behind them, since a line of tildes parts scenes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

_OPENING = re.compile(r"[ ]{0,3}(?:(?P<ticks>`{3,})[^`]*|(?P<tildes>~{3,})[ \t]*[^~\s].*)\Z")
_CLOSING = re.compile(r"[ ]{0,3}(`{3,}|~{3,})[ \t]*\Z")


def fenced_lines(lines: Iterable[str]) -> Iterator[range]:
    """The places of the lines of each fenced block, both fences among them, in order. ``lines`` are without
    their ends. Linear in their number."""
    start, fence = -1, ""
    for at, line in enumerate(lines):
        if fence:
            found = _CLOSING.match(line)
            if found and found[1].startswith(fence):
                yield range(start, at + 1)
                fence = ""
        elif line.lstrip(" ")[:1] in ("`", "~") and (found := _OPENING.match(line)):
            start, fence = at, found["ticks"] or found["tildes"]
