"""Clauses whose verb no predicate fits, as events all the same: who did what to whom."""

from __future__ import annotations

from .arguments import Arguments
from .parsed import ParsedChapter
from .teller import Teller

__all__ = ["read_frames"]


def read_frames(chapter: ParsedChapter, arguments: Arguments, teller: Teller) -> None:
    """Adds the happenings to ``teller``."""
