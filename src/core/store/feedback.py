"""Ratings in the project's database: acknowledged means on disk, and two processes may write at once."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager
from typing import cast

import sqlalchemy as sa

from ...errors import ConfigError, ProjectError
from ..queries.router import CLASSES, QueryClass
from ..queries.weight_learning import Placement, Rating
from ..types import Horizon
from .database import postpone, translated, writing
from .tables import FEEDBACK

_STAMP = "SELECT coalesce(max(id), 0), count(*) FROM feedback"  # at every search, so as it is sent


class FeedbackStore:
    """Reads and writes through the engine of the project's ``fabula.db``; makes its table if there is none.

    Each :meth:`add` is one transaction, on disk when it returns (the engine sets WAL and full
    synchronisation); a second writer waits for it. Where the file can only be read and holds no table, there
    are no ratings. Raises ProjectError where the database cannot be used.
    """

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine
        with self._translated():
            made = sa.inspect(engine).has_table(FEEDBACK.name)
            self._is_empty = not made and engine.get_execution_options()["read_only"]  # and stays so
            if not made and not self._is_empty:
                with writing(engine) as db:
                    db.execute(sa.schema.CreateTable(FEEDBACK, if_not_exists=True))

    def add(self, rating: Rating) -> None:
        with self._translated(), writing(self._engine) as db:
            db.execute(FEEDBACK.insert(), [rating_row(rating)])

    def recent(self, limit: int, *, horizon: Horizon) -> list[Rating]:
        """The newest ``limit`` ratings that count at the horizon, newest first: at the whole book all, at
        a chapter only those given at that chapter's horizon or an earlier one."""
        if self._is_empty:
            return []
        query = sa.select(FEEDBACK).order_by(FEEDBACK.c.id.desc()).limit(limit)
        if horizon.chapter is not None:
            query = query.where(FEEDBACK.c.chapter <= horizon.chapter)  # null is never <=
        with self._translated(), self._engine.connect() as db:
            return [read_rating(row, place=str(self._engine.url.database)) for row in db.execute(query)]

    def examined(self) -> list[tuple[int, str, str]]:
        """Of every rating its id, the chunk that it is of, and why it cannot be read ("" where it can)."""
        if self._is_empty:
            return []
        found = []
        with self._translated(), self._engine.connect() as db:
            for row in db.execute(sa.select(FEEDBACK).order_by(FEEDBACK.c.id)):
                problem = ""
                try:
                    read_rating(row, place=str(self._engine.url.database))
                except ProjectError as error:
                    problem = str(error.__cause__)
                found.append((int(row.id), str(row.chunk_id), problem))
        return found

    def drop(self, ids: Iterable[int]) -> None:
        """Removes ratings by id."""
        with self._translated(), writing(self._engine) as db:
            for id in ids:
                db.execute(FEEDBACK.delete().where(FEEDBACK.c.id == id))

    def postpone(self, later: Mapping[int, int]) -> None:
        """Ratings at a chapter that is a key of ``later`` are from now on at the one it gives."""
        with self._translated(), writing(self._engine) as db:
            postpone(db, FEEDBACK, later)

    def clear(self, query_class: QueryClass | None = None) -> None:
        """Removes the ratings of a class, or all."""
        removal = FEEDBACK.delete()
        if query_class is not None:
            removal = removal.where(FEEDBACK.c.query_class == query_class)
        with self._translated(), writing(self._engine) as db:
            db.execute(removal)

    def stamp(self) -> tuple[int, int]:
        """(newest id, number of ratings), which differs whenever the ratings do."""
        if self._is_empty:
            return 0, 0
        with self._translated(), self._engine.connect() as db:
            newest, count = db.exec_driver_sql(_STAMP).one()
        return int(newest), int(count)

    def _translated(self) -> AbstractContextManager[None]:
        return translated(f"the feedback in {self._engine.url.database}")


def rating_row(rating: Rating) -> dict[str, object]:
    """The rating by column of a table of ratings."""
    places = [
        (p.chunk_id, p.lexical_rank, p.lexical, p.semantic_rank, p.semantic)
        for p in (rating.answer, *rating.alternatives)
    ]
    return {
        "query": rating.query,
        "query_class": rating.query_class,
        "chunk_id": rating.answer.chunk_id,
        "rating": rating.rating,
        "chapter": rating.horizon.chapter,
        "weight": rating.weight,
        "placements": json.dumps(places, separators=(",", ":")),
    }


def read_rating(row: sa.Row[tuple[object, ...]], *, place: str) -> Rating:
    """What :func:`rating_row` wrote. Raises ProjectError, which names the place, where it is not that."""
    try:
        answer, *others = (Placement(*each) for each in json.loads(row.placements))
        if row.query_class not in CLASSES:
            raise ValueError(f"there is no class {row.query_class!r}")
        return Rating(
            row.query,
            cast(QueryClass, row.query_class),
            answer,
            row.rating,
            Horizon(row.chapter),
            row.weight,
            tuple(others),
        )
    except (ValueError, TypeError, ConfigError) as error:
        raise ProjectError(
            f"rating {row.id} in {place} cannot be read ({error}): "
            "clear the feedback, or restore the database from a copy"
        ) from error
