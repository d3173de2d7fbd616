import subprocess
import sys
import time
import types
from contextlib import nullcontext
from functools import partial

import pytest

from fabula.core.runtime.memory_monitor import GIB, Evictor, MemoryMonitor, default_budget
from fabula.errors import MemoryBudgetError


def test_quiet_under_the_budget_which_is_three_quarters_of_sixteen_gigabytes_at_most():
    with MemoryMonitor(interval=0.01) as monitor:
        while not monitor.report.peak:
            time.sleep(0.01)
    assert monitor.report.actions == ()
    assert 0 < default_budget() <= 12 * GIB


def test_the_guard_outlives_whatever_it_meets(monkeypatch, caplog):
    """Torch that is half imported, an evictor and a sample that fail: it goes on, and counts them."""
    called = []

    def fail():
        raise RuntimeError("cannot be dropped")

    def until(holds):
        for _ in range(3000):
            if not holds():
                time.sleep(0.01)
        assert holds() and monitor.is_running

    monkeypatch.setattr("gc.collect", lambda: 0)  # where much is loaded, that takes long
    monkeypatch.setitem(sys.modules, "torch", types.ModuleType("torch"))
    evictors = (Evictor("dropped nothing", fail), Evictor("dropped a cache", lambda: called.append(1)))
    with MemoryMonitor(interval=0.01, patience=0, budget=1, evictors=evictors) as monitor:
        until(lambda: len(called) > 2)
        assert "cannot be dropped" in caplog.text
        before = monitor.report.failures
        monkeypatch.setattr(monitor, "resident", lambda: 1 / 0)
        until(lambda: monitor.report.failures > before > 1)
        monkeypatch.undo()


class Used(MemoryMonitor):
    """One for which a test says how much memory is in use."""

    now = samples = 0

    def resident(self):
        self.samples += 1
        return self.now

    def tell(self, now):
        """From here on so much is in use, and where the monitor has a thread, it has seen it."""
        self.now, seen = now, self.samples
        while self.is_running and self.samples < seen + 5:  # at most two of a look that had begun
            time.sleep(0.005)


@pytest.fixture
def tight(monkeypatch):
    """Makes one with a budget of 100. Nothing is collected: where much is loaded, that takes long."""
    monkeypatch.setattr("gc.collect", lambda: 0)
    return lambda **settings: Used(budget=100, patience=0, **settings)


@pytest.mark.parametrize("threaded", [True, False])
def test_new_work_is_refused_until_memory_has_fallen_well_below_the_budget(tight, threaded, caplog):
    monitor = tight(interval=0.005)
    with monitor if threaded else nullcontext():

        def refused():
            try:
                with monitor.work():
                    return False
            except MemoryBudgetError:
                return True

        for used, expected in ((50, False), (120, True), (96, True), (120, True), (80, False), (96, False)):
            monitor.tell(used)
            assert refused() is expected, used
        monitor.tell(120)
        with pytest.raises(MemoryBudgetError, match=r"0\.00 GB.*memory\.budget_gb") as error:
            monitor.admit()
        assert "\n" not in str(error.value)
    assert monitor.report.helpless
    assert monitor.report.refused == 4
    assert "cannot be brought under the budget" in caplog.text


def test_work_in_progress_goes_on(tight):
    monitor = tight()
    with monitor.work():
        monitor.now = 120
        with monitor.work():
            monitor.check()
        with pytest.raises(MemoryBudgetError):
            monitor.admit()
    with pytest.raises(MemoryBudgetError), monitor.work():
        pass


def _evictors(monitor_of, frees):
    """One for each (label, cost, bytes); what they did, in order, is the list."""
    done = []

    def evict(label, freed):
        done.append(label)
        monitor_of().now -= freed

    return done, tuple(Evictor(label, partial(evict, label, freed), cost) for label, cost, freed in frees)


def test_the_cheapest_is_given_up_first_and_no_more_than_is_needed(tight):
    kept = [("indexes", 2.0, 30), ("results", 0.1, 5), ("linked", 0.5, 20)]
    done, evictors = _evictors(lambda: monitor, kept)
    monitor = tight(evictors=evictors)
    every = ["results", "linked", "indexes"]
    for used, expected in ((103, every[:1]), (110, every[:2]), (99, []), (140, every)):
        done.clear()
        monitor.now = used
        monitor.check()
        assert done == expected, used
    assert monitor.report.helpless == 0 and monitor.report.acted == 3
    assert all(one in monitor.report.actions[-1] for one in ("collected", *done))
    for _ in range(150):
        monitor.now = 200
        monitor.check()
    assert monitor.report.helpless == 150 and len(monitor.report.actions) == 100


def test_what_is_given_up_for_a_while_is_forgotten_after_it(tight):
    done = []
    monitor = tight()
    monitor.now = 120
    with monitor.evicting("dropped a model", lambda: done.append(1)):
        monitor.check()
    monitor.check()
    assert done == [1]


@pytest.mark.parametrize(
    ("used", "is_initialized", "times"), [(50, True, 0), (120, True, 1), (120, False, 0)]
)
def test_the_cache_of_a_gpu_is_emptied_where_one_was_used(tight, monkeypatch, used, is_initialized, times):
    torch, emptied = types.ModuleType("torch"), []
    torch.cuda = types.SimpleNamespace(
        is_initialized=lambda: is_initialized, empty_cache=lambda: emptied.append(1)
    )
    monkeypatch.setitem(sys.modules, "torch", torch)
    monitor = tight()
    monitor.now = used
    monitor.check()
    assert len(emptied) == str(monitor.report.actions).count("emptied the CUDA cache") == times


def test_batches_are_halved_again_and_again_and_whole_once_memory_is_back(tight):
    monitor = tight()
    seen = []
    for used in (50, 120, 120, 120, 120, 120, 95, 80, 120):
        monitor.now = used
        monitor.check()
        seen.append(monitor.halvings)
    assert seen == [0, 1, 2, 3, 4, 4, 4, 0, 1]


def test_work_waits_for_memory_and_says_so_before_it_is_refused(tight):
    monitor = tight(interval=0.02)
    monitor.now = 120
    told = []

    def tell(waited):
        told.append(waited)
        monitor.now = 80

    monitor.wait(5, tell)
    assert len(told) == 1
    assert monitor.report.waited_s > 0 and monitor.report.refused == 0
    monitor.now = 120
    began = time.monotonic()
    with pytest.raises(MemoryBudgetError):
        monitor.wait(0.2)
    assert time.monotonic() - began > 0.15
    monitor.now = 80
    told.clear()
    monitor.wait(5, tell)
    assert told == []


def test_two_processes_share_one_budget():
    code = "import sys; held = bytearray(200_000_000); held[::4096] = b'x' * 48_829; print(flush=True)"
    with subprocess.Popen(
        [sys.executable, "-c", f"{code}; sys.stdin.read()"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        other.stdout.readline()
        alone = MemoryMonitor(budget=1 << 60).resident()
        together = MemoryMonitor(budget=1 << 60, shares_with=lambda: (other.pid,)).resident()
        other.stdin.close()
    assert 190_000_000 < together - alone < 400_000_000
    gone = MemoryMonitor(budget=1 << 60, shares_with=lambda: (other.pid,))
    assert gone.resident() > 0
