"""Conversations that a project keeps: what was asked, what was answered, and up to which chapter."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass

import sqlalchemy as sa

from ...errors import UsageError
from ..types import Horizon
from .database import Database

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


@dataclass(frozen=True, slots=True)
class KeptTurn:
    """A question, its answer as shown, and the chapter up to which the story was known; ``told`` is false
    where it did not answer."""

    question: str
    answer: str
    as_of: int
    told: bool


@dataclass(frozen=True, slots=True)
class Conversation:
    """``id`` is what it was begun with; ``opened_with`` its first question."""

    id: str
    opened_with: str
    turns: int


class ConversationStore:
    """The turns of a project's database. An :meth:`add` is safe when it returns.

    At a horizon only what was asked at it or before it is there: an answer from later chapters tells of them.
    Raises ProjectError where the database cannot be used, UsageError for an id that is none."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._table = database.tables.turns

    @property
    def is_writable(self) -> bool:
        return self._database.is_writable

    def add(self, conversation: str, turn: KeptTurn) -> None:
        """Appends the turn; the first one begins the conversation."""
        told = {"conversation": checked_id(conversation), **asdict(turn)}
        self._database.add(self._table, {"chapter": told.pop("as_of"), **told})

    def turns(self, conversation: str, *, horizon: Horizon) -> tuple[KeptTurn, ...]:
        """In order; none where there is no such conversation, or none at the horizon."""
        query = self._at(horizon).where(self._table.c.conversation == checked_id(conversation))
        rows = self._database.read(lambda db: db.execute(query.order_by(self._table.c.id)).all())
        return tuple(KeptTurn(row.question, row.answer, row.chapter, row.told) for row in rows)

    def listed(self, *, horizon: Horizon) -> tuple[Conversation, ...]:
        """All that have turns at the horizon, the one asked in last first."""
        query = self._at(horizon).order_by(self._table.c.id.desc())
        found: dict[str, list[str]] = {}
        for row in self._database.read(lambda db: db.execute(query).all()):
            found.setdefault(row.conversation, []).append(row.question)
        return tuple(Conversation(id, asked[-1], len(asked)) for id, asked in found.items())

    def postpone(self, later: Mapping[int, int]) -> None:
        """Turns at a chapter that is a key of ``later`` are from now on at the one it gives, a later one."""
        self._database.postpone(self._table, later)

    def delete(self, conversation: str) -> int:
        """Deletes the conversation, whatever its turns' horizons; how many turns it had. In a project's own
        file it is overwritten; a server's files hold it until it vacuums the table and its log moves on."""
        mine = self._table.c.conversation == checked_id(conversation)
        return self._database.erase(self._table.delete().where(*self._database.own(self._table), mine))

    def _at(self, horizon: Horizon) -> sa.Select[tuple[object, ...]]:
        query: sa.Select[tuple[object, ...]] = sa.select(self._table).where(*self._database.own(self._table))
        return query if horizon.chapter is None else query.where(self._table.c.chapter <= horizon.chapter)


def checked_id(conversation: str) -> str:
    """The id of a conversation as it is. Raises UsageError for what is none."""
    if not _NAME.fullmatch(conversation):
        raise UsageError(
            f"{conversation[:80]!r} is no id of a conversation: up to 64 letters, digits, '.', '_' and '-'"
        )
    return conversation
