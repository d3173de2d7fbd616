"""The server's own database: jobs with their events, and the answers that idempotency keys stand for."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from ...errors import ProjectError

_SCHEMA = """
CREATE TABLE IF NOT EXISTS jobs (
    id TEXT PRIMARY KEY, number INTEGER NOT NULL, kind TEXT NOT NULL, project TEXT NOT NULL,
    work TEXT NOT NULL, status TEXT NOT NULL, created REAL NOT NULL, started REAL, finished REAL,
    outcome TEXT, cancelled INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX IF NOT EXISTS jobs_by_status ON jobs (status, number);
CREATE TABLE IF NOT EXISTS events (
    job TEXT NOT NULL, number INTEGER NOT NULL, kind TEXT NOT NULL, data TEXT NOT NULL,
    PRIMARY KEY (job, number)
);
CREATE TABLE IF NOT EXISTS keys (
    owner TEXT NOT NULL, key TEXT NOT NULL, fingerprint TEXT NOT NULL, created REAL NOT NULL,
    status INTEGER, headers TEXT, body TEXT, PRIMARY KEY (owner, key)
);
"""
_VERSION = 1


class Ledger:
    """One connection under one lock; what :meth:`writing` wrote is on disk when it ends."""

    def __init__(self, file: Path) -> None:
        """Raises ProjectError where the file cannot be opened or is of another version."""
        self._file = file
        self._lock = threading.RLock()
        self._depth = 0
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ProjectError(f"the server's database {file} cannot be made ({error})") from error
        with self._translated(), ExitStack() as failing:
            self._db = sqlite3.connect(file, check_same_thread=False, isolation_level=None)
            failing.callback(self._db.close)
            for pragma in ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=10000"):
                self._db.execute(f"PRAGMA {pragma}")
            self._db.row_factory = sqlite3.Row
            (version,) = self._db.execute("PRAGMA user_version").fetchone()
            if version not in (0, _VERSION):
                raise ProjectError(
                    f"{file} is of version {version}, this server reads {_VERSION}: move it away"
                )
            self._db.executescript(_SCHEMA)
            self._db.execute(f"PRAGMA user_version={_VERSION}")
            failing.pop_all()

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction; one inside another is part of it. Undone where the block raises. Raises
        ProjectError where the database is damaged, or cannot be written."""
        with self._lock, self._translated():
            if self._depth == 0:
                self._db.execute("BEGIN IMMEDIATE")
            self._depth += 1
            try:
                yield self._db
            except BaseException:
                self._depth -= 1
                if self._depth == 0 and self._db.in_transaction:  # a full disk has undone it already
                    self._db.execute("ROLLBACK")
                raise
            self._depth -= 1
            if self._depth == 0:
                self._db.execute("COMMIT")

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """The connection under the lock, for statements that only read. Raises ProjectError where the
        database is damaged."""
        with self._lock, self._translated():
            yield self._db

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise ProjectError(
                f"the server's database {self._file} cannot be used ({error}): it holds jobs and keys alone, "
                "no project; put back a copy, or stop the server and move it away"
            ) from error

    def is_open(self) -> bool:
        """Does it answer?"""
        try:
            with self.reading() as db:
                db.execute("SELECT 1 FROM jobs LIMIT 1").fetchone()
        except ProjectError:
            return False
        return True

    def close(self) -> None:
        """Closes the database, once whoever holds the lock has let go of it."""
        with self._lock:
            self._db.close()
