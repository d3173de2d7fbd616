"""What one job may take, held by the worker's own process and by the clock of the server beside it."""

from __future__ import annotations

import math
import os
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

__all__ = ["JobLimits", "lacks_memory", "limit_process", "watched"]

_WAY_OUT = "take the text in parts, or ask whoever runs the server for more"
_WITHOUT_MEMORY = (-signal.SIGABRT, 127)  # how C++ and the loader end that are given none
_MEMORY_WORDS = (
    "failed to map segment",
    "can't allocate memory",
    "cannot allocate memory",
    "not enough memory",
    "bad_alloc",
)


@dataclass(frozen=True, slots=True)
class JobLimits:
    """``seconds`` that may pass from a job's start (its process may compute so long on every core), and
    ``memory_mb`` of memory that its process may have."""

    seconds: float = 21_600.0
    memory_mb: int = 12_288

    def order(self) -> dict[str, float]:
        """For the worker: what :func:`limit_process` takes."""
        return {"seconds": self.seconds, "memory": self.memory_mb * 1024**2}

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


@contextmanager
def watched(
    process: subprocess.Popen[str], limits: JobLimits, end: Callable[[subprocess.Popen[str]], None]
) -> Iterator[threading.Event]:
    """Calls ``end`` with the process once it has run too long; the event says whether that was so."""
    passed = threading.Event()

    def stop() -> None:
        if process.poll() is None:
            passed.set()
            end(process)

    timer = threading.Timer(limits.seconds, stop)
    timer.daemon = True
    timer.start()
    try:
        yield passed
    finally:
        timer.cancel()


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


def lacks_memory(error: BaseException) -> bool:
    """Whether an error says that memory could not be had; torch has no class of its own for that."""
    words = str(error).casefold()
    return isinstance(error, MemoryError) or any(each in words for each in _MEMORY_WORDS)
