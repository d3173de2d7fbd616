"""Do the people of the prompt appear?"""

from __future__ import annotations

from collections.abc import Sequence

from .score import Score
from .words import stands

__all__ = ["presence"]


def presence(text: str, *, characters: Sequence[Sequence[str]]) -> Score:
    """Share of the prompt's characters who appear in the draft under at least one of their names, 0 to 1.

    ``characters`` holds each one's names and aliases, matched as whole words, their case as written. None
    where the prompt named nobody; ``n`` is the number of characters.
    """
    if not characters:
        return Score("presence", None, True, 0)
    found = sum(any(stands(name, text) for name in names) for names in characters)
    return Score("presence", found / len(characters), True, len(characters))
