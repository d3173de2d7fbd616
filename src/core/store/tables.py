"""The tables of a project, what a book is in them, and the checksums of both.

The records (values, work, ratings, turns, usage) are declared once. In a project's own SQLite file all rows
are its own; on a server every row is keyed by its book.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection
from dataclasses import astuple, dataclass
from typing import Any

import sqlalchemy as sa

from ..types import Book, Chapter, Document, Span

BOOKS_KEY = "books"
"""Of the values: which books a series has."""
_OFFSETS = ("heading_start", "heading_end", "body_start", "body_end")


@dataclass(frozen=True, slots=True)
class RecordTables:
    """What a project keeps beside its index. ``values`` are texts by key, ``work`` what models made of the
    chapters, with a checksum (:func:`seal`)."""

    values: sa.Table
    work: sa.Table
    ratings: sa.Table
    turns: sa.Table
    usage: sa.Table


def required(*names: str, kind: type[sa.types.TypeEngine[Any]] = sa.Text) -> list[sa.Column[Any]]:
    """Columns of one type that are never null."""
    return [sa.Column(name, kind, nullable=False) for name in names]


def key(*names: str, kind: type[sa.types.TypeEngine[Any]] = sa.Text) -> list[sa.Column[Any]]:
    """Columns of one type in the primary key."""
    return [sa.Column(name, kind, primary_key=True, autoincrement=False) for name in names]


def chapter_columns() -> list[sa.Column[Any]]:
    """Title of a chapter, and where its heading and its body stand in the text."""
    return [*required("title"), *required(*_OFFSETS, kind=sa.Integer)]


def record_tables(metadata: sa.MetaData, *, values: str, ratings: str, of_books: bool) -> RecordTables:
    """``values`` and ``ratings`` are the names of these two tables. ``of_books``: each row has its book, and
    ratings and turns have an ``entry``, made by who adds them, so that to add one twice adds it once."""

    def table(name: str, *parts: sa.schema.SchemaItem) -> sa.Table:
        return sa.Table(name, metadata, *(key("book") if of_books else ()), *parts)

    def numbered(name: str, *parts: sa.schema.SchemaItem) -> sa.Table:
        if not of_books:  # an id is never used again, so the newest id tells change
            id = sa.Column("id", sa.Integer, primary_key=True, autoincrement=True)
            return sa.Table(name, metadata, id, *parts, sqlite_autoincrement=True)
        id = sa.Column("id", sa.BigInteger, sa.Identity(always=True), primary_key=True)
        entry = sa.Column("entry", sa.Uuid, nullable=False)
        return table(name, id, entry, *parts, sa.UniqueConstraint("book", "entry"))

    turns_index = (
        sa.Index("turns_of_a_conversation", "book", "conversation", "id")
        if of_books
        else sa.Index("ix_turns_conversation", "conversation")
    )
    return RecordTables(
        table(values, *key("key"), sa.Column("value", sa.Text, nullable=not of_books)),
        table("work", *key("producer", "input"), *required("output", kind=sa.LargeBinary)),
        numbered(
            ratings,
            *required("query", "query_class", "chunk_id"),
            *required("rating", kind=sa.Double),
            sa.Column("chapter", sa.Integer),  # the horizon of the search; null: the whole book
            *required("weight", kind=sa.Double),
            *required("placements"),  # JSON rows, the rated answer first
        ),
        numbered(
            "turns",
            *required("conversation"),
            *required("chapter", kind=sa.Integer),  # up to which the story was known
            *required("question", "answer"),
            *required("told", kind=sa.Boolean),
            turns_index,
        ),
        table(
            "usage",
            *key("day", "model", "kind"),  # the day in UTC
            *key("free", kind=sa.Boolean),
            *required("calls", "estimated", "prompt_tokens", "completion_tokens", kind=sa.BigInteger),
            *required("seconds", kind=sa.Double),
        ),
    )


TABLES = sa.MetaData()
DOCUMENTS = sa.Table("documents", TABLES, *key("id"), *required("title", "text"))
CHAPTERS = sa.Table(
    "chapters", TABLES, *key("document_id"), *key("number", kind=sa.Integer), *chapter_columns()
)
FILE_RECORDS = record_tables(TABLES, values="meta", ratings="feedback", of_books=False)
"""Of a project's own SQLite file."""

_SEAL = hashlib.sha256().digest_size


def digest(*parts: str) -> str:
    """SHA-256 of the parts, each with its length, in hex."""
    h = hashlib.sha256()
    for part in parts:
        raw = part.encode("utf-8", "surrogatepass")
        h.update(f"{len(raw)}:".encode())
        h.update(raw)
    return h.hexdigest()


def digest_document(document: Document) -> str:
    """Of all that the tables hold of a book: names, text, and where its chapters are."""
    own = {"document_id": document.id}
    rows = (repr(sorted((own | chapter_row(chapter)).items())) for chapter in document.chapters)
    books = [books_value(document)] if document.books else []
    return digest(document.id, document.title, document.text, *rows, *books)


def books_value(document: Document) -> str:
    """The books of a series as they are kept under :data:`BOOKS_KEY`; empty for one that stands alone."""
    return json.dumps([astuple(book) for book in document.books]) if document.books else ""


def read_books(kept: str | None) -> tuple[Book, ...]:
    """What :func:`books_value` made. Raises ValueError or TypeError for anything else."""
    return tuple(Book(*row) for row in json.loads(kept)) if kept else ()


def chapter_row(chapter: Chapter) -> dict[str, object]:
    """The chapter by column, without what tells whose it is."""
    ends = (chapter.heading.start, chapter.heading.end, chapter.body.start, chapter.body.end)
    return {"number": chapter.number, "title": chapter.title, **dict(zip(_OFFSETS, ends, strict=True))}


def read_chapter(row: sa.Row[tuple[object, ...]]) -> Chapter:
    """Raises ValueError or TypeError where the offsets cannot be those of a chapter."""
    heading, body = Span(row.heading_start, row.heading_end), Span(row.body_start, row.body_end)
    return Chapter(row.number, row.title, heading, body)


def drop_unused_work(
    db: sa.Connection, table: sa.Table, used: Collection[tuple[str, str]], *own: sa.ColumnElement[bool]
) -> None:
    """Removes what of a table's ``own`` rows (all without any) is not ``used``: (producer, key) pairs."""
    kept = db.execute(sa.select(table.c.producer, table.c.input).where(*own)).all()
    for producer, input in kept:
        if (producer, input) not in used:
            db.execute(table.delete().where(*own, table.c.producer == producer, table.c.input == input))


def seal(output: bytes) -> bytes:
    """The bytes with their SHA-256 before them."""
    return hashlib.sha256(output).digest() + output


def unseal(kept: bytes) -> bytes | None:
    """What was sealed; None where it is no longer that."""
    output = kept[_SEAL:]
    return output if hashlib.sha256(output).digest() == kept[:_SEAL] else None
