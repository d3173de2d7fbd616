"""A broken project mended from what is whole: its text, its kept work, the author's files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ...config import Source
from ...core.documents import read_document
from ...core.store.index.reader import GenerationIndex
from ...core.store.seam import Snapshot
from ...core.store.sqlite import ProjectStore, digest
from ...core.store.tables import digest_document
from ...core.types import Document
from ...errors import DocumentError, FabulaError, ProjectError, UsageError
from ...story.codex.codex import Codex
from ...story.corrections.corrections import Corrections
from ...story.corrections.file import CORRECTIONS_FILE, read_corrections
from ..books.printed import kept_printed
from ..creating import index_from_work
from ..factories import codex_file, config_of, read_codex
from ..indexing import CODEX_FILE
from ..storage.opening import open_here
from .broken import Verified
from .verifying import verify

if TYPE_CHECKING:
    from ...core.runtime.memory_monitor import MemoryMonitor
    from ..indexing import Progress

__all__ = ["Mended", "mend"]


@dataclass(frozen=True, slots=True)
class Mended:
    """What was done, a line each, why the index could not be made anew ("" where it could, or need not be),
    and how the project is now."""

    did: tuple[str, ...]
    failed: str
    now: Verified

    @property
    def text(self) -> str:
        """For a terminal."""
        failed = [f"failed  {self.failed}"] if self.failed else []
        return "\n".join([*(f"mended  {one}" for one in self.did), *failed, self.now.text])


def mend(
    folder: Path,
    settings: Sequence[Source] = (),
    *,
    monitor: MemoryMonitor | None = None,
    progress: Progress = lambda *_: None,
) -> Mended:
    """Drops kept work and ratings that are broken, makes the index anew where it is, sweeps what killed
    writers left, and verifies again. What the author wrote is not touched. Raises ProjectError where another
    process writes, or there is no project; what cannot be mended stays among what is broken."""
    patience = config_of(folder, above=settings)[0].store.wait_s
    did: list[str] = []
    failed = ""
    with open_here(folder) as store, store.lock(patience=patience):
        before = verify(folder)
        cures = {one.cure for one in before.broken}
        if "work" in cures:
            broken = store.upkeep().broken_work()
            store.upkeep().drop_work(broken)
            did.append(f"dropped {len(broken)} broken pieces of kept work")
        if "ratings" in cures:
            unreadable = [id for id, _, problem in store.feedback().examined() if problem]
            store.feedback().drop(unreadable)
            did.append(f"dropped {len(unreadable)} ratings that could not be read")
        if "index" in cures:
            try:
                did.append(_made_anew(store, settings, monitor, progress))
            except FabulaError as error:
                failed = " ".join(str(error).split())
        swept = store.generations.sweep(keep=store.meta("generation"))
        if swept:
            did.append(f"swept {len(swept)} index folders that nobody needs")
        return Mended(tuple(did), failed, verify(folder))


def _made_anew(
    store: ProjectStore,
    settings: Sequence[Source],
    monitor: MemoryMonitor | None,
    progress: Progress,
) -> str:
    meta = {key: value for key in _META if (value := store.meta(key)) is not None}
    folder = store.generations.root / meta.get("generation", "")
    document, source = _text(store, meta)
    report = index_from_work(
        store,
        Snapshot(store.folder, document, meta, GenerationIndex(store.generations, folder.name)),
        settings,
        codex=_codex(store.folder, folder, meta, settings),
        corrections=_corrections(store.folder, folder, meta),
        printed=kept_printed(folder),
        monitor=monitor,
        progress=progress,
    )
    return (
        f"made the index anew from {source}: {report.chunks} chunks; {report.embedded} of {report.chapters} "
        f"chapters embedded and {report.read} read again"
    )


_META = ("generation", "settings", "content", "codex", "corrections", "book")


def _text(store: ProjectStore, meta: dict[str, str]) -> tuple[Document, str]:
    """The text that was indexed, and whence: the database, or else the book's file, where it still gives the
    same."""
    try:
        document = store.document()
        if document is not None:
            return document, "the project's own text"
    except (ProjectError, TypeError, ValueError):
        pass
    file, held = store.folder / meta.get("book", ""), store.book()
    limits = config_of(store.folder)[0].documents.limits
    for title in (held[1] if held is not None else None, None):
        try:
            found = read_document(file, title=title, limits=limits)
        except DocumentError:
            continue
        if digest_document(found) == meta.get("content"):
            return found, "the book's file"
    raise ProjectError(
        "the text is damaged and the book's file does not give it any more: index the book again with "
        "fabula index --rebuild, or restore the project from a backup"
    )


def _codex(project: Path, index: Path, meta: dict[str, str], settings: Sequence[Source]) -> Codex | None:
    """The codex that the index was made with: as the index keeps it, else the author's file, where it still
    is that."""
    wanted = meta.get("codex", "")
    if not wanted:
        return None
    own = codex_file(project, config_of(project, above=settings)[0], None)
    for path in (index / CODEX_FILE, own):
        try:
            codex = read_codex(path) if path is not None else None
        except DocumentError:
            continue
        if codex is not None and digest(codex.document.text) == wanted:
            return codex
    raise ProjectError("the codex that it was made with is damaged: index the book again with --codex")


def _corrections(project: Path, index: Path, meta: dict[str, str]) -> Corrections:
    """Those that the index was made with, else those of the author's file."""
    wanted = meta.get("corrections", "")
    if not wanted:
        return Corrections()
    try:
        kept = read_corrections(index / CORRECTIONS_FILE)
        if kept.key == wanted:
            return kept
    except UsageError:
        pass
    return read_corrections(project / CORRECTIONS_FILE)
