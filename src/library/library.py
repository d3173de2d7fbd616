"""Where the app and the server keep their projects, and how a text becomes one."""

from __future__ import annotations

import hashlib
import logging
import re
import tempfile
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Unpack

from ..config import Source
from ..core.documents import KINDS, PLAIN, SUPPORTED, document_id
from ..core.store.folder import DATABASE
from ..core.text.encodings import BYTE_ORDER_MARKS
from ..demo import STORY_NAME, story_text
from ..engine import config_of, index_book
from ..errors import ConfigError, DocumentError, NameTaken, NoProject, ProjectError, UsageError
from ..project.creating import Bookshelf, Work
from ..project.indexing import IndexReport
from ..project.storage.opening import erase_remote, holds_project, open_store
from ..project.trust import folder_settings

_log = logging.getLogger(__name__)
DEMO = STORY_NAME
MAX_UPLOAD_MB = 20

_LONGEST_STEM = 60  # well within what file systems and document ids take
_LONGEST_LABEL = 80
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,79}")  # what document ids are made of
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_MARKS = tuple(mark for mark, _ in BYTE_ORDER_MARKS)


@dataclass(frozen=True, slots=True)
class Entry:
    """A project in the library. ``title`` is the book's own; ``stamp`` changes with every indexing, and
    ``books`` are the titles of a series' books."""

    folder: Path
    title: str
    chapters: int
    words: int
    stamp: str
    books: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The folder's name, by which the page knows the story."""
        return self.folder.name

    @property
    def indexed(self) -> datetime:
        """When it was indexed last, in this machine's time zone."""
        return datetime.fromtimestamp(int(self.stamp.rpartition("-")[2]) / 1e9).astimezone()


@dataclass(frozen=True, slots=True)
class Added:
    """What became of a text: the name of its entry, and what indexing it took."""

    name: str
    report: IndexReport


