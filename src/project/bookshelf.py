"""The books of a project: added, replaced, moved and taken out one by one.

What is kept of a chapter's work goes by its text, so a book that only moves is not read or embedded again,
and one publication changes text, index and graph together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ..config import Source
from ..core.documents import read_book
from ..core.series import added, moved, removed
from ..core.types import Document
from .creating import change_text
from .factories import config_of

if TYPE_CHECKING:
    from ..core.runtime.memory_monitor import MemoryMonitor
    from .indexing import IndexReport, ModelPlan, Progress


@dataclass(frozen=True, slots=True)
class Bookshelf:
    """Changes which books the project in a folder holds; ``settings``, ``monitor``, ``progress`` and
    ``confirm`` are as for indexing. Each change raises what reading a book and indexing it raise, UsageError
    and HorizonError for a book or a place that there is not; then all is as it was."""

    folder: Path
    settings: Sequence[Source] = ()
    monitor: MemoryMonitor | None = None
    progress: Progress = lambda *_: None
    confirm: Callable[[ModelPlan], None] = lambda _: None

    def add(self, file: Path, *, at: int | None = None, encoding: str | None = None) -> IndexReport:
        """Puts a book in, last or as number ``at``. A file of the same name as a book of the series is a new
        version of it, where no number is given."""
        limits = config_of(self.folder, above=self.settings)[0].documents.limits
        book, _ = read_book(file, encoding=encoding, limits=limits)
        return self._change(lambda series: added(series, book, at=at))

    def remove(self, number: int) -> IndexReport:
        """Takes the book of that number out."""
        return self._change(lambda series: removed(series, number))

    def move(self, number: int, to: int) -> IndexReport:
        """Lets the book of that number be read as number ``to``."""
        return self._change(lambda series: moved(series, number, to))

    def _change(self, change: Callable[[Document], Document]) -> IndexReport:
        return change_text(
            self.folder,
            change,
            self.settings,
            monitor=self.monitor,
            progress=self.progress,
            confirm=self.confirm,
        )
