"""Ratings of search results on a PostgreSQL server."""

from __future__ import annotations

import uuid
from collections.abc import Mapping

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert

from ...queries.router import QueryClass
from ...queries.weight_learning import Rating
from ...types import Horizon
from ..database import postpone
from ..feedback import rating_row, read_rating
from .connection import Server
from .tables import RATINGS


class PostgresRatings:
    """A :class:`...weight_manager.RatingStore` of one book. An :meth:`add` is committed when it returns."""

    def __init__(self, server: Server, book: str) -> None:
        self._server = server
        self._book = book
        self._own = RATINGS.c.book == book

    def add(self, rating: Rating) -> None:
        """Keeps a rating as the newest."""
        row = {"book": self._book, "entry": uuid.uuid4(), **rating_row(rating)}
        self._server.write(lambda db: db.execute(insert(RATINGS).on_conflict_do_nothing(), [row]))

    def recent(self, limit: int, *, horizon: Horizon) -> list[Rating]:
        """The newest ``limit`` that count at the horizon, newest first."""
        query = sa.select(RATINGS).where(self._own).order_by(RATINGS.c.id.desc()).limit(limit)
        if horizon.chapter is not None:
            query = query.where(RATINGS.c.chapter <= horizon.chapter)  # null is never <=
        rows = self._server.read(lambda db: db.execute(query).all())
        return [read_rating(row, place=f"the database on {self._server.name}") for row in rows]

    def postpone(self, later: Mapping[int, int]) -> None:
        """Ratings at a chapter that is a key of ``later`` are from now on at the one it gives."""
        self._server.write(lambda db: postpone(db, RATINGS, later, own=self._own), twice=False)

    def clear(self, query_class: QueryClass | None = None) -> None:
        """Removes the ratings of a class, or all."""
        removal = RATINGS.delete().where(self._own)
        if query_class is not None:
            removal = removal.where(RATINGS.c.query_class == query_class)
        self._server.write(lambda db: db.execute(removal))

    def stamp(self) -> tuple[int, int]:
        """(newest id, number of ratings), which differs whenever the ratings do."""
        query = sa.select(sa.func.coalesce(sa.func.max(RATINGS.c.id), 0), sa.func.count()).where(self._own)
        newest, count = self._server.read(lambda db: db.execute(query).one())
        return int(newest), int(count)
