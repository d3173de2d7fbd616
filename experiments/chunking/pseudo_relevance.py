"""Does pseudo-relevance feedback (RM3) help to find a story's passages? Sections as chunks, BM25."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from fabula.core.lexical.bm25 import LexicalIndex
from fabula.core.lexical.rm3 import RM3, RM3Settings
from fabula.core.text.tokenizing import Tokenizer

from .corpus import Query, Tale
from .measures import NOT_FOUND, interval, ndcg, ranked

__all__ = ["FEEDBACK", "feedback"]

FEEDBACK = (  # the first is Anserini's default, fixed before anything was measured
    RM3Settings(),
    RM3Settings(passages=3),
    RM3Settings(passages=3, query_weight=0.8),
    RM3Settings(passages=3, terms=5, query_weight=0.9),
)


class _Task(Protocol):
    @property
    def name(self) -> str: ...

    @property
    def books(self) -> Sequence[tuple[list[Tale], list[Query]]]: ...


def feedback(task: _Task) -> list[dict[str, Any]]:
    """nDCG@10 of each setting, and its gain over the query as it is; intervals by tale."""
    plain: list[float] = []
    grown: dict[RM3Settings, list[float]] = defaultdict(list)
    groups: list[str] = []
    tokenizer = Tokenizer()
    for tales, queries in task.books:
        texts = [section.of(t.document.text) for t in tales for section in t.sections]
        names = [t.document.id for t in tales for _ in t.sections]
        index = LexicalIndex.from_texts(texts, tokenizer=tokenizer)
        for query in queries:
            gold = {names.index(query.tale) + g for g in query.gold}
            groups.append(query.tale)
            plain.append(_ndcg(index.scores(query.text), gold))
            for settings in FEEDBACK:
                terms = RM3(index, texts, settings=settings, tokenizer=tokenizer).expand(query.text)
                grown[settings].append(_ndcg(index.scores_of(terms), gold))
    return [_row(task.name, settings, grown[settings], plain, groups) for settings in FEEDBACK]


def _ndcg(scores: np.ndarray, gold: set[int]) -> float:
    return ndcg(ranked(np.where(scores > 0, scores, NOT_FOUND)).tolist(), gold)


def _row(
    task: str, settings: RM3Settings, values: list[float], plain: list[float], groups: list[str]
) -> dict[str, Any]:
    gains = [value - before for value, before in zip(values, plain, strict=True)]
    return {
        "task": task,
        "rule": f"{settings.passages} passages, {settings.terms} terms, λ {settings.query_weight}",
        "bm25": round(float(np.mean(plain)), 4),
        "ndcg10": [round(float(np.mean(values)), 4), *interval(values, groups)],
        "ndcg10_gain": [round(float(np.mean(gains)), 4), *interval(gains, groups)],
    }
