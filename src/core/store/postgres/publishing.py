"""A generation of a book written in one transaction: readers see all of it or nothing."""

from __future__ import annotations

import hashlib
import json
import tempfile
import time
import uuid
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import sqlalchemy as sa

from ....errors import ProjectError
from ...interfaces import Vectors
from ..database import Database
from ..generations import Publication
from ..tables import BOOKS_KEY, books_value, chapter_row, digest_document, drop_unused_work
from .tables import (
    BOOKS,
    CHAPTERS,
    ENTITIES,
    FILES,
    GENERATIONS,
    OF_A_GENERATION,
    RECORDS,
    RELATIONS,
    vector_table,
)
from .target import Target

_BLOCK = 4096  # rows
_HEADER = b"PGCOPY\n\xff\r\n\0" + bytes(8)  # of PostgreSQL's binary COPY format
_TRAILER = b"\xff\xff"


def publish(database: Database, target: Target, made: Publication, *, before: int | None) -> None:
    """Writes the generation after the newest and lets readers open it; keeps the one before, for those who
    have it open, and removes older ones. ``before`` is the generation that the caller built on: raises
    ProjectError where another was published meanwhile."""
    run, document, graph = uuid.uuid4(), made.document, made.graph()
    described = {
        "run": run,
        "document": document.id,
        "title": document.title,
        "text": document.text,
        "content": digest_document(document),
        "meta": json.dumps({**made.meta, BOOKS_KEY: books_value(document)}),
        "chunks": len(made.chunks),
        "dimension": made.vectors.vectors.shape[1],
        "half_precision": target.half_precision,
        "vector_index": target.vector_index,
    }
    with tempfile.TemporaryDirectory(prefix="fabula-") as scratch:
        made.save_but_vectors(Path(scratch))
        files = {path.name: path.read_bytes() for path in sorted(Path(scratch).iterdir())}

    def write(db: sa.Connection) -> None:
        held = sa.select(BOOKS.c.generation).where(BOOKS.c.book == target.book).with_for_update()
        if db.execute(held).scalar() != before:
            raise ProjectError(f"another process has published {target.book} meanwhile: index the book again")
        newest = sa.select(sa.func.coalesce(sa.func.max(GENERATIONS.c.generation), 0))
        number = int(db.execute(newest.where(GENERATIONS.c.book == target.book)).scalar_one()) + 1
        own = {"book": target.book, "generation": number}

        def add(table: sa.Table, rows: Iterable[Mapping[str, object]]) -> None:
            if full := [{**own, **row} for row in rows]:
                db.execute(table.insert(), full)

        add(GENERATIONS, [{"made_ns": time.time_ns(), **described}])
        add(CHAPTERS, map(chapter_row, document.chapters))
        for name, body in files.items():  # one by one: a statement holds its values twice
            add(FILES, [{"name": name, "sha256": hashlib.sha256(body).hexdigest(), "body": body}])
        add(ENTITIES, _named(ENTITIES, graph.entities))
        add(RELATIONS, _named(RELATIONS, ((i, *row) for i, row in enumerate(graph.relations))))
        _copy_vectors(db, target, number, made.vectors.vectors)
        drop_unused_work(db, RECORDS.work, made.used, RECORDS.work.c.book == target.book)
        db.execute(BOOKS.update().where(BOOKS.c.book == target.book).values(generation=number))
        for table in OF_A_GENERATION:
            db.execute(
                sa.text(f"DELETE FROM fabula.{table} WHERE book = :book AND generation < :oldest"),  # noqa: S608
                {"book": target.book, "oldest": before if before is not None else number},
            )

    current = (BOOKS.c.book == GENERATIONS.c.book) & (BOOKS.c.generation == GENERATIONS.c.generation)
    last = sa.select(GENERATIONS.c.run).join(BOOKS, current).where(BOOKS.c.book == target.book)
    try:
        database.publish(write)
    except ProjectError:
        if database.read(lambda db: db.execute(last).scalar()) != run:  # else only the answer was lost
            raise


def _named(table: sa.Table, rows: Iterable[tuple[object, ...]]) -> Iterator[dict[str, object]]:
    columns = [column.name for column in table.c][2:]
    return (dict(zip(columns, row, strict=True)) for row in rows)


def _copy_vectors(db: sa.Connection, target: Target, generation: int, vectors: Vectors) -> None:
    """Adds a row for each vector, shape (n, dimension), packed by NumPy: a million numbers in a second."""
    table, _ = vector_table(half_precision=target.half_precision)
    cursor: Any = db.connection.cursor()
    statement = f"COPY {table} (book, generation, ordinal, v) FROM STDIN (FORMAT BINARY)"
    with cursor, cursor.copy(statement) as copy:
        number = np.dtype(">f2" if target.half_precision else ">f4")
        for block in _packed(target.book.encode(), generation, vectors, number):
            copy.write(block)


def _packed(book: bytes, generation: int, vectors: Vectors, number: np.dtype[Any]) -> Iterator[bytes]:
    dimension = vectors.shape[1]
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
