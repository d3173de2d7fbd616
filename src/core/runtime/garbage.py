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

__all__ = ["collection_put_off"]


class _Blocks:
    """Counts the blocks that are being run, in all threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._running = 0
        self._was_on = False

    def enter(self) -> None:
        with self._lock:
            if not self._running:
                self._was_on = gc.isenabled()
                gc.disable()
            self._running += 1

    def leave(self) -> None:
        with self._lock:
            self._running -= 1
            if not self._running and self._was_on:
                gc.enable()


_blocks = _Blocks()


@contextmanager
def collection_put_off() -> Iterator[None]:
    """No cyclic garbage is collected until the block is left, in any thread. The memory of dead cycles is
    held that long: keep the block short, and make in it what is to stay. Blocks may overlap; with the last
    of them collecting starts again, if it was on before the first."""
    _blocks.enter()
    try:
        yield
    finally:
        _blocks.leave()
