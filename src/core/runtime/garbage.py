"""Python's garbage collector, told to wait while somebody waits.

A full collection looks at every object that is alive: some 200 ms with a short story's graph open and its
text parsed, and more with a novel's. It comes when much has been made, so it likes to fall into the very
moments in which much is made at once: a graph loaded, a chapter taken in.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

_lock = Lock()
_blocks: list[bool] = []  # those that are being run, in all threads; the first says whether it was on before


@contextmanager
def collection_put_off() -> Iterator[None]:
    """No cyclic garbage is collected until the block is left, in any thread. The memory of dead cycles is
    held that long: keep the block short, and make in it what is to stay. Blocks may overlap; with the last
    of them collecting starts again, if it was on before the first."""
    with _lock:
        _blocks.append(gc.isenabled())
        gc.disable()
    try:
        yield
    finally:
        with _lock:
            if len(_blocks) == 1 and _blocks[0]:
                gc.enable()
            _blocks.pop()
