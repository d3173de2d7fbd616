"""Resource limits of one job: its time and its memory, looked at from the server beside it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from ...core.runtime.memory_limits import used_memory

_EVERY_S = 0.1


@dataclass(frozen=True, slots=True)
class JobLimits:
    """``seconds`` that may pass from a job's start, and ``memory_mb`` of memory that its process may use."""

    seconds: float = 21_600.0
    memory_mb: int = 12_288


@contextmanager
def watched(pid: int, limits: JobLimits, end: Callable[[], None]) -> Iterator[list[str]]:
    """Looks at a job's process a few times a second. When it passes a limit it is ended, and the list says in
    words which it was. A process that is given no more by the system may hang in a library, and never say so:
    it is the server that looks."""
    passed: list[str] = []
    over, deadline = threading.Event(), time.monotonic() + limits.seconds

    def look() -> None:
        while not passed and not over.wait(_EVERY_S):
            if time.monotonic() > deadline:
                passed.append(f"it took more than {limits.seconds:g} s")
            elif used_memory(pid) > limits.memory_mb * 1024**2:
                passed.append(f"it took more than {limits.memory_mb:,} MB of memory")
        if passed:
            end()

    thread = threading.Thread(target=look, name=f"watches {pid}", daemon=True)
    thread.start()
    try:
        yield passed
    finally:
        over.set()
        thread.join()
