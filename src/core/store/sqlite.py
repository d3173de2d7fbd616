"""A project's folder: ``fabula.db`` (SQLite, write-ahead log) and index generations beside it.

One transaction is the commit point of an indexing run: text, chapters and the name of the index generation
that belongs to them (chunks, postings, vectors, story graph) change together. Work that took a model (a
chapter's parse, its vectors) is kept as it is made, keyed by the chapter's text and by what made it, so an
interrupted run goes on where it stopped and an added chapter costs only itself.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from filelock import FileLock, Timeout
from sqlalchemy.exc import DatabaseError

from ...errors import ProjectError
from ..types import Chapter, Document, Span
from .feedback import FeedbackStore
from .generations import Generations

__all__ = ["ProjectStore", "digest"]

SCHEMA = 2

_tables = sa.MetaData()
_meta = sa.Table(
    "meta", _tables, sa.Column("key", sa.String, primary_key=True), sa.Column("value", sa.String)
)
_documents = sa.Table(
    "documents",
    _tables,
    sa.Column("id", sa.String, primary_key=True),
    sa.Column("title", sa.String, nullable=False),
    sa.Column("text", sa.Text, nullable=False),
)
_chapters = sa.Table(
    "chapters",
    _tables,
    sa.Column("document_id", sa.String, primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("title", sa.String, nullable=False),
    sa.Column("heading_start", sa.Integer, nullable=False),
    sa.Column("heading_end", sa.Integer, nullable=False),
    sa.Column("body_start", sa.Integer, nullable=False),
    sa.Column("body_end", sa.Integer, nullable=False),
)
_work = sa.Table(
    "work",
    _tables,
    sa.Column("producer", sa.String, primary_key=True),
    sa.Column("input", sa.String, primary_key=True),
    sa.Column("output", sa.LargeBinary, nullable=False),
)


def digest(*parts: str) -> str:
    """SHA-256 of the parts, each with its length, in hex."""
    h = hashlib.sha256()
    for part in parts:
        raw = part.encode("utf-8", "surrogatepass")
        h.update(f"{len(raw)}:".encode())
        h.update(raw)
    return h.hexdigest()


class ProjectStore:
    """Open with :meth:`create` or :meth:`open`; close when done, or use as a context manager."""

    def __init__(self, folder: Path, engine: sa.Engine) -> None:
        self.folder = folder
        self.generations = Generations(folder / "index")
        self._engine = engine

    # --- opening ---------------------------------------------------------------------------------

    @classmethod
    def create(cls, folder: Path) -> ProjectStore:
        """Opens the project in ``folder``, made now if there is none. A folder that holds other things
        is refused, so that nobody's files get mixed with an index."""
        if folder.exists() and (not folder.is_dir() or any(_foreign(folder))):
            raise ProjectError(f"{folder} holds other files: choose an empty or a new folder")
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ProjectError(f"the folder {folder} cannot be made: {error.strerror}") from error
        store = cls(folder, _connect(folder / "fabula.db"))
        try:
            with store._writing() as db:
                if not sa.inspect(db).has_table(_meta.name):
                    _tables.create_all(db)
                stamp = _meta.insert().prefix_with("OR IGNORE")
                db.execute(stamp, [{"key": "schema", "value": str(SCHEMA)}])
        except ProjectError:
            store.close()
            raise
        store.close()
        return cls.open(folder)

    @classmethod
    def open(cls, folder: Path) -> ProjectStore:
        """Raises ProjectError where there is no project, or one that this version cannot read."""
        if not (folder / "fabula.db").is_file():
            raise ProjectError(
                f"there is no project in {folder}: make one with fabula index BOOK -o {folder}"
            )
        store = cls(folder, _connect(folder / "fabula.db"))
        try:
            schema = store.meta("schema")
        except ProjectError:
            store.close()
            raise
        if schema != str(SCHEMA):
            store.close()
            raise ProjectError(
                f"the project in {folder} has schema {schema}, this version reads {SCHEMA}: "
                "index the book again into a new folder"
            )
        return store

    def close(self) -> None:
        self._engine.dispose()

    def __enter__(self) -> ProjectStore:
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

    # --- reading ---------------------------------------------------------------------------------

    def meta(self, key: str) -> str | None:
        with self._reading() as db:
            return db.execute(sa.select(_meta.c.value).where(_meta.c.key == key)).scalar()

    def remember(self, key: str, value: str) -> None:
        """Keeps a value that no index depends on; ``meta`` gives it back."""
        with self._writing() as db:
            db.execute(_meta.insert().prefix_with("OR REPLACE"), [{"key": key, "value": value}])

    def document(self) -> Document | None:
        """The book, or None where nothing was indexed yet."""
        with self._reading() as db:
            row = db.execute(sa.select(_documents)).first()
            if row is None:
                return None
            found = db.execute(
                sa.select(_chapters).where(_chapters.c.document_id == row.id).order_by(_chapters.c.number)
            )
            chapters = tuple(
                Chapter(
                    c.number,
                    c.title,
                    Span(c.heading_start, c.heading_end),
                    Span(c.body_start, c.body_end),
                )
                for c in found
            )
        return Document(row.id, row.title, row.text, chapters)

    def index_folder(self) -> Path:
        """The current generation. Raises ProjectError where there is none or it is damaged."""
        name = self.meta("generation")
        if name is None:
            raise ProjectError(
                f"the project in {self.folder} holds no finished index: run fabula index again"
            )
        return self.generations.open(name)

    def feedback(self) -> FeedbackStore:
        """Readers' ratings of search results; they outlive every new index."""
        with _translated(self.folder):
            return FeedbackStore(self._engine)

    # --- work that took a model ------------------------------------------------------------------

    def work(self, producer: str, key: str) -> bytes | None:
        query = sa.select(_work.c.output).where(_work.c.producer == producer, _work.c.input == key)
        with self._reading() as db:
            return db.execute(query).scalar()

    def keep_work(self, producer: str, key: str, output: bytes) -> None:
        with self._writing() as db:
            db.execute(
                _work.insert().prefix_with("OR REPLACE"),
                [{"producer": producer, "input": key, "output": output}],
            )

    # --- the commit point ------------------------------------------------------------------------

    def publish(
        self,
        document: Document,
        *,
        fill: Callable[[Path], None],
        meta: Mapping[str, str],
        used: Iterable[tuple[str, str]],
    ) -> None:
        """Replaces the project's book. ``fill`` writes the index files of the new generation; ``used``
        names the (producer, key) pairs of the work that is still wanted, the rest is dropped. Call with
        the lock held. Readers see all of the old state or all of the new."""
        self.generations.sweep(keep=self.meta("generation"))
        name = self.generations.write(fill, facts={"document": document.id, **meta})
        with self._writing() as db:
            for table in (_documents, _chapters):
                db.execute(table.delete())
            db.execute(
                _documents.insert(), [{"id": document.id, "title": document.title, "text": document.text}]
            )
            db.execute(_chapters.insert(), [_chapter_row(document, c) for c in document.chapters])
            _drop_unused(db, set(used))
            values = {**meta, "generation": name}
            db.execute(
                _meta.insert().prefix_with("OR REPLACE"), [{"key": k, "value": v} for k, v in values.items()]
            )
        self.generations.sweep(keep=name)

    @contextmanager
    def _reading(self) -> Iterator[sa.Connection]:
        with _translated(self.folder), self._engine.connect() as db:
            yield db

    @contextmanager
    def _writing(self) -> Iterator[sa.Connection]:
        with _translated(self.folder), self._engine.begin() as db:
            yield db


