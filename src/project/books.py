"""The text of a project: a book read from its file or several as a series, its pages, its chunks."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from ..config import Config
from ..core.chunks.chunking import chunk_document
from ..core.documents import PrintedBook, read_book
from ..core.formats.pdf.places import BOOK_FILE, PLACES_FILE
from ..core.series import joined
from ..core.types import Chunk, Document
from ..errors import DocumentError, ProjectError
from .storage.opening import open_store

if TYPE_CHECKING:
    from ..core.formats.converting import ReadingLimits
    from ..core.interfaces import DocumentEmbedder

PRINTED_FILES = (BOOK_FILE, PLACES_FILE)


def read_books(
    files: Path | Sequence[Path],
    folder: Path,
    *,
    title: str | None = None,
    encoding: str | None = None,
    limits: ReadingLimits | None = None,
) -> tuple[Document, PrintedBook | None]:
    """A book with its pages, or several as a series. A series keeps the id that the project in ``folder``
    has, else that of its first book, so that a book can grow into one; its title is ``title``, else the
    folder's name. Raises DocumentError as :func:`~fabula.core.documents.read_book`."""
    files = [files] if isinstance(files, Path) else files
    if len(files) == 1:
        return read_book(files[0], title=title, encoding=encoding, limits=limits)
    if not files:
        raise DocumentError("there is no book to index: name one file, or the files of a series")
    books = [read_book(file, encoding=encoding, limits=limits)[0] for file in files]
    held: Document | None = None
    with suppress(ProjectError), open_store(folder) as store:
        held = store.document()
    known = held is not None and held.id in {book.id for book in books}
    series = held is not None and any(one.id == book.id for one in held.books for book in books)
    id = held.id if held is not None and (known or series) else books[0].id
    own = held.title if held is not None and series else " ".join(folder.resolve().name.split("-")).title()
    return joined(books, id=id, title=title or own), None


def told_before(file: Path, files: Path | Sequence[Path], document: Document) -> int | None:
    """How many chapters of ``document``, made of ``files``, come before the book in ``file``; None where it
    is none of them."""
    files = [files] if isinstance(files, Path) else files
    firsts = [book.first for book in document.books] or [1]
    books = zip(files, firsts, strict=True)
    return next((first - 1 for one, first in books if one.resolve() == file.resolve()), None)


def kept_printed(folder: Path) -> PrintedBook | None:
    """What is in the folder of an index; None where the book has no pages."""
    if not (folder / BOOK_FILE).is_file():
        return None
    return PrintedBook((folder / BOOK_FILE).read_bytes(), (folder / PLACES_FILE).read_bytes())


def chunks_of(document: Document, config: Config, embedder: DocumentEmbedder) -> list[Chunk]:
    """In order of telling. Raises ModelError where tokens are counted and the model cannot be had."""
    asked = config.chunking
    offsets = embedder.token_starts if asked.unit == "tokens" else None
    return chunk_document(document, size=asked.size, overlap=asked.overlap, offsets=offsets)
