"""What a store of projects must offer. No behaviour here.

Two keep to it: files and SQLite in the project's folder (:mod:`.sqlite`), and a PostgreSQL server
(:mod:`.postgres.store`). Each protocol has a contract suite under ``tests/contracts``. Whatever cannot be
read or written raises ProjectError, whose message says what to do.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, Self

from ..interfaces import LexicalBackend, VectorBackend

if TYPE_CHECKING:
    from ..chunks.table import ChunkTable
    from ..lexical.bm25 import BM25Settings, LexicalIndex
    from ..types import Document
    from .conversations import ConversationStore
    from .feedback import FeedbackStore
    from .generations import IndexParts
    from .usage import UsageStore

WRITER_PATIENCE_S = 10.0
"""How long one who writes an index waits for another who does."""


class IndexReader(Protocol):
    """One generation of a project's index. It stays as it is while others are published, until the second
    one after it; from then on it may raise ProjectError, and never gives parts of another."""

    @property
    def name(self) -> str:
        """The generation's name, part of every cache key."""
        ...

    def files(self, *patterns: str) -> Path:
        """A folder that holds the generation's files whose names match, found whole; they are only read."""
        ...

    def chunks(self, document: Document) -> ChunkTable:
        """All chunks of the document that was indexed."""
        ...

    def lexical(self, settings: BM25Settings) -> LexicalBackend:
        """The index of words."""
        ...

    def whole_lexical(self, settings: BM25Settings) -> LexicalIndex:
        """The index of words as a whole, to build another on."""
        ...

    def vectors(self) -> VectorBackend:
        """The index of vectors."""
        ...

    def verify(self, *patterns: str) -> None:
        """Reads the parts whose files' names match (all, without a pattern) and compares them with what was
        written."""
        ...


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What belongs together: the book of the project in the folder ``project``, what it keeps of its making
    (``meta``), and its index, which can be read until the store is closed."""

    project: Path
    document: Document
    meta: Mapping[str, str]
    index: IndexReader

    @property
    def settings(self) -> str:
        """Those that the index was made with, as JSON; an empty table where there are none."""
        return self.meta.get("settings", "{}")


class Store(Protocol):
    """A project: a book's text, its index, the work that went into it, ratings and conversations."""

    @property
    def folder(self) -> Path:
        """The project's folder, which holds its settings whatever else it holds."""
        ...

    def close(self) -> None:
        """Gives back the connections; twice is harmless."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...

    def lock(self, *, patience: float = 0.0) -> AbstractContextManager[None]:
        """Held by the one process that publishes; ends with that process. Where another holds it, this waits
        up to ``patience`` seconds; then it raises ProjectError."""
        ...

    def meta(self, key: str) -> str | None:
        """The value kept under ``key``; None where there is none."""
        ...

    def remember(self, key: str, value: str) -> None:
        """Keeps a value that no index depends on; ``meta`` gives it back."""
        ...

    def document(self) -> Document | None:
        """The book, or None where nothing was indexed yet. Raises ProjectError where it is no longer the text
        that was indexed."""
        ...

    def snapshot(self) -> Snapshot:
        """The book, its settings and its index as one publication left them, however many follow. Raises
        ProjectError where there is no finished index, or it or the text is damaged."""
        ...

    def book(self) -> tuple[str, str] | None:
        """The id and the title of the book; None where nothing was indexed yet."""
        ...

    def stamp(self) -> str:
        """Differs between any two indexes that were ever published, in this project or in one that took its
        place; ends in ``-`` and the time, in nanoseconds since 1970. Raises ProjectError where there is
        none."""
        ...

    def index(self) -> IndexReader:
        """The generation that was published last. Raises ProjectError where there is none."""
        ...

    def feedback(self) -> FeedbackStore:
        """Readers' ratings of search results; they outlive every new index."""
        ...

    def conversations(self) -> ConversationStore:
        """They outlive every new index too."""
        ...

    def usage(self) -> UsageStore:
        """What models were asked; it outlives every new index."""
        ...

    def work(self, producer: str, key: str) -> bytes | None:
        """What was kept; None where there is nothing, or it is damaged, which is logged."""
        ...

    def keep_work(self, producer: str, key: str, output: bytes) -> None:
        """Keeps what ``producer`` made of the input that ``key`` stands for, in place of what was there; it
        is safe when this returns."""
        ...

    def publish(
        self,
        document: Document,
        *,
        parts: IndexParts,
        meta: Mapping[str, str],
        used: Iterable[tuple[str, str]],
    ) -> None:
        """Replaces the project's book and index. ``used`` names the (producer, key) pairs of the work that
        is still wanted, the rest is dropped. Call with the lock held. Readers see all of the old state or
        all of the new."""
        ...
