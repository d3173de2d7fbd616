"""What models were asked and how many tokens that took: a row a day, model and kind of work, to which every
call is added."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Literal

import sqlalchemy as sa

from .database import Database

UsageKind = Literal["language", "embedding"]

USAGE = sa.Table(
    "usage",
    sa.MetaData(),
    sa.Column("day", sa.String, primary_key=True),  # UTC
    sa.Column("model", sa.String, primary_key=True),
    sa.Column("kind", sa.String, primary_key=True),
    sa.Column("free", sa.Boolean, primary_key=True),
    sa.Column("calls", sa.Integer, nullable=False),
    sa.Column("estimated", sa.Integer, nullable=False),
    sa.Column("prompt_tokens", sa.Integer, nullable=False),
    sa.Column("completion_tokens", sa.Integer, nullable=False),
    sa.Column("seconds", sa.Float, nullable=False),
)


@dataclass(frozen=True, slots=True)
class UsageRow:
    """The calls of one day (``YYYY-MM-DD``, UTC) to one model. Tokens of ``estimated`` of the ``calls`` were
    estimated, since the model reported none. ``free``: it ran here, or a person answered."""

    day: str
    model: str
    kind: UsageKind
    free: bool
    calls: int
    estimated: int
    prompt_tokens: int
    completion_tokens: int
    seconds: float


class UsageStore:
    """Reads and writes a table of calls, which is made by the first that is added. Each :meth:`add` is safe
    when it returns; where nothing can be written nothing is kept. Raises ProjectError where the database
    cannot be used."""

    def __init__(
        self, database: Database, table: sa.Table, *, clock: Callable[[], float] = time.time
    ) -> None:
        self._database = database
        self._table = table
        self._clock = clock

    def add(
        self,
        model: str,
        kind: UsageKind,
        *,
        prompt_tokens: int,
        completion_tokens: int,
        seconds: float,
        estimated: bool = False,
        free: bool = False,
    ) -> None:
        """Adds one call to its day. A call whose commit was not answered is not added again."""
        database, table = self._database, self._table
        if not (database.is_writable and database.holds(table, make=True)):
            return
        row = {
            "day": time.strftime("%Y-%m-%d", time.gmtime(self._clock())),
            "model": model,
            "kind": kind,
            "free": free,
            "calls": 1,
            "estimated": int(estimated),
            "prompt_tokens": prompt_tokens,
            "completion_tokens": completion_tokens,
            "seconds": seconds,
        }
        adding = database.insert(table, row)
        sums = {one.name: one + adding.excluded[one.name] for one in table.c if not one.primary_key}
        adding = adding.on_conflict_do_update(index_elements=list(table.primary_key), set_=sums)
        database.write(lambda db: db.execute(adding), twice=False)

    def rows(self) -> tuple[UsageRow, ...]:
        """All, by day, then model, then kind."""
        database, columns = self._database, [self._table.c[each.name] for each in fields(UsageRow)]
        if not database.holds(self._table, make=False):
            return ()
        query = sa.select(*columns).where(*database.own(self._table)).order_by(*columns[:4])
        found = database.read(lambda db: db.execute(query).mappings().all())
        return tuple(UsageRow(**dict(row)) for row in found)
