"""A project's folder: ``fabula.db`` (SQLite, write-ahead log) and index generations beside it.

One transaction is the commit point of an indexing run: text, chapters and the name of the index generation
that belongs to them (chunks, postings, vectors, story graph) change together. Work that took a model (a
chapter's parse, its vectors) is kept as it is made, keyed by the chapter's text and by what made it, so an
interrupted run goes on where it stopped and an added chapter costs only itself.

The schemas of the database, and the steps from each to the next:

1. Chunks were a table; they are a file of the index since.
2. Kept work had no checksum.
3. Ratings and conversations made their tables when they were first used.
4. All tables are made with the project.

What a step changes is the database alone. An index that an older version wrote stays as it is: where it
cannot be read any more, it is made anew from the text (``fabula verify --mend``).
"""

from __future__ import annotations

import errno
import logging
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import sqlalchemy as sa
from filelock import FileLock, Timeout

from ...errors import NoProject, ProjectError
from ..types import Document
from .database import Database, FileDatabase, connect, translated, writing
from .folder import DATABASE, prepare_folder, refuse_links, sweep_settings
from .generations import GenerationIndex, Generations, IndexParts, release
from .records import ProjectRecords, RecordTables, drop_unused
from .seam import Snapshot
from .tables import (
    BOOKS_KEY,
    CHAPTERS,
    DOCUMENTS,
    FEEDBACK,
    META,
    TABLES,
    TURNS,
    WORK,
    books_value,
    chapter_row,
    digest,
    digest_document,
    read_books,
    read_chapter,
    seal,
)
from .upkeep import Upkeep
from .usage import USAGE

SCHEMA = "4"
SEALED = ("3", SCHEMA)  # schemas in which kept work has checksums


def _drop_chunks(db: sa.Connection) -> None:
    db.exec_driver_sql("DROP TABLE IF EXISTS chunks")


def _seal_work(db: sa.Connection) -> None:
    for producer, key in db.execute(sa.select(WORK.c.producer, WORK.c.input)).all():
        mine = (WORK.c.producer == producer) & (WORK.c.input == key)
        output = db.execute(sa.select(WORK.c.output).where(mine)).scalar_one()
        db.execute(WORK.update().where(mine).values(output=seal(output)))


def _make_all_tables(db: sa.Connection) -> None:
    TABLES.create_all(db)


_STEPS: Mapping[str, tuple[str, Callable[[sa.Connection], None]]] = {
    "1": ("2", _drop_chunks),
    "2": ("3", _seal_work),
    "3": (SCHEMA, _make_all_tables),
}
READ = (*_STEPS, SCHEMA)
"""Every schema that can be read, the oldest first."""


def schema_of(db: sa.Connection) -> str | None:
    """None where the project's first transaction never came to its end."""
    if not sa.inspect(db).has_table(META.name):
        return None
    return db.execute(sa.select(META.c.value).where(META.c.key == "schema")).scalar()


_ACTS = re.compile(r"\b(?:CHECK|GENERATED|AS|DEFAULT|REFERENCES|COLLATE|UNIQUE)\b", re.IGNORECASE)


def foreign_part(db: sa.Connection) -> str:
    """A table, index, view or trigger that no version of this makes so ("trigger t"); "" where there is none.
    A trigger acts whenever the database is written to."""
    own = {("table", "chunks"): ""}  # of schema 1
    for table in (*TABLES.sorted_tables, USAGE):
        own["table", table.name] = _flat(str(sa.schema.CreateTable(table).compile(db)))
        for index in table.indexes:
            own["index", str(index.name)] = _flat(str(sa.schema.CreateIndex(index).compile(db)))
    query = (
        "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND substr(name, 1, 7) <> 'sqlite_'"
    )
    for kind, name, sql in db.exec_driver_sql(query):
        made = own.get((kind, name))
        earlier = kind == "table" and made is not None and not _ACTS.search(sql)  # of other columns
        if not earlier and made not in ("", _flat(sql)):
            return f"{kind} {name}"
    return ""


def _flat(sql: str) -> str:
    return "".join(sql.split())


def migrate(db: sa.Connection) -> None:
    """Brings a database to the present schema, step by step, within the transaction that ``db`` is in; makes
    all of a new one. One of a schema that is not known stays as it is."""
    schema = schema_of(db)
    if schema is None:
        TABLES.create_all(db)
        set_values(db, {"schema": SCHEMA})
        return
    while schema in _STEPS:
        schema, step = _STEPS[schema]
        step(db)
        set_values(db, {"schema": schema})


