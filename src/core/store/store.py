"""A project's store: a book's text, its index, the work that went into it, ratings and conversations.

A store has one of two addresses: the project's folder, with SQLite and files (:mod:`.sqlite`), or a
PostgreSQL server (:mod:`.postgres.store`). ``tests/contracts`` holds a suite that runs against both. Whatever
cannot be read or written raises ProjectError, whose message says what to do.
"""

from __future__ import annotations

import logging
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import sqlalchemy as sa

from ...errors import NoProject, ProjectError
from ..chunks.table import ChunkTable
from ..interfaces import VectorBackend
from ..lexical.bm25 import BM25Settings, LexicalIndex
from ..types import Document
from ..vectors.index import VectorIndex
from .conversations import ConversationStore
from .database import Database
from .feedback import FeedbackStore
from .generations import Publication
from .tables import digest_document, seal, unseal
from .usage import UsageStore

WRITER_PATIENCE_S = 10.0
"""How long one who writes an index waits for another who does."""

_BETWEEN_S = 0.05  # two tries at a lock
_log = logging.getLogger(__name__)


class IndexReader(ABC):
    """One generation of a project's index. It stays as it is while others are published, until the second
    one after it; from then on it may raise ProjectError, and never gives parts of another."""

    name: str
    """The generation's, part of every cache key."""

    @abstractmethod
    def files(self, *patterns: str) -> Path:
        """A folder that holds the generation's files whose names match (all, without a pattern), found whole;
        they are only read."""

    @abstractmethod
    def verify(self, *patterns: str) -> None:
        """Reads the parts whose files' names match (all, without a pattern) and compares them with what was
        written."""

    def chunks(self, document: Document) -> ChunkTable:
        """All chunks of the document that was indexed."""
        return ChunkTable.load(self.files("chunks.npy"), document)

    def lexical(self, settings: BM25Settings) -> LexicalIndex:
        """The index of words."""
        return LexicalIndex.load(self.files("lexical-*.npy", "vocabulary.txt"), settings=settings)

    def vectors(self) -> VectorBackend:
        """The index of vectors."""
        return VectorIndex.load(self.files("vectors.npy", "scan-*.npy"))


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


