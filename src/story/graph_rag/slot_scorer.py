"""How surely a sentence tells a candidate of somebody, by a linear model over ``slot_features``.

Logistic regressions, one a kind, fitted by ``experiments/slot_reader.py`` to sentences that were written for
it, against those of novels and near misses. Their weights lie beside this file, eight bits each.
"""

from __future__ import annotations

from functools import cache
from math import sqrt
from pathlib import Path

import numpy as np

from .slot_features import features

__all__ = ["WEIGHTS", "SlotScorer", "slot_scorer"]

WEIGHTS = Path(__file__).with_name("slot_weights.npz")


class SlotScorer:
    """``kinds`` are what it knows; ``least`` gives each kind's score from which on it is told."""

    def __init__(self, path: Path = WEIGHTS) -> None:
        with np.load(path, allow_pickle=False) as kept:
            self.kinds: tuple[str, ...] = tuple(str(kind) for kind in kept["kinds"])
            self._row = {int(each): row for row, each in enumerate(kept["features"])}
            self._weights = kept["weights"].astype(np.float32) * kept["scale"]
            self._bias = kept["bias"].astype(np.float32)
            self.least = {kind: float(each) for kind, each in zip(self.kinds, kept["least"], strict=True)}

    def score(self, kind: str, words: str, who: int) -> float:
        """The log odds that ``words`` of a ``Candidate`` tell it of the person numbered ``who``, above what
        it takes. Raises ValueError for a kind it does not know."""
        column = self.kinds.index(kind)
        seen = features(words, who)
        rows = [row for each in sorted(seen) if (row := self._row.get(each)) is not None]
        total = float(self._weights[rows, column].sum()) / sqrt(max(1, len(seen)))
        return total + float(self._bias[column]) - self.least[kind]


@cache
def slot_scorer() -> SlotScorer:
    """The one that the package ships, loaded once."""
    return SlotScorer()
