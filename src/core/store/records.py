"""What a project keeps beside its index, whichever store it has: ratings, conversations, usage, the work of
models, and values by name."""

from __future__ import annotations

import logging
from collections.abc import Collection
from pathlib import Path
from typing import NamedTuple, Self

import sqlalchemy as sa

from .conversations import ConversationStore
from .database import Database, put
from .feedback import FeedbackStore
from .tables import seal, unseal
from .usage import UsageStore

_log = logging.getLogger(__name__)


class RecordTables(NamedTuple):
    """The tables of a kind of store."""

    values: sa.Table
    work: sa.Table
    ratings: sa.Table
    turns: sa.Table
    usage: sa.Table


class ProjectRecords:
    """Of a :class:`.seam.Store` what is the same in each. Whoever inherits says where the records are. All
    of them outlive every new index. Raises ProjectError where they cannot be read or written."""

    folder: Path
    _tables: RecordTables
    _is_sealed = True

    @property
    def _records(self) -> Database:
        raise NotImplementedError

    def close(self) -> None:
        """Gives back the connections."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def feedback(self) -> FeedbackStore:
        """Readers' ratings of search results."""
        return FeedbackStore(self._records, self._tables.ratings)

    def conversations(self) -> ConversationStore:
        """What was asked and answered."""
        return ConversationStore(self._records, self._tables.turns)

    def usage(self) -> UsageStore:
        """What models were asked."""
        return UsageStore(self._records, self._tables.usage)

    def remember(self, key: str, value: str) -> None:
        """Keeps a value that no index depends on; ``meta`` gives it back."""
        put(self._records, self._tables.values, {"key": key, "value": value})

    def work(self, producer: str, key: str) -> bytes | None:
        """What was kept; None where there is nothing, or it is damaged, which is logged."""
        table, records = self._tables.work, self._records
        mine = (*records.own(table), table.c.producer == producer, table.c.input == key)
        kept = records.read(lambda db: db.execute(sa.select(table.c.output).where(*mine)).scalar())
        if kept is None or not self._is_sealed:
            return kept
        output = unseal(kept)
        if output is None:
            _log.warning("work kept in %s (%s) is damaged: it is done anew", self.folder, producer)
        return output

    def keep_work(self, producer: str, key: str, output: bytes) -> None:
        """Keeps what ``producer`` made of the input that ``key`` stands for, in place of what was there; it
        is safe when this returns."""
        kept = seal(output) if self._is_sealed else output
        put(self._records, self._tables.work, {"producer": producer, "input": key, "output": kept})


def drop_unused(
    db: sa.Connection, table: sa.Table, used: Collection[tuple[str, str]], *own: sa.ColumnElement[bool]
) -> None:
    """Removes the work of a table's ``own`` rows (all, where none is given) that is not ``used``: pairs of a
    producer and a key."""
    kept = db.execute(sa.select(table.c.producer, table.c.input).where(*own)).all()
    for producer, key in kept:
        if (producer, key) not in used:
            db.execute(table.delete().where(*own, table.c.producer == producer, table.c.input == key))
