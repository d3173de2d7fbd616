"""A project's folder: ``fabula.db`` (SQLite, write-ahead log) and index generations beside it.

One transaction is the commit point of an indexing run: text, chapters and the name of the index generation
that belongs to them (chunks, postings, vectors, story graph) change together. Work that took a model (a
chapter's parse, its vectors) is kept as it is made, keyed by the chapter's text and by what made it, so an
interrupted run goes on where it stopped and an added chapter costs only itself.

The schemas of the database, and what each lacked that the next one has:

1. Chunks were a table; they are a file of the index since.
2. Kept work had no checksum.
3. Ratings and conversations made their tables when they were first used.
4. Usage did so.
5. All tables are made with the project.

A database of an earlier schema is brought to the present one where it may be written and nobody else writes;
else a copy of it is, and read. An index that an older version wrote stays as it is: where it cannot be read
any more, it is made anew from the text (``fabula verify --mend``).
"""

from __future__ import annotations

import errno
import logging
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import sqlalchemy as sa
from filelock import FileLock, Timeout

from ...errors import NoProject, ProjectError
from ..types import Document
from .database import Database
from .dialects import connect
from .folder import DATABASE, prepare_folder, refuse_links, sweep_settings
from .generations import Generations, Publication, release
from .sqlite_files import copy_database
from .store import IndexReader, Snapshot, Store
from .tables import (
    BOOKS_KEY,
    CHAPTERS,
    DOCUMENTS,
    FILE_RECORDS,
    TABLES,
    books_value,
    chapter_row,
    digest,
    digest_document,
    drop_unused_work,
    read_books,
    read_chapter,
    seal,
)

__all__ = ["ProjectStore", "digest"]

SCHEMA = "5"
_EARLIER, _UNSEALED = ("1", "2", "3", "4"), ("1", "2")
_META, _WORK = FILE_RECORDS.values, FILE_RECORDS.work
_TRIES = 20  # at a snapshot, while others publish
_log = logging.getLogger(__name__)


def _seal_work(db: sa.Connection) -> None:
    for producer, key in db.execute(sa.select(_WORK.c.producer, _WORK.c.input)).all():
        mine = (_WORK.c.producer == producer) & (_WORK.c.input == key)
        output = db.execute(sa.select(_WORK.c.output).where(mine)).scalar_one()
        db.execute(_WORK.update().where(mine).values(output=seal(output)))


def schema_of(db: sa.Connection) -> str | None:
    """None where the project's first transaction never came to its end."""
    if not sa.inspect(db).has_table(_META.name):
        return None
    return _value_of(db, "schema")


def migrate(db: sa.Connection) -> None:
    """Brings a database to the present schema, within the transaction that ``db`` is in; makes all of a new
    one. One of a schema that is not known stays as it is."""
    schema = schema_of(db)
    if schema not in (None, *_EARLIER):
        return
    if schema in _UNSEALED:
        _seal_work(db)
    db.exec_driver_sql("DROP TABLE IF EXISTS chunks")
    TABLES.create_all(db)
    _set_values(db, {"schema": SCHEMA})


_ACTS = re.compile(r"\b(?:CHECK|GENERATED|AS|DEFAULT|REFERENCES|COLLATE|UNIQUE)\b", re.IGNORECASE)


def foreign_part(db: sa.Connection) -> str:
    """A table, index, view or trigger that no version of this makes so ("trigger t"); "" where there is none.
    A trigger acts whenever the database is written to."""
    own = {("table", "chunks"): ""}  # of schema 1
    for table in TABLES.sorted_tables:
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


