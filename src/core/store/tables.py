"""The tables of a project, what a book is in them, and the checksums of both."""

from __future__ import annotations

import hashlib
import json
from dataclasses import astuple

import sqlalchemy as sa

from ..types import Book, Chapter, Document, Span

BOOKS_KEY = "books"
"""Of the table ``meta``: which books a series has."""
TABLES = sa.MetaData()
META = sa.Table("meta", TABLES, sa.Column("key", sa.String, primary_key=True), sa.Column("value", sa.String))
DOCUMENTS = sa.Table(
    "documents",
    TABLES,
    sa.Column("id", sa.String, primary_key=True),
    sa.Column("title", sa.String, nullable=False),
    sa.Column("text", sa.Text, nullable=False),
)
CHAPTERS = sa.Table(
    "chapters",
    TABLES,
    sa.Column("document_id", sa.String, primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("title", sa.String, nullable=False),
    sa.Column("heading_start", sa.Integer, nullable=False),
    sa.Column("heading_end", sa.Integer, nullable=False),
    sa.Column("body_start", sa.Integer, nullable=False),
    sa.Column("body_end", sa.Integer, nullable=False),
)
WORK = sa.Table(
    "work",
    TABLES,
    sa.Column("producer", sa.String, primary_key=True),
    sa.Column("input", sa.String, primary_key=True),
    sa.Column("output", sa.LargeBinary, nullable=False),  # sealed
)
FEEDBACK = sa.Table(
    "feedback",
    TABLES,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("query", sa.Text, nullable=False),
    sa.Column("query_class", sa.String, nullable=False),
    sa.Column("chunk_id", sa.String, nullable=False),
    sa.Column("rating", sa.Float, nullable=False),
    sa.Column("chapter", sa.Integer),  # the horizon of the search; null: the whole book
    sa.Column("weight", sa.Float, nullable=False),
    sa.Column("placements", sa.Text, nullable=False),  # JSON rows, the rated answer first
    sqlite_autoincrement=True,  # an id is never used again, so the newest id tells change
)
TURNS = sa.Table(
    "turns",
    TABLES,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("conversation", sa.String, nullable=False, index=True),
    sa.Column("chapter", sa.Integer, nullable=False),  # up to which the story was known
    sa.Column("question", sa.Text, nullable=False),
    sa.Column("answer", sa.Text, nullable=False),
    sa.Column("told", sa.Boolean, nullable=False),
    sqlite_autoincrement=True,
)

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
    rows = (repr(sorted(chapter_row(document, chapter).items())) for chapter in document.chapters)
    books = [books_value(document)] if document.books else []
    return digest(document.id, document.title, document.text, *rows, *books)


def books_value(document: Document) -> str:
    """The books of a series as they are kept under :data:`BOOKS_KEY`; empty for one that stands alone."""
    return json.dumps([astuple(book) for book in document.books]) if document.books else ""


def read_books(kept: str | None) -> tuple[Book, ...]:
    """What :func:`books_value` made. Raises ValueError or TypeError for anything else."""
    return tuple(Book(*row) for row in json.loads(kept)) if kept else ()


def chapter_row(document: Document, chapter: Chapter) -> dict[str, object]:
    """The chapter as a row of the table ``chapters``, by column."""
    return {
        "document_id": document.id,
        "number": chapter.number,
        "title": chapter.title,
        "heading_start": chapter.heading.start,
        "heading_end": chapter.heading.end,
        "body_start": chapter.body.start,
        "body_end": chapter.body.end,
    }


def read_chapter(row: sa.Row[tuple[object, ...]]) -> Chapter:
    """Raises ValueError or TypeError where the offsets cannot be those of a chapter."""
    heading, body = Span(row.heading_start, row.heading_end), Span(row.body_start, row.body_end)
    return Chapter(row.number, row.title, heading, body)


def seal(output: bytes) -> bytes:
    """The bytes with their SHA-256 before them."""
    return hashlib.sha256(output).digest() + output


def unseal(kept: bytes) -> bytes | None:
    """What was sealed; None where it is no longer that."""
    output = kept[_SEAL:]
    return output if hashlib.sha256(output).digest() == kept[:_SEAL] else None
