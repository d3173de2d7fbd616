"""What one job may take, held by the worker's own process and by the clock of the server beside it."""

from __future__ import annotations

import math
import os
import signal
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from ...core.runtime.memory_limits import used_memory

_EVERY_S = 0.25
_MB = 1024**2
_SLACK, _SPARE_MB = 1.25, 512  # what a process asks for is more than what it uses
_WAY_OUT = "take the text in parts, or ask whoever runs the server for more"
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

    def too_long(self) -> Mapping[str, Any]:
        """The problem of a job that took longer."""
        return _problem(f"it took more than {self.seconds:g} s: {_WAY_OUT}")

    def too_large(self) -> Mapping[str, Any]:
        """The problem of a job that wanted more memory."""
        return _problem(f"it took more than {self.memory_mb:,} MB of memory: {_WAY_OUT}")

    def passed(self, returncode: int) -> Mapping[str, Any] | None:
        """The problem of a process that ended so because of a limit of its own; None where it was none."""
        if returncode == -getattr(signal, "SIGXCPU", 0) != 0:
            return self.too_long()
        return self.too_large() if returncode in _WITHOUT_MEMORY else None


def _problem(detail: str) -> Mapping[str, Any]:
    from ..problems import Problem  # a worker does without

    return Problem(503, "job-limit", f"failed: job limit: {detail}").data()


class Watch:
    """Looks at a job's process a few times a second; ``passed`` is the problem of the limit that it passed,
    if any. A process that is at its own limit may hang in a library that was given no memory, so both count:
    this look from outside, and the limits that the process has of its own."""

    def __init__(self, pid: int, limits: JobLimits, end: Callable[[], None]) -> None:
        self.passed: Mapping[str, Any] | None = None
        self._pid = pid
        self._limits = limits
        self._end = end
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look, name=f"watches {pid}", daemon=True)

    def __enter__(self) -> Watch:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _look(self) -> None:
        deadline = time.monotonic() + self._limits.seconds
        while self.passed is None and not self._over.wait(_EVERY_S):
            if time.monotonic() > deadline:
                self.passed = self._limits.too_long()
            elif used_memory(self._pid) > self._limits.memory_mb * _MB:
                self.passed = self._limits.too_large()
        if self.passed is not None:
            self._end()


def limit_process(order: Mapping[str, float]) -> None:
    """Sets this process's own limits (see :meth:`JobLimits.order`), where the system has such."""
    with suppress(ImportError):
        import resource

        cpu = max(1, math.ceil(order["seconds"] * (os.cpu_count() or 1)))
        _lower(resource.RLIMIT_CPU, cpu)
        _lower(resource.RLIMIT_DATA, int(order["memory"]))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _lower(kind: int, most: int) -> None:
    """A limit that is tighter already stays."""
    import resource

    _, hard = resource.getrlimit(kind)
    ceiling = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(kind, (ceiling, hard))
