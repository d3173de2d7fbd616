"""Connections to a project's SQLite file: transactions that hold whole, files that can only be read, errors
that say the way out."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import DatabaseError

from ...errors import ProjectError

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
    db: sa.Connection, table: sa.Table, later: Mapping[int, int], *, own: sa.ColumnElement[bool] | None = None
) -> None:
    """Sets the column ``chapter`` of the table's rows (of its ``own``, where that is given) to what ``later``
    gives, where it gives another. It gives none that is earlier."""
    mine = sa.true() if own is None else own
    held = db.scalars(sa.select(table.c.chapter).distinct().where(mine)).all()
    for chapter in sorted(set(held) & set(later), reverse=True):  # last first: none is moved twice
        rows = table.update().where(mine, table.c.chapter == chapter)
        db.execute(rows.values(chapter=later[chapter]))