def _connect(file: Path) -> sa.Engine:
    engine = sa.create_engine(f"sqlite:///{file}")

    @sa.event.listens_for(engine, "connect")
    def _set_up(connection: Any, _record: object) -> None:
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=10000"):
            connection.execute(f"PRAGMA {pragma}")

    return engine


@contextmanager
def _translated(folder: Path) -> Iterator[None]:
    try:
        yield
    except DatabaseError as error:
        raise ProjectError(
            f"the database of the project in {folder} cannot be used ({error.orig}): "
            "restore it from a copy, or index the book again into a new folder"
        ) from error


def _foreign(folder: Path) -> Iterator[Path]:
    """What stands in the folder that is none of ours (settings may come before the first index)."""
    ours = {"fabula.toml", ".lock", "index", "graphs", "fabula.db", "fabula.db-wal", "fabula.db-shm"}
    ours |= {"codex.yaml", "codex.yml", "codex.json"}
    return (path for path in folder.iterdir() if path.name not in ours)


def _chapter_row(document: Document, chapter: Chapter) -> dict[str, object]:
    return {
        "document_id": document.id,
        "number": chapter.number,
        "title": chapter.title,
        "heading_start": chapter.heading.start,
        "heading_end": chapter.heading.end,
        "body_start": chapter.body.start,
        "body_end": chapter.body.end,
    }


def _drop_unused(db: sa.Connection, used: set[tuple[str, str]]) -> None:
    stored = [(row.producer, row.input) for row in db.execute(sa.select(_work.c.producer, _work.c.input))]
    for producer, key in stored:
        if (producer, key) not in used:
            db.execute(_work.delete().where(_work.c.producer == producer, _work.c.input == key))