@dataclass(frozen=True, slots=True)
class Library:
    """Projects under one folder, one sub-folder each, named for the document's id.

    A ``fabula.toml`` in the folder itself holds settings for all of them.
    """

    root: Path

    @property
    def settings(self) -> tuple[Source, ...]:
        """As far as they may hold (see :mod:`.project.trust`)."""
        found = folder_settings(self.root).allowed
        return (found,) if found else ()

    def entries(self) -> list[Entry]:
        """By title. Folders that hold no finished project are passed over, and so is what cannot be used."""
        return self.looked_at()[0]

    def looked_at(self) -> tuple[list[Entry], dict[str, str]]:
        """:meth:`entries`, and of each story that cannot be used its name and what is the matter."""
        found, unusable = [], {}
        for folder in sorted(self.root.iterdir()) if self.root.is_dir() else ():
            try:
                found.append(_usable(folder))
            except ProjectError as error:
                unusable[folder.name] = str(error)
        entries = filter(None, found)
        return sorted(entries, key=lambda entry: (entry.title.casefold(), entry.name)), unusable

    def searchable(self, allowed: Callable[[str], bool] = lambda _: True) -> list[Entry]:
        """As :meth:`entries`, of the names that are ``allowed``, for what asks all of them. Raises
        ProjectError where a story's server does not answer, or its settings cannot be read: without it the
        answer would only look whole."""
        entries, unusable = self.looked_at()
        for name, problem in unusable.items():
            if allowed(name) and not (self.root / name / DATABASE).is_file():
                raise ProjectError(problem)
        return [entry for entry in entries if allowed(entry.name)]

    def entry(self, name: str) -> Entry | None:
        """The finished project of that name, if there is one. Costs a look at its files' times, so it may be
        asked at every request. Raises ProjectError, which names no path, for one that cannot be used."""
        return _usable(self.root / name) if _NAME.fullmatch(name) else None  # no way leads out of the root

    def add(self, name: str, content: bytes, **work: Unpack[Work]) -> Added:
        """Indexes an uploaded text; a file of the same name again brings its story up to date.

        The name only names the book: its folder is the document's id, made of letters, digits and hyphens.
        Raises DocumentError for what is no story,
        UsageError for what is too large or bears the demo story's name, NameTaken as :meth:`require_free`.
        """
        book = checked(name, content)
        self.require_free(self.id_of(name, content), book)
        return self._index(book, content, work)

    def id_of(self, name: str, content: bytes) -> str:
        """The name that an uploaded text's project will have, once what can be seen without reading it was
        looked for; nothing is kept. Raises as :meth:`add`, which reads it."""
        book = checked(name, content)
        id = document_id(book)
        if id == DEMO:
            raise UsageError(f"{book} bears the name of the demo story: give the file another name")
        return id

    def require_free(self, id: str, name: str, *, waiting: Iterable[str] = ()) -> None:
        """Raises NameTaken where the project of that id was made of a file of another name, or will be of one
        of those that are ``waiting``: "Mein Büch.txt" must not replace "Mein Buch.txt"."""
        for other in (made_of(self.root / id), *waiting):
            if other and _composed(other) != _composed(name):
                raise NameTaken(
                    f"{name} and {other} would both be the project {id}: give the file another name, or "
                    "delete that project first"
                )

    def add_demo(self, **work: Unpack[Work]) -> Added:
        """Indexes the demo story, or brings it up to date where it was indexed before."""
        return self._index(f"{DEMO}.md", story_text().encode(), work)

    def add_book(self, name: str, file: str, content: bytes, **work: Unpack[Work]) -> IndexReport:
        """Puts a book behind the last one of a story, which is a series then. A file of the same name as one
        of its books is a new version of that. Raises as :meth:`add`, and UsageError for a story that is not
        there."""
        shelf = self.bookshelf(name, **work)
        with _as_file(checked(file, content), content) as path:
            return shelf.add(path)

    def bookshelf(self, name: str, **work: Unpack[Work]) -> Bookshelf:
        """What changes the books of a story. Raises UsageError where the library has no such story."""
        entry = self.entry(name)
        if entry is None:
            raise UsageError(f"there is no story {safe_name(name)} in the library")
        return Bookshelf(entry.folder, self.settings, **work)

    def remove(self, name: str) -> None:
        """Deletes a story's project: index, graph, ratings and settings, on a server too. The file it was
        read from stays.

        Whoever has it open should close it first. Raises UsageError where the library has no such story,
        ProjectError where it cannot be deleted.
        """
        known = {entry.name: entry.folder for entry in self.entries()}
        folder = known.get(name)
        if folder is None or folder.is_symlink():
            raise UsageError(f"there is no story {safe_name(name)} in the library to remove")
        erase_remote(folder)
        try:
            with tempfile.TemporaryDirectory(prefix=".removed-", dir=self.root) as bin_:
                folder.rename(Path(bin_) / name)  # gone at once, for whoever lists the stories meanwhile
        except OSError as error:
            raise ProjectError(f"{name} cannot be removed ({error.strerror or error})") from error

    def _index(self, name: str, content: bytes, work: Work) -> Added:
        id = document_id(name)
        config, _ = config_of(self.root / id, above=self.settings)
        with _as_file(name, content) as book:
            return Added(id, index_book(book, self.root / id, config=config, **work))


@contextmanager
def _as_file(name: str, content: bytes) -> Iterator[Path]:
    """A file of that name; who sent it knows a name, no path."""
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / name
        path.write_bytes(content)
        try:
            yield path
        except DocumentError as error:
            raise DocumentError(str(error).replace(str(path), name)) from None


def made_of(folder: Path) -> str:
    """The name of the file that the project in a folder was made of; empty where there is no project, or that
    is not known."""
    try:
        if not holds_project(folder):
            return ""
        with open_store(folder) as store:
            book = store.meta("book") or ""
            return store.meta("file") or ("" if book.startswith("book/") else Path(book).name)
    except (ProjectError, ConfigError):  # whoever opens it says so
        return ""


def _composed(name: str) -> str:
    return unicodedata.normalize("NFC", name)


def safe_name(name: str) -> str:
    """A file's name without any path, of printable characters and at most 68 of them.

    What is cut off is stood for by a digest, so that two long names stay two.
    """
    last = _UNPRINTABLE.sub("", name.replace("\\", "/")).rstrip("/").rpartition("/")[2]
    stem, dot, suffix = last.rpartition(".")
    if not stem.strip(". "):  # "...txt" has no name but its dots
        stem = f"story-{hashlib.sha256(last.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"
    if not dot or len(suffix) > len("text"):
        stem, dot, suffix = last, "", ""
    stem = stem.strip(". ") or "story"
    if len(stem.encode("utf-8", "surrogatepass")) > _LONGEST_STEM:
        digest = hashlib.sha256(stem.encode("utf-8", "surrogatepass")).hexdigest()[:8]
        raw = stem.encode("utf-8", "ignore")[: _LONGEST_STEM - 9]
        stem = f"{raw.decode('utf-8', 'ignore')}-{digest}"
    return f"{stem}{dot}{suffix}"


