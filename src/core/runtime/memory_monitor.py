"""Guards a process against running its host out of memory."""

from __future__ import annotations

import gc
import logging
import os
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import TracebackType

from ...errors import MemoryBudgetError
from .memory_limits import available_memory, give_back_free_memory, used_memory

GIB = 1024**3
_SHARE = 0.75
_CARD = 16 * GIB
_TOLD = 100  # actions that a report tells of
_RELIEF = 0.9  # of the budget: new work is taken again, once so much is in use at most
_MOST_HALVINGS = 4
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class MemoryReport:
    """Bytes of memory in use; ``actions`` says what was done, oldest first, the last hundred times, and
    ``acted`` how often in all. ``failures`` counts what went wrong in the guard itself, ``helpless`` how
    often memory stayed above the budget, ``refused`` the work that was not taken; ``waited_s`` is how long
    work waited for memory."""

    peak: int
    budget: int
    actions: tuple[str, ...]
    failures: int = 0
    helpless: int = 0
    refused: int = 0
    acted: int = 0
    waited_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Evictor:
    """Gives up what can be made again. ``label`` says in the past tense what was done, ``cost`` is about how
    many seconds making it again takes."""

    label: str
    evict: Callable[[], object]
    cost: float = 1.0


@dataclass(frozen=True, slots=True)
class WorkGuard:
    """What is asked by work that goes on for long: ``admit`` before each unit, which it may refuse;
    ``halvings`` before each batch, which is to be halved so often."""

    admit: Callable[[], None] = lambda: None
    halvings: Callable[[], int] = int


UNGUARDED = WorkGuard()


def default_budget() -> int:
    """Bytes: 75 % of 16 GiB, or of the host's memory, the container's or the process's own limit where that
    is smaller."""
    return int(_SHARE * min(_CARD, available_memory()))


class MemoryMonitor:
    """A background thread that samples memory and acts at the budget.

    At the budget it collects garbage and empties CUDA's cache where torch is loaded, and then calls the
    evictors, the cheapest first, until memory is under the budget; then it waits until memory falls or
    ``patience`` seconds pass before it acts again. Where that does not help, :attr:`halvings` grows, which
    those who work in batches heed, and :meth:`work` takes nothing new until memory has fallen to nine tenths
    of the budget. Use as a context manager; without its thread it samples when it is asked for work. Nothing
    that an evictor raises ends it.

    Pages of mapped files do not count: the system takes them back when it needs room. ``shares_with`` gives
    the ids of other processes that live on the same budget; what they use counts too.
    """

    def __init__(
        self,
        *,
        budget: int | None = None,
        interval: float = 0.2,
        patience: float = 5.0,
        evictors: tuple[Evictor, ...] = (),
        shares_with: Callable[[], Iterable[int]] = tuple,
    ) -> None:
        self.budget = default_budget() if budget is None else budget
        self._interval = interval
        self._patience = patience
        self._evictors = list(evictors)
        self._shares_with = shares_with
        self._peak = 0
        self._actions: deque[str] = deque(maxlen=_TOLD)
        self._acted = self._failures = self._helpless = self._refused = self._halvings = 0
        self._waited = 0.0
        self._is_short = False
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._acted_at = float("-inf")
        self._here = threading.local()

    def add_evictor(self, label: str, evict: Callable[[], object], *, cost: float = 1.0) -> None:
        """``evict`` drops a cache that takes about ``cost`` seconds to build again; it is called from the
        monitor's thread, or while that does not run from the thread of whoever asks for work."""
        self._evictors.append(Evictor(label, evict, cost))

    @contextmanager
    def evicting(self, label: str, evict: Callable[[], object], *, cost: float = 1.0) -> Iterator[None]:
        """As :meth:`add_evictor`, for as long as the block runs."""
        evictor = Evictor(label, evict, cost)
        self._evictors.append(evictor)
        try:
            yield
        finally:
            self._evictors.remove(evictor)

    @property
    def report(self) -> MemoryReport:
        """What was measured and done since the monitor was made."""
        counts = self._failures, self._helpless, self._refused, self._acted, self._waited
        return MemoryReport(self._peak, self.budget, tuple(self._actions), *counts)

    @property
    def halvings(self) -> int:
        """How often batches are to be halved now: 0 while memory is within the budget, then 1 more each time
        that nothing helped, up to 4."""
        return self._halvings

    @property
    def is_running(self) -> bool:
        """Whether its thread samples."""
        return self._thread is not None and self._thread.is_alive()

    def resident(self) -> int:
        """Bytes that this process, and those that share its budget, hold now and alone can give back; also
        keeps the peak."""
        now = used_memory(os.getpid()) + sum(map(used_memory, self._shares_with()))
        self._peak = max(self._peak, now)
        return now

    def check(self) -> None:
        """Samples once, and acts if the budget is passed and it has not just acted."""
        before = self.resident()
        if self._is_short and before <= _RELIEF * self.budget:
            self._is_short = False
            self._halvings = 0
            _log.warning("memory: %.2f GB are in use again, new work is taken", before / GIB)
        if before < self.budget or time.monotonic() - self._acted_at < self._patience:
            return
        done, after = self._give_up()
        self._acted_at = time.monotonic()
        self._acted += 1
        action = (
            f"{before / GIB:.2f} GB passed {self.budget / GIB:.2f}: {', '.join(done)}; {after / GIB:.2f} now"
        )
        self._actions.append(action)
        _log.warning("memory: %s", action)
        if after >= self.budget:
            self._helpless += 1
            self._halvings = min(self._halvings + 1, _MOST_HALVINGS)
            if not self._is_short:
                _log.warning("memory: it cannot be brought under the budget: no new work is taken")
            self._is_short = True

    def _give_up(self) -> tuple[list[str], int]:
        """What was done, the cheapest first and no more than was needed, and the bytes in use after it."""
        done = [f"collected {gc.collect()} objects"]
        if _empty_cuda_cache():
            done.append("emptied the CUDA cache")
        give_back_free_memory()
        after = self.resident()
        for evictor in sorted(self._evictors, key=lambda one: one.cost):
            if after < self.budget:
                break
            if self._survives(evictor.label, evictor.evict):
                done.append(evictor.label)
            gc.collect()
            give_back_free_memory()
            after = self.resident()
        return done, after

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
        self.wait(0.0)

    def wait(self, patience: float, tell: Callable[[float], None] = lambda _: None) -> None:
        """As :meth:`admit`, but waits up to ``patience`` seconds for memory to fall before it raises;
        ``tell`` hears about once a second for how long it has waited."""
        began, told = time.monotonic(), -1
        while True:
            if not self.is_running:
                self.check()
            waited = time.monotonic() - began
            if not self._is_short or waited >= patience:
                break
            if int(waited) > told:
                tell(waited)
                told = int(waited)
                _log.info("memory: work waits, %.0f s so far", waited)
            time.sleep(min(self._interval, patience - waited))
        self._waited += waited if patience else 0.0
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