class Store(ABC):
    """``folder`` is the project's, which holds its settings whatever else it holds. Records (ratings,
    conversations, usage, work, values) outlive every new index. Close it when done, or use it as a context
    manager."""

    def __init__(self, folder: Path, database: Database) -> None:
        self.folder = folder
        self._open: Database | None = database
        self._holder: int | None = None  # the thread that holds the lock

    @property
    def database(self) -> Database:
        """Where all but the files of an index is. Raises ProjectError once the store is closed."""
        if self._open is None:
            raise ProjectError(f"the project in {self.folder} was closed: open it again")
        return self._open

    @abstractmethod
    def close(self) -> None:
        """Gives back the connections; twice is harmless."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- records ---------------------------------------------------------------------------------

    def feedback(self) -> FeedbackStore:
        """Readers' ratings of search results."""
        return FeedbackStore(self.database)

    def conversations(self) -> ConversationStore:
        """What was asked and answered."""
        return ConversationStore(self.database)

    def usage(self) -> UsageStore:
        """What models were asked."""
        return UsageStore(self.database)

    def meta(self, key: str) -> str | None:
        """The value kept under ``key``; None where there is none."""
        table = self.database.tables.values
        mine = (*self.database.own(table), table.c.key == key)
        return self.database.read(lambda db: db.execute(sa.select(table.c.value).where(*mine)).scalar())

    def remember(self, key: str, value: str) -> None:
        """Keeps a value that no index depends on; ``meta`` gives it back."""
        self.database.put(self.database.tables.values, {"key": key, "value": value})

    def work(self, producer: str, key: str) -> bytes | None:
        """What was kept; None where there is nothing, or it is damaged, which is logged."""
        kept = self._kept(producer, key)
        output = unseal(kept) if isinstance(kept, bytes) else None
        if kept is not None and output is None:
            _log.warning("work kept in %s (%s) is damaged: it is done again", self.folder, producer)
        return output

    def keep_work(self, producer: str, key: str, output: bytes) -> None:
        """Keeps what ``producer`` made of the input that ``key`` stands for, in place of what was there; it
        is safe when this returns."""
        row = {"producer": producer, "input": key, "output": seal(output)}
        self.database.put(self.database.tables.work, row)

    def work_keys(self) -> list[tuple[str, str]]:
        """(producer, key) of all kept work, sorted."""
        table = self.database.tables.work
        query = sa.select(table.c.producer, table.c.input).where(*self.database.own(table))
        found = self.database.read(lambda db: db.execute(query).all())
        return sorted((row.producer, row.input) for row in found)

    def broken_work(self) -> list[tuple[str, str]]:
        """(producer, key) of the work whose bytes are no longer those of its checksum."""
        kept = ((pair, self._kept(*pair)) for pair in self.work_keys())
        return [pair for pair, one in kept if not isinstance(one, bytes) or unseal(one) is None]

    def drop_work(self, pairs: Iterable[tuple[str, str]]) -> None:
        """Removes kept work; what is needed of it is done again."""
        pairs = list(pairs)

        def work(db: sa.Connection) -> None:
            for producer, key in pairs:
                db.execute(self.database.tables.work.delete().where(*self._mine(producer, key)))

        self.database.write(work)

    def _mine(self, producer: str, key: str) -> tuple[sa.ColumnElement[bool], ...]:
        table = self.database.tables.work
        return (*self.database.own(table), table.c.producer == producer, table.c.input == key)

    def _kept(self, producer: str, key: str) -> object:
        query = sa.select(self.database.tables.work.c.output).where(*self._mine(producer, key))
        return self.database.read(lambda db: db.execute(query).scalar())

    # --- the book and its index ------------------------------------------------------------------

    @abstractmethod
    def book(self) -> tuple[str, str] | None:
        """The id and the title of the book; None where nothing was indexed yet."""

    @abstractmethod
    def document(self) -> Document | None:
        """The book, or None where nothing was indexed yet. Raises ProjectError where it is no longer the text
        that was indexed; costs a millisecond for each megabyte."""

    @abstractmethod
    def snapshot(self) -> Snapshot:
        """The book, its settings and its index as one publication left them, however many follow. Raises
        ProjectError where there is no finished index, or it or the text is damaged."""

    @abstractmethod
    def index(self) -> IndexReader:
        """The generation that was published last. Raises ProjectError where there is none."""

    @abstractmethod
    def stamp(self) -> str:
        """Differs between any two indexes that were ever published, in this project or in one that took its
        place; ends in ``-`` and the time, in nanoseconds since 1970. Raises ProjectError where there is
        none."""

    @abstractmethod
    def publish(self, made: Publication) -> None:
        """Replaces the project's book and index, and drops work that is not used. Call with the lock held.
        Readers see all of the old state or all of the new."""

    @contextmanager
    def lock(self, *, patience: float = 0.0) -> Iterator[None]:
        """Held by the one process that publishes; ends with that process. Who holds it may take it again.
        Where another has it, this waits for it up to ``patience`` seconds and says so in the log; then it
        raises ProjectError."""
        if self._holder == threading.get_ident():
            yield
            return
        until = time.monotonic() + patience
        with self._locking() as take:
            is_mine = take()
            if not is_mine and patience > 0:
                _log.warning(
                    "another process is writing to %s: waiting up to %g s for it", self.folder, patience
                )
            while not is_mine and time.monotonic() < until:
                time.sleep(_BETWEEN_S)
                is_mine = take()
            if not is_mine:
                raise ProjectError(f"another process is writing to {self.folder}: wait for it, or stop it")
            self._holder = threading.get_ident()
            try:
                yield
            finally:
                self._holder = None

    @abstractmethod
    def _locking(self) -> AbstractContextManager[Callable[[], bool]]:
        """What tries to take the lock and says whether it has it; it is let go with the block."""

    def _as_indexed(self, document: Document, content: str | None) -> Document:
        if content is not None and content != digest_document(document):
            raise ProjectError(
                f"the text in the database of the project in {self.folder} is damaged: "
                "index the book again with fabula index --rebuild"
            )
        return document

    def _unfinished(self) -> NoProject:
        return NoProject(f"the project in {self.folder} holds no finished index: run fabula index again")
