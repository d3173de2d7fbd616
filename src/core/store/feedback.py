"""Ratings that a project keeps: acknowledged means safe, and two processes may write at once."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple
from typing import Any, cast

import sqlalchemy as sa

from ...errors import ConfigError, ProjectError
from ..queries.router import CLASSES, QueryClass
from ..queries.weight_learning import Placement, Rating
from ..types import Horizon
from .database import Database


class FeedbackStore:
    """The ratings of a project's database. An :meth:`add` is safe when it returns. Raises ProjectError where
    it cannot be used."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._table = table = database.tables.ratings
        self._own = database.own(table)
        newest = sa.func.coalesce(sa.func.max(table.c.id), 0)
        self._stamp = sa.select(newest, sa.func.count()).select_from(table).where(*self._own)

    def add(self, rating: Rating) -> None:
        """Keeps a rating as the newest."""
        places = [astuple(place) for place in (rating.answer, *rating.alternatives)]
        row = {name: getattr(rating, name) for name in ("query", "query_class", "rating", "weight")}
        row |= {"chunk_id": rating.answer.chunk_id, "chapter": rating.horizon.chapter}
        row |= {"placements": json.dumps(places, separators=(",", ":"))}
        self._database.add(self._table, row)

    def recent(self, limit: int, *, horizon: Horizon) -> list[Rating]:
        """The newest ``limit`` ratings that count at the horizon, newest first: at the whole book all, at
        a chapter only those given at that chapter's horizon or an earlier one."""
        query = sa.select(self._table).where(*self._own).order_by(self._table.c.id.desc()).limit(limit)
        if horizon.chapter is not None:
            query = query.where(self._table.c.chapter <= horizon.chapter)  # null is never <=
        return [_rating(row, place=self._database.name) for row in self._rows(query)]

    def examined(self) -> list[tuple[int, str, str]]:
        """Of every rating its id, the chunk that it is of, and why it cannot be read ("" where it can)."""
        found = []
        for row in self._rows(sa.select(self._table).where(*self._own).order_by(self._table.c.id)):
            problem = ""
            try:
                _rating(row, place=self._database.name)
            except ProjectError as error:
                problem = str(error.__cause__)
            found.append((int(row.id), str(row.chunk_id), problem))
        return found

    def drop(self, ids: Iterable[int]) -> None:
        """Removes ratings by id."""
        removal = self._table.delete().where(*self._own, self._table.c.id.in_(list(ids)))
        self._database.write(lambda db: db.execute(removal))

    def postpone(self, later: Mapping[int, int]) -> None:
        """Ratings at a chapter that is a key of ``later`` are from now on at the one it gives."""
        self._database.postpone(self._table, later)

    def clear(self) -> None:
        """Removes all ratings."""
        self._database.write(lambda db: db.execute(self._table.delete().where(*self._own)))

    def stamp(self) -> tuple[int, int]:
        """(newest id, number of ratings), which differs whenever the ratings do."""
        newest, count = self._database.read(lambda db: db.execute(self._stamp).one())
        return int(newest), int(count)

    def _rows(self, query: sa.Select[Any]) -> Sequence[sa.Row[Any]]:
        return self._database.read(lambda db: db.execute(query).all())


def _rating(row: sa.Row[tuple[object, ...]], *, place: str) -> Rating:
    """What was added. Raises ProjectError, which names the place, where it is not that."""
    try:
        answer, *others = (Placement(*each) for each in json.loads(row.placements))
        if row.query_class not in CLASSES:
            raise ValueError(f"there is no class {row.query_class!r}")
        rated = row.query, cast(QueryClass, row.query_class), answer, row.rating
        return Rating(*rated, Horizon(row.chapter), row.weight, tuple(others))
    except (ValueError, TypeError, ConfigError) as error:
        raise ProjectError(
            f"rating {row.id} in {place} cannot be read ({error}): "
            "clear the feedback, or restore the database from a copy"
        ) from error
