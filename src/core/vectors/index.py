"""Nearest chunks by inner product, exact at every horizon: with FAISS; where they are many, by their codes.

Vectors are kept in order of telling, so a horizon is a prefix. Small prefixes and filtered searches compare
every vector; large ones are scanned by their signs (:mod:`.vectors.codes`), and the most promising are
compared exactly. Either way a score is a sum over one row, so it does not depend on what else is stored.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..files.atomic import opened
from ..interfaces import Vectors
from ..kernels import compiled
from ..kernels.top_k import best, ranked
from .codes import ScanCodes

Ordinals = NDArray[np.intp]
Mask = NDArray[np.bool_]

_FILE = "vectors.npy"
_SMALL = 16_384
_ROOM_OF_FAISS = 400 << 20  # bytes of address space that its libraries take
_NOTHING = np.zeros(0, dtype=np.intp), np.zeros(0, dtype=np.float32)


class VectorIndex:
    """Over unit vectors of shape (n, dimension), float32; inner product is cosine.

    ``small``: prefixes of at most so many vectors are compared one by one, whole.
    """

    def __init__(self, vectors: Vectors, *, codes: ScanCodes | None = None, small: int = _SMALL) -> None:
        self.vectors = vectors
        self._codes = codes
        self._small = small
        self._plain = vectors.dtype == np.float32 and vectors.flags.c_contiguous

    def __len__(self) -> int:
        return len(self.vectors)

    @property
    def dimension(self) -> int:
        """Numbers in each vector."""
        return int(self.vectors.shape[1])

    def nearest(
        self, vector: Vectors, k: int, *, limit: int | None = None, mask: Mask | None = None
    ) -> tuple[Ordinals, Vectors]:
        """The ``k`` nearest of the first ``limit`` chunks (all by default), ties to the earlier chunk, and
        their scores. ``mask``, shape (limit,), says which chunks may be found at all."""
        n = len(self) if limit is None else min(limit, len(self))
        if n == 0 or k <= 0:
            return _NOTHING
        query = np.ascontiguousarray(vector, dtype=np.float32)
        if mask is not None:
            found = np.flatnonzero(mask)
            if 2 * len(found) < n:  # cheaper to gather them than to pass over all
                return self._ranked(query, found, k)
            near = self._flat(query, n, k, mask)
        elif n <= self._small:
            near = self._flat(query, n, k, None)
        else:
            near = self._scanned().search(query, k, limit=n)
        return self._ranked(query, near, k)

    def cosines(self, vector: Vectors, ordinals: Ordinals) -> Vectors:
        """The exact scores of these chunks, shape (len(ordinals),)."""
        kernel = compiled.KERNEL if self._plain else None
        if kernel is None:
            rows = self.vectors[ordinals]
        else:
            rows = kernel.rows(self.vectors, np.ascontiguousarray(ordinals, np.intp))
        products: Vectors = np.einsum("ij,j->i", rows, vector)
        return products

    def _ranked(self, query: Vectors, ordinals: Ordinals, k: int) -> tuple[Ordinals, Vectors]:
        return ranked(ordinals, self.cosines(query, ordinals), k)

    def _flat(self, query: Vectors, n: int, k: int, mask: Mask | None) -> Ordinals:
        if mask is not None:
            products = np.where(mask, self.vectors[:n] @ query + 2, 0)  # cosines from -1: all above 0
            return best(products, k + 8)
        if "faiss" not in sys.modules:
            np.empty(_ROOM_OF_FAISS, np.uint8)  # a MemoryError; without room its import ends the process
        import faiss

        faiss.omp_set_num_threads(1)  # a single query is slower on two threads
        _, ids = faiss.knn(query[None], self.vectors[:n], min(k + 8, n), metric=faiss.METRIC_INNER_PRODUCT)
        return np.asarray(ids[0][ids[0] >= 0], dtype=np.intp)

    def _scanned(self) -> ScanCodes:
        if self._codes is None:
            self._codes = ScanCodes.of(self.vectors)
        return self._codes

    def drop(self) -> None:
        """Gives back the memory of the codes; the next search of a long prefix makes them again."""
        self._codes = None

    def save(self, folder: Path) -> None:
        """Writes ``vectors.npy``, and the codes where the collection is large enough to use them."""
        np.save(folder / _FILE, np.asarray(self.vectors, dtype=np.float32), allow_pickle=False)
        if len(self) > self._small:
            self._scanned().save(folder)

    @classmethod
    def load(cls, folder: Path, *, small: int = _SMALL) -> VectorIndex:
        """Opens the vectors by mmap. Raises ProjectError where a file is missing or damaged."""
        vectors = opened(folder / _FILE, "the vectors")
        return cls(vectors, codes=ScanCodes.load(folder, vectors.shape), small=small)
