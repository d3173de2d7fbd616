"""A project whose book is kept on a PostgreSQL server: text, index, work, ratings and conversations.

All rows are keyed by the book. An index is published in one transaction as a new generation; whoever opened
the one before reads on from that. Settings, suppressions, corrections and imported graphs stay in the
project's folder.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import SQLAlchemyError

from ....errors import NoProject, ProjectError
from ...types import Document
from ..database import Database
from ..folder import prepare_folder, refuse_links, sweep_settings
from ..generations import IndexParts
from ..records import ProjectRecords, RecordTables
from ..seam import Snapshot
from ..tables import BOOKS_KEY, digest_document, read_books, read_chapter
from .connection import BookOnServer, Server
from .generation import Generation
from .index import PostgresIndex
from .publishing import publish
from .tables import (
    BOOKS,
    CHAPTERS,
    GENERATIONS,
    RATINGS,
    TURNS,
    USAGE,
    VALUES,
    WORK,
    delete_book,
    make_tables,
    refuse_other_schemas,
)
from .target import Target
from .vectors import build_vector_index, remove_vector_indexes

_LOCK = sa.text("SELECT pg_try_advisory_lock(hashtextextended('fabula:' || :book, 0))")
_BETWEEN = 0.1  # seconds between two tries
_UNLOCK = sa.text("SELECT pg_advisory_unlock(hashtextextended('fabula:' || :book, 0))")
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _State:
    """What was published last when it was looked at."""

    generation: Generation | None = None
    document: str = ""
    title: str = ""
    content: str = ""
    meta: Mapping[str, str] | None = None


class PostgresStore(ProjectRecords):
    """A :class:`..seam.Store`. Open with :meth:`create` or :meth:`open`; close when done, or use as a context
    manager. What it reads of the book and its index is one generation, that of the time it was opened, or of
    the last :meth:`lock`."""

    _tables = RecordTables(VALUES, WORK, RATINGS, TURNS, USAGE)

    def __init__(self, folder: Path, target: Target, server: Server) -> None:
        self.folder = folder
        self._target = target
        self._server: Server | None = server
        self._state = _State()
        self._indexes: list[PostgresIndex] = []
        self._is_held = False

    @classmethod
    def create(cls, folder: Path, target: Target) -> PostgresStore:
        """Opens the book to be written, made now if there is none, in tables that are made if there are
        none. Raises ProjectError as :func:`..folder.prepare_folder`, and where the server cannot do it."""
        prepare_folder(folder)
        _needs_psycopg()
        store = cls(folder, target, Server.of(target))

        def make(db: sa.Connection) -> None:
            make_tables(db)
            db.execute(insert(BOOKS).on_conflict_do_nothing(), [{"book": target.book}])

        try:
            store._own.publish(make)
            store._look()
        except BaseException:
            store.close()
            raise
        sweep_settings(folder)
        return store

    @classmethod
    def open(cls, folder: Path, target: Target) -> PostgresStore:
        """Raises ProjectError where the server holds no such book, or tables of another version, and as
        :func:`..folder.refuse_links`."""
        refuse_links(folder)
        _needs_psycopg()
        store = cls(folder, target, Server.of(target))
        try:
            store._own.read(refuse_other_schemas)
            if not store._look():
                raise ProjectError(
                    f"the server {store._own.name} holds no book {target.book}, which {folder} names: "
                    "look at [store] in its fabula.toml, or index the book again"
                )
        except BaseException:
            store.close()
            raise
        return store

    def close(self) -> None:
        """Gives back the connections, and removes files that were fetched."""
        for index in self._indexes:
            index.close()
        if self._server is not None:
            self._server.release()
            self._server = None

    @contextmanager
    def lock(self, *, patience: float = 0.0) -> Iterator[None]:
        """Held by the one process that publishes this book, from whichever machine; the server ends it with
        the process's connection. Who holds it may take it again. Where another holds it, this
        waits up to ``patience`` seconds and says so in
        the log; then it raises ProjectError."""
        if self._is_held:
            yield
            return
        until = time.monotonic() + patience
        with self._own.session() as db:
            with self._own.translated():
                is_mine = db.execute(_LOCK, {"book": self._target.book}).scalar()
                if not is_mine and patience > 0:
                    _log.warning(
                        "another process is writing to %s: waiting up to %g s for it", self.folder, patience
                    )
                while not is_mine and time.monotonic() < until:
                    time.sleep(_BETWEEN)
                    is_mine = db.execute(_LOCK, {"book": self._target.book}).scalar()
            if not is_mine:
                raise ProjectError(
                    f"another process is writing to {self.folder} on {self._own.name}: "
                    "wait for it, or stop it"
                )
            self._look()
            self._is_held = True
            try:
                yield
            finally:
                self._is_held = False
                with suppress(SQLAlchemyError):  # a session that is lost holds no lock
                    db.execute(_UNLOCK, {"book": self._target.book})

    # --- reading ---------------------------------------------------------------------------------

    def meta(self, key: str) -> str | None:
        told = (self._state.meta or {}).get(key)
        if told is not None:
            return told
        query = sa.select(VALUES.c.value).where(VALUES.c.book == self._target.book, VALUES.c.key == key)
        return self._own.read(lambda db: db.execute(query).scalar())

    def document(self) -> Document | None:
        """The book, or None where nothing was indexed yet. Raises ProjectError where it is no longer the text
        that was indexed, or its generation is gone."""
        state = self._state
        if state.generation is None:
            return None
        mine = _of(state.generation, GENERATIONS), _of(state.generation, CHAPTERS)
        text, rows = self._own.snapshot(
            lambda db: (
                db.execute(sa.select(GENERATIONS.c.text).where(mine[0])).scalar(),
                db.execute(sa.select(CHAPTERS).where(mine[1]).order_by(CHAPTERS.c.number)).all(),
            )
        )
        if text is None:
            raise state.generation.broken("the text and chapters")
        books = read_books((state.meta or {}).get(BOOKS_KEY))
        document = Document(state.document, state.title, text, tuple(map(read_chapter, rows)), books)
        if digest_document(document) != state.content:
            raise state.generation.broken("the text and chapters")
        return document

    def snapshot(self) -> Snapshot:
        index, document = self.index(), self.document()
        meta = self._state.meta or {}
        if document is None or "settings" not in meta:
            raise ProjectError(
                f"the project in {self.folder} holds no finished index: run fabula index again"
            )
        return Snapshot(self.folder, document, meta, index)

    def book(self) -> tuple[str, str] | None:
        return (self._state.document, self._state.title) if self._state.generation is not None else None

    def stamp(self) -> str:
        """The generation's name, and when it was published."""
        generation = self.index().generation
        return f"{generation.name}-{generation.made_ns}"

    def index(self) -> PostgresIndex:
        if self._state.generation is None:
            raise NoProject(f"the project in {self.folder} holds no finished index: run fabula index again")
        made = PostgresIndex(self._state.generation)
        self._indexes.append(made)
        return made

    # --- the commit point ------------------------------------------------------------------------

    def publish(
        self,
        document: Document,
        *,
        parts: IndexParts,
        meta: Mapping[str, str],
        used: Iterable[tuple[str, str]],
    ) -> None:
        held = self._state.generation
        before = held.number if held is not None else None
        publish(self._own, self._target, document, parts=parts, meta=meta, used=used, before=before)
        self._look()
        if self._state.generation is not None:
            build_vector_index(self._own, self._state.generation)

    def erase(self) -> None:
        """Deletes all rows of the book: text, index, work, ratings and conversations. Raises ProjectError
        where another process is writing to it."""
        with self.lock():
            self._own.publish(lambda db: delete_book(db, self._target.book))
            remove_vector_indexes(self._own, self._target.book)

    @property
    def _records(self) -> Database:
        return BookOnServer(self._own, self._target.book)

    @property
    def _own(self) -> Server:
        if self._server is None:
            raise ProjectError(f"the project in {self.folder} was closed: open it again")
        return self._server

    def _look(self) -> bool:
        """Reads what is published now; whether there is such a book at all."""
        current = GENERATIONS.join(
            BOOKS, (BOOKS.c.book == GENERATIONS.c.book) & (BOOKS.c.generation == GENERATIONS.c.generation)
        )
        columns = [column for column in GENERATIONS.c if column.name != "text"]
        query = sa.select(*columns).select_from(current).where(BOOKS.c.book == self._target.book)
        known = sa.select(sa.func.count()).where(BOOKS.c.book == self._target.book)
        row, count = self._own.snapshot(lambda db: (db.execute(query).first(), db.execute(known).scalar()))
        self._state = _state_of(self._own, row) if row is not None else _State()
        return bool(count)


def _state_of(server: Server, row: sa.Row[*tuple[Any, ...]]) -> _State:
    generation = Generation.of(server, row)
    meta = {**json.loads(row.meta), "content": row.content, "generation": generation.name}
    return _State(generation, row.document, row.title, row.content, meta)


def _of(generation: Generation, table: sa.Table) -> sa.ColumnElement[bool]:
    return (table.c.book == generation.book) & (table.c.generation == generation.number)


def _needs_psycopg() -> None:
    try:
        import psycopg  # noqa: F401 (only whether it is there)
    except ImportError as error:
        raise ProjectError(
            "a project on a PostgreSQL server needs its driver: pip install 'fabula[postgres]'"
        ) from error
