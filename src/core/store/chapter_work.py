"""What a model made of each chapter of a document, kept in a project."""

from __future__ import annotations

from ..types import Chapter, Document
from .seam import Store
from .tables import digest


class KeptWork:
    """What one producer made of each chapter of a document, kept under a digest of the chapter's text.

    ``fresh`` passes over what was kept before. Every :meth:`put` is on disk when it returns.
    """

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
