"""The tables of all books on a server, in the schema ``fabula``; every one of them is keyed by book.

What an index is made of has a generation too. Nothing refers from one book's rows to another's, so that
tables can be spread over servers by the column ``book``.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from ....errors import ProjectError

SCHEMA = "1"
_PARTITIONS = 16  # of the vectors: an index of one book costs the queries of few others anything
_MAKING = 0x0FAB  # the advisory lock of who makes the tables

_TABLES = sa.MetaData(schema="fabula")


def _table(name: str, *parts: sa.schema.SchemaItem) -> sa.Table:
    return sa.Table(name, _TABLES, sa.Column("book", sa.Text, primary_key=True), *parts)


def _key(name: str, kind: type[sa.types.TypeEngine[Any]] = sa.Integer) -> sa.Column[Any]:
    return sa.Column(name, kind, primary_key=True, autoincrement=False)


def _held(name: str, kind: type[sa.types.TypeEngine[Any]]) -> sa.Column[Any]:
    return sa.Column(name, kind, nullable=False)


ABOUT = sa.Table("about", _TABLES, _key("key", sa.Text), _held("value", sa.Text))
BOOKS = _table("books", sa.Column("generation", sa.Integer))  # the one that readers open
VALUES = _table("values", _key("key", sa.Text), _held("value", sa.Text))
WORK = _table("work", _key("producer", sa.Text), _key("input", sa.Text), _held("output", sa.LargeBinary))
GENERATIONS = _table(
    "generations",
    _key("generation"),
    _held("run", sa.Uuid),  # made by who publishes, so that it can see whether it has
    _held("made_ns", sa.BigInteger),
    _held("document", sa.Text),
    _held("title", sa.Text),
    _held("text", sa.Text),
    _held("content", sa.Text),  # a digest of the book and where its chapters are
    _held("meta", sa.Text),  # JSON
    _held("chunks", sa.Integer),
    _held("postings", sa.Integer),
    _held("dimension", sa.Integer),
    _held("half_precision", sa.Boolean),
    _held("vector_index", sa.Text),
)
CHAPTERS = _table(
    "chapters",
    _key("generation"),
    _key("number"),
    _held("title", sa.Text),
    *(_held(name, sa.Integer) for name in ("heading_start", "heading_end", "body_start", "body_end")),
)
FILES = _table(
    "files",
    _key("generation"),
    _key("name", sa.Text),
    _held("sha256", sa.Text),
    _held("body", sa.LargeBinary),
)
CHUNKS = _table(
    "chunks",
    _key("generation"),
    _key("ordinal"),
    _held("chapter", sa.Integer),
    _held("span_start", sa.Integer),
    _held("span_end", sa.Integer),
    _held("length", sa.Integer),  # terms
    _held("words", sa.LargeBinary),  # numbers of its terms in order of the text, int32, little-endian
)
POSTINGS = _table(
    "postings",
    _key("generation"),
    _key("term", sa.Text),
    _held("number", sa.Integer),
    _held("df", sa.Integer),
    _held("chunks", sa.LargeBinary),  # ascending, int32, little-endian
    _held("counts", sa.LargeBinary),  # of the term in each of them, likewise
)
ENTITIES = _table(  # the story graph, to be asked in SQL: fabula reads it from its file
    "entities",
    _key("generation"),
    _key("id", sa.Text),
    _held("kind", sa.Text),
    _held("name", sa.Text),
    _held("first_chapter", sa.Integer),
)
RELATIONS = _table(
    "relations",
    _key("generation"),
    _key("number"),
    *(_held(name, sa.Text) for name in ("subject", "predicate", "object", "modality")),
    _held("told", sa.Integer),  # the chapter
    _held("confidence", sa.Double),
    sa.Column("span_start", sa.Integer),  # of the first quote, in the generation's text
    sa.Column("span_end", sa.Integer),
)
RATINGS = _table(
    "ratings",
    sa.Column("id", sa.BigInteger, sa.Identity(always=True), primary_key=True),
    sa.Column("entry", sa.Uuid, nullable=False),  # made by who rates: to add it twice adds it once
    _held("query", sa.Text),
    _held("query_class", sa.Text),
    _held("chunk_id", sa.Text),
    _held("rating", sa.Double),
    sa.Column("chapter", sa.Integer),  # the horizon of the search; null: the whole book
    _held("weight", sa.Double),
    _held("placements", sa.Text),  # JSON rows, the rated answer first
    sa.UniqueConstraint("book", "entry"),
)
TURNS = _table(
    "turns",
    sa.Column("id", sa.BigInteger, sa.Identity(always=True), primary_key=True),
    sa.Column("entry", sa.Uuid, nullable=False),
    _held("conversation", sa.Text),
    _held("chapter", sa.Integer),
    _held("question", sa.Text),
    _held("answer", sa.Text),
    _held("told", sa.Boolean),
    sa.UniqueConstraint("book", "entry"),
    sa.Index("turns_of_a_conversation", "book", "conversation", "id"),
)
USAGE = _table(
    "usage",
    _key("day", sa.Text),  # UTC
    _key("model", sa.Text),
    _key("kind", sa.Text),
    _key("free", sa.Boolean),
    *(_held(name, sa.BigInteger) for name in ("calls", "estimated", "prompt_tokens", "completion_tokens")),
    _held("seconds", sa.Double),
)
OF_A_GENERATION = (
    *("chapters", "files", "chunks", "postings", "vectors", "half_vectors", "entities", "relations"),
    "generations",
)
"""Tables whose rows go with their generation; the last of them says that there is one."""


def vector_table(*, half_precision: bool) -> tuple[str, str]:
    """The table of vectors of that precision, and the type in it."""
    return ("fabula.half_vectors", "halfvec") if half_precision else ("fabula.vectors", "vector")


def delete_book(db: sa.Connection, book: str) -> None:
    """Deletes the book's rows from every table."""
    add_graph_tables(db)
    for table in (*OF_A_GENERATION, *(t.name for t in (RATINGS, TURNS, USAGE, WORK, VALUES, BOOKS))):
        db.execute(sa.text(f'DELETE FROM fabula."{table}" WHERE book = :book'), {"book": book})  # noqa: S608


