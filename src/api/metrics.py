"""What a server counts, in Prometheus' text format, in a registry of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Protocol

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from .retrieval_log import RetrievalLog
from .tokens import EVERYBODY, Access

__all__ = ["Gauged", "Measured"]

_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


class Gauged(Protocol):
    """What can be looked up of a server that runs."""

    def job_counts(self, access: Access) -> Mapping[str, float]:
        """By status, of the projects that it opens."""
        ...

    def open_projects(self) -> int:
        """How many projects are held open."""
        ...

    def memory(self) -> Mapping[str, float]:
        """Bytes by kind."""
        ...

    def memory_guard(self) -> Mapping[str, float]:
        """What the guard of memory did, by kind."""
        ...

    @property
    def retrievals(self) -> RetrievalLog:
        """What searches and answers were like."""
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
        yield _jobs(server.job_counts(EVERYBODY))
        yield GaugeMetricFamily("fabula_open_projects", "Projects held open.", value=server.open_projects())
        memory = GaugeMetricFamily(
            "fabula_memory_bytes",
            "What the server and its workers hold and alone can give back, and the budget for it.",
            labels=["kind"],
        )
        for kind, size in sorted(server.memory().items()):
            memory.add_metric([kind], size)
        yield memory
        guard = GaugeMetricFamily(
            "fabula_memory_guard",
            "How often the guard of memory acted, could not help, refused work, or failed itself.",
            labels=["kind"],
        )
        for kind, count in sorted(server.memory_guard().items()):
            guard.add_metric([kind], count)
        yield guard
        cache = CounterMetricFamily("fabula_search_cache", "Kept search results.", labels=["outcome"])
        for outcome, count in sorted(server.cache_counts().items()):
            cache.add_metric([outcome], count)
        yield cache
        yield from server.retrievals.collect()


class _OwnJobs(Collector):
    """Of the projects of one token."""

    def __init__(self, server: Callable[[], Gauged], access: Access) -> None:
        self._server = server
        self._access = access

    def describe(self) -> Iterable[Metric]:
        """Nothing: there may be no server yet."""
        return ()

    def collect(self) -> Iterable[Metric]:
        yield _jobs(self._server().job_counts(self._access))


class _Counted:
    """Requests, in a registry of their own."""

    def __init__(self, looked: Collector) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "fabula_requests",
            "Requests answered.",
            ["method", "route", "status"],
            registry=self.registry,
        )
        self.seconds = Histogram(
            "fabula_request_seconds",
            "From the head of a request to the end of its answer.",
            ["route"],
            buckets=_BUCKETS,
            registry=self.registry,
        )
        self.registry.register(looked)

    def add(self, method: str, route: str, status: int, seconds: float) -> None:
        self.requests.labels(method if method in _METHODS else "OTHER", route, str(status)).inc()
        self.seconds.labels(route).observe(seconds)


class Measured:
    """Counts requests; the rest is looked up of ``server()`` at each :meth:`text`. A token that opens some
    projects only is told of its own requests and jobs, and of nothing else."""

    def __init__(self, server: Callable[[], Gauged]) -> None:
        self._server = server
        self._all = _Counted(_Looked(server))
        self._own: dict[str, _Counted] = {}

    def request(
        self, method: str, route: str, status: int, seconds: float, *, access: Access | None = None
    ) -> None:
        """``route`` is the path's template, so that there are few; ``access`` is who asked, where known."""
        self._all.add(method, route, status, seconds)
        if access is not None and access.projects is not None:
            self._of(access).add(method, route, status, seconds)

    def text(self, access: Access) -> bytes:
        """What that token may see of the counts, as UTF-8 in Prometheus' text format."""
        counted = self._all if access.projects is None else self._of(access)
        return generate_latest(counted.registry)

    def _of(self, access: Access) -> _Counted:
        found = self._own.get(access.name)
        if found is None:  # of two threads that make one, the first's is kept
            found = self._own.setdefault(access.name, _Counted(_OwnJobs(self._server, access)))
        return found


def _jobs(counts: Mapping[str, float]) -> GaugeMetricFamily:
    jobs = GaugeMetricFamily("fabula_jobs", "Jobs by status.", labels=["status"])
    for status, count in sorted(counts.items()):
        jobs.add_metric([status], count)
    return jobs
