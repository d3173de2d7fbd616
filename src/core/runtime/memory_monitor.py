"""Guards a process against running its host out of memory."""

from __future__ import annotations

import gc
import logging
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

import psutil

from ...errors import MemoryBudgetError

__all__ = ["MemoryMonitor", "MemoryReport", "default_budget"]

GIB = 1024**3
_SHARE = 0.75
_CARD = 16 * GIB
_TOLD = 100  # actions that a report tells of
_RELIEF = 0.9  # of the budget: new work is taken again, once so much is in use at most
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class MemoryReport:
    """Bytes of resident memory; ``actions`` says what was done, oldest first, the last hundred times.
    ``failures`` counts what went wrong in the guard itself, ``helpless`` how often memory stayed above the
    budget, ``refused`` the work that was not taken."""

    peak: int
    budget: int
    actions: tuple[str, ...]
    failures: int = 0
    helpless: int = 0
    refused: int = 0


def default_budget() -> int:
    """Bytes: 75 % of 16 GiB, or of the host's or container's memory where that is smaller."""
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
    ``patience`` seconds pass before it acts again. Where that does not help, :meth:`work` takes nothing new
    until memory has fallen to nine tenths of the budget. Use as a context manager; without its thread it
    samples when it is asked for work. Nothing that an evictor raises ends it.
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
        self._actions: deque[str] = deque(maxlen=_TOLD)
        self._failures = self._helpless = self._refused = 0
        self._is_short = False
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._acted_at = float("-inf")
        self._here = threading.local()

    def add_evictor(self, label: str, evict: Callable[[], object]) -> None:
        """``evict`` drops a cache that can be built again; it is called from the monitor's thread, or while
        that does not run from the thread of whoever asks for work."""
        self._evictors.append((label, evict))

    @property
    def report(self) -> MemoryReport:
        """What was measured and done since the monitor was made."""
        return MemoryReport(
            self._peak,
            self.budget,
            tuple(self._actions),
            failures=self._failures,
            helpless=self._helpless,
            refused=self._refused,
        )

    @property
    def is_running(self) -> bool:
        """Whether its thread samples."""
        return self._thread is not None and self._thread.is_alive()

    def resident(self) -> int:
        """Resident memory of this process now, in bytes; also keeps the peak."""
        now = int(self._process.memory_info().rss)
        self._peak = max(self._peak, now)
        return now

    def check(self) -> None:
        """Samples once, and acts if the budget is passed and it has not just acted."""
        before = self.resident()
        if self._is_short and before <= _RELIEF * self.budget:
            self._is_short = False
            _log.warning("memory: %.2f GB are in use again, new work is taken", before / GIB)
        if before < self.budget or time.monotonic() - self._acted_at < self._patience:
            return
        done = [label for label, evict in list(self._evictors) if self._survives(label, evict)]
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
        if after >= self.budget:
            self._helpless += 1
            if not self._is_short:
                _log.warning("memory: it cannot be brought under the budget: no new work is taken")
            self._is_short = True

    @contextmanager
    def work(self) -> Iterator[None]:
        """For a unit of work: a search, an answer, a comparison, a chapter. Raises MemoryBudgetError where
        memory stays above the budget; never for what is asked within such a unit, in its thread."""
        depth = getattr(self._here, "depth", 0)
        if not depth:
            self.admit()
        self._here.depth = depth + 1
        try:
            yield
        finally:
            self._here.depth = depth

    def admit(self) -> None:
        """Raises MemoryBudgetError where memory stays above the budget after all that could be given back."""
        if not self.is_running:
            self.check()
        if self._is_short:
            self._refused += 1
            used, budget = (f"{size / GIB:.2f} GB" for size in (self.resident(), self.budget))
            raise MemoryBudgetError(
                f"{used} of memory are in use, the budget is {budget} "
                "and no more can be freed: wait for other work to end, or raise memory.budget_gb"
            )

    def __enter__(self) -> MemoryMonitor:
        self._stop.clear()
        self.check()
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
            self._survives("looked at the memory", self.check)

    def _survives(self, label: str, call: Callable[[], object]) -> bool:
        """Whether the call came to its end. The guard is the last that may stop."""
        try:
            call()
        except Exception:  # noqa: BLE001 (the edge of the thread: nobody else could)
            self._failures += 1
            _log.exception("memory: the guard goes on, but this failed: %s", label)
            return False
        return True


def _empty_cuda_cache() -> bool:
    """Only where torch is loaded already and has used CUDA: importing it to free memory would cost more than
    it gives, and while another thread imports it, it is there in part."""
    cuda = getattr(sys.modules.get("torch"), "cuda", None)
    if not getattr(cuda, "is_initialized", bool)():
        return False
    sys.modules["torch"].cuda.empty_cache()
    return True
