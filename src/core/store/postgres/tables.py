"""The tables of all books on a server, in the schema ``fabula``; every one of them is keyed by book.

What an index is made of has a generation too. Nothing refers from one book's rows to another's, so that
tables can be spread over servers by the column ``book``.
"""

from __future__ import annotations

import sqlalchemy as sa

from ....errors import ProjectError
from ..tables import chapter_columns, key, record_tables, required

SCHEMA = "2"
_BEFORE = "1"  # words and chunks were tables; they are files of the index since
_PARTITIONS = 16  # of the vectors: an index of one book costs the queries of few others anything
_MAKING = 0x0FAB  # the advisory lock of who makes the tables

_TABLES = sa.MetaData(schema="fabula")


def _table(name: str, *parts: sa.schema.SchemaItem) -> sa.Table:
    return sa.Table(name, _TABLES, *key("book"), *parts)


def _indexed(name: str, *parts: sa.schema.SchemaItem) -> sa.Table:
    return _table(name, *key("generation", kind=sa.Integer), *parts)


ABOUT = sa.Table("about", _TABLES, *key("key"), *required("value"))
BOOKS = _table("books", sa.Column("generation", sa.Integer))  # the one that readers open
RECORDS = record_tables(_TABLES, values="values", ratings="ratings", of_books=True)
GENERATIONS = _indexed(
    "generations",
    *required("run", kind=sa.Uuid),  # made by who publishes, so that it can see whether it has
    *required("made_ns", kind=sa.BigInteger),
    *required("document", "title", "text"),
    *required("content"),  # a digest of the book and where its chapters are
    *required("meta"),  # JSON
    *required("chunks", "dimension", kind=sa.Integer),
    *required("half_precision", kind=sa.Boolean),
    *required("vector_index"),
)
CHAPTERS = _indexed("chapters", *key("number", kind=sa.Integer), *chapter_columns())
FILES = _indexed("files", *key("name"), *required("sha256"), *required("body", kind=sa.LargeBinary))
# the story graph, to be asked in SQL: fabula reads it from its file
ENTITIES = _indexed(
    "entities", *key("id"), *required("kind", "name"), *required("first_chapter", kind=sa.Integer)
)
RELATIONS = _indexed(
    "relations",
    *key("number", kind=sa.Integer),
    *required("subject", "predicate", "object", "modality"),
    *required("told", kind=sa.Integer),  # the chapter
    *required("confidence", kind=sa.Double),
    sa.Column("span_start", sa.Integer),  # of the first quote, in the generation's text
    sa.Column("span_end", sa.Integer),
)
OF_A_GENERATION = (*("chapters", "files", "vectors", "half_vectors", "entities", "relations"), "generations")
"""Tables whose rows go with their generation; the last of them says that there is one."""


def vector_table(*, half_precision: bool) -> tuple[str, str]:
    """The table of vectors of that precision, and the type in it."""
    return ("fabula.half_vectors", "halfvec") if half_precision else ("fabula.vectors", "vector")


def delete_book(db: sa.Connection, book: str) -> None:
    """Deletes the book's rows from every table."""
    records = (RECORDS.ratings, RECORDS.turns, RECORDS.usage, RECORDS.work, RECORDS.values, BOOKS)
    for table in (*OF_A_GENERATION, *(one.name for one in records)):
        db.execute(sa.text(f'DELETE FROM fabula."{table}" WHERE book = :book'), {"book": book})  # noqa: S608


def make_tables(db: sa.Connection) -> None:
    """Makes what is missing; who else does so at the same time waits."""
    if _schema(db) == SCHEMA:
        return
    db.execute(sa.select(sa.func.pg_advisory_xact_lock(_MAKING)))
    schema = _schema(db)
    if schema is None:
        _make_all(db)
    elif schema == _BEFORE:
        db.exec_driver_sql("DROP TABLE fabula.chunks, fabula.postings")
        db.exec_driver_sql("ALTER TABLE fabula.generations DROP COLUMN postings")
        _TABLES.create_all(db)
        db.execute(ABOUT.update().where(ABOUT.c.key == "schema").values(value=SCHEMA))
    else:
        refuse_other_schemas(db)


def _make_all(db: sa.Connection) -> None:
    db.exec_driver_sql("CREATE SCHEMA IF NOT EXISTS fabula")
    db.exec_driver_sql("CREATE EXTENSION IF NOT EXISTS vector")
    _TABLES.create_all(db, checkfirst=False)
    for half in (False, True):
        table, kind = vector_table(half_precision=half)
        db.exec_driver_sql(
            f"CREATE TABLE {table} (book text NOT NULL, generation int NOT NULL, ordinal int NOT NULL, "
            f"v {kind} STORAGE MAIN NOT NULL, PRIMARY KEY (book, generation, ordinal)) "
            "PARTITION BY HASH (book)"
        )
        for i in range(_PARTITIONS):
            db.exec_driver_sql(
                f"CREATE TABLE {table}_{i:02d} PARTITION OF {table} "
                f"FOR VALUES WITH (MODULUS {_PARTITIONS}, REMAINDER {i})"
            )
    db.execute(ABOUT.insert(), [{"key": "schema", "value": SCHEMA}])


def _schema(db: sa.Connection) -> str | None:
    if not sa.inspect(db).has_table(ABOUT.name, schema=ABOUT.schema):
        return None
    return db.execute(sa.select(ABOUT.c.value).where(ABOUT.c.key == "schema")).scalar()


def refuse_other_schemas(db: sa.Connection) -> None:
    """Raises ProjectError where there are no tables, or those of another version."""
    schema = _schema(db)
    if schema is None:
        raise ProjectError("the database holds no books yet: index one with fabula index BOOK -o FOLDER")
    if schema == _BEFORE:
        raise ProjectError(
            "the tables on the server are of an earlier version: index the book again with fabula index, "
            "which keeps its work, ratings and conversations"
        )
    if schema != SCHEMA:
        raise ProjectError(
            f"the tables on the server have schema {schema}, this version reads {SCHEMA}: "
            "index into another database"
        )
