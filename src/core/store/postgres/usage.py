"""What models were asked, on a PostgreSQL server."""

from __future__ import annotations

import time
from collections.abc import Callable

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert

from ..usage import UsageKind, UsageRow
from .connection import Server
from .tables import USAGE

_KEYS = ("day", "model", "kind", "free")


class PostgresUsage:
    """The :class:`..seam.Usage` of one book. An :meth:`add` is committed when it returns."""

    def __init__(self, server: Server, book: str, *, clock: Callable[[], float] = time.time) -> None:
        self._server = server
        self._book = book
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
        row = {
            "book": self._book,
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
        adding = insert(USAGE).values(row)
        sums = {
            column.name: column + adding.excluded[column.name] for column in USAGE.c if not column.primary_key
        }
        adding = adding.on_conflict_do_update(index_elements=list(USAGE.primary_key), set_=sums)
        self._server.write(lambda db: db.execute(adding), twice=False)

    def rows(self) -> tuple[UsageRow, ...]:
        """All, by day, then model, then kind."""
        columns = [column for column in USAGE.c if column.name != "book"]
        query = (
            sa.select(*columns).where(USAGE.c.book == self._book).order_by(*(USAGE.c[key] for key in _KEYS))
        )
        found = self._server.read(lambda db: db.execute(query).mappings().all())
        return tuple(UsageRow(**dict(row)) for row in found)
