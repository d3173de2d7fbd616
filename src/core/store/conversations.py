"""Conversations in the project's database: what was asked, what was answered, and up to which chapter."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass

import sqlalchemy as sa

from ...errors import UsageError
from ..types import Horizon
from .database import postpone, translated, writing
from .tables import TURNS

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


@dataclass(frozen=True, slots=True)
class KeptTurn:
    """A question, its answer as it was shown, and the chapter up to which the story was known; ``told`` as in
    ``Answered``."""

    question: str
    answer: str
    chapter: int
    told: bool


@dataclass(frozen=True, slots=True)
class Conversation:
    """``id`` is what it was begun with; ``opened_with`` its first question."""

    id: str
    opened_with: str
    turns: int


class ConversationStore:
    """Reads and writes through the engine of the project's ``fabula.db``; makes its table if there is none.

    Each :meth:`add` is one transaction, on disk when it returns. What is deleted is overwritten in the file.
    At a horizon only what was asked at it or before it is there: an answer from later chapters tells of them.
    Raises ProjectError where the database cannot be used, UsageError for an id that is none.
    """

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine
        with self._translated():
            made = sa.inspect(engine).has_table(TURNS.name)
            self._is_empty = not made and engine.get_execution_options()["read_only"]
            if not made and not self._is_empty:
                with writing(engine) as db:
                    TURNS.create(db, checkfirst=True)

    @property
    def is_writable(self) -> bool:
        """May this process write into the database?"""
        return not self._engine.get_execution_options()["read_only"]

    def add(self, conversation: str, turn: KeptTurn) -> None:
        """Appends the turn; the first one begins the conversation."""
        row = {
            "conversation": checked_id(conversation),
            "chapter": turn.chapter,
            "question": turn.question,
            "answer": turn.answer,
            "told": turn.told,
        }
        with self._translated(), writing(self._engine) as db:
            db.execute(TURNS.insert(), [row])

    def turns(self, conversation: str, *, horizon: Horizon) -> tuple[KeptTurn, ...]:
        """In order; none where there is no such conversation, or none at the horizon."""
        query = _at(sa.select(TURNS).where(TURNS.c.conversation == checked_id(conversation)), horizon)
        if self._is_empty:
            return ()
        with self._translated(), self._engine.connect() as db:
            rows: Sequence[sa.Row[tuple[object, ...]]] = db.execute(query.order_by(TURNS.c.id)).all()
        return tuple(KeptTurn(row.question, row.answer, row.chapter, row.told) for row in rows)

    def listed(self, *, horizon: Horizon) -> tuple[Conversation, ...]:
        """All that have turns at the horizon, the one asked in last first."""
        if self._is_empty:
            return ()
        query = _at(sa.select(TURNS), horizon).order_by(TURNS.c.id.desc())
        found: dict[str, list[str]] = {}
        with self._translated(), self._engine.connect() as db:
            for row in db.execute(query):
                found.setdefault(row.conversation, []).append(row.question)
        return tuple(Conversation(id, asked[-1], len(asked)) for id, asked in found.items())

    def postpone(self, later: Mapping[int, int]) -> None:
        """Turns at a chapter that is a key of ``later`` are from now on at the one it gives, a later one."""
        with self._translated(), writing(self._engine) as db:
            postpone(db, TURNS, later)

    def delete(self, conversation: str) -> int:
        """Deletes the conversation, whatever its turns' horizons; how many turns it had."""
        removal = TURNS.delete().where(TURNS.c.conversation == checked_id(conversation))
        with self._translated():
            with writing(self._engine) as db:
                db.exec_driver_sql("PRAGMA secure_delete=ON")  # what is freed is filled with zeros
                removed = db.execute(removal).rowcount
                db.exec_driver_sql("PRAGMA secure_delete=OFF")
            raw = self._engine.raw_connection()
            try:
                raw.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")  # the log held it too
            finally:
                raw.close()
        return removed

    def _translated(self) -> AbstractContextManager[None]:
        return translated(f"the conversations in {self._engine.url.database}")


def _at(query: sa.Select[tuple[object, ...]], horizon: Horizon) -> sa.Select[tuple[object, ...]]:
    if horizon.chapter is None:
        return query
    return query.where(TURNS.c.chapter <= horizon.chapter)


def checked_id(conversation: str) -> str:
    """The id of a conversation as it is. Raises UsageError for what is none."""
    if not _NAME.fullmatch(conversation):
        raise UsageError(
            f"{conversation[:80]!r} is no id of a conversation: up to 64 letters, digits, '.', '_' and '-'"
        )
    return conversation
