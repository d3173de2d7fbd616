"""Lexical and semantic search over one book, fused, with an exact horizon."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..errors import ModelRefused
from .chunks.table import ChunkTable, Selection
from .fusion import COVERAGE, DEFAULT_PRESET, NEARNESS, Fused, FusionPreset, evidence_weights, fuse, hits_of
from .fusion.neighbours import lifted, neighbour_hops
from .fusion.table import fuse_table
from .interfaces import Embedder, Hopper, LexicalBackend, VectorBackend, Vectors
from .kernels import compiled
from .kernels.top_k import union
from .types import Chunk, CorpusStatistics, Hit, Hop, Horizon, Passage, Share, TermStatistics

GRAPH, LEXICAL, SEMANTIC = "graph", "lexical", "semantic"
_WHOLE = Horizon()
_SEEDS = 5

Ordinals = NDArray[np.intp]
_NOTHING: Ordinals = np.zeros(0, dtype=np.intp)


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """What both indexes know of one query among the chunks selected.

    ``terms`` are the query's, with their counts; empty where BM25 is not asked.
    ``lexical`` and ``semantic`` are the ordinals of each index's own list, best first. ``ordinals``
    (ascending) is their union, shape (m,); ``bm25`` and ``cosine`` are the exact scores of each of those,
    whichever list it came from, and ``ceiling`` is what no BM25 can pass. An index with weight 0 is not
    asked: its list is empty, its scores are 0.
    """

    query: str
    selection: Selection
    terms: Mapping[str, float]
    statistics: Sequence[TermStatistics]
    ceiling: float
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


class HybridSearchEngine:
    """``chunks`` in order of telling; both indexes number them the same way.

    Each index is searched ``depth * k`` deep, at least 30, before the lists are fused by the preset.
    ``hopper``, made when first needed, lets a passage keep part of the standing of one that leads to it
    (:mod:`.fusion.neighbours`).
    """

    def __init__(
        self,
        chunks: Sequence[Chunk],
        lexical: LexicalBackend,
        vectors: VectorBackend,
        embedder: Embedder,
        *,
        preset: FusionPreset = DEFAULT_PRESET,
        depth: int = 3,
        hopper: Callable[[], Hopper] | None = None,
    ) -> None:
        self.chunks = chunks
        self.preset = preset
        self._lexical = lexical
        self._vectors = vectors
        self._embedder = embedder
        self._depth = depth
        self._make_hopper = hopper

    def with_embedder(self, embedder: Embedder) -> HybridSearchEngine:
        """The same indexes, asked with another model's vectors of queries."""
        other = copy(self)
        other._embedder = embedder
        return other

    def among(self, corpus: CorpusStatistics) -> HybridSearchEngine:
        """The same indexes with BM25 as in one index of the corpus."""
        other = copy(self)
        other._lexical = self._lexical.among(corpus)
        return other

    @cached_property
    def _chapters(self) -> Sequence[int] | NDArray[np.int64]:
        if isinstance(self.chunks, ChunkTable):
            return np.ascontiguousarray(self.chunks.chapters)
        return [chunk.chapter for chunk in self.chunks]

    def limit(self, horizon: Horizon) -> int:
        """How many chunks, from the first, stand at or before the horizon."""
        if horizon.chapter is None:
            return len(self.chunks)
        return bisect_right(self._chapters, horizon.chapter)

    @cached_property
    def _hopper(self) -> Hopper | None:
        return self._make_hopper() if self._make_hopper else None

    # --- searches --------------------------------------------------------------------------------

    def search(self, query: str, k: int = 5, *, horizon: Horizon) -> list[Passage]:
        """As :meth:`search_hybrid` at the preset's weight."""
        return self.search_hybrid(query, k, horizon=horizon)

    def search_hybrid(
        self,
        query: str,
        k: int = 5,
        semantic_weight: float | None = None,
        *,
        horizon: Horizon = _WHOLE,
        selection: Selection | None = None,
        preset: FusionPreset | None = None,
    ) -> list[Passage]:
        """The ``k`` best passages; ``semantic_weight`` 0 to 1 in place of the preset's, the rest lexical.

        ``selection`` is the horizon with a filter, in place of ``horizon``. Raises ConfigError for a weight
        out of range.
        """
        chosen = preset or self.preset
        weights = chosen.weights(semantic_weight)
        found = self.candidates(query, k, self._selected(horizon, selection), weights=weights)
        return self.fused(found, k, weights=weights, preset=chosen)

    def search_semantic(
        self, query: str, k: int = 5, *, horizon: Horizon = _WHOLE, selection: Selection | None = None
    ) -> list[Passage]:
        """The ``k`` nearest passages by cosine."""
        chosen = self._selected(horizon, selection)
        return self._single(SEMANTIC, *self._near(self._vector(query), k, chosen))

    def search_lexical(
        self, query: str, k: int = 5, *, horizon: Horizon = _WHOLE, selection: Selection | None = None
    ) -> list[Passage]:
        """The ``k`` best passages by BM25; needs no embedding model."""
        chosen = self._selected(horizon, selection)
        terms = {term.term: term.count for term in self._lexical.statistics(query, limit=chosen.limit)}
        found = self._lexical.leaders(terms, k, limit=chosen.limit, mask=chosen.mask)
        return self._single(LEXICAL, *found)

    def similar(self, query: str, passages: Sequence[Passage], *, least: float) -> list[Passage]:
        """Those of the passages whose cosine to the query is at least so much."""
        ordinals = np.array([p.chunk.ordinal for p in passages], dtype=np.intp)
        if not len(ordinals):
            return []
        cosines = self._vectors.cosines(self._vector(query), ordinals)
        return [p for p, cosine in zip(passages, cosines.tolist(), strict=True) if cosine >= least]

    # --- the two steps of a hybrid search --------------------------------------------------------

    def candidates(
        self, query: str, k: int, selection: Selection, *, weights: Mapping[str, float] | None = None
    ) -> Candidates:
        """What both indexes find; one whose weight is 0 is not asked."""
        limit, deep = selection.limit, max(30, self._depth * k)
        asked = weights or {LEXICAL: 1.0, SEMANTIC: 1.0}
        statistics = self._lexical.statistics(query, limit=limit)
        terms: Mapping[str, float] = {term.term: term.count for term in statistics}
        if not asked[LEXICAL] > 0:
            terms = {}
        lexical, _ = self._lexical.leaders(terms, deep, limit=limit, mask=selection.mask)
        vector = self._vector(query) if asked[SEMANTIC] > 0 and limit else None
        semantic = self._near(vector, deep, selection)[0] if vector is not None else _NOTHING
        ordinals = union(lexical, semantic)
        return Candidates(
            query=query,
            selection=selection,
            terms=terms,
            statistics=statistics,
            ceiling=self._lexical.ceiling_of(statistics),
            lexical=lexical,
            semantic=semantic,
            ordinals=ordinals,
            bm25=self._lexical.scores_at(terms, ordinals, limit=limit),
            cosine=self._cosines(vector, ordinals),
            vector=vector,
        )

    def fused(
        self,
        found: Candidates,
        k: int,
        *,
        weights: Mapping[str, float] | None = None,
        preset: FusionPreset | None = None,
    ) -> list[Passage]:
        """The ``k`` best of the candidates by the preset, at ``weights`` in place of its own."""
        chosen = preset or self.preset
        own = chosen.weights() if weights is None else weights
        if self._hopper is None or not chosen.lifts:
            ranked = self._fuse(found, chosen, own, k)
        else:
            seeds = [f.ordinal for f in self._fuse(found, chosen, own, _SEEDS)]
            hops = self._hops(found, seeds, self._hopper)
            found = self._extended(found, hops)
            ranked = _raised(self._fuse(found, chosen, own, None), hops)[:k]
        if len(ranked) < min(k, len(found.ordinals)):
            ranked = [*ranked, *_rest(found, ranked)][:k]
        return self._passages(ranked)

    def _fuse(
        self, found: Candidates, preset: FusionPreset, weights: Mapping[str, float], k: int | None
    ) -> list[Fused]:
        ceilings = {LEXICAL: found.ceiling}
        columns: dict[str, NDArray[np.floating]] = {LEXICAL: found.bm25, SEMANTIC: found.cosine}
        if preset.evidence:
            coverage, nearness = self._lexical.evidence(found.statistics, found.ordinals)
            columns |= {COVERAGE: coverage, NEARNESS: nearness}
            weights = evidence_weights(weights)
        if preset.rule == "convex" and preset.scale == "ceiling":
            return fuse_table(found.ordinals, columns, weights=weights, ceilings=ceilings, k=k)
        if preset.needs_scores and preset.scale == "raw":
            lists = {name: hits_of(found.ordinals, column) for name, column in columns.items()}
        else:
            lists = {name: found.hits(name) for name in (LEXICAL, SEMANTIC)}
        return fuse(preset, lists, weights=weights, ceilings=ceilings, k=k)

    def _passages(self, ranked: list[Fused]) -> list[Passage]:
        kernel = compiled.KERNEL
        ordinals = [f.ordinal for f in ranked]
        chunks = self._some(ordinals)
        if kernel is not None:
            made: list[Passage] = kernel.passages(chunks, ranked, Passage)
            return made
        return [Passage(chunk, f.score, f.shares) for chunk, f in zip(chunks, ranked, strict=True)]

    def _hops(self, found: Candidates, seeds: Sequence[int], hopper: Hopper) -> list[Hop]:
        """By rare names and by order of telling, to chunks that may be found."""
        limit = found.selection.limit
        hops = hopper.hops(seeds, query=found.query, limit=limit)
        hops += neighbour_hops(seeds, documents=self._documents, limit=limit)
        return [hop for hop in hops if hop.target in found.selection]

    def _extended(self, found: Candidates, hops: Sequence[Hop]) -> Candidates:
        """With the chunks that the hops lead to, scored like the others."""
        reached = np.fromiter((hop.target for hop in hops), dtype=np.intp, count=len(hops))
        ordinals = union(found.ordinals, reached)
        bm25 = self._lexical.scores_at(found.terms, ordinals, limit=found.selection.limit)
        return replace(found, ordinals=ordinals, bm25=bm25, cosine=self._cosines(found.vector, ordinals))

    @cached_property
    def _documents(self) -> Sequence[str]:
        if isinstance(self.chunks, ChunkTable):
            return [self.chunks.document.id] * len(self.chunks)
        return [chunk.document_id for chunk in self.chunks]

    # --- single indexes --------------------------------------------------------------------------

    def _selected(self, horizon: Horizon, selection: Selection | None) -> Selection:
        return Selection(self.limit(horizon)) if selection is None else selection

    def _some(self, ordinals: list[int]) -> list[Chunk]:
        own = self.chunks
        return own.some(ordinals) if isinstance(own, ChunkTable) else [own[i] for i in ordinals]

    @property
    def dimension(self) -> int:
        """Numbers in each of the index's vectors."""
        return self._vectors.dimension

    def _vector(self, query: str) -> Vectors:
        vector = self._embedder.embed_query(query)
        if len(vector) != self.dimension:
            raise OtherVectors(
                f"{self._embedder.name} gives vectors of {len(vector)} numbers, the index holds vectors of "
                f"{self.dimension}: another model goes by that name now; index the book with --rebuild, or "
                "bring back the model that it was indexed with"
            )
        return vector

    def _cosines(self, vector: Vectors | None, ordinals: Ordinals) -> Vectors:
        if vector is None:
            return np.zeros(len(ordinals), dtype=np.float32)
        return self._vectors.cosines(vector, ordinals)

    def _near(self, vector: Vectors, k: int, selection: Selection) -> tuple[Ordinals, Vectors]:
        return self._vectors.nearest(vector, k, limit=selection.limit, mask=selection.mask)

    def _single(self, retriever: str, ordinals: Ordinals, scores: NDArray[np.floating]) -> list[Passage]:
        chunks = self._some(ordinals.tolist())
        return [
            Passage(chunk, score, (Share(retriever, rank, score, score),))
            for rank, (chunk, score) in enumerate(zip(chunks, scores.tolist(), strict=True), 1)
        ]


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
