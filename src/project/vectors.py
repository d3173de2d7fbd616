"""Vectors that a project keeps: those of chunks chapter by chapter, those of memories by their texts."""

from __future__ import annotations

import contextlib
import hashlib
import io
import threading
import zipfile
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..config import Config
from ..core.embeddings import EmbeddingManager
from ..core.interfaces import DocumentEmbedder, Vectors
from ..core.runtime.memory_monitor import UNGUARDED, WorkGuard
from ..core.store.records import KeptWork
from ..core.types import Chunk
from ..errors import ProjectError

if TYPE_CHECKING:
    from ..core.interfaces import Embedder
    from ..core.store.store import Store

_CHUNKER = "chunks-2"
MEMORY_WORK = "memories"
"""What the kept vectors are kept as; see ``Store.work``."""
_MOST = 4096  # some 6 MB on disk


def embed_chapters(
    chunks: Sequence[Chunk],
    kept: KeptWork,
    embedder: DocumentEmbedder,
    *,
    guard: WorkGuard = UNGUARDED,
    progress: Callable[[str, int, int], None] = lambda *_: None,
) -> Vectors:
    """Vectors of all chunks, shape (len(chunks), dimension); embeds the chapters that are missing, each
    by itself, and keeps them as they are made. ``guard`` may refuse a chapter."""
    by_chapter: dict[int, list[str]] = {}
    for chunk in chunks:
        by_chapter.setdefault(chunk.chapter, []).append(chunk.text)
    missing = [c for c in kept.missing() if c.number in by_chapter]

    def admitted() -> Iterator[list[str]]:
        for chapter in missing:
            guard.admit()
            yield by_chapter[chapter.number]

    def embedded() -> Iterator[Vectors]:
        if not missing:  # no model is loaded for nothing
            return iter(())
        if isinstance(embedder, EmbeddingManager):
            return embedder.embed_units(admitted(), halvings=guard.halvings)
        return embedder.embed_units(admitted())

    for done, (chapter, vectors) in enumerate(zip(missing, embedded(), strict=True)):
        progress("embed", done, len(missing))
        buffer = io.BytesIO()
        np.save(buffer, vectors, allow_pickle=False)
        kept.put(chapter, buffer.getvalue())
    progress("embed", len(missing), len(missing))
    rows = [np.load(io.BytesIO(kept[number]), allow_pickle=False) for number in sorted(by_chapter)]
    widths = sorted({row.shape[1] for row in rows})
    if len(widths) > 1:
        raise ProjectError(
            f"{embedder.name} gave vectors of {widths[0]} numbers to some chapters and of {widths[-1]} to "
            "others: another model goes by that name now; index the book with --rebuild"
        )
    return np.concatenate(rows) if rows else np.zeros((0, embedder.dimension), np.float32)


def vectors_key(embedder: DocumentEmbedder, config: Config) -> str:
    """Under which producer vectors are kept: everything that changes them but the text."""
    size = config.chunking
    return f"vectors:{embedder.version}:{_CHUNKER}:{size.size}:{size.overlap}:{size.unit}"


class MemoryVectors:
    """Vectors of texts by one embedding model, whose name is ``key``. Safe in threads. Where the project can
    only be read, they are kept for as long as it is open."""

    def __init__(self, store: Store, embedder: Embedder, key: str) -> None:
        self._store = store
        self._embedder = embedder
        self._key = key
        self._lock = threading.Lock()
        self._kept: dict[bytes, Vectors] | None = None

    def of(self, texts: Sequence[str]) -> Vectors:
        """A row for each text, of length 1; shape (len(texts), dimension). Only texts that were never seen
        are embedded. Raises ModelError where the model fails."""
        keys = [hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest() for text in texts]
        with self._lock:
            kept = self._kept if self._kept is not None else self._load()
            new = {key: text for key, text in zip(keys, texts, strict=True) if key not in kept}
            for key, text in new.items():  # one by one: no vector hangs on what else was embedded
                kept[key] = np.asarray(self._embedder.embed_documents([text])[0], np.float32)
            for key in keys:  # the latest come last
                kept[key] = kept.pop(key)
            found = np.stack([kept[key] for key in keys]) if keys else np.zeros((0, 1), np.float32)
            if new:
                self._save(kept)
            self._kept = kept
            return found

    def _load(self) -> dict[bytes, Vectors]:
        found = self._store.work(MEMORY_WORK, self._key)
        if found is None:
            return {}
        try:
            with np.load(io.BytesIO(found), allow_pickle=False) as held:
                keys, rows = held["keys"], held["rows"]
        except (ValueError, KeyError, OSError, zipfile.BadZipFile):  # of another version: made anew
            return {}
        return {key.tobytes(): row for key, row in zip(keys, rows, strict=True)}

    def _save(self, kept: dict[bytes, Vectors]) -> None:
        """The latest, on disk."""
        for key in list(kept)[:-_MOST]:
            del kept[key]
        buffer = io.BytesIO()
        keys = np.frombuffer(b"".join(kept), np.uint8).reshape(-1, 32)
        np.savez(buffer, keys=keys, rows=np.stack(list(kept.values())))
        with contextlib.suppress(ProjectError):  # it can only be read
            self._store.keep_work(MEMORY_WORK, self._key, buffer.getvalue())
