"""A text that is indexed for as long as it is asked."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from fabula import Project, index_book

__all__ = ["indexed"]


@contextmanager
def indexed(name: str, text: str, **parts: Any) -> Iterator[Project]:
    """The project of the text, with default settings; ``parts`` are models that are loaded already. Raises
    SystemExit where the document is not the text, so that offsets into it would lead elsewhere."""
    with tempfile.TemporaryDirectory() as folder:
        book = Path(folder) / f"{name}.md"
        book.write_text(text, encoding="utf-8", newline="\n")
        index_book(book, Path(folder) / "project", **parts)
        with Project.open(Path(folder) / "project") as project:
            if project.document.text != text:
                raise SystemExit(f"{name}: the document's text is not the one that was asked about")
            yield project
