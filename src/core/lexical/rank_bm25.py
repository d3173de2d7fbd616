"""BM25 by the rank_bm25 package: the reference that ours is held against, and a backend to choose.

Exact at every horizon, since it builds an index of the prefix alone; slow for the same reason. A build
reads all terms of the prefix, a search all its chunks.
"""

from __future__ import annotations

import threading
from collections import Counter, OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...errors import ConfigError
from ..kernels.top_k import best
from ..text.term_evidence import QueryEvidence
from ..text.tokenizing import Tokenizer
from ..types import CorpusStatistics, Hit, TermStatistics
from .bm25 import BM25Settings

if TYPE_CHECKING:
    from rank_bm25 import BM25Okapi

Floats = NDArray[np.float64]


class RankBM25Index:
    """rank_bm25's ``BM25Okapi`` over chunks in order of telling, with fabula's tokenizer.

    Build with :meth:`from_texts`. The ``kept`` prefixes searched last are kept built. Searches may run in
    several threads. Raises ConfigError for settings of another variant than ``okapi`` or ``kept`` under 1.
    """

    def __init__(
        self, terms: Sequence[list[str]], *, tokenizer: Tokenizer, settings: BM25Settings, kept: int
    ) -> None:
        if settings.variant != "okapi":
            raise ConfigError(f"rank_bm25 is searched as okapi, not {settings.variant}: choose that variant")
        if kept < 1:
            raise ConfigError(f"rank_bm25 keeps at least 1 prefix built, not {kept}")
        self.settings = settings
        self._terms = terms
        self._tokenizer = tokenizer
        self._kept = kept
        self._built: OrderedDict[int, BM25Okapi | None] = OrderedDict()
        self._lock = threading.Lock()

    @classmethod
    def from_texts(
        cls,
        texts: Iterable[str],
        *,
        settings: BM25Settings | None = None,
        tokenizer: Tokenizer | None = None,
        kept: int = 4,
    ) -> RankBM25Index:
        """Tokenises every text; text number i is chunk i. Nothing else is built before a search."""
        tokenizer = tokenizer or Tokenizer()
        settings = settings or BM25Settings(variant="okapi")
        return cls([tokenizer.terms(t) for t in texts], tokenizer=tokenizer, settings=settings, kept=kept)

    def __len__(self) -> int:
        return len(self._terms)

    def appended(self, texts: Iterable[str]) -> RankBM25Index:
        """A new index: these chunks after the present ones. The present index stays as it is."""
        more = [self._tokenizer.terms(text) for text in texts]
        return RankBM25Index(
            [*self._terms, *more], tokenizer=self._tokenizer, settings=self.settings, kept=self._kept
        )

    def search(self, query: str, k: int, *, limit: int | None = None) -> list[Hit]:
        """The ``k`` best of the first ``limit`` chunks (all by default) that score above 0, ties to the
        earlier chunk. Okapi scores 0 or less where every term of the query is in half of the chunks."""
        scores = self.scores(query, limit=limit)
        return [Hit(i, float(scores[i])) for i in best(scores, k).tolist()]

    def scores(self, query: str, *, limit: int | None = None) -> Floats:
        """BM25 of each of the first ``limit`` chunks, shape (limit,), float64; 0 where no term is shared."""
        n = self._prefix(limit)
        bm25 = self._index(n)
        return np.zeros(n) if bm25 is None else _scored(bm25, self._tokenizer.terms(query))

    def scores_of(self, terms: Mapping[str, float], *, limit: int | None = None) -> Floats:
        """As :meth:`scores`, for analysed terms with a weight each (how often the query has it)."""
        n = self._prefix(limit)
        bm25, total = self._index(n), np.zeros(n)
        if bm25 is not None:
            for term, weight in terms.items():
                total += weight * _scored(bm25, [term])
        return total

    def leaders(
        self,
        terms: Mapping[str, float],
        k: int,
        *,
        limit: int | None = None,
        mask: NDArray[np.bool_] | None = None,
    ) -> tuple[NDArray[np.intp], Floats]:
        """Chunks and scores of the ``k`` best above 0; ``mask``, shape (limit,), says which may be found."""
        scores = self.scores_of(terms, limit=limit)
        found = best(scores if mask is None else scores * mask, k)
        return found, scores[found]

    def scores_at(
        self, terms: Mapping[str, float], ordinals: NDArray[np.intp], *, limit: int | None = None
    ) -> Floats:
        """As ``scores_of(terms, limit=limit)[ordinals]``, at no lower cost."""
        return self.scores_of(terms, limit=limit)[ordinals]

    def statistics(self, query: str, *, limit: int | None = None) -> list[TermStatistics]:
        """The query's distinct terms in order of first use, as they stand among the first ``limit``.

        Counts df over all chunks."""
        n = self._prefix(limit)
        bm25 = self._index(n)
        idf: Mapping[str, float] = {} if bm25 is None else bm25.idf
        unknown = float(np.log(n + 0.5) - np.log(0.5))
        found = []
        for term, weight in Counter(self._tokenizer.terms(query)).items():
            df = 0 if bm25 is None else sum(term in told for told in bm25.doc_freqs)
            found.append(TermStatistics(term, weight, df, float(idf.get(term, unknown))))
        return found

    def corpus(self, query: str, *, limit: int | None = None) -> CorpusStatistics | None:  # noqa: ARG002
        """None: rank_bm25 takes no statistics of others."""
        return None

    def among(self, corpus: CorpusStatistics) -> RankBM25Index:  # noqa: ARG002
        """This index, as it is."""
        return self

    def ceiling(self, query: str, *, limit: int | None = None) -> float:
        """As :meth:`ceiling_of`, of the query's terms."""
        return self.ceiling_of(self.statistics(query, limit=limit))

    def ceiling_of(self, terms: Sequence[TermStatistics]) -> float:
        """What no chunk's score can pass: ``k1 + 1`` times the sum of the terms' idf, a term that no
        chunk holds counted too."""
        return (self.settings.k1 + 1) * sum(term.count * max(term.idf, 0) for term in terms)

    def evidence(self, terms: Sequence[TermStatistics], ordinals: NDArray[np.intp]) -> tuple[Floats, Floats]:
        """Coverage and nearness of these chunks (see :mod:`.text.term_evidence`), shape (len(ordinals),)
        each."""
        asked = QueryEvidence.of(terms)
        found = np.array([asked.measure(self._terms[i]) for i in ordinals.tolist()]).reshape(-1, 2)
        return found[:, 0], found[:, 1]

    def _prefix(self, limit: int | None) -> int:
        return len(self) if limit is None else max(0, min(limit, len(self)))

    def _index(self, n: int) -> BM25Okapi | None:
        """The index of the first ``n`` chunks; None where they hold no term, which rank_bm25 cannot take."""
        with self._lock:
            if n not in self._built:
                self._built[n] = self._build(n)
                while len(self._built) > self._kept:
                    self._built.popitem(last=False)
            self._built.move_to_end(n)
            return self._built[n]

    def _build(self, n: int) -> BM25Okapi | None:
        from rank_bm25 import BM25Okapi

        if not any(self._terms[:n]):
            return None
        s = self.settings
        return BM25Okapi(self._terms[:n], k1=s.k1, b=s.b, epsilon=s.epsilon)


def _scored(bm25: BM25Okapi, terms: list[str]) -> Floats:
    """Its scores, with 0 where it divides nothing by nothing: an empty chunk at b = 1."""
    with np.errstate(invalid="ignore"):
        return np.nan_to_num(np.asarray(bm25.get_scores(terms), dtype=np.float64), nan=0.0)
