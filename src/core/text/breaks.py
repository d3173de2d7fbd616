"""Where scenes part: lines of nothing but ornaments, and Markdown's headings."""

from __future__ import annotations

import re
from unicodedata import category

HEADING = re.compile(r"(#{1,6})[ \t]+([^\s#].*?)[ \t#]*\Z")
"""A line that is a Markdown heading: its marks, and its words."""

_MEANING = frozenset("!?,:;\"'`|>\u00a1\u00bf$")  # speech, and Markdown's fences, tables and quotations
_ORNAMENTS = ("P", "S", "Mn", "Cf")  # Unicode categories: punctuation, symbols and what joins them
_LONGEST, _WORD = 200, 20  # characters, of all and of one with letters


def is_scene_break(line: str) -> bool:
    """Is a line, white space around it or not, of nothing but ornaments: ``* * *``, ``~``, a dash, a
    dingbat? So are letters x and o that read the same backwards, as in ``x x x`` or ``-oOo-``."""
    if len(line) > _LONGEST:
        return False
    said = line.strip()
    if not said or (said[0].isalnum() and said[0] not in "xXoO0") or said == "XXX":  # a numeral
        return False
    folded = "".join(said.lower().replace("0", "o").split())
    if not all(letter in "xo" or _is_ornament(letter) for letter in folded):
        return False
    lettered = "x" in folded or "o" in folded
    return (2 < len(folded) <= _WORD and folded == folded[::-1]) if lettered else folded.strip("()[]{}") != ""


def is_heading(line: str) -> bool:
    """Is a line, white space behind it or not, a Markdown heading (``## The Mill``)?"""
    return line[:1] == "#" and len(line) <= _LONGEST and HEADING.match(line.rstrip()) is not None


def _is_ornament(letter: str) -> bool:
    kind = category(letter)
    return kind.startswith(_ORNAMENTS) and kind not in ("Pi", "Pf") and letter not in _MEANING
