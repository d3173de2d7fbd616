"""A generation of a book written in one transaction: readers see all of it or nothing."""

from __future__ import annotations

import hashlib
import json
import tempfile
import time
import uuid
from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np
import sqlalchemy as sa

from ....errors import ProjectError
from ...types import Document
from ..generations import IndexParts
from ..records import drop_unused
from ..tables import BOOKS_KEY, books_value, chapter_row, digest_document
from .connection import Server
from .rows import copy_rows, copy_vectors
from .tables import BOOKS, CHAPTERS, FILES, GENERATIONS, OF_A_GENERATION, WORK, add_graph_tables, vector_table
from .target import Target


def publish(
    server: Server,
    target: Target,
    document: Document,
    *,
    parts: IndexParts,
    meta: Mapping[str, str],
    used: Iterable[tuple[str, str]],
    before: int | None,
) -> None:
    """Writes the generation after the newest and lets readers open it; keeps the one before, for those who
    have it open, and removes older ones. ``before`` is the generation that the caller built on: raises
    ProjectError where another was published meanwhile."""
    files = _files(parts)
    run, wanted = uuid.uuid4(), frozenset(used)

    def write(db: sa.Connection) -> None:
        add_graph_tables(db)
        held = sa.select(BOOKS.c.generation).where(BOOKS.c.book == target.book).with_for_update()
        if db.execute(held).scalar() != before:
            raise ProjectError(f"another process has published {target.book} meanwhile: index the book again")
        newest = sa.select(sa.func.coalesce(sa.func.max(GENERATIONS.c.generation), 0))
        number = int(db.execute(newest.where(GENERATIONS.c.book == target.book)).scalar_one()) + 1
        row = generation_row(target, document, parts, meta) | {"generation": number, "run": run}
        db.execute(GENERATIONS.insert(), [row])
        own = {"book": target.book, "generation": number}
        if document.chapters:
            rows = [own | _chapter(document, i) for i in range(len(document.chapters))]
            db.execute(CHAPTERS.insert(), rows)
        _write_files(db, files, own)
        copy_parts(db, target, number, parts)
        drop_unused(db, WORK, wanted, WORK.c.book == target.book)
        db.execute(BOOKS.update().where(BOOKS.c.book == target.book).values(generation=number))
        for table in OF_A_GENERATION:
            db.execute(
                sa.text(f"DELETE FROM fabula.{table} WHERE book = :book AND generation < :oldest"),  # noqa: S608
                {"book": target.book, "oldest": before if before is not None else number},
            )

    try:
        server.publish(write)
    except ProjectError:
        if not _is_published(server, target.book, run):  # else only the answer was lost
            raise


def _files(parts: IndexParts) -> dict[str, bytes]:
    with tempfile.TemporaryDirectory(prefix="fabula-") as scratch:
        parts.fill(Path(scratch))
        return {path.name: path.read_bytes() for path in sorted(Path(scratch).iterdir())}


def generation_row(
    target: Target, document: Document, parts: IndexParts, meta: Mapping[str, str]
) -> dict[str, object]:
    """What the table of generations says of it, but for its number and who made it."""
    return {
        "book": target.book,
        "made_ns": time.time_ns(),
        "document": document.id,
        "title": document.title,
        "text": document.text,
        "content": digest_document(document),
        "meta": json.dumps({**meta, BOOKS_KEY: books_value(document)}),
        "chunks": len(parts.chunks),
        "postings": len(parts.lexical.terms),
        "dimension": parts.vectors.vectors.shape[1],
        "half_precision": target.half_precision,
        "vector_index": target.vector_index,
    }


def _chapter(document: Document, place: int) -> dict[str, object]:
    row = chapter_row(document, document.chapters[place])
    return {column: value for column, value in row.items() if column != "document_id"}


def _write_files(db: sa.Connection, files: Mapping[str, bytes], own: Mapping[str, object]) -> None:
    for name, body in files.items():  # one by one: a statement holds its values twice
        sha256 = hashlib.sha256(body).hexdigest()
        db.execute(FILES.insert(), [{**own, "name": name, "sha256": sha256, "body": body}])


def copy_parts(db: sa.Connection, target: Target, number: int, parts: IndexParts) -> None:
    """Writes chunks, postings, the graph and vectors of the generation ``number``."""
    own = (target.book, number)
    words = parts.lexical.words_of_chunks()
    copy_rows(
        db,
        "fabula.chunks",
        ("book", "generation", "ordinal", "chapter", "span_start", "span_end", "length", "words"),
        ("text", "int4", "int4", "int4", "int4", "int4", "int4", "bytea"),
        (
            (*own, ordinal, *row, len(told), told.astype("<i4", copy=False).tobytes())
            for ordinal, (row, told) in enumerate(zip(parts.chunks.rows.tolist(), words, strict=True))
        ),
    )
    postings = zip(parts.lexical.terms, parts.lexical.postings(), strict=True)
    copy_rows(
        db,
        "fabula.postings",
        ("book", "generation", "term", "number", "df", "chunks", "counts"),
        ("text", "int4", "text", "int4", "int4", "bytea", "bytea"),
        (
            (*own, term, i, len(chunks), *(np.asarray(a, "<i4").tobytes() for a in (chunks, counts)))
            for i, (term, (chunks, counts)) in enumerate(postings)
        ),
    )
    graph = parts.graph()
    copy_rows(
        db,
        "fabula.entities",
        ("book", "generation", "id", "kind", "name", "first_chapter"),
        ("text", "int4", "text", "text", "text", "int4"),
        ((*own, *entity) for entity in graph.entities),
    )
    copy_rows(
        db,
        "fabula.relations",
        (
            *("book", "generation", "number", "subject", "predicate", "object", "modality"),
            *("told", "confidence", "span_start", "span_end"),
        ),
        ("text", "int4", "int4", "text", "text", "text", "text", "int4", "float8", "int4", "int4"),
        ((*own, number, *relation) for number, relation in enumerate(graph.relations)),
    )
    half = target.half_precision
    table, _ = vector_table(half_precision=half)
    copy_vectors(db, table, *own, parts.vectors.vectors, half_precision=half)


def _is_published(server: Server, book: str, run: uuid.UUID) -> bool:
    query = sa.select(GENERATIONS.c.run).join(
        BOOKS, (BOOKS.c.book == GENERATIONS.c.book) & (BOOKS.c.generation == GENERATIONS.c.generation)
    )
    return server.read(lambda db: db.execute(query.where(BOOKS.c.book == book)).scalar()) == run
