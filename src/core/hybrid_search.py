"""Lexical and semantic search over one book, fused, with an exact horizon."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from ..errors import ConfigError
from .fusion import reciprocal_rank_fusion
from .interfaces import Embedder
from .lexical_index import LexicalIndex
from .types import Chunk, Hit, Horizon, Passage, Share
from .vector_index import VectorIndex

__all__ = ["HybridSearchEngine"]


class HybridSearchEngine:
    """``chunks`` in order of telling; both indexes number them the same way.

    Each index is searched ``depth * k`` deep (3 by default) before the lists are fused.
    """

    def __init__(
        self,
        chunks: Sequence[Chunk],
        lexical: LexicalIndex,
        vectors: VectorIndex,
        embedder: Embedder,
        *,
        rrf_k: int = 60,
        semantic_weight: float = 0.5,
        depth: int = 3,
    ) -> None:
        self.chunks = chunks
        self._chapters = [chunk.chapter for chunk in chunks]
        self._lexical = lexical
        self._vectors = vectors
        self._embedder = embedder
        self._rrf_k = rrf_k
        self._semantic_weight = semantic_weight
        self._depth = depth

    def limit(self, horizon: Horizon) -> int:
        """How many chunks, from the first, stand at or before the horizon."""
        if horizon.chapter is None:
            return len(self.chunks)
        return bisect_right(self._chapters, horizon.chapter)

    def search(self, query: str, k: int = 5, *, horizon: Horizon) -> list[Passage]:
        """As :meth:`search_hybrid` at the configured weight."""
        return self.search_hybrid(query, k, horizon=horizon)

    def search_hybrid(
        self,
        query: str,
        k: int = 5,
        semantic_weight: float | None = None,
        *,
        horizon: Horizon = Horizon(),  # noqa: B008 (frozen)
    ) -> list[Passage]:
        """The ``k`` best passages by reciprocal rank fusion; ``semantic_weight`` 0 to 1, rest lexical."""
        w = self._semantic_weight if semantic_weight is None else semantic_weight
        if not 0 <= w <= 1:
            raise ConfigError(f"semantic_weight is between 0 and 1, not {w}")
        deep, limit = self._depth * k, self.limit(horizon)
        lists = {
            "lexical": self._lexical.search(query, deep, limit=limit) if w < 1 else [],
            "semantic": self._near(query, deep, limit) if w > 0 else [],
        }
        weights = {"lexical": 1 - w, "semantic": w}
        fused = reciprocal_rank_fusion(lists, weights=weights, k=self._rrf_k)
        return [Passage(self.chunks[f.ordinal], f.score, f.shares) for f in fused[:k]]

    def search_semantic(self, query: str, k: int = 5, *, horizon: Horizon = Horizon()) -> list[Passage]:  # noqa: B008
        """The ``k`` nearest passages by cosine."""
        return self._single("semantic", self._near(query, k, self.limit(horizon)))

    def search_lexical(self, query: str, k: int = 5, *, horizon: Horizon = Horizon()) -> list[Passage]:  # noqa: B008
        """The ``k`` best passages by BM25; needs no embedding model."""
        return self._single("lexical", self._lexical.search(query, k, limit=self.limit(horizon)))

    def _near(self, query: str, k: int, limit: int) -> list[Hit]:
        if limit == 0:
            return []
        return self._vectors.search(self._embedder.embed_query(query), k, limit=limit)

    def _single(self, retriever: str, hits: Sequence[Hit]) -> list[Passage]:
        return [
            Passage(self.chunks[hit.ordinal], hit.score, (Share(retriever, rank, hit.score, hit.score),))
            for rank, hit in enumerate(hits, start=1)
        ]
