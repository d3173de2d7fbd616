"""Queries grown by the terms of what they first find (pseudo-relevance feedback).

RM3: Lavrenko & Croft, "Relevance-Based Language Models" (SIGIR 2001), mixed with the query as in
Abdul-Jaleel et al., "UMass at TREC 2004: Novelty and HARD" (2004):

    P(w|R)  =  sum over the first passages d of  P(w|d) · P(d|q)          P(w|d) = tf(w, d) / |d|
    P'(w)   =  λ · count(w, q) / |q|  +  (1 - λ) · P(w|R)                 P(w|R) cut to its best terms

P(d|q) is the passage's BM25 score over the sum of those found, in place of a query likelihood.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from ...errors import ConfigError
from ..interfaces import LexicalSearcher
from ..text.tokenizing import Tokenizer

__all__ = ["RM3", "RM3Settings"]


@dataclass(frozen=True, slots=True)
class RM3Settings:
    """``passages`` and ``terms`` of feedback (each at least 1), and λ, the query's own part (0 to 1).

    The defaults are those of Anserini's RM3. Raises ConfigError for values out of range."""

    passages: int = 10
    terms: int = 10
    query_weight: float = 0.5

    def __post_init__(self) -> None:
        if self.passages < 1 or self.terms < 1:
            raise ConfigError(f"RM3 needs a passage and a term, not {self.passages} and {self.terms}")
        if not 0 <= self.query_weight <= 1:
            raise ConfigError(f"RM3's query_weight is between 0 and 1, not {self.query_weight}")


class RM3:
    """A QueryExpander over one index. ``texts[i]`` is the text of chunk i; only those of chunks found are
    read, and found are only chunks within the limit. Costs one search and the terms of what it found."""

    def __init__(
        self,
        index: LexicalSearcher,
        texts: Sequence[str],
        *,
        settings: RM3Settings | None = None,
        tokenizer: Tokenizer | None = None,
    ) -> None:
        if len(texts) != len(index):
            raise ConfigError(f"RM3 needs the text of each of {len(index)} chunks, not {len(texts)} texts")
        self.settings = settings or RM3Settings()
        self._index = index
        self._texts = texts
        self._tokenizer = tokenizer or Tokenizer()

    def expand(self, query: str, *, limit: int | None = None) -> dict[str, float]:
        """Terms and weights: the query's own in order of first use, then the others, heaviest first, ties
        by term. Weights sum to the number of the query's terms, so that they stand where counts stood."""
        own = Counter(self._tokenizer.terms(query))
        length = own.total()
        model = self._relevance(query, limit) if length else {}
        if not model:
            return {term: float(count) for term, count in own.items()}
        mix = self.settings.query_weight
        terms = [*own, *(term for term in model if term not in own)]
        weights = {t: mix * own[t] + (1 - mix) * length * model.get(t, 0.0) for t in terms}
        return {term: weight for term, weight in weights.items() if weight > 0}

    def _relevance(self, query: str, limit: int | None) -> dict[str, float]:
        """P(w|R) of its best terms, heaviest first, summing to 1; empty where nothing is found."""
        hits = self._index.search(query, self.settings.passages, limit=limit)
        total = sum(hit.score for hit in hits)
        mass: dict[str, float] = {}
        for hit in hits:
            found = Counter(self._tokenizer.terms(self._texts[hit.ordinal]))
            likely = hit.score / total / found.total()
            for term, count in found.items():
                mass[term] = mass.get(term, 0.0) + count * likely
        kept = sorted(mass.items(), key=lambda item: (-item[1], item[0]))[: self.settings.terms]
        whole = sum(weight for _, weight in kept)
        return {term: weight / whole for term, weight in kept}
