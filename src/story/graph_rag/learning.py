"""Who comes to know what, and from whom."""

from __future__ import annotations

from collections.abc import Iterator

from ..reading import Learning
from .arguments import Arguments
from .parsed import ParsedChapter
from .teller import Teller

__all__ = ["read_learnings"]


def read_learnings(chapter: ParsedChapter, arguments: Arguments, teller: Teller) -> Iterator[Learning]:
    yield from ()
