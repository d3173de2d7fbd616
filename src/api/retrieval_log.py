"""What a server's searches and answers were like: counted for Prometheus, and a line of JSON each, logged."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from prometheus_client import Counter, Histogram
from prometheus_client.core import Metric

if TYPE_CHECKING:
    from ..core.answering.answered import Answered
    from ..core.search import SearchResult

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
