"""A project's folder: ``fabula.db`` (SQLite, write-ahead log) and index generations beside it.

One transaction is the commit point of an indexing run: text, chapters and the name of the index generation
that belongs to them (chunks, postings, vectors, story graph) change together. Work that took a model (a
chapter's parse, its vectors) is kept as it is made, keyed by the chapter's text and by what made it, so an
interrupted run goes on where it stopped and an added chapter costs only itself.
"""

from __future__ import annotations

import errno
import logging
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Self

import sqlalchemy as sa
from filelock import FileLock, Timeout

from ...errors import ProjectError
from ..types import Document
from .conversations import ConversationStore
from .database import connect, translated, writing
from .feedback import FeedbackStore
from .folder import DATABASE, prepare_folder, sweep_settings
from .generation_index import GenerationIndex
from .generations import Generations
from .index_parts import IndexParts
from .tables import (
    CHAPTERS,
    DOCUMENTS,
    META,
    TABLES,
    WORK,
    chapter_row,
    digest,
    digest_document,
    read_chapter,
    seal,
    unseal,
)

__all__ = ["ProjectStore", "digest"]

_SCHEMA, _UNSEALED = "3", "2"  # what is written, and what is read too: work without checksums
_READ = (_SCHEMA, _UNSEALED)
_log = logging.getLogger(__name__)


class ProjectStore:
    """Open with :meth:`create` or :meth:`open`; close when done, or use as a context manager."""

    def __init__(self, folder: Path, engine: sa.Engine) -> None:
        self.folder = folder
        self.generations = Generations(folder / "index")
        self._engine = engine
        self._is_sealed = True

    # --- opening ---------------------------------------------------------------------------------

    @classmethod
    def create(cls, folder: Path) -> ProjectStore:
        """Opens the project in ``folder`` to be written, made now if there is none, or none was finished. A
        folder that holds other things and no project is refused, so that nobody's files get mixed with an
        index. What a killed writer left in a project's folder is removed."""
        prepare_folder(folder)
        store = cls(folder, connect(folder / DATABASE))
        try:
            with store._writing() as db:
                _make_whole(db)
            store.feedback()
        finally:
            store.close()
        sweep_settings(folder)
        return cls.open(folder)

    @classmethod
    def open(cls, folder: Path) -> ProjectStore:
        """Raises ProjectError where there is no project, or one that this version cannot read."""
        if not (folder / DATABASE).is_file():
            raise ProjectError(
                f"there is no project in {folder}: make one with fabula index BOOK -o {folder}"
            )
        store = cls(folder, connect(folder / DATABASE))
        try:
            with store._reading() as db:
                schema = _schema_of(db)
            if schema is None:
                raise ProjectError(f"the project in {folder} was never finished: run fabula index again")
            if schema not in _READ:
                raise ProjectError(
                    f"the project in {folder} has schema {schema}, this version reads {' and '.join(_READ)}: "
                    "index the book again into a new folder"
                )
        except ProjectError:
            store.close()
            raise
        store._is_sealed = schema == _SCHEMA
        return store

    def close(self) -> None:
        """Closes the connections to the database."""
        self._engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Held by the one process that writes. Raises ProjectError at once where another holds it."""
        try:
            with FileLock(self.folder / ".lock", timeout=0):
                yield
        except Timeout as error:
            raise ProjectError(
                f"another process is writing to {self.folder}: wait for it, or stop it"
            ) from error
        except OSError as error:
            way_out = "it can only be read: copy the project to where it can be written"
            if error.errno != errno.EROFS:
                way_out = f"{error.strerror or error}: look at its rights"
            raise ProjectError(f"{self.folder} cannot be written to: {way_out}") from error

    # --- reading ---------------------------------------------------------------------------------

    def meta(self, key: str) -> str | None:
        """The value kept under ``key``; None where there is none. Raises ProjectError where the database
        cannot be read."""
        with self._reading() as db:
            return _value_of(db, key)

    def remember(self, key: str, value: str) -> None:
        """Keeps a value that no index depends on; ``meta`` gives it back."""
        with self._writing() as db:
            _set_values(db, {key: value})

    def document(self) -> Document | None:
        """The book, or None where nothing was indexed yet. Raises ProjectError where it is no longer the text
        that was indexed; costs a millisecond for each megabyte."""
        with self._reading() as db:
            row = db.execute(sa.select(DOCUMENTS)).first()
            if row is None:
                return None
            mine = sa.select(CHAPTERS).where(CHAPTERS.c.document_id == row.id).order_by(CHAPTERS.c.number)
            chapters = tuple(map(read_chapter, db.execute(mine)))
            told = _value_of(db, "content")
        document = Document(row.id, row.title, row.text, chapters)
        if told is not None and told != digest_document(document):
            raise ProjectError(
                f"the text in the database of the project in {self.folder} is damaged: "
                "index the book again with fabula index --rebuild"
            )
        return document

    def book(self) -> tuple[str, str] | None:
        """The id and the title of the book, its text unread; None where nothing was indexed yet."""
        with self._reading() as db:
            row = db.execute(sa.select(DOCUMENTS.c.id, DOCUMENTS.c.title)).first()
        return (row.id, row.title) if row is not None else None

    def index_folder(self, *patterns: str) -> Path:
        """The current generation, whose files that match were read and found whole. Raises ProjectError where
        there is none or it is damaged."""
        name = self.meta("generation")
        if name is None:
            raise ProjectError(
                f"the project in {self.folder} holds no finished index: run fabula index again"
            )
        folder = self.generations.open(name)
        if patterns:
            self.generations.verify(name, *patterns)
        return folder

    def stamp(self) -> str:
        """The current generation's name, and when its folder was made. Raises ProjectError where there is
        none."""
        name = self.meta("generation")
        if name is None:
            raise ProjectError(f"the project in {self.folder} was never finished: index the book again")
        return f"{name}-{(self.generations.root / name).stat().st_mtime_ns}"

    def index(self) -> GenerationIndex:
        """The current generation. Raises ProjectError as :meth:`index_folder`."""
        return GenerationIndex(self.generations, self.index_folder().name)

    def feedback(self) -> FeedbackStore:
        """Readers' ratings of search results; they outlive every new index."""
        return FeedbackStore(self._engine)

    def conversations(self) -> ConversationStore:
        """What was asked and answered; it outlives every new index too."""
        return ConversationStore(self._engine)

    # --- work that took a model ------------------------------------------------------------------

    def work(self, producer: str, key: str) -> bytes | None:
        """What was kept; None where there is nothing, or it is damaged, which is logged."""
        query = sa.select(WORK.c.output).where(WORK.c.producer == producer, WORK.c.input == key)
        with self._reading() as db:
            kept = db.execute(query).scalar()
        if kept is None or not self._is_sealed:
            return kept
        output = unseal(kept)
        if output is None:
            _log.warning("work kept in %s (%s) is damaged: it is done anew", self.folder, producer)
        return output

    def keep_work(self, producer: str, key: str, output: bytes) -> None:
        """Keeps what ``producer`` made of the input that ``key`` stands for, in place of what was there; on
        disk when it returns. Raises ProjectError where it cannot be written."""
        kept = seal(output) if self._is_sealed else output
        with self._writing() as db:
            db.execute(
                WORK.insert().prefix_with("OR REPLACE"),
                [{"producer": producer, "input": key, "output": kept}],
            )

    # --- the commit point ------------------------------------------------------------------------

    def publish(
        self,
        document: Document,
        *,
        parts: IndexParts,
        meta: Mapping[str, str],
        used: Iterable[tuple[str, str]],
    ) -> None:
        """Replaces the project's book and index. ``used`` names the (producer, key) pairs of the work that
        is still wanted, the rest is dropped. Call with the lock held. Readers see all of the old state or all
        of the new."""
        self.generations.sweep(keep=self.meta("generation"))
        name = self.generations.write(parts.save, facts={"document": document.id, **meta})
        with self._writing() as db:
            for table in (DOCUMENTS, CHAPTERS):
                db.execute(table.delete())
            db.execute(
                DOCUMENTS.insert(), [{"id": document.id, "title": document.title, "text": document.text}]
            )
            db.execute(CHAPTERS.insert(), [chapter_row(document, c) for c in document.chapters])
            _drop_unused(db, set(used))
            _set_values(db, {**meta, "content": digest_document(document), "generation": name})
        self.generations.sweep(keep=name)

    @contextmanager
    def _reading(self) -> Iterator[sa.Connection]:
        with translated(f"the database of the project in {self.folder}"), self._engine.connect() as db:
            yield db

    @contextmanager
    def _writing(self) -> Iterator[sa.Connection]:
        with translated(f"the database of the project in {self.folder}"), writing(self._engine) as db:
            yield db


