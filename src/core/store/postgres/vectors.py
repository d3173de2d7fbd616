"""Nearest chunks by pgvector: every vector compared, or the index that the settings chose.

pgvector finds candidates; their vectors are fetched and scored here by the embedded index's own sum, so that
a score does not depend on how a chunk was found. With HNSW or IVFFlat some of the nearest may be missed.
"""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
import sqlalchemy as sa
from numpy.typing import NDArray

from ...interfaces import Vectors
from ...kernels.top_k import ranked
from ...vectors.index import VectorIndex
from ..database import Database
from .generation import Generation

Ordinals = NDArray[np.intp]
Mask = NDArray[np.bool_]

_MORE = 8  # candidates beyond those asked for, so that ties are broken here
_KEPT_BYTES = 16 * 1024**2
_INDEXED = 2_000  # a shorter prefix is compared whole: an index would leave too much of what it finds
_NOTHING = np.zeros(0, dtype=np.intp), np.zeros(0, dtype=np.float32)

_INDEXES = sa.text(
    "SELECT c.relname, i.indisvalid FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid "
    "JOIN pg_namespace s ON s.oid = c.relnamespace "
    "WHERE s.nspname = 'fabula' AND starts_with(c.relname, :prefix)"
)


def ivfflat_lists(n: int) -> int:
    """How many lists an IVFFlat index of ``n`` vectors has."""
    if n < 10_000:
        return 10
    return 100 if n < 100_000 else 1000