def set_values(db: sa.Connection, values: Mapping[str, str]) -> None:
    """Puts values into the table ``meta``, by key."""
    rows = [{"key": key, "value": value} for key, value in values.items()]
    db.execute(META.insert().prefix_with("OR REPLACE"), rows)


__all__ = ["ProjectStore", "digest"]

_TRIES = 20  # at a snapshot, while others publish
_log = logging.getLogger(__name__)


class ProjectStore(ProjectRecords):
    """Open with :meth:`create` or :meth:`open`; close when done, or use as a context manager."""

    _tables = RecordTables(META, WORK, FEEDBACK, TURNS, USAGE)

    def __init__(self, folder: Path, engine: sa.Engine) -> None:
        self.folder = folder
        self.generations = Generations(folder / "index")
        self._engine = engine
        self._lock = FileLock(folder / ".lock")
        self._holds: list[int] = []

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
                if schema_of(db) != SCHEMA:  # a whole one is not written to
                    migrate(db)
        finally:
            store.close()
        sweep_settings(folder)
        return cls.open(folder)

    @classmethod
    def open(cls, folder: Path) -> ProjectStore:
        """One of an earlier schema is brought to the present one, where it may be written and nobody else
        writes. Raises ProjectError where there is no project, or one that this version cannot read."""
        if not (folder / DATABASE).is_file():
            first = min((one.parent.name for one in folder.glob(f"*/{DATABASE}")), default="")
            if first:
                raise ProjectError(
                    f"{folder} is a library, and this is asked of one story: name {folder}/{first}, or "
                    f"another in it; fabula search {folder} asks all of them"
                )
            raise NoProject(f"there is no project in {folder}: make one with fabula index BOOK -o {folder}")
        refuse_links(folder)
        store = cls(folder, connect(folder / DATABASE))
        try:
            schema = store._schema()
            if schema in READ and schema != SCHEMA:
                schema = store._migrated() or schema
        except ProjectError:
            store.close()
            raise
        store._is_sealed = schema in SEALED
        return store

    def _schema(self) -> str:
        with self._reading() as db:
            schema, foreign = schema_of(db), foreign_part(db)
        if foreign and schema is not None:
            raise ProjectError(
                f"the database of the project in {self.folder} holds a {foreign} that fabula did not make: "
                "restore the project from a backup that you trust, or index the book again into a new folder"
            )
        if schema is None:
            raise NoProject(f"the project in {self.folder} was never finished: run fabula index again")
        if schema not in READ:
            raise ProjectError(
                f"the project in {self.folder} has schema {schema}, this version reads {READ[0]} to "
                f"{SCHEMA}: use the version that made it, or index the book again into a new folder"
            )
        return schema

    def _migrated(self) -> str | None:
        """The schema after what could be done now; None where that is nothing."""
        if self._engine.get_execution_options()["read_only"]:
            return None
        try:
            with self.lock(), self._writing() as db:
                migrate(db)
            return self._schema()
        except ProjectError as error:
            _log.warning("read as an earlier version left it (%s)", error)
            return None

    def close(self) -> None:
        """Closes the connections to the database, and lets go of what snapshots hold."""
        while self._holds:
            release(self._holds.pop())
        self._engine.dispose()

    @contextmanager
    def lock(self, *, patience: float = 0.0) -> Iterator[None]:
        """Held by the one process that writes; who holds it may take it again. Where another has it, this
        waits for it up to ``patience`` seconds and says so in the log; then it raises ProjectError."""
        try:
            try:
                self._lock.acquire(timeout=0)
            except Timeout:
                if patience <= 0:
                    raise
                _log.warning(
                    "another process is writing to %s: waiting up to %g s for it", self.folder, patience
                )
                self._lock.acquire(timeout=patience)
            try:
                yield
            finally:
                self._lock.release()
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
        with self._reading() as db:
            return _value_of(db, key)

    def document(self) -> Document | None:
        """The book, or None where nothing was indexed yet. Raises ProjectError where it is no longer the text
        that was indexed; costs a millisecond for each megabyte."""
        with self._reading() as db:
            document, told = _document_of(db), _value_of(db, "content")
        return self._as_indexed(document, told) if document is not None else None

    def _as_indexed(self, document: Document, told: str | None) -> Document:
        if told is not None and told != digest_document(document):
            raise ProjectError(
                f"the text in the database of the project in {self.folder} is damaged: "
                "index the book again with fabula index --rebuild"
            )
        return document

    def snapshot(self) -> Snapshot:
        """The book, its settings and its index as one publication left them, however many follow while this
        reads; the index is kept from being swept until the store is closed. Raises ProjectError where there
        is no finished index, or it or the text is damaged."""
        for _ in range(_TRIES):
            with self._reading() as db:
                meta = {row.key: row.value for row in db.execute(sa.select(META))}
                document = _document_of(db)
            name = meta.get("generation")
            if name is None or "settings" not in meta:
                raise self._unfinished()
            if document is None:
                raise ProjectError(f"the project in {self.folder} holds no book yet: run fabula index again")
            held = self.generations.hold(name)
            if held is not None:
                self._holds.append(held)
            try:
                self.generations.open(name)
            except ProjectError:
                if self.meta("generation") == name:
                    raise
                continue  # published over twice since, and swept
            index = GenerationIndex(self.generations, name)
            return Snapshot(self.folder, self._as_indexed(document, meta.get("content")), meta, index)
        raise ProjectError(
            f"the project in {self.folder} is published over faster than it can be opened: try again"
        )

    def _unfinished(self) -> ProjectError:
        return ProjectError(f"the project in {self.folder} holds no finished index: run fabula index again")

    def book(self) -> tuple[str, str] | None:
        with self._reading() as db:
            row = db.execute(sa.select(DOCUMENTS.c.id, DOCUMENTS.c.title)).first()
        return (row.id, row.title) if row is not None else None

    def index_folder(self, *patterns: str) -> Path:
        """The current generation, whose files that match were read and found whole. Raises ProjectError where
        there is none or it is damaged."""
        name = self.meta("generation")
        if name is None:
            raise self._unfinished()
        folder = self.generations.open(name)
        if patterns:
            self.generations.verify(name, *patterns)
        return folder

    def stamp(self) -> str:
        """The current generation's name, and when its folder was made. Raises ProjectError where there is
        none."""
        name = self.meta("generation")
        if name is None:
            raise NoProject(f"the project in {self.folder} was never finished: index the book again")
        return f"{name}-{(self.generations.root / name).stat().st_mtime_ns}"

    def index(self) -> GenerationIndex:
        """The current generation. Raises ProjectError as :meth:`index_folder`."""
        return GenerationIndex(self.generations, self.index_folder().name)

    def upkeep(self) -> Upkeep:
        """Looks the database through, and makes it small again."""
        return Upkeep(self._engine)

    @property
    def is_sealed(self) -> bool:
        """Does kept work carry checksums? It does but where an earlier version's project can only be
        read."""
        return self._is_sealed

    # --- the commit point ------------------------------------------------------------------------

    def publish(
        self,
        document: Document,
        *,
        parts: IndexParts,
        meta: Mapping[str, str],
        used: Iterable[tuple[str, str]],
    ) -> None:
        self.generations.sweep(keep=self.meta("generation"))
        name = self.generations.write(parts.save, facts={"document": document.id, **meta})
        with self._writing() as db:
            for table in (DOCUMENTS, CHAPTERS):
                db.execute(table.delete())
            db.execute(
                DOCUMENTS.insert(), [{"id": document.id, "title": document.title, "text": document.text}]
            )
            db.execute(CHAPTERS.insert(), [chapter_row(document, c) for c in document.chapters])
            drop_unused(db, WORK, set(used))
            own = {"content": digest_document(document), BOOKS_KEY: books_value(document), "generation": name}
            set_values(db, {**meta, **own})
        self.generations.sweep(keep=name)

    @property
    def _records(self) -> Database:
        return FileDatabase(self._engine)

    @contextmanager
    def _reading(self) -> Iterator[sa.Connection]:
        with translated(f"the database of the project in {self.folder}"), self._engine.connect() as db:
            yield db

    @contextmanager
    def _writing(self) -> Iterator[sa.Connection]:
        with translated(f"the database of the project in {self.folder}"), writing(self._engine) as db:
            yield db


def _value_of(db: sa.Connection, key: str) -> str | None:
    return db.execute(sa.select(META.c.value).where(META.c.key == key)).scalar()


def _document_of(db: sa.Connection) -> Document | None:
    row = db.execute(sa.select(DOCUMENTS)).first()
    if row is None:
        return None
    mine = sa.select(CHAPTERS).where(CHAPTERS.c.document_id == row.id).order_by(CHAPTERS.c.number)
    chapters = tuple(map(read_chapter, db.execute(mine)))
    return Document(row.id, row.title, row.text, chapters, read_books(_value_of(db, BOOKS_KEY)))
