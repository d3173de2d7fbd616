"""What a project keeps beside its index, whichever store it has: ratings, conversations, usage, the work of
models, and values by name."""

from __future__ import annotations

import json
import logging
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NamedTuple, Self

import sqlalchemy as sa

from ..types import Chapter, Document, Span
from .conversations import ConversationStore
from .database import Database, put
from .feedback import FeedbackStore
from .seam import Store
from .tables import digest, seal, unseal
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


_KEY = "accepted"


@dataclass(frozen=True, slots=True)
class AcceptedChapter:
    """The half-open range of the book's text that came with a chapter, and the digest of all in it."""

    start: int
    end: int
    digest: str

    @classmethod
    def of(cls, text: str, span: Span) -> AcceptedChapter:
        """The chapter that ``span`` covers, its heading and the white space before it included."""
        return cls(span.start, span.end, digest(span.of(text)))

    @property
    def span(self) -> Span:
        """The range."""
        return Span(self.start, self.end)


def accepted_in(store: Store, book: Document) -> tuple[AcceptedChapter, ...]:
    """Those that were accepted and stand in the book as they did then, in the order of the text."""
    kept = [AcceptedChapter(**one) for one in json.loads(store.meta(_KEY) or "[]")]
    return tuple(one for one in kept if digest(one.span.of(book.text)) == one.digest)


def remember_accepted(store: Store, chapters: Sequence[AcceptedChapter]) -> None:
    """Keeps these in place of those that were kept. One that is not in the book (as its publication never
    came) counts for nothing."""
    store.remember(_KEY, json.dumps([asdict(one) for one in chapters]))


def accepted_missing_in(store: Store, book: Document) -> int:
    """How many accepted chapters of the project's own book another version of it lacks."""
    if not store.meta(_KEY):
        return 0
    own = store.document()
    if own is None or own.text == book.text:
        return 0
    return sum(one.span.of(own.text).strip() not in book.text for one in accepted_in(store, own))


class KeptWork:
    """What one producer made of each chapter of a document, kept under a digest of the chapter's text.

    ``fresh`` passes over what was kept before. Every :meth:`put` is on disk when it returns.
    """

    def __init__(self, store: Store, producer: str, document: Document, *, fresh: bool = False) -> None:
        self._store = store
        self._producer = producer
        self._chapters = document.chapters
        self._keys = {c.number: digest(c.body.of(document.text)) for c in document.chapters}
        self._outputs: dict[int, bytes] = {}
        for number, key in self._keys.items():
            output = None if fresh else store.work(producer, key)
            if output is not None:
                self._outputs[number] = output

    def missing(self) -> list[Chapter]:
        """Chapters with nothing kept, in order of telling."""
        return [c for c in self._chapters if c.number not in self._outputs]

    def holds(self, chapter: Chapter, output: bytes) -> bool:
        """Is this what is kept of the chapter?"""
        return self._outputs.get(chapter.number) == output

    def put(self, chapter: Chapter, output: bytes) -> None:
        """Keeps what was made of the chapter, in place of what was there before."""
        self._store.keep_work(self._producer, self._keys[chapter.number], output)
        self._outputs[chapter.number] = output

    def __getitem__(self, chapter: int) -> bytes:
        return self._outputs[chapter]

    @property
    def used(self) -> set[tuple[str, str]]:
        """The (producer, key) pairs of what is held."""
        return {(self._producer, self._keys[number]) for number in self._outputs}
