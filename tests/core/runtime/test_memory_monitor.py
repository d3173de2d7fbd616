"""The guard under real allocation: memory that a cache holds, and that evicting it frees."""

import sys
import time
import types
from contextlib import nullcontext

import numpy as np
import pytest

from fabula.core.runtime.memory_monitor import GIB, MemoryMonitor, _container_limit, default_budget
from fabula.errors import MemoryBudgetError


def test_acts_at_a_small_budget_and_reports_it():
    cache, evicted = [], []

    def evict():
        evicted.append(len(cache))
        cache.clear()

    with MemoryMonitor(interval=0.02, budget=1 << 60) as idle:
        base = idle.resident()
    monitor = MemoryMonitor(interval=0.02, budget=base + 150_000_000, evictors=(("dropped a cache", evict),))
    with monitor:
        for _ in range(20):
            cache.append(np.ones(4_000_000))  # 32 MB each, touched
            time.sleep(0.03)
            if monitor.report.actions:
                break
        cache.clear()
    report = monitor.report
    assert report.peak > base + 150_000_000
    assert len(report.actions) == 1
    assert evicted[0] >= 3
    assert "dropped a cache" in report.actions[0]
    assert "collected" in report.actions[0]
    assert monitor.resident() < base + 150_000_000


def test_quiet_under_the_budget():
    with MemoryMonitor(interval=0.01) as monitor:
        time.sleep(0.05)
    assert monitor.report.actions == ()
    assert monitor.report.peak > 0


def test_default_budget_is_three_quarters_of_sixteen_gigabytes_at_most():
    assert 0 < default_budget() <= 12 * GIB


def test_container_limit_is_read(tmp_path):
    (tmp_path / "memory.max").write_text("2147483648\n")
    assert _container_limit(tmp_path) == 2 * GIB
    (tmp_path / "memory.max").write_text("max\n")
    assert _container_limit(tmp_path) > 1 << 60


def test_the_guard_outlives_whatever_it_meets(monkeypatch, caplog):
    """Once while torch is half imported, once with an evictor that fails: it goes on, and counts them."""
    called = []

    def fail():
        raise RuntimeError("cannot be dropped")

    monkeypatch.setitem(sys.modules, "torch", types.ModuleType("torch"))
    evictors = (("dropped nothing", fail), ("dropped a cache", lambda: called.append(1)))
    with MemoryMonitor(interval=0.01, patience=0, budget=1, evictors=evictors) as monitor:
        for _ in range(200):
            if len(called) > 2:
                break
            time.sleep(0.01)
        assert monitor.is_running
    assert len(called) > 2
    assert monitor.report.failures > 2
    assert "cannot be dropped" in caplog.text


def test_a_sample_that_fails_ends_nothing(monkeypatch):
    with MemoryMonitor(interval=0.01, patience=0, budget=1) as monitor:
        monkeypatch.setattr(monitor, "resident", lambda: 1 / 0)
        time.sleep(0.05)
        assert monitor.is_running
        monkeypatch.undo()
    assert monitor.report.failures


@pytest.fixture
def nothing_to_collect(monkeypatch):
    """Where much is loaded, a collection takes long."""
    monkeypatch.setattr("gc.collect", lambda: 0)


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


@pytest.mark.parametrize("threaded", [True, False])
@pytest.mark.usefixtures("nothing_to_collect")
def test_new_work_is_refused_until_memory_has_fallen_well_below_the_budget(threaded, caplog):
    monitor = Used(budget=100, interval=0.005, patience=0)
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


@pytest.mark.usefixtures("nothing_to_collect")
def test_work_in_progress_goes_on():
    monitor = Used(budget=100, patience=0)
    with monitor.work():
        monitor.now = 120
        with monitor.work():
            monitor.check()
        with pytest.raises(MemoryBudgetError):
            monitor.admit()
    with pytest.raises(MemoryBudgetError), monitor.work():
        pass


@pytest.mark.usefixtures("nothing_to_collect")
def test_what_was_done_is_told_of_the_last_hundred_times_alone():
    monitor = Used(budget=100, patience=0)
    monitor.now = 120
    for _ in range(150):
        monitor.check()
    assert len(monitor.report.actions) == 100
