"""From chunks' scores to sections' scores, and what they are worth. Arrays in, numbers out."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from .corpus import Book

__all__ = ["NEIGHBOURS", "SECTION_SCORES", "Filler", "interval", "members", "ndcg", "ranked"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
NOT_FOUND = -np.inf


def members(book: Book) -> Ints:
    """For each section the numbers of its chunks, padded with -1: those that share with it half of
    themselves or half of it, and the one that shares most."""
    rows = []
    for start, end in book.sections.tolist():
        shared = np.minimum(book.chunks[:, 1], end) - np.maximum(book.chunks[:, 0], start)
        size = np.minimum(book.chunks[:, 1] - book.chunks[:, 0], end - start)
        own = (shared > 0) & (2 * shared >= size)
        own[int(np.argmax(shared))] = True
        rows.append(np.flatnonzero(own))
    out = np.full((len(rows), max(map(len, rows))), -1)
    for row, own in zip(out, rows, strict=True):
        row[: len(own)] = own
    return out


def ranked(scores: Floats) -> Ints:
    """Numbers by score, best first, ties in order of telling; what was not found is left out."""
    order = np.argsort(-scores, kind="stable")
    return order[scores[order] > NOT_FOUND]


# --- a section's score from its chunks' ------------------------------------------------------------


def _gathered(scores: Floats, own: Ints) -> Floats:
    return np.append(scores, NOT_FOUND)[own]


def _most(scores: Floats, own: Ints) -> Floats:
    return _gathered(scores, own).max(axis=1)


def _mean(scores: Floats, own: Ints) -> Floats:
    """Of all its chunks; one that was not found counts 0."""
    found = _gathered(scores, own)
    total = np.where(found > NOT_FOUND, found, 0).sum(axis=1)
    return np.where(found.max(axis=1) > NOT_FOUND, total / (own >= 0).sum(axis=1), NOT_FOUND)


def _top2(scores: Floats, own: Ints) -> Floats:
    """The two best added; a section of one chunk has that one's score."""
    found = _gathered(scores, own)
    if found.shape[1] == 1:
        return found[:, 0]
    two = -np.partition(-found, 1, axis=1)[:, :2]
    return two[:, 0] + np.where(two[:, 1] > NOT_FOUND, two[:, 1], 0)


def _sum(scores: Floats, own: Ints) -> Floats:
    found = _gathered(scores, own)
    total = np.where(found > NOT_FOUND, found, 0).sum(axis=1)
    return np.where(found.max(axis=1) > NOT_FOUND, total, NOT_FOUND)


SECTION_SCORES: Mapping[str, Callable[[Floats, Ints], Floats]] = {
    "max": _most,
    "top2": _top2,
    "mean": _mean,
    "sum": _sum,
}

# --- a chunk's score with its neighbours' -----------------------------------------------------------


def _around(scores: Floats, tale_of: Ints) -> Floats:
    """Shape (3, n): before, own, after; what was not found and what another tale holds count 0."""
    own = np.where(scores > NOT_FOUND, scores, 0)
    inner = tale_of[1:] == tale_of[:-1]
    before = np.concatenate([[0.0], np.where(inner, own[:-1], 0)])
    after = np.concatenate([np.where(inner, own[1:], 0), [0.0]])
    return np.stack([before, own, after])


def _kept(scores: Floats, new: Floats) -> Floats:
    """A neighbour's score lifts a chunk that was not found too; nothing at all leaves it not found."""
    return np.where((scores == NOT_FOUND) & (new == 0), NOT_FOUND, new)


NEIGHBOURS: Mapping[str, Callable[[Floats, Ints], Floats]] = {
    "own": lambda s, _: s,
    "own + neighbours/4": lambda s, t: _kept(s, _around(s, t)[1] + _around(s, t)[[0, 2]].sum(axis=0) / 4),
    "own + neighbours/2": lambda s, t: _kept(s, _around(s, t)[1] + _around(s, t)[[0, 2]].sum(axis=0) / 2),
    "sum of 3": lambda s, t: _kept(s, _around(s, t).sum(axis=0)),
    "top 2 of 3": lambda s, t: _kept(s, np.sort(_around(s, t), axis=0)[1:].sum(axis=0)),
    "max of 3": lambda s, t: _kept(s, _around(s, t).max(axis=0)),
}

# --- worth ------------------------------------------------------------------------------------------


def ndcg(order: Sequence[int], gold: Collection[int], k: int = 10) -> float:
    """nDCG at k with gains 0 and 1 (Järvelin & Kekäläinen 2002): gain over log2(rank + 1)."""
    gained = sum(1 / math.log2(rank + 1) for rank, s in enumerate(order[:k], start=1) if s in gold)
    best = sum(1 / math.log2(rank + 1) for rank in range(1, min(len(gold), k) + 1))
    return float(gained / best)


class Filler:
    """Fills a context of some words with chunks in rank order. A word that is there already costs
    nothing; the chunk that passes the budget is cut there."""

    def __init__(self, book: Book) -> None:
        self._chunks = book.chunks
        self._tale_of = book.tale_of
        self._taken = np.zeros(book.words, dtype=bool)

    def fill(self, order: Sequence[int], budgets: Sequence[int], *, reach: int = 0) -> list[Ints]:
        """For each budget (ascending) the numbers of the words taken. With ``reach``, a chunk brings that
        many chunks of its tale on either side, itself first."""
        words: list[Ints] = []
        used, needed = 0, budgets[-1]
        for top in order:
            for chunk in self._with_neighbours(int(top), reach):
                start, end = self._chunks[chunk]
                new = start + np.flatnonzero(~self._taken[start:end])
                words.append(new)
                used += len(new)
                self._taken[start:end] = True
            if used >= needed:
                break
        taken = np.concatenate(words) if words else np.zeros(0, dtype=np.int64)
        self._taken[taken] = False
        return [taken[:budget] for budget in budgets]

    def _with_neighbours(self, chunk: int, reach: int) -> list[int]:
        near = [chunk, *(chunk + d * side for d in range(1, reach + 1) for side in (-1, 1))]
        n = len(self._chunks)
        return [c for c in near if 0 <= c < n and self._tale_of[c] == self._tale_of[chunk]]


def interval(
    values: Sequence[float], groups: Sequence[str], *, seed: int = 0, draws: int = 2000
) -> tuple[float, float]:
    """95 % percentile interval of the mean over values, resampling whole groups (Efron & Tibshirani 1993)."""
    names, place = np.unique(groups, return_inverse=True)
    sums = np.bincount(place, weights=values, minlength=len(names))
    sizes = np.bincount(place, minlength=len(names))
    rng = np.random.default_rng(seed)
    picked = rng.multinomial(len(names), np.full(len(names), 1 / len(names)), size=draws)
    low, high = np.percentile((picked @ sums) / (picked @ sizes), [2.5, 97.5])
    return round(float(low), 4), round(float(high), 4)
