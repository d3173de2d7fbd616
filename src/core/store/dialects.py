"""SQLite and PostgreSQL, as far as they differ: how one connects, what a transaction is, which errors pass
when it is done again, and the way out of the others."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from ...errors import FabulaError, ProjectError, UsageError

_Options = Mapping[str, object]
_PATIENCE_S = 10


@dataclass(frozen=True, slots=True)
class Dialect:
    """``reading`` to ``alone`` are options of an engine: for statements each by itself, for statements that
    see one state, for a transaction of a writer, for one that publishes an index, for statements outside any
    transaction. ``errors`` are SQLAlchemy's and the driver's. ``explained`` gives the project's own error
    for one of them and the name of the database. ``passes`` says whether the transaction may be done again
    after it; its second argument, whether that is allowed where nobody knows if it was committed."""

    insert: Callable[[sa.Table], Any]
    is_writable: str
    reading: _Options
    snapshot: _Options
    writing: _Options
    publishing: _Options
    alone: _Options
    errors: tuple[type[Exception], ...]
    explained: Callable[[Exception, str], FabulaError]
    passes: Callable[[Exception, bool], bool]


def _driver_error(error: Exception) -> BaseException:
    own = error.orig if isinstance(error, DBAPIError) else None
    return own if own is not None else error


_FILE_WAYS_OUT = {
    sqlite3.SQLITE_FULL: "the disk is full: make room and do it again, what was there before is whole",
    sqlite3.SQLITE_IOERR: "the disk is full or failing: make room or look at it, then do it again",
    sqlite3.SQLITE_READONLY: "it can only be read: copy the project to where it can be written",
    sqlite3.SQLITE_BUSY: "another process is writing: wait for it, then do it again",
    sqlite3.SQLITE_CANTOPEN: "look at the folder's rights, or copy the project to where it can be written",
}
_DAMAGED = "restore it from a backup, or index the book again into a new folder"


def connect(file: Path, *, writable: bool | None = None) -> sa.Engine:
    """An engine on the file, made where there is none: write-ahead log, each transaction on the disk when it
    ends, with every statement since ``begin``, those that make tables too; what is removed is overwritten.

    A file that this process may not write (or is not to, with ``writable`` False) is opened to be read,
    without the files that SQLite keeps beside one that is written to."""
    writable = _is_writable(file) if writable is None else writable
    engine = sa.create_engine(
        sa.URL.create("sqlite", database=str(file)),
        execution_options={"begin": "BEGIN"},
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
            connection.execute("PRAGMA secure_delete=ON")
        else:
            connection.execute("PRAGMA query_only=ON")

    sa.event.listen(engine, "begin", _begin)
    return engine


def _begin(connection: sa.Connection) -> None:
    statement = connection.get_execution_options()["begin"]
    if statement:
        connection.exec_driver_sql(statement)


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


def _is_writable(file: Path) -> bool:
    return os.access(file.parent, os.W_OK) and (not file.exists() or os.access(file, os.W_OK))


def _mode(file: Path, *, writable: bool) -> str:
    """A file that nobody writes may be read as it is; one with a log beside it is read together with that."""
    if writable:
        return "mode=rwc"
    log, shared = (file.with_name(f"{file.name}-{part}") for part in ("wal", "shm"))
    in_use = shared.exists() or (log.exists() and log.stat().st_size > 0)
    return "mode=ro" if in_use else "immutable=1"


def _explained_by_sqlite(error: Exception, name: str) -> FabulaError:
    own = _driver_error(error)
    code = getattr(own, "sqlite_errorcode", 0) & 0xFF  # without what SQLite adds to it
    return ProjectError(f"{name} cannot be used ({own}): {_FILE_WAYS_OUT.get(code, _DAMAGED)}")


_WRITER = {"begin": "BEGIN IMMEDIATE"}  # waits for another writer where a reader's BEGIN could not any more
SQLITE = Dialect(
    insert=sqlite.insert,
    is_writable="SELECT NOT query_only FROM pragma_query_only",
    reading={},
    snapshot={},
    writing=_WRITER,
    publishing=_WRITER,
    alone={"begin": ""},
    errors=(SQLAlchemyError, sqlite3.Error),
    explained=_explained_by_sqlite,
    passes=lambda _error, _unsure: False,
)

_CLASHES = ("40001", "40P01")  # serialisation failure, deadlock: nothing of the transaction stays
_LOST = ("08", "57P")  # the connection, or the server, is gone
_LOCK_S, _IDLE_S = 10, 60
_PROBES = 32  # lists of an IVFFlat index that are looked through
_EXPLORED = 200  # candidates of an HNSW search
_SERVER_WAYS_OUT = {
    "42501": "ask whoever runs the server for the right to do so",
    "25006": "this server only reads: name the one that is written to in store.url",
    "53100": "the server's disk is full: make room and do it again, what was there before is whole",
    "53": "the server is at its limit: raise its max_connections",
    "57014": "it took too long: look at the server's load",
    "55P03": "another process is writing: wait for it, then do it again",
    "58": "look at the server's log and its disk",
    "0A000": "install pgvector 0.8 or later on the server",
    "08": "look whether the server runs and has that database (createdb), at store.url, and at the password, "
    "which is read from PGPASSWORD or ~/.pgpass",
    "57P": "the server was stopped: do it again when it runs",
}


def connect_server(url: str, *, pool: int, statement_timeout_s: float) -> sa.Engine:
    """An engine that keeps ``pool`` connections to a PostgreSQL server. Nothing is connected yet."""
    settings = {
        "statement_timeout": int(statement_timeout_s * 1000),
        "lock_timeout": _LOCK_S * 1000,
        "idle_in_transaction_session_timeout": _IDLE_S * 1000,
        "jit": "off",  # costs more than a short query
        "hnsw.ef_search": _EXPLORED,
        "hnsw.iterative_scan": "strict_order",
        "ivfflat.probes": _PROBES,
    }
    engine = sa.create_engine(
        sa.make_url(url).set(drivername="postgresql+psycopg"),
        execution_options={"begin": ""},
        pool_size=pool,
        max_overflow=pool,
        pool_timeout=_PATIENCE_S,
        pool_use_lifo=True,
        connect_args={
            "connect_timeout": _PATIENCE_S,
            "application_name": "fabula",
            "keepalives_idle": 30,
            "options": " ".join(f"-c {name}={value}" for name, value in settings.items()),
        },
    )
    sa.event.listen(engine, "begin", _begin)
    return engine


def postgres() -> Dialect:
    """Raises ProjectError where its driver is not installed."""
    try:
        import psycopg
    except ImportError as error:
        raise ProjectError(
            "a project on a PostgreSQL server needs its driver: pip install 'fabula[postgres]'"
        ) from error
    from sqlalchemy.dialects import postgresql  # most projects are in their folder

    return Dialect(
        insert=postgresql.insert,
        is_writable="SELECT NOT pg_is_in_recovery()",  # a standby only reads
        reading={"isolation_level": "AUTOCOMMIT"},
        snapshot={"isolation_level": "REPEATABLE READ", "postgresql_readonly": True},
        writing={"isolation_level": "SERIALIZABLE"},
        publishing={"isolation_level": "READ COMMITTED", "begin": "SET LOCAL statement_timeout = 0"},
        alone={"isolation_level": "AUTOCOMMIT", "begin": "SET statement_timeout = 0"},
        errors=(SQLAlchemyError, psycopg.Error),
        explained=_explained_by_postgres,
        passes=lambda error, unsure: _state(error) in _CLASHES or (unsure and _is_lost(error)),
    )


def _explained_by_postgres(error: Exception, name: str) -> FabulaError:
    state, own = _state(error), _driver_error(error)
    reason = next(iter(str(own).strip().splitlines()), type(own).__name__)
    if state.startswith("22"):
        return UsageError(f"PostgreSQL cannot hold this text ({reason}): take NUL characters out of it")
    if not state and _is_lost(error):
        state = "08"
    found = (_SERVER_WAYS_OUT.get(state[:length]) for length in (5, 3, 2))
    way_out = next(filter(None, found), "look at the log of the server")
    return ProjectError(f"{name} cannot be used ({reason}): {way_out}")


def _state(error: Exception) -> str:
    import psycopg

    own = _driver_error(error)
    unsent = "22000" if isinstance(own, psycopg.DataError) else ""  # the driver saw it first
    return str(getattr(own, "sqlstate", None) or unsent)


def _is_lost(error: Exception) -> bool:
    import psycopg

    if isinstance(error, DBAPIError) and error.connection_invalidated:
        return True
    state = _state(error)
    return state.startswith(_LOST) or (
        isinstance(_driver_error(error), psycopg.OperationalError) and not state
    )
