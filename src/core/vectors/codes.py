"""Signs and bytes of unit vectors, read to find the few that are worth comparing with a query.

One bit a coordinate after a random rotation estimates a cosine without bias and with a known error (RaBitQ,
Gao & Long 2024; the rotation is fixed, and the vectors are turned round no centre of theirs: a chapter told
later must not change what is found before it). All n signs are counted against a query of 4 bits; those
that by this estimate may be among the k nearest are compared again by bytes, and of these the best few go on
to be compared exactly. All of it is sums of whole numbers, so the kernel
and NumPy find the same.
"""

from __future__ import annotations

import math
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...errors import ProjectError
from ..files.atomic import opened
from ..interfaces import Vectors
from ..kernels import compiled

_SIGNS, _BYTES = "scan-signs.npy", "scan-bytes.npy"
_SEED = 384
_BATCH = 16_384
_WORD, _TOGETHER = 64, 8  # bits of a word; vectors whose words lie side by side
_HIGHEST = 7  # of a coordinate of the query in 4 bits
_SPREAD = 4.5  # standard deviations of a coordinate that a byte spans
KEPT = math.sqrt(2 / math.pi)  # cosine between a random unit vector and its signs, for a high dimension
DEVIATIONS = 2.5  # how far below the k-th nearest an estimate may fall: recall@10 above .998
_FIRST = 64  # at least so many are compared by bytes to know about how near the k-th nearest is

Words = NDArray[np.uint64]
Bytes = NDArray[np.uint8]
Small = NDArray[np.int8]
Ordinals = NDArray[np.intp]


