"""The index of a book on a server: vectors are searched there, files are fetched into a temporary folder."""

from __future__ import annotations

import hashlib
import shutil
import tempfile
import threading
import weakref
from fnmatch import fnmatchcase
from functools import cached_property, partial
from pathlib import Path
from typing import Any, cast

import sqlalchemy as sa

from ..store import IndexReader
from .generation import Generation
from .tables import FILES
from .vectors import PostgresVectors

_BODIES = "SELECT name, body FROM fabula.files WHERE book = %s AND generation = %s AND name = ANY(%s)"


class PostgresIndex(IndexReader):
    """The index of one ``generation``. The folder of its files goes at :meth:`close`."""

    def __init__(self, generation: Generation) -> None:
        self.generation = generation
        self.name = generation.name
        self._fetched: set[str] = set()
        self._lock = threading.Lock()
        self._removal: weakref.finalize[[], PostgresIndex] | None = None

    def close(self) -> None:
        if self._removal is not None:
            self._removal()

    def files(self, *patterns: str) -> Path:
        with self._lock:
            missing = [name for name in self._matching(patterns) if name not in self._fetched]
            for name, body in self._bodies(missing):
                (self._folder / name).write_bytes(body)
                self._fetched.add(name)
            return self._folder

    def vectors(self) -> PostgresVectors:
        return PostgresVectors(self.generation)

    def verify(self, *patterns: str) -> None:
        """Fetches the files that match and compares their SHA-256; without a pattern it counts the vectors
        too, whose bytes are the server's to guard."""
        for name in self._matching(patterns):
            self._bodies([name])
        if patterns:
            return
        g = self.generation
        [(count, last)] = g.rows(
            f"SELECT count(*), coalesce(max(ordinal), -1) FROM {g.vectors[0]} WHERE {g.where()}"  # noqa: S608
        )
        if (count, last) != (g.chunks, g.chunks - 1):
            raise g.broken("the vectors")

    @cached_property
    def _names(self) -> dict[str, str]:
        query = sa.select(FILES.c.name, FILES.c.sha256).where(self.generation.own(FILES))
        found = self.generation.database.read(lambda db: db.execute(query).all())
        if not found:
            self.generation.check()
        return {row.name: row.sha256 for row in found}

    def _matching(self, patterns: tuple[str, ...]) -> list[str]:
        names = list(self._names)
        return [one for one in names if not patterns or any(fnmatchcase(one, each) for each in patterns)]

    @cached_property
    def _folder(self) -> Path:
        folder = Path(tempfile.mkdtemp(prefix="fabula-"))
        self._removal = weakref.finalize(self, partial(shutil.rmtree, folder, ignore_errors=True))
        return folder

    def _bodies(self, names: list[str]) -> list[tuple[str, bytes]]:
        """The files of these names, found whole; sent as bytes, where SQLAlchemy would have them in hex."""
        if not names:
            return []

        def work(db: sa.Connection) -> list[tuple[str, bytes]]:
            with cast(Any, db.connection.driver_connection).cursor(binary=True) as cursor:
                own = (self.generation.book, self.generation.number, names)
                return cursor.execute(_BODIES, own).fetchall()  # type: ignore[no-any-return]

        found = self.generation.database.read(work)
        whole = {name for name, body in found if hashlib.sha256(body).hexdigest() == self._names[name]}
        for name in names:
            if name not in whole:
                raise self.generation.broken(f"the bytes of {name}")
        return found
