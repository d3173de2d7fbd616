"""Quotations: each piece of direct speech, who may be speaking and to whom."""

from __future__ import annotations

from collections.abc import Iterator

from ..reading import Quotation
from .arguments import Arguments
from .parsed import ParsedChapter

__all__ = ["read_quotations"]


def read_quotations(chapter: ParsedChapter, arguments: Arguments) -> Iterator[Quotation]:
    yield from ()
