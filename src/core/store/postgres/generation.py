"""One published generation of a book on a server: what its parts are read by."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import sqlalchemy as sa

from ....errors import ProjectError
from ..database import Database
from .tables import GENERATIONS, vector_table


@dataclass(frozen=True, slots=True)
class Generation:
    """``chunks`` and ``dimension`` are what was written, ``vector_index`` what searches use."""

    database: Database
    book: str
    number: int
    made_ns: int
    chunks: int
    dimension: int
    half_precision: bool
    vector_index: str
    document: str
    title: str
    meta: Mapping[str, str]

    @classmethod
    def of(cls, database: Database, row: sa.Row[*tuple[Any, ...]]) -> Generation:
        own: dict[str, Any] = {each.name: getattr(row, each.name) for each in fields(cls)[3:-1]}
        kept = {**json.loads(row.meta), "content": row.content, "generation": f"{row.generation:06d}"}
        return cls(database, row.book, row.generation, **own, meta=kept)

    @property
    def name(self) -> str:
        """Its number, as generations in a folder are named."""
        return f"{self.number:06d}"

    @property
    def vectors(self) -> tuple[str, str]:
        """The table of its vectors, and the type in it."""
        return vector_table(half_precision=self.half_precision)

    def own(self, table: sa.Table) -> sa.ColumnElement[bool]:
        """What tells the generation's rows of a table from others."""
        return (table.c.book == self.book) & (table.c.generation == self.number)

    def rows(self, query: str, /, **values: object) -> Sequence[sa.Row[*tuple[Any, ...]]]:
        return self.database.read(lambda db: db.execute(sa.text(query), values).all())

    def where(self) -> str:
        """The condition that rows are of this generation, with the values in it: an index of vectors is of
        one generation of one book, and the server must see so. A book's key has no quotes."""
        return f"book = '{self.book}' AND generation = {self.number}"

    def check(self) -> None:
        """Raises ProjectError where it was removed, as it is when others were published after it."""
        query = sa.select(sa.func.count()).where(self.own(GENERATIONS))
        if not self.database.read(lambda db: db.execute(query).scalar()):
            raise ProjectError(
                f"generation {self.name} of {self.book} is gone, since the book was indexed again: "
                "open the project again"
            )

    def broken(self, part: str) -> ProjectError:
        """For a part whose rows are not those that were written. Raises where the generation is gone."""
        self.check()
        return ProjectError(
            f"{part} of generation {self.name} of {self.book} are not as they were written: "
            "index the book again with fabula index --rebuild"
        )
