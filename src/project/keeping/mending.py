"""A broken project mended from its text, kept work and the author's files; a project made small."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Unpack

from ...config import Source
from ...core.store.sqlite import ProjectStore
from ...core.store.store import WRITER_PATIENCE_S
from ...errors import FabulaError
from ..books import kept_printed
from ..creating import Reindexing, Work
from ..storage.opening import open_here
from .checks import Verified
from .verifying import sources_of, verify


@dataclass(frozen=True, slots=True)
class Mended:
    """What was done, a line each; why the index could not be made anew, else ""; how the project is now."""

    did: tuple[str, ...]
    failed: str
    now: Verified

    @property
    def text(self) -> str:
        failed = [f"failed  {self.failed}"] if self.failed else []
        return "\n".join([*(f"mended  {one}" for one in self.did), *failed, self.now.text])


def mend(folder: Path, settings: Sequence[Source] = (), **work: Unpack[Work]) -> Mended:
    """Drops kept work and ratings that are broken, makes the index anew where it is, sweeps what killed
    writers left, and verifies again. What the author wrote is not touched. Raises ProjectError where another
    process writes, or there is no project; what cannot be mended stays among what is broken."""
    did: list[str] = []
    failed = ""
    with open_here(folder) as store, store.lock(patience=WRITER_PATIENCE_S):
        cures = {one.cure for one in verify(folder).broken}
        if "work" in cures:
            broken = store.broken_work()
            store.drop_work(broken)
            did.append(f"dropped broken pieces of kept work: {len(broken)}")
        if "ratings" in cures:
            unreadable = [id for id, _, problem in store.feedback().examined() if problem]
            store.feedback().drop(unreadable)
            did.append(f"dropped {len(unreadable)} ratings that could not be read")
        if "index" in cures:
            try:
                did.append(_index_anew(store, Reindexing(store.folder, settings, **work)))
            except FabulaError as error:
                failed = " ".join(str(error).split())
        swept = store.generations.sweep(keep=store.meta("generation"))
        if swept:
            did.append(f"removed {len(swept)} index folders that nothing needs")
        return Mended(tuple(did), failed, verify(folder))


def _index_anew(store: ProjectStore, work: Reindexing) -> str:
    state, whence, laid_down = sources_of(store, work.settings)
    printed = kept_printed(store.generations.root / state.meta.get("generation", ""))
    report = work.from_work(store, state, replace(laid_down, printed=printed))
    return (
        f"made the index again from {whence}: {report.chunks} chunks; {report.embedded} of "
        f"{report.chapters} chapters embedded and {report.read} read again"
    )


@dataclass(frozen=True, slots=True)
class Compacted:
    """How many index folders were removed, and the bytes of the whole folder before and after."""

    indexes: int
    bytes_before: int
    bytes_after: int

    @property
    def text(self) -> str:
        freed = (self.bytes_before - self.bytes_after) / 1e6
        return (
            f"freed {freed:,.1f} MB of {self.bytes_before / 1e6:,.1f}: {self.indexes} index folders that "
            "nothing needs, and what was free in the database"
        )


def compact(folder: Path) -> Compacted:
    """Removes every index but the present one and those that are being read, and gives what is free in the
    database back to the disk. Kept work that no index needs goes with each new index. Raises ProjectError
    where there is no finished project, or another process writes."""
    before = _size(folder)
    with open_here(folder) as store, store.lock(patience=WRITER_PATIENCE_S):
        swept = store.generations.sweep(keep=store.snapshot().index.name, before=False)
        store.vacuum()
    return Compacted(len(swept), before, _size(folder))


def _size(folder: Path) -> int:
    found = 0
    for file in folder.rglob("*"):
        with contextlib.suppress(FileNotFoundError):  # removed a moment ago
            found += file.stat().st_size if file.is_file() else 0
    return found
