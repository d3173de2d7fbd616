"""How what a project keeps is read and written; for its own SQLite file: transactions that hold whole, files
that can only be read, errors that say the way out."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol, TypeVar

import sqlalchemy as sa
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.exc import DatabaseError

from ...errors import ProjectError

T = TypeVar("T")
_WRITER = {"begin": "BEGIN IMMEDIATE"}  # waits for another writer where a reader's BEGIN could not any more
_WAYS_OUT = {
    sqlite3.SQLITE_FULL: "the disk is full: make room and do it again, what was there before is whole",
    sqlite3.SQLITE_IOERR: "the disk is full or failing: make room or look at it, then do it again",
    sqlite3.SQLITE_READONLY: "it can only be read: copy the project to where it can be written",
    sqlite3.SQLITE_BUSY: "another process is writing: wait for it, then do it again",
    sqlite3.SQLITE_CANTOPEN: "look at the folder's rights, or copy the project to where it can be written",
}
_PATIENCE_S = 10
_DAMAGED = "restore it from a backup, or index the book again into a new folder"


class Database(Protocol):
    """Where the records of one project are: its own file, or its rows on a server. What cannot be read or
    written raises ProjectError, whose message says what to do."""

    @property
    def name(self) -> str:
        """What messages call it."""
        ...

    @property
    def is_writable(self) -> bool:
        """May this process write there?"""
        ...

    def insert(self, table: sa.Table, values: Mapping[str, object]) -> Any:
        """An insertion of a row of the project's own, of its dialect: with ``on_conflict_do_update``."""
        ...

    def own(self, table: sa.Table) -> tuple[sa.ColumnElement[bool], ...]:
        """What tells the project's rows from those of others."""
        ...

    def holds(self, table: sa.Table, *, make: bool) -> bool:
        """Is there that table? With ``make`` it is made now where there is none and it may be."""
        ...

    def read(self, work: Callable[[sa.Connection], T]) -> T:
        """What ``work`` reads."""
        ...

    def write(self, work: Callable[[sa.Connection], T], *, twice: bool = True) -> T:
        """One transaction, safe when this returns. ``twice``: to do it twice is as good as once."""
        ...

    def erase(self, removal: sa.Delete) -> int:
        """Removes rows, and what else holds them as far as that can be reached; how many there were."""
        ...


class FileDatabase:
    """A project's SQLite file as a :class:`Database`."""

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine
        self.name = f"the database {engine.url.database}"
        self.is_writable = not engine.get_execution_options()["read_only"]

    def insert(self, table: sa.Table, values: Mapping[str, object]) -> Any:
        return insert(table).values(values)

    def own(self, table: sa.Table) -> tuple[sa.ColumnElement[bool], ...]:  # noqa: ARG002 (all are)
        return ()

    def holds(self, table: sa.Table, *, make: bool) -> bool:
        with translated(self.name):
            made = sa.inspect(self._engine).has_table(table.name)
        if not made and make and self.is_writable:
            self.write(lambda db: table.create(db, checkfirst=True))
            return True
        return made

    def read(self, work: Callable[[sa.Connection], T]) -> T:
        with translated(self.name), self._engine.connect() as db:
            return work(db)

    def write(self, work: Callable[[sa.Connection], T], *, twice: bool = True) -> T:  # noqa: ARG002
        with translated(self.name), writing(self._engine) as db:
            return work(db)

    def erase(self, removal: sa.Delete) -> int:
        """What is freed is filled with zeros, and the log, which held it too, is emptied."""
        with translated(self.name):
            with writing(self._engine) as db:
                db.exec_driver_sql("PRAGMA secure_delete=ON")
                removed = db.execute(removal).rowcount
                db.exec_driver_sql("PRAGMA secure_delete=OFF")
            raw = self._engine.raw_connection()
            try:
                raw.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")
            finally:
                raw.close()
        return removed


