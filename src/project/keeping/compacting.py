"""A project made as small as it can be: no work that nothing needs, one index, no holes in the database."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ...config import Source
from ...core.store.sqlite import digest
from ...errors import ModelError
from ..factories import bound, config_of, make_embedder
from ..judged_pairs import PAIR_WORK
from ..storage.opening import open_here
from ..vectors import MEMORY_WORK, vectors_key

__all__ = ["Compacted", "compact"]


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
    with open_here(folder) as store, store.lock(patience=asked.store.wait_s):
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