def make_tables(db: sa.Connection) -> None:
    """Makes what is missing; who else does so at the same time waits."""
    if sa.inspect(db).has_table(ABOUT.name, schema=ABOUT.schema):
        refuse_other_schemas(db)
        add_graph_tables(db)
        return
    db.execute(sa.select(sa.func.pg_advisory_xact_lock(_MAKING)))
    if sa.inspect(db).has_table(ABOUT.name, schema=ABOUT.schema):
        return
    db.exec_driver_sql("CREATE SCHEMA IF NOT EXISTS fabula")
    db.exec_driver_sql("CREATE EXTENSION IF NOT EXISTS vector")
    _TABLES.create_all(db, checkfirst=False)
    for column in ("chunks", "counts"):  # numbers: to compress them costs more than it saves
        db.exec_driver_sql(f"ALTER TABLE fabula.postings ALTER COLUMN {column} SET STORAGE EXTERNAL")
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


def add_graph_tables(db: sa.Connection) -> None:
    """Makes the tables of the story graph where the others are older than they."""
    if not sa.inspect(db).has_table(RELATIONS.name, schema=RELATIONS.schema):
        db.execute(sa.select(sa.func.pg_advisory_xact_lock(_MAKING)))
        _TABLES.create_all(db, tables=[ENTITIES, RELATIONS])


def refuse_other_schemas(db: sa.Connection) -> None:
    """Raises ProjectError where there are no tables, or those of another version."""
    if not sa.inspect(db).has_table(ABOUT.name, schema=ABOUT.schema):
        raise ProjectError("the database holds no books yet: index one with fabula index BOOK -o FOLDER")
    schema = db.execute(sa.select(ABOUT.c.value).where(ABOUT.c.key == "schema")).scalar()
    if schema != SCHEMA:
        raise ProjectError(
            f"the tables on the server have schema {schema}, this version reads {SCHEMA}: "
            "index into another database"
        )
