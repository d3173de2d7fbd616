"""Arrays opened where they lie."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["opened"]


def opened(file: Path) -> NDArray[Any]:
    """A ``.npy`` file as a read-only array over a memory map; pages are read when they are touched.

    A plain array and not ``np.memmap``, each slice of which costs microseconds. Raises OSError, ValueError
    or EOFError where the file is missing or damaged.
    """
    return np.asarray(np.load(file, mmap_mode="r", allow_pickle=False))
