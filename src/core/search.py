"""Search over one book: candidates → weight → fusion → hops → reranking, exact at every horizon.

The horizon is a field of the query: a selection of the first chunks, in order of telling. Both indexes are
asked for their best of these, the lists are fused by a preset at a weight that is given or decided, passages
that a good one leads to rise toward it, and a cross-encoder may read the best once more.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ..errors import ConfigError, ModelError, ModelRefused, UsageError
from .chunks.table import ChunkTable, Selection
from .fusion.neighbours import lifted, neighbour_hops
from .fusion.normalise import Fused
from .fusion.presets import COVERAGE, DEFAULT_PRESET, NEARNESS, FusionPreset, evidence_weights, fuse
from .fusion.table import fuse_table
from .interfaces import Embedder, Hopper, VectorBackend, Vectors
from .kernels import compiled
from .kernels.top_k import union
from .lexical.bm25 import LexicalIndex
from .queries.router import QueryAnalysis, QueryStatistics, route
from .queries.weight_learning import Placement, Rating
from .signatures.semantic_cache import SemanticCache
from .types import Chunk, CorpusStatistics, Hit, Hop, Horizon, PagePlace, Passage, Share, TermStatistics
from .weight_manager import AdaptiveWeightManager, WeightDecision

Mode = Literal["hybrid", "semantic", "lexical"]
Ordinals = NDArray[np.intp]
Weights = Mapping[str, float]
Reranker = Callable[[str, Sequence[Passage]], list[Passage]]
"""The same passages for a query, scored anew, best first."""

GRAPH, LEXICAL, SEMANTIC = "graph", "lexical", "semantic"
_BOTH = {LEXICAL: 1.0, SEMANTIC: 1.0}
_WHOLE = Horizon()
_LEAST_DEEP = 30  # candidates of each index, at least
_SEEDS = 5  # passages whose hops are followed
_LIGHT = 100_000  # chunks
_RATED_AMONG = 30  # passages among which a rated one is looked for, at least
_NOTHING: Ordinals = np.zeros(0, dtype=np.intp)


@dataclass(frozen=True, slots=True)
class Query:
    """What is asked for, of which chunks (``selection``; ``filters`` names its filter, for a cache), how.

    ``semantic_weight`` stands in for the weight that would be decided; passages whose cosine to the query is
    below ``least_score`` are left out, unless words alone are looked for. Words are scored as in one index of
    the ``corpus``, where one is given (see :meth:`Search.corpus`). Raises ConfigError where either number is
    not between 0 and 1."""

    text: str
    k: int
    horizon: Horizon
    selection: Selection
    filters: str = ""
    mode: Mode = "hybrid"
    semantic_weight: float | None = None
    least_score: float = 0.0
    corpus: CorpusStatistics | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.least_score <= 1:
            raise ConfigError(f"the least score is between 0 and 1, not {self.least_score}")
        if self.semantic_weight is not None and not 0 <= self.semantic_weight <= 1:
            raise ConfigError(f"the semantic weight is between 0 and 1, not {self.semantic_weight}")


@dataclass(frozen=True, slots=True)
class SearchResult:
    """``decision`` says how the weight came about, where one was decided. ``answered`` is the wording that
    a kept result was made for, empty where it was made now. ``places`` says of each passage where it is
    printed; there are none for a book without pages. ``notices`` say what could not be done."""

    passages: tuple[Passage, ...]
    analysis: QueryAnalysis
    decision: WeightDecision | None = None
    answered: str = ""
    places: tuple[tuple[PagePlace, ...], ...] = ()
    notices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """What both indexes know of one query among the chunks selected.

    ``terms`` are the query's, with their counts; empty where BM25 is not asked.
    ``lexical`` and ``semantic`` are the ordinals of each index's own list, best first. ``ordinals``
    (ascending) is their union, shape (m,); ``bm25`` and ``cosine`` are the exact scores of each of those,
    whichever list it came from. An index with weight 0 is not asked: its list is empty, its scores are 0.
    """

    query: Query
    terms: Mapping[str, float]
    statistics: Sequence[TermStatistics]
    lexical: Ordinals
    semantic: Ordinals
    ordinals: Ordinals
    bm25: NDArray[np.float64]
    cosine: Vectors
    vector: Vectors | None

    def hits(self, retriever: str) -> list[Hit]:
        """The index's own list."""
        own, scores = (self.lexical, self.bm25) if retriever == LEXICAL else (self.semantic, self.cosine)
        rows = np.searchsorted(self.ordinals, own).tolist()
        return [Hit(o, float(scores[row])) for o, row in zip(own.tolist(), rows, strict=True)]


