"""One question to a project: filter, analyse, weigh, search, rerank; and what readers' ratings teach."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from ..config import Config
from ..core.chunks.table import Selection
from ..core.fusion import PRESETS, FusionPreset
from ..core.hybrid_search import HybridSearchEngine, OtherVectors
from ..core.interfaces import Embedder, LexicalBackend, Reranker
from ..core.lexical.bm25 import BM25Settings, LexicalIndex
from ..core.lexical.rank_bm25 import RankBM25Index
from ..core.queries.router import QueryAnalysis, QueryRouter, QueryStatistics
from ..core.queries.weight_learning import Placement, Rating
from ..core.reranking import PACKAGED, AnswerReranker, CrossEncoderReranker
from ..core.signatures.semantic_cache import CacheHit, SemanticCache, cache_scope
from ..core.text.tokenizing import Tokenizer
from ..core.types import Chunk, CorpusStatistics, Horizon, PagePlace, Passage, Share
from ..core.weight_manager import (
    DEFAULT_PRIORS,
    AdaptiveWeightManager,
    ClassPriors,
    RatingStore,
    WeightDecision,
    WeightSettings,
)
from ..errors import ConfigError, ModelError, UsageError
from ..story.names.spelling import near_names

if TYPE_CHECKING:
    from ..story.graph_rag.views.story_view import StoryView

Mode = Literal["hybrid", "semantic", "lexical"]

_WORD = re.compile(r"[^\W\d_]{3,}")
_BARE = 2  # words
_LOOKED_AT = 30
_DEPTH = 3  # as many times ``k`` are looked at where passages are left out or put in another order
_LIGHT = 100_000  # chunks


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, of which chunks (``selection``; ``filters`` names it for the cache), and how.

    ``semantic_weight`` stands in for the weight that would be decided; passages whose cosine to the query is
    below ``least_score`` are left out, where meaning is searched. Words are scored as in one index of the
    ``corpus``, where one is given (see :meth:`Searcher.corpus`). Raises ConfigError where either is not
    between 0 and 1."""

    query: str
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


