"""The index of a book on a server, read part by part; its files are fetched into a temporary folder."""

from __future__ import annotations

import hashlib
import shutil
import tempfile
import threading
import weakref
from fnmatch import fnmatchcase
from functools import cached_property, partial
from pathlib import Path

import numpy as np

from ....errors import ProjectError
from ...chunks.table import ChunkTable
from ...lexical.bm25 import BM25Settings, LexicalIndex
from ...types import Document
from .generation import Generation
from .lexical import PostgresLexical, whole_index
from .rows import read_ints
from .tables import vector_table
from .vectors import PostgresVectors

_OFFSETS = (
    "SELECT string_agg(int4send(chapter), ''::bytea ORDER BY ordinal), "
    "string_agg(int4send(span_start), ''::bytea ORDER BY ordinal), "
    "string_agg(int4send(span_end), ''::bytea ORDER BY ordinal) FROM fabula.chunks "
    "WHERE book = :book AND generation = :generation"
)
_NAMES = "SELECT name, sha256 FROM fabula.files WHERE book = :book AND generation = :generation"
_BODY = "SELECT body FROM fabula.files WHERE book = :book AND generation = :generation AND name = :name"


class PostgresIndex:
    """An :class:`..seam.IndexReader` of one ``generation``. The folder of its files goes at :meth:`close`."""

    def __init__(self, generation: Generation) -> None:
        self.generation = generation
        self._fetched: set[str] = set()
        self._lock = threading.Lock()
        self._removal: weakref.finalize[[], PostgresIndex] | None = None

    @property
    def name(self) -> str:
        return self.generation.name

    def close(self) -> None:
        """Removes the files that were fetched."""
        if self._removal is not None:
            self._removal()

    def files(self, *patterns: str) -> Path:
        with self._lock:
            for name, sha256 in self._names.items():
                if name not in self._fetched and _matches(name, patterns):
                    (self._folder / name).write_bytes(self._body(name, sha256))
                    self._fetched.add(name)
            return self._folder

    def chunks(self, document: Document) -> ChunkTable:
        columns = [read_ints(packed, ">i4") for packed in self.generation.rows(_OFFSETS)[0]]
        table = np.stack(columns, axis=1).astype(np.int64)
        if len(table) != self.generation.chunks or int(table.max(initial=0)) > len(document.text):
            raise self.generation.broken("the chunks")
        return ChunkTable(document, table)

    def lexical(self, settings: BM25Settings) -> PostgresLexical:
        return PostgresLexical(self.generation, settings=settings)

    def whole_lexical(self, settings: BM25Settings) -> LexicalIndex:
        return whole_index(self.generation, settings=settings)

    def vectors(self) -> PostgresVectors:
        return PostgresVectors(self.generation)

    def verify(self, *patterns: str) -> None:
        """Fetches the files that match and compares their SHA-256; without a pattern it counts the rows of
        the other parts too, whose bytes are the server's to guard."""
        for name, sha256 in self._names.items():
            if _matches(name, patterns):
                self._body(name, sha256)
        if patterns:
            return
        g = self.generation
        whole_index(g, settings=BM25Settings())
        table, _ = vector_table(half_precision=g.half_precision)
        [(count, last)] = g.rows(
            f"SELECT count(*), coalesce(max(ordinal), -1) FROM {table} "  # noqa: S608 (a name of ours)
            "WHERE book = :book AND generation = :generation"
        )
        if (count, last) != (g.chunks, g.chunks - 1):
            raise g.broken("the vectors")

    @cached_property
    def _names(self) -> dict[str, str]:
        found = {row.name: row.sha256 for row in self.generation.rows(_NAMES)}
        if not found:
            self.generation.check()
        return found

    @cached_property
    def _folder(self) -> Path:
        folder = Path(tempfile.mkdtemp(prefix="fabula-"))
        self._removal = weakref.finalize(self, partial(shutil.rmtree, folder, ignore_errors=True))
        return folder

    def _body(self, name: str, sha256: str) -> bytes:
        rows = self.generation.rows(_BODY, name=name)
        if not rows:
            raise self.generation.broken(f"the bytes of {name}")
        body: bytes = rows[0].body
        if hashlib.sha256(body).hexdigest() != sha256:
            raise ProjectError(
                f"{name} of generation {self.name} of {self.generation.book} is damaged: "
                "index the book again with fabula index --rebuild"
            )
        return body


def _matches(name: str, patterns: tuple[str, ...]) -> bool:
    return not patterns or any(fnmatchcase(name, pattern) for pattern in patterns)
