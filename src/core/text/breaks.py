"""Scene breaks: lines of nothing but ornaments."""

from __future__ import annotations

import re

__all__ = ["is_scene_break"]

_MARKS = "*\u2042\u2217\u2022~=#_\u2014\u2013\u2500\u2015-"
_BREAK = re.compile(rf"(?:(?:[{_MARKS}][ \t\xa0]*){{3,}}|[#\u2042\u2766\u00a7])\Z")
_LONGEST = 200  # characters


def is_scene_break(line: str) -> bool:
    """Is a line, white space around it or not, three or more of ``* ~ = # _ -`` and their like, or one ``#``
    or asterism alone?"""
    if len(line) > _LONGEST:
        return False
    said = line.strip()
    return bool(said) and not said[0].isalnum() and bool(_BREAK.match(said))