class Searcher:
    """Over one project's index. ``index`` names its generation; ``ratings`` is where feedback is kept."""

    def __init__(
        self,
        hybrid: HybridSearchEngine,
        lexical: LexicalBackend,
        embedder: Embedder,
        config: Config,
        *,
        ratings: RatingStore,
        index: str,
    ) -> None:
        r = config.retrieval
        self._hybrid = hybrid
        self._lexical = lexical
        self._embedder = embedder
        self._settings = r
        self._index = index
        self._ratings = ratings
        self._router = QueryRouter()
        self._reranker = make_reranker(config)
        self.manager = AdaptiveWeightManager(ratings, settings=WeightSettings(_priors(config)))
        self.cache: SemanticCache[Any] = SemanticCache()

    @property
    def is_light(self) -> bool:
        """Whether a lexical search takes a millisecond at most: an index that is made for it and not large,
        and nothing that reads the passages once more."""
        own = isinstance(self._lexical, LexicalIndex)
        return own and self._reranker is None and len(self._lexical) <= _LIGHT

    def search(self, question: Question) -> SearchResult:
        """The ``k`` best passages and how they were weighed. Raises ConfigError for a weight out of range."""
        if question.corpus is not None:  # which the cache knows nothing of
            return self._among(question.corpus)._searched(question)
        if not self._settings.cache:
            return self._searched(question)
        scope = self.scope(question)
        vector = None if question.mode == "lexical" else self._vector(question.query)
        kept: CacheHit[Any] | None = self.cache.get(scope, question.query, vector)
        if kept is not None:
            return self._kept(question, kept)
        result = self._searched(question)
        if vector is not None:
            self.cache.put(scope, question.query, vector(), _payload(result.passages))
        return result

    def corpus(self, question: Question) -> CorpusStatistics | None:
        """What of this project the query is scored by: to be added up over several, for ``Question.corpus``.
        None where this project's scores hang on itself alone."""
        return self._lexical.corpus(question.query, limit=question.selection.limit)

    def search_or_words(self, question: Question) -> SearchResult:
        """As :meth:`search`; where the embedding model of a hybrid search fails, words alone are looked for,
        and a notice says so."""
        if question.mode != "hybrid":
            return self.search(question)
        try:
            return self.search(question)
        except OtherVectors:  # another model than the index's: it stays so until somebody sets it right
            raise
        except ModelError as error:
            found = self.search(replace(question, mode="lexical"))
            told = f"searched by words alone, since the embedding model failed: {error}"
            return replace(found, notices=(told,))

    def rate(self, question: Question, chunk_id: str, rating: float) -> Rating:
        """Keeps how well an answer served, 0 (useless) to 1 (just right), with where each index had it.

        Ratings given since it was shown may have moved it down: it is looked for three times as deep.
        Raises UsageError where the search does not give that chunk, ConfigError for a rating out of range.
        """
        result = self._searched(replace(question, mode="hybrid", k=max(3 * question.k, _LOOKED_AT)))
        ceiling = self._lexical.ceiling_of(
            self._lexical.statistics(question.query, limit=question.selection.limit)
        )
        evidence = self._hybrid.preset.evidence
        places = {p.chunk.id: Placement.of(p, ceiling=ceiling, evidence=evidence) for p in result.passages}
        answer = places.pop(chunk_id, None)
        if answer is None:
            raise UsageError(
                f"the search for {question.query!r} does not give the passage {chunk_id}: "
                "rate one that it shows, at the same horizon"
            )
        weight = result.decision.semantic if result.decision else question.semantic_weight
        return self.manager.rate(
            question.query,
            answer,
            rating,
            query_class=result.analysis.query_class,
            weight=self._hybrid.preset.semantic_weight if weight is None else weight,
            horizon=question.horizon,
            alternatives=list(places.values())[: question.k],
        )

    def _among(self, corpus: CorpusStatistics) -> Searcher:
        other = copy(self)
        other._lexical, other._hybrid = self._lexical.among(corpus), self._hybrid.among(corpus)
        return other

    # --- steps -----------------------------------------------------------------------------------

    def _searched(self, q: Question) -> SearchResult:
        deep = q.k * (_DEPTH if self._reranker or q.least_score else 1)
        if q.mode == "lexical":
            passages = self._hybrid.search_lexical(q.query, deep, selection=q.selection)
        elif q.mode == "semantic":
            passages = self._hybrid.search_semantic(q.query, deep, selection=q.selection)
        else:
            return self._fused(q, deep)
        return SearchResult(self._reranked(q, passages), self._analysed(q.query, q.selection.limit))

    def _fused(self, q: Question, deep: int) -> SearchResult:
        preset = self._hybrid.preset
        if q.semantic_weight is not None:
            weights = preset.weights(q.semantic_weight)
            found = self._hybrid.candidates(q.query, deep, q.selection, weights=weights)
            passages = self._hybrid.fused(found, deep, weights=weights)
            return SearchResult(self._reranked(q, passages), self._analysed(q.query, q.selection.limit))
        found = self._hybrid.candidates(q.query, deep, q.selection)
        statistics = QueryStatistics(found.statistics, q.selection.limit)
        analysis = self._router.route(q.query, statistics=statistics)
        decision = self.manager.decide(analysis, None, horizon=q.horizon)
        passages = self._hybrid.fused(found, deep, weights=preset.weights(decision.semantic))
        return SearchResult(self._reranked(q, passages), analysis, decision)

    def _analysed(self, query: str, limit: int) -> QueryAnalysis:
        statistics = QueryStatistics(self._lexical.statistics(query, limit=limit), limit)
        return self._router.route(query, statistics=statistics)

    def _reranked(self, q: Question, passages: Sequence[Passage]) -> tuple[Passage, ...]:
        if q.least_score and q.mode != "lexical":
            passages = self._hybrid.similar(q.query, passages, least=q.least_score)
        if self._reranker is not None:
            passages = self._reranker.rerank(q.query, passages)
        return tuple(passages[: q.k])

    # --- the cache -------------------------------------------------------------------------------

    def scope(self, q: Question) -> str:
        """Everything but the query that can change what a search gives, as one string."""
        return cache_scope(
            model=self._embedder.name,
            index=self._index,
            horizon=q.horizon,
            mode=q.mode,
            filters={"filter": q.filters},
            settings={
                "k": q.k,
                "weight": q.semantic_weight,
                "least": q.least_score,
                "ratings": self._ratings.stamp(),
                "retrieval": self._settings.model_dump(),
            },
        )

    def _vector(self, query: str) -> Callable[[], Any]:
        return lambda: self._embedder.embed_query(query)

    def _kept(self, q: Question, kept: CacheHit[Any]) -> SearchResult:
        passages = tuple(_passage(self._hybrid.chunks, row) for row in kept.payload)
        return SearchResult(passages, self._analysed(q.query, q.selection.limit), answered=kept.query)


