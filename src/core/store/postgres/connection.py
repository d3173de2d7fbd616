"""Connections to a PostgreSQL server: one pool for all books of an address, transactions that are run again
where that is safe, errors that say the way out."""

from __future__ import annotations

import os
import random
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import Any, ClassVar, TypeVar

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from ....errors import ProjectError, UsageError
from .target import Target

_T = TypeVar("_T")

_TRIES = 6
_CLASHES = ("40001", "40P01")  # serialisation failure, deadlock: nothing of the transaction stays
_LOST = ("08", "57P")  # the connection, or the server, is gone
_LOCK_S, _IDLE_S, _CONNECT_S = 10, 60, 10
_PROBES = 32  # lists of an IVFFlat index that are looked through
_EXPLORED = 200  # candidates of an HNSW search
_WAYS_OUT = {
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


class Server:
    """A pool of connections. :meth:`of` shares one among all books of an address in this process; each use
    ends with a :meth:`release`, the last of which closes the connections.

    Every method that takes ``work`` may call it several times, and raises ProjectError where the server
    cannot do it, UsageError for a text that it cannot hold.
    """

    _shared: ClassVar[dict[tuple[object, ...], Server]] = {}
    _guard: ClassVar[threading.Lock] = threading.Lock()

    def __init__(self, target: Target) -> None:
        self._users = 0
        self._was_reached = False
        url = sa.make_url(target.url).set(drivername="postgresql+psycopg")
        self.name = f"{url.host or url.query.get('host') or url.query.get('service') or 'localhost'}"
        self.engine = sa.create_engine(
            url,
            pool_size=target.pool,
            max_overflow=target.pool,
            pool_timeout=_CONNECT_S,
            pool_use_lifo=True,
            connect_args={
                "connect_timeout": _CONNECT_S,
                "application_name": "fabula",
                "keepalives_idle": 30,
                "options": " ".join(
                    f"-c {name}={value}"
                    for name, value in {
                        "statement_timeout": int(target.statement_timeout_s * 1000),
                        "lock_timeout": _LOCK_S * 1000,
                        "idle_in_transaction_session_timeout": _IDLE_S * 1000,
                        "jit": "off",  # costs more than a short query
                        "hnsw.ef_search": _EXPLORED,
                        "hnsw.iterative_scan": "strict_order",
                        "ivfflat.probes": _PROBES,
                    }.items()
                ),
            },
        )
        self._now = self.engine.execution_options(isolation_level="AUTOCOMMIT")

    @classmethod
    def of(cls, target: Target) -> Server:
        """The server of the target, for one user more."""
        key = (os.getpid(), target.url, target.pool, target.statement_timeout_s)
        with cls._guard:
            server = cls._shared.get(key)
            if server is None:
                server = cls._shared[key] = cls(target)
            server._users += 1
            return server

    def release(self) -> None:
        """Ends a use."""
        with self._guard:
            self._users -= 1
            if self._users > 0:
                return
            for key in [key for key, server in self._shared.items() if server is self]:
                del self._shared[key]
        self.engine.dispose()

    # --- transactions ----------------------------------------------------------------------------

    def read(self, work: Callable[[sa.Connection], _T]) -> _T:
        """Each statement of ``work`` by itself."""
        return self._run(work, self._now.connect)

    def snapshot(self, work: Callable[[sa.Connection], _T]) -> _T:
        """All statements of ``work`` see one state."""
        own = self.engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        return self._run(work, own.begin)

    def write(self, work: Callable[[sa.Connection], _T], *, twice: bool = True) -> _T:
        """One serialisable transaction, committed when this returns; run again where the server says that it
        clashed with another. ``twice``: to do it twice is as good as once, so it is run again too where the
        connection is lost and nobody can say whether it was committed."""
        own = self.engine.execution_options(isolation_level="SERIALIZABLE")
        return self._run(work, own.begin, after_loss=twice)

    def publish(self, work: Callable[[sa.Connection], _T]) -> _T:
        """One transaction of any length, whose locks keep others out; run again where it clashed."""

        def unhurried(db: sa.Connection) -> _T:
            db.exec_driver_sql("SET LOCAL statement_timeout = 0")
            return work(db)

        own = self.engine.execution_options(isolation_level="READ COMMITTED")
        return self._run(unhurried, own.begin, after_loss=False)

    @contextmanager
    def session(self) -> Iterator[sa.Connection]:
        """A connection of one's own, outside the pool's count, closed with the block; each statement by
        itself and without time-out."""
        with self.translated():
            db = self._now.connect()
        try:
            db.detach()
            with self.translated():
                db.exec_driver_sql("SET statement_timeout = 0")
            yield db
        finally:
            db.close()

    @contextmanager
    def translated(self) -> Iterator[None]:
        """Raises this module's errors in place of SQLAlchemy's and psycopg's."""
        import psycopg

        try:
            yield
        except (SQLAlchemyError, psycopg.Error) as error:
            raise self._error(error) from error

    def _run(
        self,
        work: Callable[[sa.Connection], _T],
        begin: Callable[[], AbstractContextManager[sa.Connection]],
        *,
        after_loss: bool = True,
    ) -> _T:
        import psycopg

        attempt = 0
        while True:
            try:
                with begin() as db:
                    self._was_reached = True
                    return work(db)
            except (SQLAlchemyError, psycopg.Error) as error:
                again = _state(error) in _CLASHES or (after_loss and self._was_reached and _is_lost(error))
                attempt += 1
                if not again or attempt == _TRIES:
                    raise self._error(error) from error
                time.sleep(random.uniform(0.5, 1) * 0.05 * 2**attempt)

    def _error(self, error: Exception) -> ProjectError | UsageError:
        state, told = _state(error), _first_line(error)
        if state.startswith("22"):
            return UsageError(f"PostgreSQL cannot hold this text ({told}): take NUL characters out of it")
        if not state and _is_lost(error):
            state = "08"
        way_out = next((_WAYS_OUT[state[:n]] for n in (5, 3, 2) if state[:n] in _WAYS_OUT), "")
        return ProjectError(
            f"the PostgreSQL server {self.name} cannot be used ({told}): "
            f"{way_out or 'look at the log of the server'}"
        )


class BookOnServer:
    """The rows of one book as a :class:`..database.Database`."""

    def __init__(self, server: Server, book: str) -> None:
        self._server = server
        self._book = book
        self.name = f"the database on {server.name}"
        self.read = server.read
        self.write = server.write

    @property
    def is_writable(self) -> bool:
        """False on a standby, which only reads."""
        return not self.read(lambda db: db.exec_driver_sql("SELECT pg_is_in_recovery()").scalar())

    def insert(self, table: sa.Table, values: Mapping[str, object]) -> Any:
        """Where the table has entries, the row is one: to insert it twice inserts it once."""
        entry = {"entry": uuid.uuid4()} if "entry" in table.c else {}
        return insert(table).values({"book": self._book, **entry, **values})

    def own(self, table: sa.Table) -> tuple[sa.ColumnElement[bool], ...]:
        return (table.c.book == self._book,)

    def holds(self, table: sa.Table, *, make: bool) -> bool:  # noqa: ARG002 (all are made with the first book)
        return True

    def erase(self, removal: sa.Delete) -> int:
        return self.write(lambda db: db.execute(removal).rowcount, twice=False)


def _state(error: Exception) -> str:
    import psycopg

    own = error.orig if isinstance(error, DBAPIError) else error
    unsent = "22000" if isinstance(own, psycopg.DataError) else ""  # the driver saw it first
    return str(getattr(own, "sqlstate", None) or unsent)


def _is_lost(error: Exception) -> bool:
    import psycopg

    if isinstance(error, DBAPIError) and error.connection_invalidated:
        return True
    own = error.orig if isinstance(error, DBAPIError) else error
    state = _state(error)
    return state.startswith(_LOST) or (isinstance(own, psycopg.OperationalError) and not state)


def _first_line(error: Exception) -> str:
    own = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
    lines = str(own).strip().splitlines()
    return lines[0] if lines else type(own).__name__
