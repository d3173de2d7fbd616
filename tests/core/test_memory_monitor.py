"""The guard under real allocation: memory that a cache holds, and that evicting it frees."""

import time

import numpy as np

from fabula.core.memory_monitor import GIB, MemoryMonitor, _container_limit, default_budget


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
