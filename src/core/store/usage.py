"""What models were asked and how many tokens that took, in the project's database: a row a day, model and
kind of work, to which every call is added."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Literal

import sqlalchemy as sa

from .database import translated, writing

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
_KEYS = ("day", "model", "kind", "free")


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
    """Reads and writes through the engine of the project's ``fabula.db``; its table is made by the first call
    that is added. Each :meth:`add` is one transaction, on disk when it returns; where the file can only be
    read nothing is kept. Raises ProjectError where the database cannot be used."""

    def __init__(self, engine: sa.Engine, *, clock: Callable[[], float] = time.time) -> None:
        self._engine = engine
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
        """Adds one call to its day."""
        if self._engine.get_execution_options()["read_only"]:
            return
        day = time.strftime("%Y-%m-%d", time.gmtime(self._clock()))
        mine = {"day": day, "model": model, "kind": kind, "free": free}
        more = {
            "calls": 1,
            "estimated": int(estimated),
            "prompt_tokens": prompt_tokens,
            "completion_tokens": completion_tokens,
            "seconds": seconds,
        }
        here = sa.and_(*(USAGE.c[key] == mine[key] for key in _KEYS))
        with self._translated(), writing(self._engine) as db:
            USAGE.create(db, checkfirst=True)
            sums = {name: USAGE.c[name] + value for name, value in more.items()}
            if db.execute(USAGE.update().where(here).values(sums)).rowcount == 0:
                db.execute(USAGE.insert(), [{**mine, **more}])

    def rows(self) -> tuple[UsageRow, ...]:
        """All, by day, then model, then kind."""
        with self._translated(), self._engine.connect() as db:
            if not sa.inspect(db).has_table(USAGE.name):
                return ()
            found = db.execute(sa.select(USAGE).order_by(*(USAGE.c[key] for key in _KEYS))).mappings()
            return tuple(UsageRow(**dict(row)) for row in found)

    def _translated(self) -> AbstractContextManager[None]:
        return translated(f"the usage in {self._engine.url.database}")
