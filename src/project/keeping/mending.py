"""A broken project mended from what is whole: its text, its kept work, the author's files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ...config import Source
from ...core.store.index.reader import GenerationIndex
from ...core.store.seam import Snapshot
from ...core.store.sqlite import ProjectStore
from ...errors import FabulaError
from ..books import kept_printed
from ..creating import index_from_work
from ..factories import config_of
from ..storage.opening import open_here
from .broken import Verified
from .verifying import sources_of, verify

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
    found = sources_of(store, settings)
    report = index_from_work(
        store,
        Snapshot(
            store.folder, found.document, found.meta, GenerationIndex(store.generations, found.index.name)
        ),
        settings,
        codex=found.codex,
        corrections=found.corrections,
        printed=kept_printed(found.index),
        monitor=monitor,
        progress=progress,
    )
    return (
        f"made the index anew from {found.whence}: {report.chunks} chunks; {report.embedded} of "
        f"{report.chapters} chapters embedded and {report.read} read again"
    )