class ScanCodes:
    """Codes of n vectors, in their order: 9 d / 8 bytes each.

    ``signs``, shape (blocks of 8 vectors, words of 64 coordinates, 8): bit i of a word is set where the i-th
    of its coordinates is above 0. ``coded``, shape (n, d): coordinates as bytes, 128 for 0.
    """

    def __init__(self, signs: Words, coded: Bytes) -> None:
        self._signs = signs
        self._coded = coded

    @classmethod
    def of(cls, vectors: Vectors) -> ScanCodes:
        """Codes unit vectors of shape (n, d), d at most 4,096: about 6 microseconds each."""
        n, d = vectors.shape
        words = -(-d // _WORD)
        bits = np.zeros((-(-n // _TOGETHER) * _TOGETHER, words * 8), dtype=np.uint8)
        coded = np.empty((n, d), dtype=np.uint8)
        rotation = _rotation(d)
        for start in range(0, n, _BATCH):
            turned = vectors[start : start + _BATCH] @ rotation
            bits[start : start + len(turned), : -(-d // 8)] = np.packbits(
                turned > 0, axis=1, bitorder="little"
            )
            coded[start : start + len(turned)] = _as_bytes(turned)
        signs = bits.view("<u8").reshape(-1, _TOGETHER, words).transpose(0, 2, 1)
        return cls(np.ascontiguousarray(signs, dtype=np.uint64), coded)

    def search(self, query: Vectors, k: int, *, limit: int) -> Ordinals:
        """Half as many again as the ``k`` nearest of the first ``limit`` vectors, and a few more, these very
        likely among them; ascending. What stands after the limit has no say."""
        turned = query @ self._rotation
        call = near if compiled.KERNEL is None else compiled.KERNEL.near
        most = min(limit, len(self._coded))
        return call(
            self._signs,
            self._coded,
            turned,
            most,
            k,
            max(_FIRST, 2 * k),
            k + k // 2 + 16,
            _scale(len(turned)),
        )

    @cached_property
    def _rotation(self) -> Vectors:
        return _rotation(self._coded.shape[1])

    def save(self, folder: Path) -> None:
        """Writes ``scan-signs.npy`` and ``scan-bytes.npy`` into the folder, which must be there."""
        np.save(folder / _SIGNS, self._signs, allow_pickle=False)
        np.save(folder / _BYTES, self._coded, allow_pickle=False)

    @classmethod
    def load(cls, folder: Path, shape: tuple[int, int]) -> ScanCodes | None:
        """The codes saved in a folder of vectors of this shape; None where there are none. Raises
        ProjectError where they are damaged or of other vectors."""
        if not (folder / _SIGNS).is_file():
            return None
        signs, coded = (opened(folder / file, "the codes") for file in (_SIGNS, _BYTES))
        n, d = shape
        expected = (-(-n // _TOGETHER), -(-d // _WORD), _TOGETHER)
        typed = signs.dtype == np.uint64 and coded.dtype == np.uint8
        if not typed or signs.shape != expected or coded.shape != shape:
            raise ProjectError(
                f"the codes in {folder.name} are not of {n} vectors: index the book again with --rebuild"
            )
        return cls(signs, coded)


def near(
    signs: Words, coded: Bytes, turned: Vectors, limit: int, k: int, first: int, width: int, scale: float
) -> Ordinals:
    """Of the first ``limit`` vectors the ``width`` with the highest products of bytes, ties and all, among
    those whose sum of signs is near enough to the best: one of the ``first`` highest sums, or by its estimate
    at most ``DEVIATIONS`` standard errors below the k-th best of their products. ``turned`` is the rotated
    query, ``scale`` what its bytes were multiplied by."""
    planes, total, step = _planes(turned)
    query = (_as_bytes(turned) ^ 128).view(np.int8)
    sums = _sums(signs, planes)[:limit]
    floor = _nth(sums, first)
    places = np.flatnonzero(sums >= floor)
    products = _products(coded[places], query)
    reach = _reach(_nth(products, k), len(turned), total=total, step=step, scale=scale)
    if reach < floor:
        places = np.flatnonzero(sums >= reach)
        products = _products(coded[places], query)
    return places[products >= _nth(products, width)]


def _reach(product: int, d: int, *, total: int, step: float, scale: float) -> int:
    """The sum of signs at which the estimate of a cosine, (2 sum - total) step / (sqrt(d) KEPT), stands that
    many standard errors below the cosine that this product of bytes is."""
    root = math.sqrt(float(d)) * KEPT
    rounding = step / (math.sqrt(12.0) * KEPT)
    error = math.sqrt((1.0 / (KEPT * KEPT) - 1.0) / float(d) + rounding * rounding)
    slope = root / (2.0 * step)
    return math.ceil((float(product) / (scale * scale) - DEVIATIONS * error) * slope + total / 2.0)


def _sums(signs: Words, planes: Words) -> NDArray[np.int16]:
    """For each vector the sum of the query's coordinates, of -8 to 7, where its bit is set."""
    total = np.zeros((len(signs), _TOGETHER), dtype=np.int16)
    for plane, weight in zip(planes, (1, 2, 4, -8), strict=True):
        counted = np.bitwise_count(signs & plane[None, :, None])
        total += np.int16(weight) * counted.sum(axis=1, dtype=np.int16)
    return total.ravel()


def _products(rows: Bytes, query: Small) -> NDArray[np.int32]:
    centred = rows.astype(np.int32) - 128
    return np.asarray(centred @ query.astype(np.int32), dtype=np.int32)


def _nth(numbers: NDArray[np.integer], count: int) -> int:
    """The highest number that at least so many reach, all of them where there are fewer."""
    place = max(0, len(numbers) - count)
    return int(np.partition(numbers, place)[place])


def _planes(turned: Vectors) -> tuple[Words, int, float]:
    """A query's coordinates in 4 bits, two's complement: bit p of all of them in row p, shape (4, words);
    their sum; and the size of one step."""
    words = -(-len(turned) // _WORD)
    step = float(np.abs(turned).max()) / _HIGHEST or 1.0
    coarse = np.rint(turned.astype(np.float64) / step).astype(np.int8)
    bits = np.zeros((4, words * 8), dtype=np.uint8)
    each = (coarse.view(np.uint8)[None] >> np.arange(4, dtype=np.uint8)[:, None]) & 1
    bits[:, : -(-len(turned) // 8)] = np.packbits(each, axis=1, bitorder="little")
    return bits.view("<u8").astype(np.uint64, copy=False), int(coarse.sum(dtype=np.int64)), step


def _scale(d: int) -> float:
    return 127 * math.sqrt(d) / _SPREAD


def _as_bytes(turned: Vectors) -> Bytes:
    """Coordinates times ``_scale``, at most 127 from 0, moved up by 128."""
    grid = turned * np.float32(_scale(turned.shape[-1]))
    np.rint(grid, out=grid)
    np.clip(grid, -127, 127, out=grid)
    grid += 128
    return grid.astype(np.uint8)


def _rotation(d: int) -> Vectors:
    """A random orthogonal matrix, the same for every collection: QR of a seeded normal matrix, signs made
    unique (Mezzadri 2007)."""
    normal = np.random.default_rng(_SEED).standard_normal((d, d))
    q, r = np.linalg.qr(normal)
    turned: Vectors = (q * np.sign(np.diag(r))).astype(np.float32)
    return turned
