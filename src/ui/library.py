"""Where the app keeps its projects, and how a text becomes one."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path

from ..core.documents import read_document
from ..core.store.sqlite import ProjectStore
from ..demo import STORY_NAME, story_text
from ..engine import index_book
from ..errors import ProjectError, UsageError
from ..indexing import IndexReport, Progress

__all__ = ["DEMO", "MAX_UPLOAD_MB", "Entry", "Library"]

DEMO = STORY_NAME
MAX_UPLOAD_MB = 20


@dataclass(frozen=True, slots=True)
class Entry:
    """A project in the library; ``title`` is the book's own."""

    folder: Path
    title: str


@dataclass(frozen=True, slots=True)
class Library:
    """Projects under one folder, one sub-folder each, named for the document's id."""

    root: Path

    def entries(self) -> list[Entry]:
        """By title. Folders that hold no finished project are passed over."""
        found = []
        for folder in sorted(self.root.iterdir()) if self.root.is_dir() else []:
            try:
                with ProjectStore.open(folder) as store:
                    document = store.document()
            except ProjectError:
                continue
            if document is not None:
                found.append(Entry(folder, document.title))
        return sorted(found, key=lambda entry: (entry.title.casefold(), entry.folder.name))

    def add(self, name: str, content: bytes, *, progress: Progress = lambda *_: None) -> IndexReport:
        """Indexes an uploaded text. Its name only names the book; where it is kept is made from the
        document's id, which holds nothing but letters, digits and hyphens. Raises DocumentError for what
        is no story, UsageError for what is too large."""
        if len(content) > MAX_UPLOAD_MB * 1_000_000:
            raise UsageError(f"the text has {len(content) / 1e6:.0f} MB; the app takes {MAX_UPLOAD_MB}")
        safe = Path(name.replace("\\", "/")).name or "story.txt"
        with tempfile.TemporaryDirectory() as scratch:
            book = Path(scratch) / safe
            book.write_bytes(content)
            document = read_document(book)
            return index_book(book, self.root / document.id, progress=progress)

    def add_demo(self, *, progress: Progress = lambda *_: None) -> IndexReport:
        return self.add(f"{DEMO}.md", story_text().encode(), progress=progress)