def suggest_names(
    asked: Question, lexical: LexicalBackend, view: Callable[[int | None], StoryView]
) -> tuple[str, ...]:
    """A sentence for each name in the query that stands nowhere up to its horizon, where a name known by then
    is spelt nearly so. Capitalised words count as names, and all of a query of one or two."""
    words = _WORD.findall(asked.query)
    said = [word for word in words if word[0].isupper() or len(words) <= _BARE]
    terms_of, limit = Tokenizer().terms, asked.selection.limit
    known = {one.term for one in lexical.statistics(" ".join(said), limit=limit) if one.df}
    unknown = [word for word in said if known.isdisjoint(terms_of(word))]
    if not unknown:
        return ()
    entities = view(asked.horizon.chapter).entities()
    names = [name for one in entities for name in (one.name, *one.aliases)]
    return tuple(
        f"{word} stands nowhere in the story so far: did you mean {near}?"
        for word in dict.fromkeys(unknown)
        for near in near_names(word, names)[:1]
    )


def with_hints(
    found: SearchResult, asked: Question, lexical: LexicalBackend, view: Callable[[int | None], StoryView]
) -> SearchResult:
    """With names that were meant perhaps; where words alone found something, that is found at once."""
    if asked.mode == "lexical" and found.passages:
        return found
    return replace(found, notices=(*found.notices, *suggest_names(asked, lexical, view)))


def chapter_range(text: str) -> tuple[int, int | None]:
    """``3-9``, ``4-`` (to the horizon), ``-5`` or ``7``. Raises UsageError for anything else."""
    first, dash, last = text.strip().partition("-")
    try:
        start = int(first) if first.strip() else 1
        end = (int(last) if last.strip() else None) if dash else start
    except ValueError:
        raise UsageError(f"{text!r} is no range of chapters: write 3-9, 4- or 7") from None
    return start, end


def preset_of(config: Config) -> FusionPreset:
    """The fusion that the settings name, with their weight."""
    preset, weight = PRESETS[config.retrieval.fusion], config.retrieval.semantic_weight
    return preset if weight is None else replace(preset, semantic_weight=weight)


def bm25_settings(config: Config) -> BM25Settings:
    """As the backend scores: rank_bm25 is Okapi."""
    return BM25Settings(variant="lucene" if config.retrieval.backend == "fabula" else "okapi")


def make_lexical(config: Config, index: LexicalBackend, texts: Callable[[], list[str]]) -> LexicalBackend:
    """The index that the settings name; rank_bm25 is built from the texts, now."""
    if config.retrieval.backend == "fabula":
        return index
    return RankBM25Index.from_texts(texts(), settings=bm25_settings(config))


def make_reranker(config: Config) -> Reranker | None:
    """The cross-encoder that the settings name, if any; it is loaded at its first use."""
    r = config.retrieval
    if r.reranker == PACKAGED:
        from ..core.answering.answer_reader import packaged_reader

        return AnswerReranker(packaged_reader())
    return CrossEncoderReranker(r.reranker) if r.reranker else None


def _priors(config: Config) -> ClassPriors:
    own = preset_of(config).semantic_weight
    return ClassPriors(own, own, own) if own != DEFAULT_PRIORS.mixed else DEFAULT_PRIORS


def _payload(passages: Sequence[Passage]) -> list[list[Any]]:
    return [
        [p.chunk.ordinal, p.score, [[s.retriever, s.rank, s.score, s.share, s.via] for s in p.shares]]
        for p in passages
    ]


def _passage(chunks: Sequence[Chunk], row: Sequence[Any]) -> Passage:
    ordinal, score, shares = row
    return Passage(chunks[ordinal], score, tuple(Share(*share) for share in shares))
