"""The gate that every embedder's vectors pass: one that means nothing is refused, never kept as zeros."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...errors import ModelRefused
from ..interfaces import Vectors

_SHOWN = 60  # characters of a text


def check_vectors(vectors: Vectors, texts: Sequence[str], *, dimension: int = 0) -> Vectors:
    """The vectors, of shape (len(texts), dimension) where one is given, each finite and of length 1 (to a
    hundredth). Raises ModelRefused for any other, naming the first text that got such a one."""
    if len(vectors) != len(texts):
        raise ModelRefused(
            f"the model gave {len(vectors)} vectors for {len(texts)} texts: none of them is used"
        )
    if dimension and vectors.shape[1] != dimension:
        raise ModelRefused(
            f"the model gave vectors of {vectors.shape[1]} numbers, not of {dimension}: none of them is used"
        )
    lengths = np.linalg.norm(vectors, axis=1)
    for i in np.flatnonzero(~(np.abs(lengths - 1) < 1e-2)).tolist():
        raise ModelRefused(f"no usable vector for text {i} ({texts[i][:_SHOWN]!r}): length {lengths[i]:.3g}")
    return vectors
