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

import sqlalchemy as sa

from ..store import IndexReader
from .generation import Generation
from .tables import FILES
from .vectors import PostgresVectors


class PostgresIndex(IndexReader):
    """The index of one ``generation``. The folder of its files goes at :meth:`close`."""

    def __init__(self, generation: Generation) -> None:
        self.generation = generation
        self.name = generation.name
        self._fetched: set[str] = set()
        self._lock = threading.Lock()
        self._removal: weakref.finalize[[], PostgresIndex] | None = None

    def close(self) -> None:
        """Removes the files that were fetched."""
        if self._removal is not None:
            self._removal()

    def files(self, *patterns: str) -> Path:
        with self._lock:
            for name, sha256 in self._matching(patterns):
                if name not in self._fetched:
                    (self._folder / name).write_bytes(self._body(name, sha256))
                    self._fetched.add(name)
            return self._folder

    def vectors(self) -> PostgresVectors:
        return PostgresVectors(self.generation)

    def verify(self, *patterns: str) -> None:
        """Fetches the files that match and compares their SHA-256; without a pattern it counts the vectors
        too, whose bytes are the server's to guard."""
        for name, sha256 in self._matching(patterns):
            self._body(name, sha256)
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

    def _matching(self, patterns: tuple[str, ...]) -> list[tuple[str, str]]:
        """Files whose names match (all, without a pattern), with their digests."""
        names = self._names.items()
        return [one for one in names if not patterns or any(fnmatchcase(one[0], each) for each in patterns)]

    @cached_property
    def _folder(self) -> Path:
        folder = Path(tempfile.mkdtemp(prefix="fabula-"))
        self._removal = weakref.finalize(self, partial(shutil.rmtree, folder, ignore_errors=True))
        return folder

    def _body(self, name: str, sha256: str) -> bytes:
        query = sa.select(FILES.c.body).where(self.generation.own(FILES), FILES.c.name == name)
        body: bytes | None = self.generation.database.read(lambda db: db.execute(query).scalar())
        if body is None or hashlib.sha256(body).hexdigest() != sha256:
            raise self.generation.broken(f"the bytes of {name}")
        return body