class OtherVectors(ModelRefused):
    """The model gives vectors that the index cannot be searched with."""


@dataclass(frozen=True, eq=False)
class Search:
    """``chunks`` in order of telling; both indexes number them the same way.

    Each index is asked ``depth * k`` deep, at least 30, and a reranker reads ``depth * k`` passages.
    ``hopper`` is called where hops are followed. Without a ``manager`` the weight is the preset's and nothing
    is rated. ``name`` is of the index's generation and the settings, for the ``cache`` of results.
    """

    chunks: Sequence[Chunk]
    lexical: LexicalIndex
    vectors: VectorBackend
    embedder: Embedder
    _: KW_ONLY
    preset: FusionPreset = DEFAULT_PRESET
    depth: int = 3
    hopper: Callable[[], Hopper] | None = None
    manager: AdaptiveWeightManager | None = None
    reranker: Reranker | None = None
    cache: SemanticCache[Any] | None = None
    name: str = ""

    def search(
        self,
        query: str,
        k: int = 5,
        *,
        horizon: Horizon = _WHOLE,
        selection: Selection | None = None,
        mode: Mode = "hybrid",
        semantic_weight: float | None = None,
    ) -> list[Passage]:
        """The ``k`` best passages; ``selection`` is the horizon with a filter, in place of ``horizon``."""
        chosen = Selection(self.limit(horizon)) if selection is None else selection
        asked = Query(query, k, horizon, chosen, mode=mode, semantic_weight=semantic_weight)
        return list(self(asked).passages)

    def __call__(self, query: Query) -> SearchResult:
        """The ``k`` best passages and how they were weighed. Raises OtherVectors for a model that is not the
        index's, and what its model and reranker raise."""
        if query.corpus is not None:  # which the cache knows nothing of
            among = replace(self, lexical=self.lexical.among(query.corpus), cache=None)
            return among(replace(query, corpus=None))
        if self.cache is None:
            return self._found(query)
        scope = self.scope(query)
        vector = None if query.mode == LEXICAL else lambda: self._vector(query.text)
        kept = self.cache.get(scope, query.text, vector)
        if kept is not None:
            passages = tuple(_passage(self.chunks, row) for row in kept.payload)
            return SearchResult(passages, self._analysis(query), answered=kept.query)
        result = self._found(query)
        if query.mode != LEXICAL:
            kept_rows = [
                [p.chunk.ordinal, p.score, [[s.retriever, s.rank, s.score, s.share, s.via] for s in p.shares]]
                for p in result.passages
            ]
            self.cache.put(scope, query.text, self._vector(query.text), kept_rows)
        return result

    def search_or_words(self, query: Query) -> SearchResult:
        """The same; where the embedding model of a hybrid search fails, words alone are looked for, and a
        notice says so."""
        try:
            return self(query)
        except OtherVectors:  # another model than the index's: it stays so until somebody sets it right
            raise
        except ModelError as error:
            if query.mode != "hybrid":
                raise
            words = self(replace(query, mode="lexical"))
            notice = f"searched by words alone, since the embedding model failed: {error}"
            return replace(words, notices=(notice,))

    def limit(self, horizon: Horizon) -> int:
        """How many chunks, from the first, stand at or before the horizon."""
        if horizon.chapter is None:
            return len(self.chunks)
        return bisect_right(self._chapters, horizon.chapter)

    def corpus(self, query: Query) -> CorpusStatistics | None:
        """What of this book the query is scored by: to be added up over several, for ``Query.corpus``. None
        where this book's scores hang on itself alone."""
        return self.lexical.corpus(query.text, limit=query.selection.limit)

    @property
    def dimension(self) -> int:
        """Numbers in each of the index's vectors."""
        return self.vectors.dimension

    @property
    def is_light(self) -> bool:
        """Whether a lexical search takes a millisecond at most: an index that is made for it and not large,
        and nothing that reads the passages once more."""
        own = type(self.lexical) is LexicalIndex
        return own and self.reranker is None and len(self.lexical) <= _LIGHT

    # --- the steps -------------------------------------------------------------------------------

    def _found(self, query: Query) -> SearchResult:
        deep = query.k * (self.depth if self.reranker or query.least_score else 1)
        if query.mode != "hybrid":
            passages = self._passages(self._of_one_index(query, deep))
            return SearchResult(self._reranked(query, passages), self._analysis(query))
        weights = None if query.semantic_weight is None else self.preset.weights(query.semantic_weight)
        found = self.candidates(query, deep, weights or _BOTH)
        analysis, decision = self._analysis(query, found.statistics), None
        if weights is None and self.manager is not None:
            decision = self.manager.decide(analysis, horizon=query.horizon)
        weights = weights or self.preset.weights(decision.semantic if decision else None)
        passages = self._passages(self.ranked(found, weights, deep))
        return SearchResult(self._reranked(query, passages), analysis, decision)

    def _of_one_index(self, query: Query, k: int) -> list[Fused]:
        """The ``k`` best by BM25 alone, which needs no model, or by cosine alone."""
        limit, mask = query.selection.limit, query.selection.mask
        scores: NDArray[np.floating]
        if query.mode == LEXICAL:
            terms = {term.term: term.count for term in self.lexical.statistics(query.text, limit=limit)}
            ordinals, scores = self.lexical.leaders(terms, k, limit=limit, mask=mask)
        else:
            vector = self._vector(query.text)
            ordinals, scores = self.vectors.nearest(vector, k, limit=limit, mask=mask)
        return [
            Fused(ordinal, score, (Share(query.mode, rank, score, score),))
            for rank, (ordinal, score) in enumerate(zip(ordinals.tolist(), scores.tolist(), strict=True), 1)
        ]

    def candidates(self, query: Query, k: int, weights: Weights) -> Candidates:
        """What both indexes find; one whose weight is 0 is not asked. They are asked for more than ``k``,
        since fusion changes the order."""
        limit, mask = query.selection.limit, query.selection.mask
        deep = max(_LEAST_DEEP, self.depth * k)
        statistics = self.lexical.statistics(query.text, limit=limit)
        terms = {term.term: term.count for term in statistics} if weights[LEXICAL] > 0 else {}
        lexical, _ = self.lexical.leaders(terms, deep, limit=limit, mask=mask)
        semantic, vector = _NOTHING, None
        if weights[SEMANTIC] > 0 and limit:
            vector = self._vector(query.text)
            semantic, _ = self.vectors.nearest(vector, deep, limit=limit, mask=mask)
        ordinals = union(lexical, semantic)
        scores = self._scores(query, terms, vector, ordinals)
        return Candidates(query, terms, statistics, lexical, semantic, ordinals, *scores, vector)

    def _scores(
        self, query: Query, terms: Mapping[str, float], vector: Vectors | None, ordinals: Ordinals
    ) -> tuple[NDArray[np.float64], Vectors]:
        """BM25 and cosine of each of these chunks; 0 of an index that is not asked."""
        bm25 = self.lexical.scores_at(terms, ordinals, limit=query.selection.limit)
        if vector is None:
            return bm25, np.zeros(len(ordinals), dtype=np.float32)
        return bm25, self.vectors.cosines(vector, ordinals)

    def ranked(self, found: Candidates, weights: Weights, k: int) -> list[Fused]:
        """The ``k`` best of the candidates, and of what the best of them lead to."""
        if self.hopper is None or not self.preset.lifts:
            ranked = self._fused(found, weights, k)
        else:
            hops = self._hops(found, [f.ordinal for f in self._fused(found, weights, _SEEDS)], self.hopper())
            ordinals = union(found.ordinals, np.array([hop.target for hop in hops], dtype=np.intp))
            bm25, cosine = self._scores(found.query, found.terms, found.vector, ordinals)
            found = replace(found, ordinals=ordinals, bm25=bm25, cosine=cosine)
            ranked = _raised(self._fused(found, weights, None), hops)[:k]
        if len(ranked) < min(k, len(found.ordinals)):
            ranked = [*ranked, *_rest(found, ranked)][:k]
        return ranked

    def _fused(self, found: Candidates, weights: Weights, k: int | None) -> list[Fused]:
        preset = self.preset
        ceilings = {LEXICAL: self.lexical.ceiling_of(found.statistics)}
        columns: dict[str, NDArray[np.floating]] = {LEXICAL: found.bm25, SEMANTIC: found.cosine}
        if preset.evidence:
            coverage, nearness = self.lexical.evidence(found.statistics, found.ordinals)
            columns |= {COVERAGE: coverage, NEARNESS: nearness}
            weights = evidence_weights(weights)
        if preset.lifts:
            return fuse_table(found.ordinals, columns, weights=weights, ceilings=ceilings, k=k)
        lists = {name: found.hits(name) for name in (LEXICAL, SEMANTIC)}
        return fuse(preset, lists, weights=weights, ceilings=ceilings, k=k)

    def _hops(self, found: Candidates, seeds: Sequence[int], hopper: Hopper) -> list[Hop]:
        """By rare names and by order of telling, to chunks that may be found."""
        selection = found.query.selection
        hops = hopper.hops(seeds, query=found.query.text, limit=selection.limit)
        hops += neighbour_hops(seeds, documents=self._documents, limit=selection.limit)
        return [hop for hop in hops if hop.target in selection]

    def _passages(self, ranked: list[Fused]) -> list[Passage]:
        ordinals, own = [f.ordinal for f in ranked], self.chunks
        chunks = own.some(ordinals) if isinstance(own, ChunkTable) else [own[i] for i in ordinals]
        if compiled.KERNEL is not None:
            made: list[Passage] = compiled.KERNEL.passages(chunks, ranked, Passage)
            return made
        return [Passage(chunk, f.score, f.shares) for chunk, f in zip(chunks, ranked, strict=True)]

    def _reranked(self, query: Query, passages: list[Passage]) -> tuple[Passage, ...]:
        if query.least_score and query.mode != LEXICAL and passages:
            ordinals = np.array([passage.chunk.ordinal for passage in passages], dtype=np.intp)
            cosines = self.vectors.cosines(self._vector(query.text), ordinals)
            near = zip(passages, cosines.tolist(), strict=True)
            passages = [passage for passage, cosine in near if cosine >= query.least_score]
        if self.reranker is not None:
            passages = self.reranker(query.text, passages)
        return tuple(passages[: query.k])

    def _analysis(self, query: Query, statistics: Sequence[TermStatistics] | None = None) -> QueryAnalysis:
        limit = query.selection.limit
        known = self.lexical.statistics(query.text, limit=limit) if statistics is None else statistics
        return route(query.text, statistics=QueryStatistics(known, limit))

    def _vector(self, text: str) -> Vectors:
        vector = self.embedder.embed_query(text)
        if len(vector) != self.dimension:
            raise OtherVectors(
                f"{self.embedder.name} gives vectors of {len(vector)} numbers, the index holds vectors of "
                f"{self.dimension}: another model goes by that name now; index the book with --rebuild, or "
                "bring back the model that it was indexed with"
            )
        return vector

    @cached_property
    def _chapters(self) -> Sequence[int] | NDArray[np.int64]:
        if isinstance(self.chunks, ChunkTable):
            return np.ascontiguousarray(self.chunks.chapters)
        return [chunk.chapter for chunk in self.chunks]

    @cached_property
    def _documents(self) -> Sequence[str]:
        if isinstance(self.chunks, ChunkTable):
            return [self.chunks.document.id] * len(self.chunks)
        return [chunk.document_id for chunk in self.chunks]

    # --- ratings and the cache -------------------------------------------------------------------

    def rate(self, query: Query, chunk_id: str, rating: float) -> Rating:
        """Keeps how well an answer served, 0 (useless) to 1 (just right), with where each index had it.

        Ratings given since it was shown may have moved it down: it is looked for three times as deep.
        Raises UsageError where the search does not give that chunk, ConfigError for a rating out of range and
        where nothing is rated.
        """
        if self.manager is None:
            raise ConfigError("this search keeps no ratings: rate a passage of a project")
        result = self._found(replace(query, mode="hybrid", k=max(3 * query.k, _RATED_AMONG)))
        ceiling = self.lexical.ceiling_of(self.lexical.statistics(query.text, limit=query.selection.limit))
        evidence = self.preset.evidence
        places = {p.chunk.id: Placement.of(p, ceiling=ceiling, evidence=evidence) for p in result.passages}
        answer = places.pop(chunk_id, None)
        if answer is None:
            raise UsageError(
                f"the search for {query.text!r} does not give the passage {chunk_id}: "
                "rate one that it shows, at the same horizon"
            )
        weight = result.decision.semantic if result.decision else query.semantic_weight
        return self.manager.rate(
            query.text,
            answer,
            rating,
            query_class=result.analysis.query_class,
            weight=self.preset.semantic_weight if weight is None else weight,
            horizon=query.horizon,
            alternatives=list(places.values())[: query.k],
        )

    def forget_ratings(self) -> None:
        """Forgets all ratings, and what they taught."""
        if self.manager is not None:
            self.manager.reset()

    def scope(self, query: Query) -> str:
        """Everything but the wording that can change what a search gives, as one string."""
        ratings = None if self.manager is None else self.manager.stamp()
        how = [query.mode, query.filters, query.k, query.semantic_weight, query.least_score]
        return json.dumps([self.name, self.embedder.name, query.horizon.chapter, *how, ratings])


