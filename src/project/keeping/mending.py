"""A broken project mended from its text, kept work and the author's files; a project made small."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ...config import Source
from ...core.store.generations import GenerationIndex
from ...core.store.seam import WRITER_PATIENCE_S, Snapshot
from ...core.store.sqlite import ProjectStore, digest
from ...errors import FabulaError, ModelError
from ..books import kept_printed
from ..creating import Reindexing
from ..factories import bound, config_of, make_embedder
from ..storage.opening import open_here
from ..vectors import MEMORY_WORK, PAIR_WORK, vectors_key
from .broken import Verified
from .verifying import sources_of, verify

if TYPE_CHECKING:
    from ...core.runtime.memory_monitor import MemoryMonitor
    from ..indexing import Progress


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
    did: list[str] = []
    failed = ""
    with open_here(folder) as store, store.lock(patience=WRITER_PATIENCE_S):
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
    report = Reindexing(store.folder, settings, monitor, progress).from_work(
        store,
        Snapshot(
            store.folder, found.document, found.meta, GenerationIndex(store.generations, found.index.name)
        ),
        codex=found.codex,
        corrections=found.corrections,
        printed=kept_printed(found.index),
    )
    return (
        f"made the index anew from {found.whence}: {report.chunks} chunks; {report.embedded} of "
        f"{report.chapters} chapters embedded and {report.read} read again"
    )


@dataclass(frozen=True, slots=True)
class Compacted:
    """What was removed, and the bytes of the whole folder before and after."""

    work: int
    indexes: int
    bytes_before: int
    bytes_after: int

    @property
    def text(self) -> str:
        """For a terminal."""
        freed = (self.bytes_before - self.bytes_after) / 1e6
        return (
            f"freed {freed:,.1f} MB of {self.bytes_before / 1e6:,.1f}: {self.work} pieces of kept work and "
            f"{self.indexes} index folders that nothing needs"
        )


def compact(folder: Path, settings: Sequence[Source] = ()) -> Compacted:
    """Drops kept work of other texts, readers and models than the index's, removes every index but the
    present one and those that are being read, and gives what is free in the database back to the disk.
    Raises ProjectError where there is no finished project, or another process writes."""
    asked = config_of(folder, above=settings)[0]
    before = _size(folder)
    with open_here(folder) as store, store.lock(patience=WRITER_PATIENCE_S):
        state = store.snapshot()
        held = bound(state, asked)
        kept = store.upkeep().work_keys()
        producers = {state.meta.get("reader", "")}
        try:
            embedder = make_embedder(held.config, withheld=held.withheld_embedding)
            vectors = vectors_key(embedder, held.config)
            producers.add(vectors)
            needed = {(MEMORY_WORK, vectors), PAIR_WORK}
        except ModelError:  # which of the vectors are the index's, only its model could say
            producers |= {producer for producer, _ in kept if producer.startswith("vectors:")}
            needed = {pair for pair in kept if pair[0] == MEMORY_WORK or pair == PAIR_WORK}
        texts = {digest(one.body.of(state.document.text)) for one in state.document.chapters}
        needed |= {pair for pair in kept if pair[0] in producers and pair[1] in texts}
        unused = [pair for pair in kept if pair not in needed]
        store.upkeep().drop_work(unused)
        swept = store.generations.sweep(keep=state.index.name, before=False)
        store.upkeep().vacuum()
    return Compacted(len(unused), len(swept), before, _size(folder))


def _size(folder: Path) -> int:
    found = 0
    for file in folder.rglob("*"):
        with contextlib.suppress(FileNotFoundError):  # removed a moment ago
            found += file.stat().st_size if file.is_file() else 0
    return found
