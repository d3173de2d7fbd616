"""Conversations on a PostgreSQL server: what was asked, what was answered, and up to which chapter."""

from __future__ import annotations

import uuid
from collections.abc import Mapping

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert

from ...types import Horizon
from ..conversations import Conversation, KeptTurn, checked_id
from ..database import postpone
from .connection import Server
from .tables import TURNS


class PostgresConversations:
    """The :class:`..seam.Conversations` of one book. What is deleted is gone from every answer at once; the
    server's files hold it until it vacuums the table and its log moves on."""

    def __init__(self, server: Server, book: str) -> None:
        self._server = server
        self._book = book
        self._own = TURNS.c.book == book

    @property
    def is_writable(self) -> bool:
        """False on a standby, which only reads."""
        return not self._server.read(lambda db: db.exec_driver_sql("SELECT pg_is_in_recovery()").scalar())

    def add(self, conversation: str, turn: KeptTurn) -> None:
        """Appends the turn; the first one begins the conversation."""
        row = {
            "book": self._book,
            "entry": uuid.uuid4(),
            "conversation": checked_id(conversation),
            "chapter": turn.chapter,
            "question": turn.question,
            "answer": turn.answer,
            "told": turn.told,
        }
        self._server.write(lambda db: db.execute(insert(TURNS).on_conflict_do_nothing(), [row]))

    def turns(self, conversation: str, *, horizon: Horizon) -> tuple[KeptTurn, ...]:
        """In order; none where there is no such conversation, or none at the horizon."""
        query = self._at(horizon).where(TURNS.c.conversation == checked_id(conversation))
        rows = self._server.read(lambda db: db.execute(query.order_by(TURNS.c.id)).all())
        return tuple(KeptTurn(row.question, row.answer, row.chapter, row.told) for row in rows)

    def listed(self, *, horizon: Horizon) -> tuple[Conversation, ...]:
        """All that have turns at the horizon, the one asked in last first."""
        query = self._at(horizon).order_by(TURNS.c.id.desc())
        found: dict[str, list[str]] = {}
        for row in self._server.read(lambda db: db.execute(query).all()):
            found.setdefault(row.conversation, []).append(row.question)
        return tuple(Conversation(id, asked[-1], len(asked)) for id, asked in found.items())

    def postpone(self, later: Mapping[int, int]) -> None:
        """Turns at a chapter that is a key of ``later`` are from now on at the one it gives, a later one."""
        self._server.write(lambda db: postpone(db, TURNS, later, own=self._own), twice=False)

    def delete(self, conversation: str) -> int:
        """Deletes the conversation; how many turns it had."""
        removal = TURNS.delete().where(self._own, TURNS.c.conversation == checked_id(conversation))
        return self._server.write(lambda db: db.execute(removal).rowcount, twice=False)

    def _at(self, horizon: Horizon) -> sa.Select[tuple[object, ...]]:
        query: sa.Select[tuple[object, ...]] = sa.select(TURNS).where(self._own)
        return query if horizon.chapter is None else query.where(TURNS.c.chapter <= horizon.chapter)
