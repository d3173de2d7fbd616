"""Sums over posting lists: of each chunk, of the best, of chosen ones; compiled where that could be built.

A posting list has the chunks that hold a term, ascending, and what the term adds to each. Sums add term by
term in the order given, so the same chunk gets the same bits whichever way it is asked for.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..kernels import compiled
from ..kernels.top_k import best

Ints = NDArray[np.int32]
Floats = NDArray[np.float64]
Ordinals = NDArray[np.intp]
Mask = NDArray[np.bool_]
Postings = tuple[Ints, Floats]
"""Chunks, and what each is given."""


def gains(chunks: Ints, counts: Ints, norms: Floats, factor: float) -> Floats:
    """``factor * tf / (tf + norm)`` of each posting; ``norms`` has one number for every chunk."""
    if compiled.KERNEL is not None:
        made: Floats = compiled.KERNEL.gains(chunks, counts, norms, factor)
        return made
    tf = counts.astype(np.float64)
    gained: Floats = factor * tf / (tf + norms[chunks])
    return gained


def sums(postings: list[Postings], weights: list[float], n: int) -> Floats:
    """Of each of the first ``n`` chunks, shape (n,); no posting is of a later one."""
    if compiled.KERNEL is not None:
        made: Floats = compiled.KERNEL.sums(postings, weights, n)
        return made
    if not postings:
        return np.zeros(n)
    chunks = np.concatenate([chunks for chunks, _ in postings])
    given = np.concatenate([g if w == 1 else g * w for (_, g), w in zip(postings, weights, strict=True)])
    total: Floats = np.bincount(chunks, weights=given, minlength=n).astype(np.float64, copy=False)
    return total


def sums_at(postings: list[Postings], weights: list[float], n: int, ordinals: Ordinals) -> Floats:
    """As ``sums(...)[ordinals]``, which lie below ``n``; costs a look-up a term and ordinal."""
    if compiled.KERNEL is not None:
        own = np.ascontiguousarray(ordinals, np.intp)
        found: Floats = compiled.KERNEL.sums_at(postings, weights, own)
        return found
    return sums(postings, weights, n)[ordinals]


def leaders(
    postings: list[Postings], weights: list[float], n: int, k: int, *, mask: Mask | None = None
) -> tuple[Ordinals, Floats]:
    """The ``k`` highest sums above 0 and whose they are, best first, ties to the earlier chunk. ``mask``,
    shape (n,), says which chunks may be found at all."""
    if compiled.KERNEL is not None:
        allowed = None if mask is None else np.ascontiguousarray(mask)
        best_of: tuple[Ordinals, Floats] = compiled.KERNEL.leaders(postings, weights, n, k, allowed)
        return best_of
    total = sums(postings, weights, n)
    if mask is not None:
        total *= mask
    found = best(total, k)
    return found, total[found]


def counted(words: list[int], lengths: list[int], *, first: int) -> tuple[Ints, Ints, Ints]:
    """Chunk, term and count of each pair that occurs, by term, then by chunk; chunks count from ``first``."""
    chunk_of = np.repeat(np.arange(len(lengths), dtype=np.int64), lengths)
    pairs = np.asarray(words, dtype=np.int64) * max(len(lengths), 1) + chunk_of
    pairs, counts = np.unique(pairs, return_counts=True)
    terms, chunks = np.divmod(pairs, max(len(lengths), 1))
    return (chunks + first).astype(np.int32), terms.astype(np.int32), counts.astype(np.int32)
