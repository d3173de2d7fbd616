"""Vectors of memories, kept in the project by the text that they are of: an edit costs what it touched."""

from __future__ import annotations

import contextlib
import hashlib
import io
import threading
import zipfile
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ...errors import ProjectError

if TYPE_CHECKING:
    from ...core.interfaces import Embedder, Vectors
    from ...core.store.seam import Store

__all__ = ["MEMORY_WORK", "MemoryVectors"]

MEMORY_WORK = "memories"
"""What the kept vectors are kept as; see ``Store.work``."""
_MOST = 4096  # some 6 MB on disk


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
