"""Work of models on each chapter, and the chapters that an author accepted, as a project keeps them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from ..types import Chapter, Document, Span
from .store import Store
from .tables import digest

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
        return Span(self.start, self.end)


def accepted_in(store: Store, book: Document) -> tuple[AcceptedChapter, ...]:
    """Those that were accepted and stand in the book as they did then, in the order of the text."""
    kept = [AcceptedChapter(**one) for one in json.loads(store.meta(_KEY) or "[]")]
    return tuple(one for one in kept if digest(one.span.of(book.text)) == one.digest)


def remember_accepted(store: Store, chapters: Sequence[AcceptedChapter]) -> None:
    """Keeps these instead. One that is not in the book (as its publication never came) counts for nothing."""
    store.remember(_KEY, json.dumps([asdict(one) for one in chapters]))


def accepted_missing_in(store: Store, book: Document) -> int:
    """How many accepted chapters of the project's own book another version of it lacks."""
    if not store.meta(_KEY):
        return 0
    own = store.document()
    if own is None or own.text == book.text:
        return 0
    return sum(one.span.of(own.text).strip() not in book.text for one in accepted_in(store, own))


class KeptWork:
    """What one producer made of each chapter of a document, kept under a digest of the chapter's text.

    ``fresh`` passes over what was kept before. Every :meth:`put` is on disk when it returns."""

    def __init__(self, store: Store, producer: str, document: Document, *, fresh: bool = False) -> None:
        self._store = store
        self._producer = producer
        self._chapters = document.chapters
        self._keys = {c.number: digest(c.body.of(document.text)) for c in document.chapters}
        self._outputs: dict[int, bytes] = {}
        for number, key in self._keys.items():
            output = None if fresh else store.work(producer, key)
            if output is not None:
                self._outputs[number] = output

    def missing(self) -> list[Chapter]:
        """Chapters with nothing kept, in order of telling."""
        return [c for c in self._chapters if c.number not in self._outputs]

    def holds(self, chapter: Chapter, output: bytes) -> bool:
        """Is this what is kept of the chapter?"""
        return self._outputs.get(chapter.number) == output

    def put(self, chapter: Chapter, output: bytes) -> None:
        """Keeps what was made of the chapter, in place of what was there before."""
        self._store.keep_work(self._producer, self._keys[chapter.number], output)
        self._outputs[chapter.number] = output

    def __getitem__(self, chapter: int) -> bytes:
        return self._outputs[chapter]

    @property
    def used(self) -> set[tuple[str, str]]:
        """The (producer, key) pairs of what is held."""
        return {(self._producer, self._keys[number]) for number in self._outputs}
