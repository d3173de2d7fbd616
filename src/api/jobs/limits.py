"""Resource limits of one job, held by the worker's own process and by the clock of the server beside it."""

from __future__ import annotations

import math
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from ...core.runtime.memory_limits import used_memory

_EVERY_S = 0.25
_MB = 1024**2
_SLACK, _SPARE_MB = 1.25, 512  # what a process asks for is more than what it uses
_WITHOUT_MEMORY = (-signal.SIGABRT, 127)  # how C++ and the loader end that are given none


@dataclass(frozen=True, slots=True)
class JobLimits:
    """``seconds`` that may pass from a job's start (its process may compute so long on every core), and
    ``memory_mb`` of memory that its process may hold."""

    seconds: float = 21_600.0
    memory_mb: int = 12_288

    def order(self) -> dict[str, float]:
        """For the worker: what :func:`limit_process` takes."""
        return {"seconds": self.seconds, "memory": int(_SLACK * self.memory_mb + _SPARE_MB) * _MB}

    @property
    def too_long(self) -> str:
        """Why a job failed that took longer."""
        return f"it took more than {self.seconds:g} s"

    @property
    def too_large(self) -> str:
        """Why a job failed that wanted more memory."""
        return f"it took more than {self.memory_mb:,} MB of memory"

    def passed(self, returncode: int) -> str:
        """Which limit of its own ended a process, in words; empty where none did."""
        if returncode == -getattr(signal, "SIGXCPU", 0) != 0:
            return self.too_long
        return self.too_large if returncode in _WITHOUT_MEMORY else ""


@contextmanager
def watched(pid: int, limits: JobLimits, end: Callable[[], None]) -> Iterator[list[str]]:
    """Looks at a job's process a few times a second and ends it when it passes a limit, which it then gives.
    A process that is at its own limit may hang in a library that was given no memory, so both count: this
    look from outside, and the limits that the process has of its own."""
    passed: list[str] = []
    over, deadline = threading.Event(), time.monotonic() + limits.seconds

    def look() -> None:
        while not passed and not over.wait(_EVERY_S):
            if time.monotonic() > deadline:
                passed.append(limits.too_long)
            elif used_memory(pid) > limits.memory_mb * _MB:
                passed.append(limits.too_large)
        if passed:
            end()

    thread = threading.Thread(target=look, name=f"watches {pid}", daemon=True)
    thread.start()
    try:
        yield passed
    finally:
        over.set()
        thread.join()


def limit_process(order: Mapping[str, float]) -> None:
    """Sets this process's own limits (see :meth:`JobLimits.order`), where the system has such. A limit that
    is tighter already stays."""
    with suppress(ImportError):
        import resource

        cpu = max(1, math.ceil(order["seconds"] * (os.cpu_count() or 1)))
        for kind, most in ((resource.RLIMIT_CPU, cpu), (resource.RLIMIT_DATA, int(order["memory"]))):
            _, hard = resource.getrlimit(kind)
            resource.setrlimit(kind, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
