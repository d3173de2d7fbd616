"""What an index keeps of a book with pages: the PDF as it was read, and where its words are printed."""

from __future__ import annotations

from pathlib import Path

from ...core.documents import PrintedBook
from ...core.formats.pdf.places import BOOK_FILE, PLACES_FILE

__all__ = ["PRINTED_FILES", "kept_printed", "save_printed"]

PRINTED_FILES = (BOOK_FILE, PLACES_FILE)


def save_printed(printed: PrintedBook, folder: Path) -> None:
    """Writes both files into the folder of an index."""
    (folder / BOOK_FILE).write_bytes(printed.pdf)
    (folder / PLACES_FILE).write_bytes(printed.places)


def kept_printed(folder: Path) -> PrintedBook | None:
    """What is in the folder of an index; None where the book has no pages."""
    if not (folder / BOOK_FILE).is_file():
        return None
    return PrintedBook((folder / BOOK_FILE).read_bytes(), (folder / PLACES_FILE).read_bytes())
