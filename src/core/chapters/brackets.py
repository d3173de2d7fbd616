"""What editors of plain texts add in brackets, as Project Gutenberg does: footnotes, captions, side notes."""

from __future__ import annotations

import re

from .headings import read_as

_BRACKETS = re.compile(
    r"\[(?P<kind>illustration|(?:foot|side|end)-?note|transcriber['\u2019]s note)\b"
    r"(?P<said>(?:[^\[\]]|\[[^\[\]]{0,200}\]){0,9000})\]",
    re.IGNORECASE,
)
_MARK = re.compile(r"(?<=[^\s\[\]])\[(?:\d{1,3}|[A-Z*])\]")


def without_brackets(text: str) -> str:
    """The text without such notes and their marks; lines are emptied, none is taken away. An illustration
    that names a chapter stays, as in some books it is the chapter's only heading."""
    notes = 0

    def emptied(found: re.Match[str]) -> str:
        nonlocal notes
        notes += "note" in found["kind"].lower()
        heads = found["kind"].lower() == "illustration" and read_as(found["said"].strip(": \r\n"))
        return found[0] if heads else "\n" * found[0].count("\n")

    text = _BRACKETS.sub(emptied, text)
    return _MARK.sub("", text) if notes else text
