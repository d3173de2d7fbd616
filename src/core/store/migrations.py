"""Schemas of a project's database, and the steps from each to the next.

1. Chunks were a table; they are a file of the index since.
2. Kept work had no checksum.
3. Ratings and conversations made their tables when they were first used.
4. All tables are made with the project.

What a step changes is the database alone. An index that an older version wrote stays as it is: where it
cannot be read any more, it is made anew from the text (``fabula verify --mend``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

import sqlalchemy as sa

from .tables import META, TABLES, WORK, seal
from .usage import USAGE

SCHEMA = "4"
SEALED = ("3", SCHEMA)  # schemas in which kept work has checksums


def _drop_chunks(db: sa.Connection) -> None:
    db.exec_driver_sql("DROP TABLE IF EXISTS chunks")


def _seal_work(db: sa.Connection) -> None:
    for producer, key in db.execute(sa.select(WORK.c.producer, WORK.c.input)).all():
        mine = (WORK.c.producer == producer) & (WORK.c.input == key)
        output = db.execute(sa.select(WORK.c.output).where(mine)).scalar_one()
        db.execute(WORK.update().where(mine).values(output=seal(output)))


def _make_all_tables(db: sa.Connection) -> None:
    TABLES.create_all(db)


_STEPS: Mapping[str, tuple[str, Callable[[sa.Connection], None]]] = {
    "1": ("2", _drop_chunks),
    "2": ("3", _seal_work),
    "3": (SCHEMA, _make_all_tables),
}
READ = (*_STEPS, SCHEMA)
"""Every schema that can be read, the oldest first."""


def schema_of(db: sa.Connection) -> str | None:
    """None where the project's first transaction never came to its end."""
    if not sa.inspect(db).has_table(META.name):
        return None
    return db.execute(sa.select(META.c.value).where(META.c.key == "schema")).scalar()


_ACTS = re.compile(r"\b(?:CHECK|GENERATED|AS|DEFAULT|REFERENCES|COLLATE|UNIQUE)\b", re.IGNORECASE)


def foreign_part(db: sa.Connection) -> str:
    """A table, index, view or trigger that no version of this makes so ("trigger t"); "" where there is none.
    A trigger acts whenever the database is written to."""
    own = {("table", "chunks"): ""}  # of schema 1
    for table in (*TABLES.sorted_tables, USAGE):
        own["table", table.name] = _flat(str(sa.schema.CreateTable(table).compile(db)))
        for index in table.indexes:
            own["index", str(index.name)] = _flat(str(sa.schema.CreateIndex(index).compile(db)))
    query = (
        "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND substr(name, 1, 7) <> 'sqlite_'"
    )
    for kind, name, sql in db.exec_driver_sql(query):
        made = own.get((kind, name))
        earlier = kind == "table" and made is not None and not _ACTS.search(sql)  # of other columns
        if not earlier and made not in ("", _flat(sql)):
            return f"{kind} {name}"
    return ""


def _flat(sql: str) -> str:
    return "".join(sql.split())


def migrate(db: sa.Connection) -> None:
    """Brings a database to the present schema, step by step, within the transaction that ``db`` is in; makes
    all of a new one. One of a schema that is not known stays as it is."""
    schema = schema_of(db)
    if schema is None:
        TABLES.create_all(db)
        set_values(db, {"schema": SCHEMA})
        return
    while schema in _STEPS:
        schema, step = _STEPS[schema]
        step(db)
        set_values(db, {"schema": schema})


def set_values(db: sa.Connection, values: Mapping[str, str]) -> None:
    """Puts values into the table ``meta``, by key."""
    rows = [{"key": key, "value": value} for key, value in values.items()]
    db.execute(META.insert().prefix_with("OR REPLACE"), rows)