def put(database: Database, table: sa.Table, values: Mapping[str, object]) -> None:
    """Keeps a row in place of the one with its key."""
    adding = database.insert(table, values)
    fresh = {one.name: adding.excluded[one.name] for one in table.c if not one.primary_key}
    adding = adding.on_conflict_do_update(index_elements=list(table.primary_key), set_=fresh)
    database.write(lambda db: db.execute(adding))


def connect(file: Path) -> sa.Engine:
    """An engine on the file, made where there is none: write-ahead log, each transaction on the disk when it
    ends, and every statement between ``begin`` and ``commit`` in it, those that make tables too.

    A file that this process may not write is opened to be read, without the files that SQLite keeps beside
    one that is written to.
    """
    writable = _is_writable(file)
    engine = sa.create_engine(
        sa.URL.create("sqlite", database=str(file)),
        execution_options={"read_only": not writable},
        creator=lambda: sqlite3.connect(
            f"{file.resolve().as_uri()}?{_mode(file, writable=writable)}",
            uri=True,
            check_same_thread=False,  # the pool gives a connection to one thread at a time
            isolation_level=None,  # sqlite3 itself would begin no transaction before it makes a table
        ),
    )

    @sa.event.listens_for(engine, "connect")
    def _set_up(connection: Any, _record: object) -> None:
        connection.execute(f"PRAGMA busy_timeout={1000 * _PATIENCE_S}")
        if writable:
            _write_ahead(connection)
            connection.execute("PRAGMA synchronous=FULL")

    @sa.event.listens_for(engine, "begin")
    def _begin(connection: sa.Connection) -> None:
        connection.exec_driver_sql(connection.get_execution_options().get("begin", "BEGIN"))

    return engine


def _write_ahead(connection: Any) -> None:
    """Turns the write-ahead log on. SQLite's own time-out does not hold for it: while another process turns
    it on in a new file, it says at once that the file is locked."""
    until = time.monotonic() + _PATIENCE_S
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            time.sleep(0.02)
        else:
            return


@contextmanager
def writing(engine: sa.Engine) -> Iterator[sa.Connection]:
    """One transaction of a writer, begun now: all of it is on the disk when the block ends, or nothing."""
    with engine.execution_options(**_WRITER).begin() as db:
        yield db


@contextmanager
def translated(what: str) -> Iterator[None]:
    """Raises a ProjectError that names ``what`` could not be used, why, and what to do."""
    try:
        yield
    except DatabaseError as error:
        code = getattr(error.orig, "sqlite_errorcode", 0) & 0xFF  # without what SQLite adds to it
        way_out = _WAYS_OUT.get(code, _DAMAGED)
        raise ProjectError(f"{what} cannot be used ({error.orig}): {way_out}") from error


def _is_writable(file: Path) -> bool:
    return os.access(file.parent, os.W_OK) and (not file.exists() or os.access(file, os.W_OK))


def _mode(file: Path, *, writable: bool) -> str:
    """How SQLite opens it. A file that nobody writes may be read as it is; one with a log beside it is read
    together with that."""
    if writable:
        return "mode=rwc"
    log, shared = (file.with_name(f"{file.name}-{part}") for part in ("wal", "shm"))
    in_use = shared.exists() or (log.exists() and log.stat().st_size > 0)
    return "mode=ro" if in_use else "immutable=1"


def postpone(
    db: sa.Connection,
    table: sa.Table,
    later: Mapping[int, int],
    *,
    own: tuple[sa.ColumnElement[bool], ...],
) -> None:
    """Sets the column ``chapter`` of the project's ``own`` rows to what ``later`` gives, where it gives
    another. It gives none that is earlier."""
    held = db.scalars(sa.select(table.c.chapter).distinct().where(*own)).all()
    for chapter in sorted(set(held) & set(later), reverse=True):  # last first: none is moved twice
        rows = table.update().where(*own, table.c.chapter == chapter)
        db.execute(rows.values(chapter=later[chapter]))
