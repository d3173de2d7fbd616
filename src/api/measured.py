"""What a server counts, in Prometheus' text format, in a registry of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Protocol

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

__all__ = ["Gauged", "Measured"]

_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


class Gauged(Protocol):
    """What can be looked up of a server that runs."""

    def job_counts(self) -> Mapping[str, float]:
        """By status."""
        ...

    def open_projects(self) -> int: ...

    def memory(self) -> Mapping[str, float]:
        """Bytes by kind."""
        ...

    def cache_counts(self) -> Mapping[str, float]:
        """Searches by what the cache gave."""
        ...


class _Looked(Collector):
    """What is looked up when somebody asks, rather than counted."""

    def __init__(self, server: Callable[[], Gauged]) -> None:
        self._server = server

    def describe(self) -> Iterable[Metric]:
        """Nothing: there may be no server yet."""
        return ()

    def collect(self) -> Iterable[Metric]:
        server = self._server()
        jobs = GaugeMetricFamily("fabula_jobs", "Jobs by status.", labels=["status"])
        for status, count in sorted(server.job_counts().items()):
            jobs.add_metric([status], count)
        yield jobs
        yield GaugeMetricFamily("fabula_open_projects", "Projects held open.", value=server.open_projects())
        memory = GaugeMetricFamily("fabula_memory_bytes", "Resident memory of the server.", labels=["kind"])
        for kind, size in sorted(server.memory().items()):
            memory.add_metric([kind], size)
        yield memory
        cache = CounterMetricFamily("fabula_search_cache", "Kept search results.", labels=["outcome"])
        for outcome, count in sorted(server.cache_counts().items()):
            cache.add_metric([outcome], count)
        yield cache


class Measured:
    """Counts requests; the rest is looked up of ``server()`` at each :meth:`text`."""

    def __init__(self, server: Callable[[], Gauged]) -> None:
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "fabula_requests",
            "Requests answered.",
            ["method", "route", "status"],
            registry=self._registry,
        )
        self._seconds = Histogram(
            "fabula_request_seconds",
            "From the head of a request to the end of its answer.",
            ["route"],
            buckets=_BUCKETS,
            registry=self._registry,
        )
        self._registry.register(_Looked(server))

    def request(self, method: str, route: str, status: int, seconds: float) -> None:
        """``route`` is the path's template, so that there are few."""
        self._requests.labels(method if method in _METHODS else "OTHER", route, str(status)).inc()
        self._seconds.labels(route).observe(seconds)

    def text(self) -> bytes:
        return generate_latest(self._registry)
