"""A coarse 4-bit copy of unit vectors that FAISS scans in registers, to find what is worth comparing.

Product quantisation (Jégou, Douze & Schmid 2011) read with SIMD look-ups (André, Kermarrec & Le Scouarnec
2015; FAISS ``PQFastScan``). The quantiser is not learned from the vectors, for then a chapter told later
would change what is found before it. Instead the vectors are turned by a fixed random rotation, after which
any two coordinates of a unit vector are about normal with variance 1/d, and every pair of them is coded by
one fixed 16-point quantiser of the bivariate normal: the centre, 6 points on a ring and 9 on a wider one
(mean squared error .216, as the best that Lloyd's algorithm finds).
"""

from __future__ import annotations

import threading
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import ProjectError
from .interfaces import Vectors

__all__ = ["ScanCodes"]

_FILE = "scan.faiss"
_SEED = 384
_BLOCK = 32  # vectors that one register pass looks at
_BATCH = 65_536
_INNER, _OUTER = 0.925, 1.9


class ScanCodes:
    """Codes of n vectors, in their order: d/4 bytes each. ``file`` is read at the first search."""

    def __init__(self, dimension: int, *, index: Any | None = None, file: Path | None = None) -> None:
        self._dimension = dimension
        self._index = index
        self._file = file
        self._lock = threading.Lock()

    @cached_property
    def _rotation(self) -> Vectors:
        return _rotation(self._dimension)

    @classmethod
    def of(cls, vectors: Vectors) -> ScanCodes:
        """Codes the vectors: 20 microseconds each. The dimension must be even."""
        import faiss

        dimension = vectors.shape[1]
        index = faiss.IndexPQFastScan(dimension, dimension // 2, 4, faiss.METRIC_INNER_PRODUCT)
        pairs = np.tile(_quantiser() / np.sqrt(dimension), (dimension // 2, 1)).astype(np.float32)
        faiss.copy_array_to_vector(pairs.ravel(), index.pq.centroids)
        index.is_trained = True
        codes = cls(dimension, index=index)
        for start in range(0, len(vectors), _BATCH):
            index.add(np.ascontiguousarray(vectors[start : start + _BATCH] @ codes._rotation))
        return codes

    def search(self, query: Vectors, k: int, *, limit: int) -> NDArray[np.intp]:
        """About the ``k`` nearest of the first ``limit`` vectors, in no useful order; what stands after
        them has no say."""
        turned = np.ascontiguousarray((query @ self._rotation)[None])
        with self._lock:
            index = self._opened()
            if limit >= index.ntotal:
                _, ids = index.search(turned, min(k, limit))
            else:
                ids = _first(index, turned, min(k, limit), limit)
        found: NDArray[np.intp] = ids[0].astype(np.intp, copy=False)
        return found if found[-1] >= 0 else found[found >= 0]

    def _opened(self) -> Any:
        if self._index is None:
            import faiss

            faiss.omp_set_num_threads(1)
            try:
                self._index = faiss.read_index(str(self._file))
            except RuntimeError as error:
                raise ProjectError(
                    f"the codes in {self._file} cannot be read: index the book again with --rebuild"
                ) from error
        return self._index

    def save(self, folder: Path) -> None:
        import faiss

        faiss.write_index(self._opened(), str(folder / _FILE))

    @classmethod
    def load(cls, folder: Path, dimension: int) -> ScanCodes | None:
        """The codes saved in a folder, read when first searched; None where there are none."""
        file = folder / _FILE
        return cls(dimension, file=file) if file.is_file() else None


def _first(index: Any, turned: Vectors, k: int, limit: int) -> NDArray[np.int64]:
    """Codes lie in blocks of 32 in order, so a shorter count is a shorter scan."""
    whole = index.ntotal, index.ntotal2
    try:
        index.ntotal, index.ntotal2 = limit, -(-limit // _BLOCK) * _BLOCK
        ids: NDArray[np.int64] = index.search(turned, k)[1]
    finally:
        index.ntotal, index.ntotal2 = whole
    return ids


def _quantiser() -> NDArray[np.float64]:
    """16 points for a standard bivariate normal, shape (16, 2)."""
    inner = np.arange(6) * 2 * np.pi / 6
    outer = np.arange(9) * 2 * np.pi / 9 + np.pi / 9
    rings = [
        radius * np.column_stack([np.cos(angles), np.sin(angles)])
        for radius, angles in ((_INNER, inner), (_OUTER, outer))
    ]
    return np.concatenate([np.zeros((1, 2)), *rings])


def _rotation(dimension: int) -> Vectors:
    """A random orthogonal matrix, the same for every collection: QR of a seeded normal matrix, signs made
    unique (Mezzadri 2007)."""
    normal = np.random.default_rng(_SEED).standard_normal((dimension, dimension))
    q, r = np.linalg.qr(normal)
    turned: Vectors = (q * np.sign(np.diag(r))).astype(np.float32)
    return turned
