"""Who says in direct speech what his name is: "My name is Gabriel Vane," said the stranger."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...core.types import Span
from ..model.chapter_reading import ChapterReading
from ..model.types import QuotationTold
from ..names.compatibility import nameless
from .state import KnownSoFar

__all__ = ["own_names"]


def own_names(
    reading: ChapterReading,
    quotations: Sequence[QuotationTold],
    ids: Sequence[str | None],
    state: KnownSoFar,
) -> Iterator[tuple[str, str, Span]]:
    """(speaker, the name's bearer, the speech) where one who has no name yet, by what stands beside the
    speech, says his own, and the narration takes it up: what only speakers use may be a lie."""
    book = state.book
    for quotation, told in zip(reading.quotations, quotations, strict=True):
        entity = ids[quotation.own_name] if quotation.own_name is not None else None
        if entity is None or told.speaker is None:
            continue
        speaker, bearer = state.root(told.speaker), state.root(entity)
        if speaker != bearer and nameless(book.roster, speaker) and book.narrated(bearer):
            yield speaker, bearer, quotation.pieces[0]
