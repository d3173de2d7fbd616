"""What a server counts, in Prometheus' text format, in a registry of its own; its searches and answers are a
line of JSON each as well, logged."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from .settings import EVERYBODY, Access

if TYPE_CHECKING:
    from ..core.answering.answered import Answered
    from ..project.searching import SearchResult
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


_log = logging.getLogger("fabula.api.retrieval")
_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10)
_SCORES = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1, 2, 5, 10)


class RetrievalLog:
    """Safe in threads. ``queries``: the log holds what was asked, which else it does not: what somebody asks
    of a story is their own."""

    def __init__(self, *, queries: bool = False) -> None:
        self._queries = queries
        kinds = ["query_class", "mode"]
        self._seconds = Histogram(
            "fabula_search_seconds", "Of one search.", kinds, buckets=_SECONDS, registry=None
        )
        self._top = Histogram(
            "fabula_search_top_score", "Of the best passage.", kinds, buckets=_SCORES, registry=None
        )
        self._empty = Counter("fabula_searches_empty", "Searches that found nothing.", kinds, registry=None)
        self._answers = Counter(
            "fabula_answers", "Questions by what became of them.", ["outcome", "by"], registry=None
        )

    def searched(self, project: str, query: str, mode: str, result: SearchResult, seconds: float) -> None:
        """One search, with what decided it."""
        kind, decided = result.analysis.query_class, result.decision
        best = result.passages[0].score if result.passages else None
        self._seconds.labels(kind, mode).observe(seconds)
        if best is None:
            self._empty.labels(kind, mode).inc()
        else:
            self._top.labels(kind, mode).observe(best)
        facts: dict[str, Any] = {
            "query_class": kind,
            "mode": mode,
            "weights": decided and [round(decided.lexical, 4), round(decided.semantic, 4)],
            "count": len(result.passages),
            "top_score": None if best is None else round(best, 4),
            "kept": bool(result.answered),
        }
        self._say("search", project, query, facts, seconds)

    def answered(self, project: str, question: str, answer: Answered, seconds: float) -> None:
        """One question, with what became of it."""
        labels = {
            "outcome": "told" if answer.told else "not told",
            "by": "model" if answer.model else "quotes",
        }
        self._answers.labels(**labels).inc()
        facts: dict[str, Any] = {
            **labels,
            "confidence": answer.confidence,
            "supported": answer.supported,
            "citations": len(answer.citations),
            "kept": answer.cached,
        }
        self._say("answer", project, question, facts, seconds)

    def collect(self) -> Iterable[Metric]:
        """What was counted, for Prometheus."""
        for one in (self._seconds, self._top, self._empty, self._answers):
            yield from one.collect()

    def _say(self, event: str, project: str, asked: str, facts: dict[str, Any], seconds: float) -> None:
        if not _log.isEnabledFor(logging.INFO):
            return
        told = {"event": event, "project": project, "characters": len(asked)}
        told |= {"query": asked} if self._queries else {}
        _log.info("%s", json.dumps(told | facts | {"ms": round(1000 * seconds, 2)}))