def _rest(found: Candidates, ranked: Sequence[Fused]) -> list[Fused]:
    """Candidates that neither words nor nearness speak for, the nearest first: a search gives no fewer
    passages than either index alone."""
    taken = {fused.ordinal for fused in ranked}
    return [
        Fused(hit.ordinal, 0.0, (Share(SEMANTIC, rank, hit.score, 0.0),))
        for rank, hit in enumerate(found.hits(SEMANTIC), 1)
        if hit.ordinal not in taken
    ]


def _raised(ranked: Sequence[Fused], hops: Sequence[Hop]) -> list[Fused]:
    """Best first, with a share for what a hop gave; its score is the hop's weight."""
    own = {f.ordinal: f for f in ranked}
    raised = lifted({f.ordinal: f.score for f in ranked}, hops)
    gains = sorted((-passage.gain, passage.ordinal) for passage in raised if passage.hop)
    rank = {ordinal: place for place, (_, ordinal) in enumerate(gains, start=1)}
    out = []
    for passage in raised:
        fused = own[passage.ordinal]
        if passage.hop is not None:
            share = Share(GRAPH, rank[passage.ordinal], passage.hop.weight, passage.gain, passage.hop.via)
            fused = Fused(passage.ordinal, fused.score + share.share, (*fused.shares, share))
        out.append(fused)
    return out


def _passage(chunks: Sequence[Chunk], row: Sequence[Any]) -> Passage:
    ordinal, score, shares = row
    return Passage(chunks[ordinal], score, tuple(Share(*share) for share in shares))
