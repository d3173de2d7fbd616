"""Nearest chunks by inner product, with FAISS, exact at every horizon.

Vectors are kept in order of telling, so a horizon is a range of ids. A flat index compares each vector by
itself: scores do not depend on what else is stored.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..errors import ProjectError
from .interfaces import Vectors
from .types import Hit

if TYPE_CHECKING:
    from faiss import IndexFlatIP

__all__ = ["VectorIndex"]


class VectorIndex:
    """Over unit vectors of shape (n, dimension), float32; inner product is cosine."""

    def __init__(self, vectors: Vectors) -> None:
        self.vectors = vectors
        self._index: IndexFlatIP | None = None

    def __len__(self) -> int:
        return len(self.vectors)

    def _faiss(self) -> IndexFlatIP:
        if self._index is None:
            import faiss

            faiss.omp_set_num_threads(1)  # a single query is slower on two threads
            index = faiss.IndexFlatIP(self.vectors.shape[1])
            index.add(np.ascontiguousarray(self.vectors, dtype=np.float32))
            self._index = index
        return self._index

    def search(self, vector: Vectors, k: int, *, limit: int | None = None) -> list[Hit]:
        """The ``k`` nearest of the first ``limit`` chunks (all by default), ties to the earlier chunk."""
        n = len(self) if limit is None else min(limit, len(self))
        if n == 0 or k <= 0:
            return []
        import faiss

        chosen = faiss.SearchParameters(sel=faiss.IDSelectorRange(0, n))  # type: ignore[call-arg]
        query = np.ascontiguousarray(vector, dtype=np.float32).reshape(1, -1)
        scores, ids = self._faiss().search(query, min(k, n), params=chosen)
        hits = [Hit(int(i), float(s)) for i, s in zip(ids[0], scores[0], strict=True) if i >= 0]
        return sorted(hits, key=lambda hit: (-hit.score, hit.ordinal))

    def drop(self) -> None:
        """Gives back the memory of the built index; the next search builds it again."""
        self._index = None

    def save(self, folder: Path) -> None:
        np.save(folder / "vectors.npy", np.asarray(self.vectors, dtype=np.float32), allow_pickle=False)

    @classmethod
    def load(cls, folder: Path) -> VectorIndex:
        """Opens the vectors by mmap. Raises ProjectError where the file is missing or damaged."""
        try:
            vectors = np.load(folder / "vectors.npy", mmap_mode="r", allow_pickle=False)
        except (OSError, ValueError, EOFError) as error:
            raise ProjectError(
                f"the vectors in {folder.name} cannot be read ({error}): index the book again"
            ) from error
        return cls(vectors)
