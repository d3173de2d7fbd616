"""A project's database looked through, copied, and made small again: what no question needs."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import sqlalchemy as sa

from ...errors import ProjectError
from .database import translated, writing
from .tables import WORK, unseal

_NAMED = 5  # problems of a database that are worth a line


class Upkeep:
    """Works through the engine of a project's ``fabula.db``. Raises ProjectError where that cannot be
    used."""

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine

    def problems(self) -> list[str]:
        """What SQLite finds wrong with the file, at most five lines; reads all of it."""
        with self._reading() as db:
            rows = db.exec_driver_sql(f"PRAGMA integrity_check({_NAMED})").all()
        return [str(row[0]) for row in rows if row[0] != "ok"]

    def work_keys(self) -> list[tuple[str, str]]:
        """(producer, key) of all kept work, sorted."""
        with self._reading() as db:
            rows = db.execute(
                sa.select(WORK.c.producer, WORK.c.input).order_by(WORK.c.producer, WORK.c.input)
            )
            return [(row.producer, row.input) for row in rows]

    def broken_work(self) -> list[tuple[str, str]]:
        """(producer, key) of the work whose bytes are no longer those of its checksum."""
        broken = []
        with self._reading() as db:
            for producer, key in self.work_keys():
                mine = (WORK.c.producer == producer) & (WORK.c.input == key)
                kept = db.execute(sa.select(WORK.c.output).where(mine)).scalar()
                if kept is not None and (not isinstance(kept, bytes) or unseal(kept) is None):
                    broken.append((producer, key))
        return broken

    def drop_work(self, pairs: Iterable[tuple[str, str]]) -> None:
        """Removes kept work; what is needed of it is done anew."""
        with translated(self._what), writing(self._engine) as db:
            for producer, key in pairs:
                db.execute(WORK.delete().where(WORK.c.producer == producer, WORK.c.input == key))

    def vacuum(self) -> None:
        """Gives the space of what was removed back to the disk. Raises ProjectError while another writes."""
        with translated(self._what), self._raw() as db:
            try:
                db.execute("VACUUM")
                db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            except sqlite3.DatabaseError as error:
                raise sa.exc.DatabaseError("VACUUM", None, error) from error

    @property
    def _what(self) -> str:
        return f"the database {self._engine.url.database}"

    @contextmanager
    def _reading(self) -> Iterator[sa.Connection]:
        with translated(self._what), self._engine.connect() as db:
            yield db

    @contextmanager
    def _raw(self) -> Iterator[sqlite3.Connection]:
        pooled = self._engine.raw_connection()
        try:
            inner = pooled.driver_connection
            if not isinstance(inner, sqlite3.Connection):
                raise ProjectError(f"{self._what} is no SQLite file")
            yield inner
        finally:
            pooled.close()


def copy_database(file: Path, copy: Path) -> None:
    """A whole copy of an SQLite file as it is at one instant, whoever writes to it meanwhile; without files
    beside it. Raises ProjectError where it cannot be read, or the copy cannot be written."""
    try:
        with (
            contextlib.closing(_read_only(file)) as source,
            contextlib.closing(sqlite3.connect(copy)) as target,
        ):
            source.backup(target)
            target.execute("PRAGMA journal_mode=DELETE")
    except sqlite3.Error as error:
        raise ProjectError(f"{file} cannot be copied ({error}): look at its disk, and at {copy}") from error


def generation_in(file: Path) -> str | None:
    """Which index a project's database names, in a copy that nobody else has open."""
    with contextlib.closing(_read_only(file)) as db:
        row = db.execute("SELECT value FROM meta WHERE key = 'generation'").fetchone()
    return str(row[0]) if row is not None else None


def problems_in(file: Path) -> list[str]:
    """What is wrong with an SQLite file; none where nothing is."""
    try:
        with contextlib.closing(_read_only(file)) as db:
            rows = db.execute(f"PRAGMA quick_check({_NAMED})").fetchall()
            acting = "SELECT type, name FROM sqlite_master WHERE type IN ('trigger', 'view')"
            rows += [(f"it holds a {kind} {name}",) for kind, name in db.execute(acting)]
    except sqlite3.Error as error:
        return [str(error)]
    return [str(row[0]) for row in rows if row[0] != "ok"]


def _read_only(file: Path) -> sqlite3.Connection:
    uri = file.resolve().as_uri()
    try:
        db = sqlite3.connect(f"{uri}?mode=ro", uri=True, timeout=10)
        db.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchall()
    except sqlite3.OperationalError:  # a log that cannot be opened, on a medium that nobody writes
        db = sqlite3.connect(f"{uri}?immutable=1", uri=True)
    return db
