"""BM25 by the rank_bm25 package: the reference that ours is held against, and a backend to choose.

Exact at every horizon, since it builds an index of the prefix alone; slow for the same reason. A build
reads all terms of the prefix, a search all its chunks.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from ...errors import ConfigError
from ..types import CorpusStatistics
from .bm25 import BM25Settings, LexicalIndex, Postings

if TYPE_CHECKING:
    from rank_bm25 import BM25Okapi

_KEPT = 4  # prefixes whose indexes are kept, those searched last


class RankBM25Index(LexicalIndex):
    """The chunks of a :class:`.bm25.LexicalIndex`, scored by rank_bm25's ``BM25Okapi``. A score is 0 or less
    where every term of the query is in half of the chunks. Searches may run in several threads. Raises
    ConfigError for settings of another variant than ``okapi``."""

    _usual: ClassVar = BM25Settings(variant="okapi")

    def __post_init__(self) -> None:
        variant = self.settings.variant
        if variant != "okapi":
            raise ConfigError(f"rank_bm25 is searched as okapi, not {variant}: choose that variant")
        super().__post_init__()
        self._built: OrderedDict[int, BM25Okapi | None] = OrderedDict()

    def among(self, corpus: CorpusStatistics) -> Self:  # noqa: ARG002 (it takes no statistics of others)
        """This index, as it is."""
        return self

    def _given(self, terms: Mapping[str, float], n: int) -> tuple[list[Postings], list[float]]:
        """What each term gives to every one of the first ``n`` chunks, and the terms' weights."""
        bm25, chunks = self._index(n), np.arange(n, dtype=np.int32)
        if bm25 is None:
            return [], []
        parts = []
        for word in terms:
            with np.errstate(invalid="ignore"):  # an empty chunk at b = 1: nothing by nothing
                scores = np.asarray(bm25.get_scores([self._vocabulary.get(word, -1)]), dtype=np.float64)
            parts.append((chunks, np.nan_to_num(scores, nan=0.0)))
        return parts, list(terms.values())

    def _index(self, n: int) -> BM25Okapi | None:
        """The index of the first ``n`` chunks; None where they hold no term, which rank_bm25 cannot take."""
        with self._lock:
            if n not in self._built:
                from rank_bm25 import BM25Okapi

                ends = zip(self._total[:n], self._total[1:], strict=False)
                told, s = [self._words[start:end].tolist() for start, end in ends], self.settings
                made = BM25Okapi(told, k1=s.k1, b=s.b, epsilon=s.epsilon) if self._total[n] else None
                self._built[n] = made
                while len(self._built) > _KEPT:
                    self._built.popitem(last=False)
            self._built.move_to_end(n)
            return self._built[n]
