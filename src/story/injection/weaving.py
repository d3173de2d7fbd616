"""Puts drafts into a text, all at once, and says where everything stands afterwards."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace

from ...core.types import Chapter, Document, Evidence, Span
from .spots import Draft
from .types import Edit

__all__ = ["Woven"]


class Woven:
    """The new document; ``edits`` in the order of the drafts given."""

    def __init__(self, document: Document, drafts: Sequence[Draft]) -> None:
        """The drafts do not overlap (``Spots`` gives each paragraph once)."""
        order = sorted(range(len(drafts)), key=lambda at: (drafts[at].replaced, at))
        pieces: list[str] = []
        made: dict[int, Edit] = {}
        self._starts: list[int] = []  # of what follows each edit, in the old text
        self._shifts: list[int] = []
        cursor = shift = 0
        for at in order:
            draft = drafts[at]
            pieces += [document.text[cursor : draft.replaced.start], draft.before, draft.words, draft.after]
            start = draft.replaced.start + shift + len(draft.before)
            placed = Span(start, start + len(draft.words))
            made[at] = Edit(draft.chapter, draft.replaced, placed, draft.words, draft.side, draft.phrasing)
            cursor = draft.replaced.end
            shift += len(draft.before) + len(draft.words) + len(draft.after) - len(draft.replaced)
            self._starts.append(cursor)
            self._shifts.append(shift)
        pieces.append(document.text[cursor:])
        self.edits = tuple(made[at] for at in range(len(drafts)))
        chapters = tuple(self._chapter(chapter) for chapter in document.chapters)
        self.document = replace(document, text="".join(pieces), chapters=chapters)

    def moved(self, quote: Evidence) -> Evidence:
        """A quote of the old text where it stands now; it must not hold an edit."""
        shift = self._shift(quote.span.start)
        return replace(quote, span=Span(quote.span.start + shift, quote.span.end + shift))

    def _chapter(self, chapter: Chapter) -> Chapter:
        heading, body = chapter.heading, chapter.body
        return replace(
            chapter,
            heading=Span(heading.start + self._shift(heading.start), heading.end + self._shift(heading.end)),
            body=Span(body.start + self._shift(body.start), body.end + self._shift(body.end)),
        )

    def _shift(self, offset: int) -> int:
        """By how much what stands at (or ends at) ``offset`` has moved: edits there stand before it."""
        at = bisect_right(self._starts, offset)
        return self._shifts[at - 1] if at else 0