class PostgresVectors:
    """A :class:`...interfaces.VectorBackend`. Filtered searches and short prefixes compare every vector,
    whichever index there is. Vectors fetched last are kept, up to 16 MB."""

    def __init__(self, generation: Generation) -> None:
        self._generation = generation
        self._table, self._type = generation.vectors
        self._kept: OrderedDict[int, Vectors] = OrderedDict()
        self._most = max(1, _KEPT_BYTES // (4 * generation.dimension))
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return self._generation.chunks

    @property
    def dimension(self) -> int:
        return self._generation.dimension

    def nearest(
        self, vector: Vectors, k: int, *, limit: int | None = None, mask: Mask | None = None
    ) -> tuple[Ordinals, Vectors]:
        n = len(self) if limit is None else min(limit, len(self))
        allowed = n if mask is None else int(np.count_nonzero(mask))
        if allowed == 0 or k <= 0:
            return _NOTHING
        query = np.ascontiguousarray(vector, dtype=np.float32)
        wanted = min(k + _MORE, allowed)
        is_exact = self._generation.vector_index == "exact" or mask is not None or n < _INDEXED
        rows = self._candidates(query, wanted, n, mask, exact=is_exact)
        if is_exact and len(rows) != wanted:
            raise self._generation.broken("the vectors")
        if not rows:
            self._generation.check()
            return _NOTHING
        found = self._keep(rows)
        ordinals = np.fromiter(found, dtype=np.intp, count=len(found))
        return ranked(ordinals, _products(list(found.values()), query), k)

    def cosines(self, vector: Vectors, ordinals: Ordinals) -> Vectors:
        """The scores of these chunks; fetches those vectors that are not kept."""
        asked = ordinals.tolist()
        if not asked:
            return _NOTHING[1]
        with self._lock:
            known = {ordinal: self._kept[ordinal] for ordinal in asked if ordinal in self._kept}
        missing = sorted(set(asked) - known.keys())
        if missing:
            send = f"{self._type}_send(v)"
            rows = self._generation.rows(
                f"SELECT ordinal, {send} FROM {self._table} "  # noqa: S608 (names of ours)
                f"WHERE {self._generation.where()} AND ordinal = ANY(:ordinals)",
                ordinals=missing,
            )
            known |= self._keep(rows)
        if len(known) < len(set(asked)):
            raise self._generation.broken("the vectors")
        return _products([known[ordinal] for ordinal in asked], np.asarray(vector, dtype=np.float32))

    def _candidates(
        self, query: Vectors, wanted: int, n: int, mask: Mask | None, *, exact: bool
    ) -> Sequence[sa.Row[*tuple[Any, ...]]]:
        """An index is used where a query is ordered by the expression that it was made on."""
        g, kind = self._generation, self._type
        own = "v" if exact else f"v::{kind}({g.dimension})"
        chosen, values = "", {}
        if mask is not None:
            chosen = "AND get_bit(:mask, ordinal) = 1 "
            values["mask"] = np.packbits(mask, bitorder="little").tobytes()
        return g.rows(
            f"SELECT ordinal, {kind}_send(v) FROM {self._table} WHERE {g.where()} "  # noqa: S608 (our names)
            f"AND ordinal = ANY(ARRAY(SELECT ordinal FROM {self._table} "
            f"WHERE {g.where()} AND ordinal < :n {chosen}"
            f"ORDER BY ({own}) <#> CAST(:query AS {kind}) LIMIT :wanted))",
            n=n,
            query=f"[{','.join(map(repr, query.tolist()))}]",
            wanted=wanted,
            **values,
        )

    def _keep(self, rows: Sequence[sa.Row[*tuple[Any, ...]]]) -> dict[int, Vectors]:
        number = ">f2" if self._generation.half_precision else ">f4"
        found = {
            ordinal: np.frombuffer(sent, dtype=number, offset=4).astype(np.float32) for ordinal, sent in rows
        }
        with self._lock:
            self._kept.update(found)
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return found


def build_vector_index(database: Database, generation: Generation) -> None:
    """Makes the index of the generation's vectors where its settings ask for one, beside readers and writers;
    until it is there, and for good where the process is killed meanwhile, searches compare every vector.
    Indexes of generations that are gone are removed."""
    g = generation
    mine, before = f"{_prefix(g.book)}{g.number}", f"{_prefix(g.book)}{g.number - 1}"
    statements = _removals(database, g.book, kept=(mine, before))
    if g.vector_index != "exact" and g.chunks:
        table, kind = g.vectors
        [(partition,)] = g.rows(f"SELECT tableoid::regclass FROM {table} WHERE {g.where()} LIMIT 1")  # noqa: S608
        options = f"WITH (lists = {ivfflat_lists(g.chunks)})" if g.vector_index == "ivfflat" else ""
        statements.append(
            f"CREATE INDEX CONCURRENTLY {mine} ON {partition} USING {g.vector_index} "
            f"((v::{kind}({g.dimension})) {kind}_ip_ops) {options} WHERE {g.where()}"
        )
        statements.append(f"ANALYZE {partition} (book, generation, ordinal)")  # or it may not be chosen
    _run(database, statements)


def remove_vector_indexes(database: Database, book: str) -> None:
    """Removes every index of the book's vectors."""
    _run(database, _removals(database, book, kept=()))


def _prefix(book: str) -> str:
    return f"ann_{hashlib.sha256(book.encode()).hexdigest()[:12]}_"


def _removals(database: Database, book: str, *, kept: Collection[str]) -> list[str]:
    """What removes the book's indexes but these, and those of them that were never finished."""
    found = database.read(lambda db: db.execute(_INDEXES, {"prefix": _prefix(book)}).all())
    surplus = [name for name, is_valid in found if name not in kept or not is_valid]
    return [f"DROP INDEX CONCURRENTLY IF EXISTS fabula.{name}" for name in surplus]


def _run(database: Database, statements: Sequence[str]) -> None:
    if not statements:
        return
    with database.session() as db, database.translated():
        db.exec_driver_sql("SET maintenance_work_mem = '512MB'")
        db.exec_driver_sql("SET client_min_messages = 'warning'")
        db.exec_driver_sql("SET lock_timeout = 0")  # it waits for those who still read
        for statement in statements:
            db.exec_driver_sql(statement)


def _products(rows: list[Vectors], query: Vectors) -> Vectors:
    return VectorIndex(np.stack(rows)).cosines(query, np.arange(len(rows), dtype=np.intp))
