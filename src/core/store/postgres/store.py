"""A project whose book is kept on a PostgreSQL server: text, index, work, ratings and conversations.

All rows are keyed by the book. An index is published in one transaction as a new generation; whoever opened
the one before reads on from that. Settings, suppressions and corrections stay in the
project's folder.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from ....errors import ProjectError
from ...types import Document
from ..database import Database
from ..dialects import connect_server, postgres
from ..folder import prepare_folder, refuse_links, sweep_settings
from ..generations import Publication
from ..store import Snapshot, Store
from ..tables import BOOKS_KEY, read_books, read_chapter
from .generation import Generation
from .index import PostgresIndex
from .publishing import publish
from .tables import BOOKS, CHAPTERS, GENERATIONS, RECORDS, delete_book, make_tables, refuse_other_schemas
from .target import Target
from .vectors import build_vector_index, remove_vector_indexes

_LOCK = sa.text("SELECT pg_try_advisory_lock(hashtextextended('fabula:' || :book, 0))")
_UNLOCK = sa.text("SELECT pg_advisory_unlock(hashtextextended('fabula:' || :book, 0))")


@dataclass(frozen=True, slots=True)
class _Published:
    """What was published last when it was looked at."""

    generation: Generation | None = None
    document: str = ""
    title: str = ""
    meta: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, database: Database, row: sa.Row[*tuple[Any, ...]]) -> _Published:
        """As a row of the table of generations says."""
        generation = Generation.of(database, row)
        meta = {**json.loads(row.meta), "content": row.content, "generation": generation.name}
        return cls(generation, row.document, row.title, meta)


class PostgresStore(Store):
    """Open with :meth:`create` or :meth:`open`. What it reads of the book and its index is one generation,
    that of the time it was opened, or of the last :meth:`lock`."""

    def __init__(self, folder: Path, target: Target) -> None:
        dialect = postgres()
        self._key = (os.getpid(), target.url, target.pool, target.statement_timeout_s)
        engine = _shared_engine(self._key, target)
        url = engine.url
        host = url.host or url.query.get("host") or url.query.get("service") or "localhost"
        name = f"the PostgreSQL server {host}"
        super().__init__(folder, Database(engine, name, dialect, RECORDS, target.book))
        self._target = target
        self._published = _Published()
        self._indexes: list[PostgresIndex] = []

    @classmethod
    def create(cls, folder: Path, target: Target) -> PostgresStore:
        """Opens the book to be written, made now if there is none, in tables that are made if there are
        none. Raises ProjectError as :func:`..folder.prepare_folder`, and where the server cannot do it."""
        prepare_folder(folder)

        def make(db: sa.Connection) -> None:
            make_tables(db)
            db.execute(store.database.insert(BOOKS, {}).on_conflict_do_nothing())

        store = cls(folder, target)
        try:
            store.database.publish(make)
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
        store = cls(folder, target)
        try:
            store.database.read(refuse_other_schemas)
            if not store._look():
                raise ProjectError(
                    f"{store.database.name} holds no book {target.book}, which {folder} names: "
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
        if self._open is not None:
            self._open = None
            _release_engine(self._key)

    @contextmanager
    def _locking(self) -> Iterator[Callable[[], bool]]:
        """The server ends the lock with the process's connection."""
        book = {"book": self._target.book}
        with self.database.session() as db:

            def take() -> bool:
                with self.database.translated():
                    is_mine = bool(db.execute(_LOCK, book).scalar())
                if is_mine:
                    self._look()
                return is_mine

            try:
                yield take
            finally:
                with suppress(SQLAlchemyError):  # a session that is lost holds no lock
                    db.execute(_UNLOCK, book)

    # --- reading ---------------------------------------------------------------------------------

    def meta(self, key: str) -> str | None:
        published = self._published.meta.get(key)
        return published if published is not None else super().meta(key)

    def document(self) -> Document | None:
        published = self._published
        generation = published.generation
        if generation is None:
            return None
        text, rows = self.database.snapshot(
            lambda db: (
                db.execute(sa.select(GENERATIONS.c.text).where(generation.own(GENERATIONS))).scalar(),
                db.execute(
                    sa.select(CHAPTERS).where(generation.own(CHAPTERS)).order_by(CHAPTERS.c.number)
                ).all(),
            )
        )
        if text is None:
            raise generation.broken("the text and chapters")
        books = read_books(published.meta.get(BOOKS_KEY))
        document = Document(published.document, published.title, text, tuple(map(read_chapter, rows)), books)
        return self._as_indexed(document, published.meta["content"])

    def snapshot(self) -> Snapshot:
        index, document = self.index(), self.document()
        if document is None or "settings" not in self._published.meta:
            raise self._unfinished()
        return Snapshot(self.folder, document, self._published.meta, index)

    def book(self) -> tuple[str, str] | None:
        found = self._published
        return (found.document, found.title) if found.generation is not None else None

    def stamp(self) -> str:
        """The generation's name, and when it was published."""
        generation = self.index().generation
        return f"{generation.name}-{generation.made_ns}"

    def index(self) -> PostgresIndex:
        if self._published.generation is None:
            raise self._unfinished()
        made = PostgresIndex(self._published.generation)
        self._indexes.append(made)
        return made

    # --- the commit point ------------------------------------------------------------------------

    def publish(self, made: Publication) -> None:
        held = self._published.generation
        before = held.number if held is not None else None
        publish(self.database, self._target, made, before=before)
        self._look()
        if self._published.generation is not None:
            build_vector_index(self.database, self._published.generation)

    def erase(self) -> None:
        """Deletes all rows of the book: text, index, work, ratings and conversations. Raises ProjectError
        where another process is writing to it."""
        with self.lock():
            self.database.publish(lambda db: delete_book(db, self._target.book))
            remove_vector_indexes(self.database, self._target.book)

    def _look(self) -> bool:
        """Reads what is published now; whether there is such a book at all."""
        current = (BOOKS.c.book == GENERATIONS.c.book) & (BOOKS.c.generation == GENERATIONS.c.generation)
        columns = [column for column in GENERATIONS.c if column.name != "text"]
        mine = BOOKS.c.book == self._target.book
        query = sa.select(*columns).select_from(GENERATIONS.join(BOOKS, current)).where(mine)
        known = sa.select(sa.func.count()).where(mine)
        row, count = self.database.snapshot(
            lambda db: (db.execute(query).first(), db.execute(known).scalar())
        )
        self._published = _Published.of(self.database, row) if row is not None else _Published()
        return bool(count)


_engines: dict[tuple[object, ...], tuple[sa.Engine, int]] = {}
"""Of this process, with how many stores use each; the last of them closes its connections."""
_guard = threading.Lock()


def _shared_engine(key: tuple[object, ...], target: Target) -> sa.Engine:
    """The one pool of connections of all books of an address, for one user more."""
    with _guard:
        engine, users = _engines.get(key, (None, 0))
        if engine is None:
            engine = connect_server(
                target.url, pool=target.pool, statement_timeout_s=target.statement_timeout_s
            )
        _engines[key] = engine, users + 1
        return engine


def _release_engine(key: tuple[object, ...]) -> None:
    with _guard:
        engine, users = _engines.pop(key)
        if users > 1:
            _engines[key] = engine, users - 1
            return
    engine.dispose()
