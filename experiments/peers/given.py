"""What a system is built of, and what the hybrid ones share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

__all__ = ["DEEP", "RRF_K", "STOP_WORDS", "Given", "K", "fused", "read_texts"]

K = 10
DEEP = 3 * K
"""How deep each list is that a hybrid search fuses, where the system lets one say."""
RRF_K = 60

STOP_WORDS = frozenset(
    "a an and are as at be but by for if in into is it no not of on or such that the their then there "
    "these they this to was will with".split()
)
"""Lucene's list, for systems that leave stop words to their user."""


@dataclass(frozen=True, slots=True)
class Given:
    """Texts of the chunks, text number i being chunk i; and their unit vectors, shape (n, 384), float32."""

    texts: list[str]
    vectors: Any

    @classmethod
    def read(cls, data: Path) -> Given:
        return cls(read_texts(data), np.load(data / "vectors.npy"))


def read_texts(data: Path) -> list[str]:
    whole = (data / "document.txt").read_bytes().decode()
    return [whole[start:end] for _, start, end in np.load(data / "rows.npy").tolist()]


def fused(lists: Sequence[Sequence[int]]) -> list[tuple[int, float]]:
    """Reciprocal rank fusion in its plainest form."""
    scores: dict[int, float] = {}
    for found in lists:
        for rank, chunk in enumerate(found, start=1):
            scores[chunk] = scores.get(chunk, 0.0) + 1 / (RRF_K + rank)
    return sorted(scores.items(), key=lambda item: -item[1])[:K]