def _schema_of(db: sa.Connection) -> str | None:
    """None where the project's first transaction never came to its end."""
    return _value_of(db, "schema") if sa.inspect(db).has_table(META.name) else None


def _make_whole(db: sa.Connection) -> None:
    """Makes what tables are missing, and seals what an earlier version kept. A database of another version
    stays as it is."""
    schema = _schema_of(db)
    if schema not in (None, *_READ):
        return
    TABLES.create_all(db)
    if schema == _UNSEALED:
        for row in db.execute(sa.select(WORK)).all():
            mine = (WORK.c.producer == row.producer) & (WORK.c.input == row.input)
            db.execute(WORK.update().where(mine).values(output=seal(row.output)))
    if schema != _SCHEMA:  # a whole one is not written to: what is refused leaves its bytes as they were
        _set_values(db, {"schema": _SCHEMA})


def _value_of(db: sa.Connection, key: str) -> str | None:
    return db.execute(sa.select(META.c.value).where(META.c.key == key)).scalar()


def _set_values(db: sa.Connection, values: Mapping[str, str]) -> None:
    rows = [{"key": key, "value": value} for key, value in values.items()]
    db.execute(META.insert().prefix_with("OR REPLACE"), rows)


def _drop_unused(db: sa.Connection, used: set[tuple[str, str]]) -> None:
    stored = [(row.producer, row.input) for row in db.execute(sa.select(WORK.c.producer, WORK.c.input))]
    for producer, key in stored:
        if (producer, key) not in used:
            db.execute(WORK.delete().where(WORK.c.producer == producer, WORK.c.input == key))
