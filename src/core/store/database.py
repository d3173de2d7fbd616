"""A project's database: its own SQLite file, or the rows of one book on a PostgreSQL server."""

from __future__ import annotations

import random
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

import sqlalchemy as sa

from .dialects import SQLITE, Dialect
from .tables import FILE_RECORDS, RecordTables

_T = TypeVar("_T")
_TRIES = 6


@dataclass(frozen=True, slots=True)
class Database:
    """``name`` is what messages call it; ``tables`` are those of its records, and ``book`` is the key of its
    rows where others' stand beside them.

    Every method that takes ``work`` may call it several times. Raises ProjectError, whose message says what
    to do, where the database cannot be used, and UsageError for a text that it cannot hold."""

    engine: sa.Engine
    name: str
    dialect: Dialect = SQLITE
    tables: RecordTables = FILE_RECORDS
    book: str | None = None

    @property
    def is_writable(self) -> bool:
        return bool(self.read(lambda db: db.exec_driver_sql(self.dialect.is_writable).scalar()))

    def insert(self, table: sa.Table, values: Mapping[str, object]) -> Any:
        """An insertion of a row of the project's own, with the ``on_conflict_…`` of both dialects. Where the
        table has entries, the row is one: to insert it twice inserts it once."""
        own: dict[str, object] = {} if self.book is None else {"book": self.book}
        if "entry" in table.c:
            own["entry"] = uuid.uuid4()
        return self.dialect.insert(table).values({**own, **values})

    def put(self, table: sa.Table, values: Mapping[str, object]) -> None:
        """Keeps a row in place of the one with its key."""
        adding = self.insert(table, values)
        fresh = {one.name: adding.excluded[one.name] for one in table.c if not one.primary_key}
        adding = adding.on_conflict_do_update(index_elements=list(table.primary_key), set_=fresh)
        self.write(lambda db: db.execute(adding))

    def add(self, table: sa.Table, values: Mapping[str, object]) -> None:
        adding = self.insert(table, values).on_conflict_do_nothing()
        self.write(lambda db: db.execute(adding))

    def own(self, table: sa.Table) -> tuple[sa.ColumnElement[bool], ...]:
        """What tells the project's rows from those of others."""
        return () if self.book is None else (table.c.book == self.book,)

    def read(self, work: Callable[[sa.Connection], _T]) -> _T:
        """What ``work`` reads; on a server each statement by itself."""
        return self._run(work, self.dialect.reading)

    def snapshot(self, work: Callable[[sa.Connection], _T]) -> _T:
        """All statements of ``work`` see one state."""
        return self._run(work, self.dialect.snapshot)

    def write(self, work: Callable[[sa.Connection], _T], *, twice: bool = True) -> _T:
        """One transaction, safe when this returns; done again where it clashed with another. ``twice``: twice
        is as good as once, so it is done again where nobody can say whether it was committed."""
        return self._run(work, self.dialect.writing, twice=twice)

    def publish(self, work: Callable[[sa.Connection], _T]) -> _T:
        """One transaction of any length, done again where it clashed with another."""
        return self._run(work, self.dialect.publishing, twice=False)

    def erase(self, removal: sa.Delete) -> int:
        """Removes rows; how many there were. In a file they are overwritten, in its log too."""
        removed = self.write(lambda db: db.execute(removal).rowcount, twice=False)
        if self.dialect is SQLITE:
            with self.session() as db, self.translated():
                db.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
        return removed

    def postpone(self, table: sa.Table, later: Mapping[int, int]) -> None:
        """The project's rows at a chapter that is a key of ``later`` move to the later one it gives."""
        own = self.own(table)

        def work(db: sa.Connection) -> None:
            held = db.scalars(sa.select(table.c.chapter).distinct().where(*own)).all()
            for chapter in sorted(set(held) & set(later), reverse=True):  # last first: none is moved twice
                rows = table.update().where(*own, table.c.chapter == chapter)
                db.execute(rows.values(chapter=later[chapter]))

        self.write(work, twice=False)

    @contextmanager
    def session(self) -> Iterator[sa.Connection]:
        """A connection outside the pool's count, closed with the block; statements by themselves, untimed."""
        with self.translated():
            db = self.engine.execution_options(**self.dialect.alone).connect()
        try:
            db.detach()
            yield db
        finally:
            db.close()

    @contextmanager
    def translated(self) -> Iterator[None]:
        """Raises this class's errors in place of SQLAlchemy's and the driver's."""
        try:
            yield
        except self.dialect.errors as error:
            raise self.dialect.explained(error, self.name) from error

    def _run(
        self, work: Callable[[sa.Connection], _T], options: Mapping[str, object], *, twice: bool = True
    ) -> _T:
        engine = self.engine.execution_options(**options)
        attempt = 0
        while True:
            attempt += 1
            is_connected = attempt > 1  # who never reached it is told at once
            try:
                with engine.begin() as db:
                    is_connected = True
                    return work(db)
            except self.dialect.errors as error:
                if attempt == _TRIES or not self.dialect.passes(error, twice and is_connected):
                    raise self.dialect.explained(error, self.name) from error
            time.sleep(random.uniform(0.5, 1) * 0.05 * 2**attempt)
