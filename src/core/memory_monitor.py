"""Guards a process against running its host out of memory."""

from __future__ import annotations

import gc
import logging
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

import psutil

__all__ = ["MemoryMonitor", "MemoryReport", "default_budget"]

GIB = 1024**3
_SHARE = 0.75
_CARD = 16 * GIB
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class MemoryReport:
    """Bytes of resident memory; ``actions`` says what was done, oldest first."""

    peak: int
    budget: int
    actions: tuple[str, ...]


def default_budget() -> int:
    """Bytes: 75 % of 16 GB, or of the host's or container's memory where that is smaller."""
    return int(_SHARE * min(_CARD, psutil.virtual_memory().total, _container_limit()))


def _container_limit(root: Path = Path("/sys/fs/cgroup")) -> int:
    """The memory limit of this process's control group (version 2, then 1); a huge number if none."""
    for name in ("memory.max", "memory/memory.limit_in_bytes"):
        try:
            return int((root / name).read_text().strip())
        except (OSError, ValueError):  # not there, or "max"
            continue
    return sys.maxsize


class MemoryMonitor:
    """A background thread that samples resident memory and acts at the budget.

    At the budget it calls each evictor (largest effect first is the caller's order), collects garbage and
    empties CUDA's cache where torch is loaded; then it waits until memory falls under the budget or
    ``patience`` seconds pass before it acts again. Use as a context manager.
    """

    def __init__(
        self,
        *,
        budget: int | None = None,
        interval: float = 0.2,
        patience: float = 5.0,
        evictors: tuple[tuple[str, Callable[[], object]], ...] = (),
    ) -> None:
        self.budget = default_budget() if budget is None else budget
        self._interval = interval
        self._patience = patience
        self._evictors = list(evictors)
        self._process = psutil.Process()
        self._peak = 0
        self._actions: list[str] = []
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._acted_at = float("-inf")

    def add_evictor(self, label: str, evict: Callable[[], object]) -> None:
        """``evict`` drops a cache that can be built again; it is called from the monitor's thread."""
        self._evictors.append((label, evict))

    @property
    def report(self) -> MemoryReport:
        return MemoryReport(self._peak, self.budget, tuple(self._actions))

    def resident(self) -> int:
        """Resident memory of this process now, in bytes; also keeps the peak."""
        now = int(self._process.memory_info().rss)
        self._peak = max(self._peak, now)
        return now

    def check(self) -> None:
        """Samples once, and acts if the budget is passed and it has not just acted."""
        before = self.resident()
        if before < self.budget or time.monotonic() - self._acted_at < self._patience:
            return
        done = []
        for label, evict in list(self._evictors):
            evict()
            done.append(label)
        done.append(f"collected {gc.collect()} objects")
        if _empty_cuda_cache():
            done.append("emptied the CUDA cache")
        after = self.resident()
        self._acted_at = time.monotonic()
        action = (
            f"{before / GIB:.2f} GB passed {self.budget / GIB:.2f}: {', '.join(done)}; {after / GIB:.2f} now"
        )
        self._actions.append(action)
        _log.warning("memory: %s", action)

    def __enter__(self) -> MemoryMonitor:
        self._stop.clear()
        self.resident()
        self._thread = threading.Thread(target=self._run, name="memory-monitor", daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        if self._thread is not None:
            self._thread.join()
        self.resident()

    def _run(self) -> None:
        while not self._stop.wait(self._interval):
            self.check()


def _empty_cuda_cache() -> bool:
    """Only where torch is loaded already: importing it to free memory would cost more than it gives."""
    torch = sys.modules.get("torch")
    if torch is None or not torch.cuda.is_available():
        return False
    torch.cuda.empty_cache()
    return True