class ProjectStore(Store):
    """Open with :meth:`create` or :meth:`open`."""

    def __init__(self, folder: Path, engine: sa.Engine) -> None:
        super().__init__(folder, Database(engine, f"the database {folder / DATABASE}"))
        self.generations = Generations(folder / "index")
        self._lock = FileLock(folder / ".lock")
        self._holds: list[int] = []
        self._copy: tempfile.TemporaryDirectory[str] | None = None

    # --- opening ---------------------------------------------------------------------------------

    @classmethod
    def create(cls, folder: Path) -> ProjectStore:
        """Opens the project in ``folder`` to be written, made now if there is none, or none was finished. A
        folder that holds other things and no project is refused, so that nobody's files get mixed with an
        index. What a killed writer left in a project's folder is removed."""
        prepare_folder(folder)
        with cls(folder, connect(folder / DATABASE)) as store:
            if store.database.read(schema_of) != SCHEMA:  # a whole one is not written to
                store.database.write(migrate)
        sweep_settings(folder)
        return cls.open(folder)

    @classmethod
    def open(cls, folder: Path) -> ProjectStore:
        """Raises ProjectError where there is no project, or one that this version cannot read."""
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
            if store._schema() != SCHEMA:
                store._migrate()
        except BaseException:
            store.close()
            raise
        return store

    def _schema(self) -> str:
        schema, foreign = self.database.read(lambda db: (schema_of(db), foreign_part(db)))
        if foreign and schema is not None:
            raise ProjectError(
                f"the database of the project in {self.folder} holds a {foreign} that fabula did not make: "
                "restore the project from a backup that you trust, or index the book again into a new folder"
            )
        if schema is None:
            raise NoProject(f"the project in {self.folder} was never finished: run fabula index again")
        if schema not in (*_EARLIER, SCHEMA):
            raise ProjectError(
                f"the project in {self.folder} has schema {schema}, this version reads {_EARLIER[0]} to "
                f"{SCHEMA}: use the version that made it, or index the book again into a new folder"
            )
        return schema

    def _migrate(self) -> None:
        """Brings the database to the present schema; where that cannot be done now, a copy of it, which is
        only read."""
        try:
            with self.lock():
                self.database.write(migrate)
        except ProjectError as error:
            _log.warning("a copy is read of what an earlier version left (%s)", error)
            self._copy = tempfile.TemporaryDirectory(prefix="fabula-")
            copy = Path(self._copy.name) / DATABASE
            copy_database(self.folder / DATABASE, copy)
            with ProjectStore(copy.parent, connect(copy, writable=True)) as other:
                other.database.write(migrate)
            self.database.engine.dispose()
            self._open = Database(connect(copy, writable=False), self.database.name)

    def close(self) -> None:
        """Closes the connections to the database, and lets go of what snapshots hold."""
        while self._holds:
            release(self._holds.pop())
        if self._open is not None:
            self._open.engine.dispose()
        if self._copy is not None:
            self._copy.cleanup()

    @contextmanager
    def _locking(self) -> Iterator[Callable[[], bool]]:
        def take() -> bool:
            try:
                self._lock.acquire(timeout=0)
            except Timeout:
                return False
            except OSError as error:
                way_out = "it can only be read: copy the project to where it can be written"
                if error.errno != errno.EROFS:
                    way_out = f"{error.strerror or error}: look at its rights"
                raise ProjectError(f"{self.folder} cannot be written to: {way_out}") from error
            return True

        try:
            yield take
        finally:
            self._lock.release()

    # --- reading ---------------------------------------------------------------------------------

    def document(self) -> Document | None:
        document, content = self.database.snapshot(lambda db: (_document_of(db), _value_of(db, "content")))
        return self._as_indexed(document, content) if document is not None else None

    def snapshot(self) -> Snapshot:
        """The index is kept from being swept until the store is closed."""
        for _ in range(_TRIES):
            meta, document = self.database.snapshot(
                lambda db: ({row.key: row.value for row in db.execute(sa.select(_META))}, _document_of(db))
            )
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
            index = FolderIndex(self.generations, name)
            return Snapshot(self.folder, self._as_indexed(document, meta.get("content")), meta, index)
        raise ProjectError(
            f"the project in {self.folder} is published over faster than it can be opened: try again"
        )

    def book(self) -> tuple[str, str] | None:
        query = sa.select(DOCUMENTS.c.id, DOCUMENTS.c.title)
        row = self.database.read(lambda db: db.execute(query).first())
        return (row.id, row.title) if row is not None else None

    def stamp(self) -> str:
        """The current generation's name, and when its folder was made."""
        name = self._generation()
        return f"{name}-{(self.generations.root / name).stat().st_mtime_ns}"

    def index(self) -> FolderIndex:
        name = self._generation()
        self.generations.open(name)
        return FolderIndex(self.generations, name)

    def _generation(self) -> str:
        name = self.meta("generation")
        if name is None:
            raise self._unfinished()
        return name

    def vacuum(self) -> None:
        """Gives the space of what was removed back to the disk. Raises ProjectError while another writes."""
        with self.database.session() as db, self.database.translated():
            db.exec_driver_sql("VACUUM")
            db.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")

    # --- the commit point ------------------------------------------------------------------------

    def publish(self, made: Publication) -> None:
        document, meta = made.document, made.meta
        self.generations.sweep(keep=self.meta("generation"))
        name = self.generations.write(made.save, facts={"document": document.id, **meta})
        own = {"content": digest_document(document), BOOKS_KEY: books_value(document), "generation": name}

        def write(db: sa.Connection) -> None:
            for table in (DOCUMENTS, CHAPTERS):
                db.execute(table.delete())
            db.execute(
                DOCUMENTS.insert(), [{"id": document.id, "title": document.title, "text": document.text}]
            )
            of_book = {"document_id": document.id}
            db.execute(CHAPTERS.insert(), [of_book | chapter_row(one) for one in document.chapters])
            drop_unused_work(db, _WORK, made.used)
            _set_values(db, {**meta, **own})

        self.database.publish(write)
        self.generations.sweep(keep=name)


class FolderIndex(IndexReader):
    """The generation ``name`` in a project's folder; files are opened by mmap."""

    def __init__(self, generations: Generations, name: str) -> None:
        self.name = name
        self._generations = generations

    def files(self, *patterns: str) -> Path:
        """The generation's folder, once the files that match are known to be as they were written."""
        self._generations.verify(self.name, *patterns)
        return self._generations.root / self.name

    def verify(self, *patterns: str) -> None:
        """Reads the files anew and compares their SHA-256."""
        self._generations.verify(self.name, *patterns, again=True)


def _set_values(db: sa.Connection, values: Mapping[str, str]) -> None:
    rows = [{"key": key, "value": value} for key, value in values.items()]
    db.execute(_META.insert().prefix_with("OR REPLACE"), rows)


def _value_of(db: sa.Connection, key: str) -> str | None:
    return db.execute(sa.select(_META.c.value).where(_META.c.key == key)).scalar()


def _document_of(db: sa.Connection) -> Document | None:
    row = db.execute(sa.select(DOCUMENTS)).first()
    if row is None:
        return None
    mine = sa.select(CHAPTERS).where(CHAPTERS.c.document_id == row.id).order_by(CHAPTERS.c.number)
    chapters = tuple(map(read_chapter, db.execute(mine)))
    return Document(row.id, row.title, row.text, chapters, read_books(_value_of(db, BOOKS_KEY)))
