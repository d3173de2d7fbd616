"""Which chapters of a project's book were accepted from drafts: where each was put, and what stood there."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from ..types import Document, Span
from .tables import digest

if TYPE_CHECKING:
    from .seam import Store

_KEY = "accepted"


@dataclass(frozen=True, slots=True)
class AcceptedChapter:
    """The half-open range of the book's text that came with a chapter, and the digest of all in it."""

    start: int
    end: int
    digest: str

    @classmethod
    def of(cls, text: str, span: Span) -> AcceptedChapter:
        """The chapter that ``span`` covers, its heading and the white space before it included."""
        return cls(span.start, span.end, digest(span.of(text)))

    @property
    def span(self) -> Span:
        """The range."""
        return Span(self.start, self.end)


def accepted_in(store: Store, book: Document) -> tuple[AcceptedChapter, ...]:
    """Those that were accepted and stand in the book as they did then, in the order of the text."""
    kept = [AcceptedChapter(**one) for one in json.loads(store.meta(_KEY) or "[]")]
    return tuple(one for one in kept if digest(one.span.of(book.text)) == one.digest)


def remember_accepted(store: Store, chapters: Sequence[AcceptedChapter]) -> None:
    """Keeps these in place of those that were kept. One that is not in the book (as its publication never
    came) counts for nothing."""
    store.remember(_KEY, json.dumps([asdict(one) for one in chapters]))


def accepted_missing_in(store: Store, book: Document) -> int:
    """How many accepted chapters of the project's own book another version of it lacks."""
    if not store.meta(_KEY):
        return 0
    own = store.document()
    if own is None or own.text == book.text:
        return 0
    return sum(one.span.of(own.text).strip() not in book.text for one in accepted_in(store, own))
