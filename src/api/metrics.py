"""Prometheus metrics of a server, and the log of what its searches and answers were like."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

if TYPE_CHECKING:
    from ..core.answering.answered import Answered
    from ..core.search import SearchResult
    from ..library.shelf import Shelf
    from .jobs.registry import Jobs

_log = logging.getLogger("fabula.api.retrieval")
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)


class Metrics(Collector):
    """Counts requests in a registry of its own; the rest is looked up of the server at each :meth:`text`.
    Each search and answer is a line of JSON in the log; ``log_queries`` says whether it holds what was asked,
    which is somebody's own. Safe in threads."""

    def __init__(self, jobs: Jobs, shelf: Shelf, *, log_queries: bool) -> None:
        self._jobs = jobs
        self._shelf = shelf
        self._log_queries = log_queries
        self._registry = own = CollectorRegistry()
        labels = ["method", "route", "status"]
        self._requests = Counter("fabula_requests", "Requests answered.", labels, registry=own)
        about = "From the head of a request to the end of its answer."
        self._seconds = Histogram("fabula_request_seconds", about, ["route"], buckets=_SECONDS, registry=own)
        own.register(self)

    def text(self) -> bytes:
        """In Prometheus' text format, UTF-8."""
        return generate_latest(self._registry)

    def collect(self) -> Iterable[Metric]:
        """What is looked up when somebody asks, rather than counted."""
        monitor, guard = self._shelf.monitor, self._shelf.monitor.report
        yield _gauge("fabula_jobs", "Jobs by status.", "status", self._jobs.counts())
        yield GaugeMetricFamily("fabula_open_projects", "Projects held open.", value=len(self._shelf))
        about = "What the server and its workers hold and alone can give back, and the budget for it."
        memory = {"resident": monitor.resident(), "budget": monitor.budget}
        yield _gauge("fabula_memory_bytes", about, "kind", memory)
        about = "How often the guard of memory acted, could not help, refused work, or failed itself."
        guarded = {kind: getattr(guard, kind) for kind in ("acted", "helpless", "refused")}
        guarded["failed"] = guard.failures
        yield _gauge("fabula_memory_guard", about, "kind", guarded)

    def request(self, method: str, route: str, status: int, seconds: float) -> None:
        """``route`` is the path's template, so that there are few."""
        self._requests.labels(method if method in _METHODS else "OTHER", route, str(status)).inc()
        self._seconds.labels(route).observe(seconds)

    def searched(self, project: str, query: str, mode: str, result: SearchResult, seconds: float) -> None:
        """One search, with what decided it."""
        decided = result.decision
        facts: dict[str, Any] = {
            "query_class": result.analysis.query_class,
            "mode": mode,
            "weights": decided and [round(decided.lexical, 4), round(decided.semantic, 4)],
            "count": len(result.passages),
            "top_score": round(result.passages[0].score, 4) if result.passages else None,
            "kept": bool(result.answered),
        }
        self._say("search", project, query, facts, seconds)

    def answered(self, project: str, question: str, answer: Answered, seconds: float) -> None:
        """One question, with what became of it."""
        facts: dict[str, Any] = {
            "outcome": "told" if answer.told else "not told",
            "by": "model" if answer.model else "quotes",
            "confidence": answer.confidence,
            "supported": answer.supported,
            "citations": len(answer.citations),
            "kept": answer.cached,
        }
        self._say("answer", project, question, facts, seconds)

    def _say(self, event: str, project: str, asked: str, facts: dict[str, Any], seconds: float) -> None:
        if not _log.isEnabledFor(logging.INFO):
            return
        said = {"event": event, "project": project, "characters": len(asked)}
        said |= {"query": asked} if self._log_queries else {}
        _log.info("%s", json.dumps(said | facts | {"ms": round(1000 * seconds, 2)}))


def _gauge(name: str, about: str, label: str, values: Mapping[str, float]) -> GaugeMetricFamily:
    made = GaugeMetricFamily(name, about, labels=[label])
    for one, value in sorted(values.items()):
        made.add_metric([one], value)
    return made
