"""What models were asked and how many tokens that took: a row a day, model and kind of work, to which every
call is added."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Literal

import sqlalchemy as sa

from ..types import Call
from .database import Database

UsageKind = Literal["language", "embedding"]


@dataclass(frozen=True, slots=True)
class UsageRow:
    """The calls of one day (``YYYY-MM-DD``, UTC; empty in sums over all days) to one model. Tokens of
    ``estimated`` of the ``calls`` were estimated, since the model reported none. ``free``: it ran here, or a
    person answered. ``dollars`` is not kept: it comes from a price list, and is None without a price."""

    day: str
    model: str
    kind: UsageKind
    free: bool
    calls: int
    estimated: int
    prompt_tokens: int
    completion_tokens: int
    seconds: float
    dollars: float | None = None


_KEPT = tuple(each.name for each in fields(UsageRow))[:-1]


class UsageStore:
    """The calls in a project's database. Each :meth:`add` is safe when it returns; where nothing can be
    written nothing is kept. Raises ProjectError where the database cannot be used."""

    def __init__(self, database: Database, *, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._table = database.tables.usage
        self._clock = clock

    def add(self, call: Call, kind: UsageKind, *, free: bool = False) -> None:
        """Adds one call to its day. A call whose commit was not answered is not added again."""
        if not self._database.is_writable:
            return
        day = time.strftime("%Y-%m-%d", time.gmtime(self._clock()))
        tokens = call.prompt_tokens, call.completion_tokens
        row = UsageRow(day, call.model, kind, free, 1, int(call.estimated), *tokens, call.seconds)
        adding = self._database.insert(self._table, {name: getattr(row, name) for name in _KEPT})
        sums = {one.name: one + adding.excluded[one.name] for one in self._table.c if not one.primary_key}
        adding = adding.on_conflict_do_update(index_elements=list(self._table.primary_key), set_=sums)
        self._database.write(lambda db: db.execute(adding), twice=False)

    def rows(self) -> tuple[UsageRow, ...]:
        """All, by day, then model, then kind."""
        columns = [self._table.c[name] for name in _KEPT]
        query = sa.select(*columns).where(*self._database.own(self._table)).order_by(*columns[:4])
        found = self._database.read(lambda db: db.execute(query).mappings().all())
        return tuple(UsageRow(**dict(row)) for row in found)
