"""Rows in PostgreSQL's binary COPY format, packed by NumPy: a million numbers in a second."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import sqlalchemy as sa
from numpy.typing import NDArray

from ...interfaces import Vectors

_HEADER = b"PGCOPY\n\xff\r\n\0" + bytes(8)
_TRAILER = b"\xff\xff"
_BLOCK = 4096  # rows


def copy_rows(
    db: sa.Connection, table: str, columns: Sequence[str], types: Sequence[str], rows: Iterable[Sequence[Any]]
) -> None:
    """Adds the rows to the table, in the transaction of the connection."""
    cursor: Any = db.connection.cursor()
    with cursor, cursor.copy(f"COPY {table} ({', '.join(columns)}) FROM STDIN (FORMAT BINARY)") as copy:
        copy.set_types(types)
        for row in rows:
            copy.write_row(row)


def copy_vectors(
    db: sa.Connection, table: str, book: str, generation: int, vectors: Vectors, *, half_precision: bool
) -> None:
    """Adds a row for each vector, shape (n, dimension), in the transaction of the connection."""
    cursor: Any = db.connection.cursor()
    statement = f"COPY {table} (book, generation, ordinal, v) FROM STDIN (FORMAT BINARY)"
    with cursor, cursor.copy(statement) as copy:
        for block in _packed(book.encode(), generation, vectors, ">f2" if half_precision else ">f4"):
            copy.write(block)


def _packed(book: bytes, generation: int, vectors: Vectors, kind: str) -> Iterator[bytes]:
    dimension = vectors.shape[1]
    number = np.dtype(kind)
    row = np.dtype(
        [
            ("columns", ">i2"),
            ("book_bytes", ">i4"),
            ("book", f"S{len(book)}"),
            ("generation_bytes", ">i4"),
            ("generation", ">i4"),
            ("ordinal_bytes", ">i4"),
            ("ordinal", ">i4"),
            ("vector_bytes", ">i4"),
            ("dimension", ">i2"),
            ("unused", ">i2"),
            ("vector", number, (dimension,)),
        ]
    )
    yield _HEADER
    for first in range(0, len(vectors), _BLOCK):
        part = vectors[first : first + _BLOCK]
        rows = np.zeros(len(part), dtype=row)
        rows["columns"] = 4
        rows["book_bytes"], rows["book"] = len(book), book
        rows["generation_bytes"], rows["generation"] = 4, generation
        rows["ordinal_bytes"], rows["ordinal"] = 4, np.arange(first, first + len(part))
        rows["vector_bytes"], rows["dimension"] = 4 + number.itemsize * dimension, dimension
        rows["vector"] = part
        yield rows.tobytes()
    yield _TRAILER


def read_ints(packed: bytes | None, kind: str = "<i4") -> NDArray[np.int32]:
    """The numbers in the bytes; none where there are no bytes."""
    return np.frombuffer(packed or b"", dtype=kind).astype(np.int32, copy=False)


def read_vector(sent: bytes, *, half_precision: bool) -> Vectors:
    """What ``vector_send`` or ``halfvec_send`` gave."""
    return np.frombuffer(sent, dtype=">f2" if half_precision else ">f4", offset=4).astype(np.float32)


def written_vector(vector: Vectors) -> str:
    """As pgvector reads it, to the bit."""
    return f"[{','.join(map(repr, vector.tolist()))}]"