def labels(entries: Sequence[Entry]) -> dict[str, str]:
    """What to call each entry in a list, by its name; of titles that two share the names stand first."""
    flat = {entry.name: " ".join(_UNPRINTABLE.sub(" ", entry.title).split()) for entry in entries}
    most = _LONGEST_LABEL
    cut = {name: f"{t[: most - 1].rstrip()}…" if len(t) > most else t for name, t in flat.items()}
    count = Counter(cut.values())
    return {name: f"{name}: {title}" if count[title] > 1 else title for name, title in cut.items()}


def checked(name: str, content: bytes) -> str:
    """The safe name of an uploaded text. Raises DocumentError and UsageError where it can be seen, without
    reading it, that it is no story or too large."""
    book = safe_name(name)
    if len(content) > MAX_UPLOAD_MB * 1_000_000:
        raise UsageError(
            f"{book} has {len(content) / 1e6:.0f} MB and the app takes {MAX_UPLOAD_MB}: "
            "index it with fabula index"
        )
    problem = ""
    if not book.lower().endswith(SUPPORTED):
        problem = f"is no {KINDS} file: save the story as one of these"
    elif not content:
        problem = "is empty: choose a file that holds a story"
    elif book.lower().endswith(PLAIN) and not content.startswith(_MARKS):  # who reads the others looks there
        problem = _problem_of_plain(content)
    if problem:
        raise DocumentError(f"{book} {problem}")
    return book


def _problem_of_plain(content: bytes) -> str:
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        return f"is not text in UTF-8 (byte {error.start}): save it as plain text in UTF-8"
    if "\0" in text:
        return "has NUL bytes and is not text: save it as plain text in UTF-8"
    return "" if text.strip() else "is blank: choose a file that holds a story"


def _usable(folder: Path) -> Entry | None:
    """The finished project in the folder. Raises ProjectError, which names no path, where there is one and it
    cannot be used."""
    try:
        mark = _mark(folder)
        return _entry_at(folder, mark) if mark else _entry(folder, _stamp(folder))
    except NoProject:
        return None
    except (ProjectError, ConfigError, OSError) as error:
        if (folder / DATABASE).is_file():
            what = "its files are damaged, or cannot be read: fabula verify says more, where they lie"
        elif not isinstance(error, OSError):
            what = "its settings, or the PostgreSQL server that keeps it, cannot be used now"
        else:
            return None
        _log.warning("%s cannot be used: %s", folder.name, error)
        raise ProjectError(f"{folder.name} cannot be used: {what}") from error


def _mark(folder: Path) -> tuple[int, ...]:
    """Changes whenever the project's database does; empty where that is on a server. Raises OSError where
    there is no project."""
    found: list[int] = []
    for name in ("fabula.db", "fabula.db-wal"):
        try:
            state = (folder / name).stat()
        except FileNotFoundError:
            if found:
                continue
            (folder / "fabula.toml").stat()  # which would name the server
            return ()
        found += [state.st_ino, state.st_mtime_ns, state.st_size]
    return tuple(found)


@lru_cache(maxsize=256)
def _entry_at(folder: Path, mark: tuple[int, ...]) -> Entry:  # noqa: ARG001 (the mark is for the cache)
    return _entry(folder, _stamp(folder))


def _stamp(folder: Path) -> str:
    with open_store(folder) as store:
        return store.stamp()


@lru_cache(maxsize=256)
def _entry(folder: Path, stamp: str) -> Entry:
    """Reading the whole book at every click would be felt."""
    with open_store(folder) as store:
        document = store.document()
    if document is None:
        raise ProjectError(f"the project in {folder} holds no book: index the book again")
    words = sum(len(chapter.body.of(document.text).split()) for chapter in document.chapters)
    books = tuple(book.title for book in document.books)
    return Entry(folder, document.title, len(document.chapters), words, stamp, books)
