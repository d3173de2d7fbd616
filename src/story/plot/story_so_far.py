"""The story so far in a few lines: of each chapter what weighs most, in order of telling."""

from __future__ import annotations

from typing import Literal, get_args

from ..graph_rag.views.story_view import StoryView
from .deeds import Deed, deeds

__all__ = ["LENGTHS", "Length", "story_so_far"]

Length = Literal["short", "medium", "long"]
LENGTHS: tuple[Length, ...] = get_args(Length)
_MOST: dict[Length, tuple[int, int]] = {"short": (8, 1), "medium": (40, 1), "long": (150, 3)}


def story_so_far(view: StoryView, *, length: Length = "medium") -> tuple[Deed, ...]:
    """``short`` is eight deeds at most, ``medium`` the weightiest of each chapter (40 at most), ``long``
    three a chapter (150 at most). What is told again later is given once, where it weighs most."""
    most, a_chapter = _MOST[length]
    placed = sorted(enumerate(deeds(view)), key=lambda one: (-one[1].weight, one[0]))
    chosen: list[tuple[int, Deed]] = []
    said: set[str] = set()
    of_chapter: dict[int, int] = {}
    for place, deed in placed:
        if len(chosen) == most:
            break
        if deed.evidence and deed.words not in said and of_chapter.get(deed.chapter, 0) < a_chapter:
            said.add(deed.words)
            of_chapter[deed.chapter] = of_chapter.get(deed.chapter, 0) + 1
            chosen.append((place, deed))
    return tuple(deed for _, deed in sorted(chosen, key=lambda one: one[0]))
