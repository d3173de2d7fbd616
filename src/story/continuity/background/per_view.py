"""What several rules make of a view, made once a view and given up with it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from ...graph_rag.views.story_view import StoryView

__all__ = ["once"]

T = TypeVar("T")


def once(make: Callable[[StoryView], T], view: StoryView) -> T:
    """``make(view)``, which must depend on the view alone and is not to be changed; kept with the view. Two
    threads that ask at the same time may both make it."""
    kept: dict[object, Any] = view.__dict__.setdefault("_made_once", {})
    if make not in kept:
        kept[make] = make(view)
    found: T = kept[make]
    return found
