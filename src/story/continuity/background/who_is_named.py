"""Whom a sentence or a piece of speech names, by the mentions that the log has in it."""

from __future__ import annotations

import bisect
import re

from ....core.types import Evidence
from ...graph_rag.views.story_view import StoryView
from ...model.types import EntityKind

__all__ = ["NamedPeople"]

_I = re.compile(r"\b(?:I|[Mm]y|[Ww]e|[Oo]ur)\b")
_NEAR = 60  # characters before a word, for a name to go with it


class NamedPeople:
    """Made in one pass over mentions and quotations."""

    def __init__(self, view: StoryView) -> None:
        self._view = view
        people = {one.id for one in view.entities(EntityKind.CHARACTER)}
        self._at: dict[tuple[str, int], list[tuple[int, int, str]]] = {}
        for mention in view.log.mentions:
            who, quote = view.resolve(mention.entity), mention.evidence
            if who in people:
                place = (quote.document_id, quote.chapter)
                self._at.setdefault(place, []).append((quote.span.start, quote.span.end, who))
        self._said: dict[tuple[str, int], list[tuple[int, int, str]]] = {}
        for quotation in view.quotations():
            for piece in quotation.evidence[: quotation.pieces]:
                place = (piece.document_id, piece.chapter)
                told = (piece.span.start, piece.span.end, quotation.speaker or "")
                self._said.setdefault(place, []).append(told)
        for found in (*self._at.values(), *self._said.values()):
            found.sort()

    def told_of(self, quote: Evidence, word: int | None, *, near: Evidence) -> str | None:
        """The one person whom ``quote`` names in the voice of ``near`` (within its speech, or outside all);
        of several, the last before the offset ``word``. "I" and "we" are who speaks. None for nobody or too
        many."""
        speech = self._piece(near, near.span.start + 1)
        found: list[tuple[int, str]] = []
        for start, _, who in self._within(self._at, quote):
            if self._piece(near, start) == speech:
                found.append((start, who))
        named = {who for _, who in found}
        if not named and speech is not None and speech[2] and _I.search(quote.quote):
            return speech[2]
        if len(named) <= 1:
            return next(iter(named), None)
        close = [who for start, who in found if word is not None and 0 < word - start < _NEAR]
        return close[-1] if close else None

    def speaker(self, quote: Evidence) -> str | None:
        """Who says the quote, where it stands in direct speech."""
        piece = self._piece(quote, quote.span.start + 1)
        return (piece[2] or None) if piece is not None else None

    def named(self, quote: Evidence) -> tuple[str, ...]:
        """Everybody whom the quote names, sorted."""
        return tuple(sorted({who for _, _, who in self._within(self._at, quote)}))

    def words(self, quote: Evidence) -> set[str]:
        """The names in the quote, case folded."""
        start = quote.span.start
        return {
            quote.quote[low - start : high - start].casefold()
            for low, high, _ in self._within(self._at, quote)
        }

    @staticmethod
    def _within(
        table: dict[tuple[str, int], list[tuple[int, int, str]]], quote: Evidence
    ) -> list[tuple[int, int, str]]:
        told = table.get((quote.document_id, quote.chapter), [])
        low = bisect.bisect_left(told, (quote.span.start, 0, ""))
        high = bisect.bisect_left(told, (quote.span.end, 0, ""))
        return told[low:high]

    def _piece(self, quote: Evidence, at: int) -> tuple[int, int, str] | None:
        told = self._said.get((quote.document_id, quote.chapter), [])
        number = bisect.bisect_right(told, (at, 1 << 60, "")) - 1
        return told[number] if number >= 0 and told[number][0] <= at < told[number][1] else None
