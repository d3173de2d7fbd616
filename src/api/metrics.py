"""What a server counts, in Prometheus' text format, in a registry of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, TypeVar

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from .settings import EVERYBODY, Access

if TYPE_CHECKING:
    from .backend import Backend

FamilyT = TypeVar("FamilyT", CounterMetricFamily, GaugeMetricFamily)
_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


class _Looked(Collector):
    """What is looked up when somebody asks, rather than counted; of one token's projects, its jobs alone."""

    def __init__(self, server: Callable[[], Backend], access: Access) -> None:
        self._server = server
        self._access = access

    def describe(self) -> Iterable[Metric]:
        """Nothing: there may be no server yet."""
        return ()

    def collect(self) -> Iterable[Metric]:
        server, gauge = self._server(), GaugeMetricFamily
        yield _by(gauge("fabula_jobs", "Jobs by status.", labels=["status"]), server.job_counts(self._access))
        if self._access.projects is not None:
            return
        yield gauge("fabula_open_projects", "Projects held open.", value=server.open_projects())
        about = "What the server and its workers hold and alone can give back, and the budget for it."
        yield _by(gauge("fabula_memory_bytes", about, labels=["kind"]), server.memory())
        about = "How often the guard of memory acted, could not help, refused work, or failed itself."
        yield _by(gauge("fabula_memory_guard", about, labels=["kind"]), server.memory_guard())
        cache = CounterMetricFamily("fabula_search_cache", "Kept search results.", labels=["outcome"])
        yield _by(cache, server.cache_counts())
        yield from server.retrievals.collect()


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

    def __init__(self, server: Callable[[], Backend]) -> None:
        self._server = server
        self._all = _Counted(_Looked(server, EVERYBODY))
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
            found = self._own.setdefault(access.name, _Counted(_Looked(self._server, access)))
        return found


def _by(family: FamilyT, counts: Mapping[str, float]) -> FamilyT:
    for label, count in sorted(counts.items()):
        family.add_metric([label], count)
    return family
