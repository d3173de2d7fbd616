"""Expressions of story time: dates, ages, durations, and shifts from one time to another."""

from __future__ import annotations

from collections.abc import Iterator

from ..reading import TimeMark
from .arguments import Arguments
from .parsed import ParsedChapter
from .teller import Teller

__all__ = ["read_times"]


def read_times(chapter: ParsedChapter, arguments: Arguments, teller: Teller) -> Iterator[TimeMark]:
    yield from ()
