"""What joins two events: one causes the other, one comes before the other."""

from __future__ import annotations

from collections.abc import Iterator

from ..reading import Cause, Order
from .arguments import Arguments
from .parsed import ParsedChapter
from .teller import Teller

__all__ = ["read_causes", "read_orders"]


def read_causes(chapter: ParsedChapter, arguments: Arguments, teller: Teller) -> Iterator[Cause]:
    yield from ()


def read_orders(chapter: ParsedChapter, arguments: Arguments, teller: Teller) -> Iterator[Order]:
    yield from ()
