"""One measured value."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Score", "Vectors"]

Vectors = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Score:
    """One measured value. ``n`` counts what it was taken over (facts, sentences, words, items)."""

    name: str
    value: float | None
    higher_is_better: bool
    n: int
