"""Arrays opened where they lie."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

_LARGE = 256 * 1024**2
_POPULATE = 22  # MADV_POPULATE_READ, Linux 5.14


def opened(file: Path) -> NDArray[Any]:
    """A ``.npy`` file as a read-only array over a memory map; pages are read when they are touched.

    Linux is asked to map all pages at once (a few milliseconds for 100 MB that are in memory anyway),
    else the first visit to each page costs a fault; files above 256 MB are left to that.

    A plain array and not ``np.memmap``, each slice of which costs microseconds. Raises OSError, ValueError
    or EOFError where the file is missing or damaged.
    """
    array = np.load(file, mmap_mode="r", allow_pickle=False)
    if sys.platform == "linux" and 0 < array.nbytes <= _LARGE:
        with suppress(OSError, ValueError):  # an older kernel: pages are mapped as they come
            array._mmap.madvise(_POPULATE)
    return np.asarray(array)
