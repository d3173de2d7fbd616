"""A draft accepted as the next chapter of a project's book, of a series the last one, and taken back.

The project keeps the book as it grows in ``book/ID.md``: the file that was indexed first is never written
to. Since a chapter is only added, the book before it is the one without it, and can always be had back.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ...config import Source
from ...core.documents import document_from_text
from ...core.files.atomic import replace_file
from ...core.series import parted, with_last
from ...core.store.accepted import AcceptedChapter, accepted_in, remember_accepted
from ...core.types import Document, Span
from ...errors import UsageError
from ..creating import change_text
from ..storage.opening import open_store
from .next_chapter import with_next_chapter

if TYPE_CHECKING:
    from ...core.runtime.memory_monitor import MemoryMonitor
    from ..indexing import IndexReport, ModelPlan, Progress

__all__ = ["BOOKS", "Accepted", "Desk"]

BOOKS = "book"
"""The folder in a project with the text of its book, once a chapter was accepted."""


@dataclass(frozen=True, slots=True)
class Accepted:
    """The chapter that was added, or taken back, and what indexing it took. ``file`` holds the book now."""

    number: int
    title: str
    words: int
    file: Path
    report: IndexReport


@dataclass(frozen=True, slots=True)
class Desk:
    """Accepts drafts for the project in a folder; ``settings``, ``monitor``, ``progress`` and ``confirm`` are
    as for indexing. One publication changes text, index and graph together: who reads meanwhile, or after
    a crash, sees the book with the chapter or without it."""

    folder: Path
    settings: Sequence[Source] = ()
    monitor: MemoryMonitor | None = None
    progress: Progress = lambda *_: None
    confirm: Callable[[ModelPlan], None] = lambda _: None

    def accept(self, draft: str, *, title: str = "", after: int | None = None) -> Accepted:
        """Makes the draft the next chapter; only that is read and embedded. ``after`` is the chapter that the
        draft was written to follow. Raises UsageError where that is not the last one, and for a draft that
        cannot be a chapter (see :func:`.next_chapter.with_next_chapter`); then all is as it was."""

        def grow(book: Document) -> Document:
            if after is not None and after != len(book.chapters):
                raise UsageError(
                    f"the draft was written to follow chapter {after}, and {book.title} goes on after it: "
                    "write one that follows its last chapter"
                )
            grown = with_next_chapter(parted(book)[-1], draft, title=title)
            whole, before = with_last(book, grown.document), _before_last(book)
            added = Span(before + grown.added.start, before + grown.added.end)
            with open_store(self.folder) as store:
                kept = (*accepted_in(store, book), AcceptedChapter.of(whole.text, added))
                remember_accepted(store, kept)
            return whole

        return self._change(grow, lambda _, after: after)

    def take_back(self) -> Accepted:
        """Takes the last chapter out again, where it was accepted: the book is as it was before, to the
        byte. Raises UsageError where the book's last chapter is not one that was accepted."""

        def cut(book: Document) -> Document:
            with open_store(self.folder) as store:
                standing = accepted_in(store, book)
            last = standing[-1].span if standing else None
            if last is None or not last.contains(book.chapters[-1].body):
                raise UsageError(
                    f"the last chapter of {book.title} was not accepted from a draft: there is none to take "
                    "back"
                )
            text = book.text[_before_last(book) : last.start] + book.text[last.end :]
            own = parted(book)[-1]
            return with_last(book, document_from_text(text, id=own.id, title=own.title))

        return self._change(cut, lambda before, _: before)

    def _change(
        self, change: Callable[[Document], Document], which: Callable[[Document, Document], Document]
    ) -> Accepted:
        """``which`` book, that before or that after the change, ends with the chapter it is about."""
        seen: list[Document] = []

        def changed(book: Document) -> Document:
            seen.extend((book, change(book)))
            return seen[1]

        report = change_text(
            self.folder,
            changed,
            self.settings,
            monitor=self.monitor,
            progress=self.progress,
            confirm=self.confirm,
        )
        before, after = seen
        book = which(before, after)
        last = book.chapters[-1]
        words = len(last.body.of(book.text).split())
        return Accepted(last.number, last.title, words, self._write(before, after), report)

    def _write(self, before: Document, book: Document) -> Path:
        """The file that the project keeps the book in, once it holds this. What is there and is not the book
        before, as another text was indexed since, is kept beside it."""
        old, new = parted(before)[-1], parted(book)[-1]
        file = self.folder / BOOKS / f"{new.id}.md"
        if file.is_file() and file.read_bytes() not in (old.text.encode(), new.text.encode()):
            file.replace(file.with_suffix(".old.md"))
        replace_file(file, new.text)
        if not book.books:
            with open_store(self.folder) as store:
                store.remember("book", file.relative_to(self.folder).as_posix())
        return file


def _before_last(book: Document) -> int:
    """Where the text of a series' last book begins."""
    return book.books[-1].start if book.books else 0
