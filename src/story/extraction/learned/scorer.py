"""How surely a sentence tells a thing of somebody, by a linear model over ``learned.features``.

Logistic regressions, one a kind, fitted by the experiments ``slot_reader`` and
``sentence_reader`` to sentences that were written for it, against those of novels and near misses. Their
weights lie beside this file, eight bits each.
"""

from __future__ import annotations

from functools import cache
from math import sqrt
from pathlib import Path

import numpy as np

from .features import features

__all__ = ["SENTENCE_WEIGHTS", "SLOT_WEIGHTS", "LinearScorer", "sentence_scorer", "slot_scorer"]

SLOT_WEIGHTS = Path(__file__).with_name("slot_weights.npz")
SENTENCE_WEIGHTS = Path(__file__).with_name("sentence_weights.npz")


class LinearScorer:
    """``kinds`` are what it knows; ``least`` gives each kind's score from which on it is told."""

    def __init__(self, path: Path) -> None:
        with np.load(path, allow_pickle=False) as kept:
            self.kinds: tuple[str, ...] = tuple(str(kind) for kind in kept["kinds"])
            self._row = {int(each): row for row, each in enumerate(kept["features"])}
            self._weights = kept["weights"].astype(np.float32) * kept["scale"]
            self._bias = kept["bias"].astype(np.float32)
            self.least = {kind: float(each) for kind, each in zip(self.kinds, kept["least"], strict=True)}

    def score(self, kind: str, words: str, who: int) -> float:
        """The log odds that masked ``words`` tell it of the person numbered ``who``, above what it takes.
        Raises ValueError for a kind it does not know."""
        return self.weigh(features(words, who), (kind,))[kind]

    def weigh(self, seen: frozenset[int], kinds: tuple[str, ...]) -> dict[str, float]:
        """The same for each of ``kinds``, of features. Raises ValueError for a kind it does not know."""
        columns = [self.kinds.index(kind) for kind in kinds]
        rows = [row for each in sorted(seen) if (row := self._row.get(each)) is not None]
        totals = self._weights[np.ix_(rows, columns)].sum(axis=0) / sqrt(max(1, len(seen)))
        return {
            kind: float(total) + float(self._bias[column]) - self.least[kind]
            for kind, column, total in zip(kinds, columns, totals, strict=True)
        }


@cache
def slot_scorer() -> LinearScorer:
    """For ``learned.slot_candidates``: the one that the package ships, loaded once."""
    return LinearScorer(SLOT_WEIGHTS)


@cache
def sentence_scorer() -> LinearScorer:
    """For ``learned.sentence_facts``: the one that the package ships, loaded once."""
    return LinearScorer(SENTENCE_WEIGHTS)
