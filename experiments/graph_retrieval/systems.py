"""What the graph experiment compares: ways to let a passage profit from the passages that lead to it.

Each system takes a question to its ten best ordinals. The fused search is simulated as the engine runs it:
both lists 30 deep, both exact scores of every candidate, and of every passage that a hop reaches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from fabula.core.fusion.neighbours import lifted, neighbour_hops
from fabula.core.types import Hit, Hop
from fabula.story.graph_rag.passage_graph import PassageGraph

__all__ = ["BASES", "DEFAULT", "SHARES", "TOP", "Book", "Question", "System", "systems"]

DEPTH = 30
TOP = 10
SEEDS = 5
WEIGHT = 0.4  # of the cosine: the best fixed one on other data
SHARES = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7)
BASES = ("bm25", "dense", "rrf-5", "rrf-60", "convex")
DEFAULT = "entities + neighbours, share 0.5"

Floats = NDArray[np.float64]
Scores = dict[int, float]


@dataclass(frozen=True, eq=False)
class Book:
    """Passages that are searched together, by ordinal: their document, and the graphs over them."""

    documents: Sequence[str]
    graph: PassageGraph
    untitled: PassageGraph

    @cached_property
    def walk(self) -> sparse.csr_matrix:
        """One step passage → entity → passage: each entity is left evenly, each passage by 1 / df."""
        names: dict[str, int] = {}
        pairs = [
            (i, names.setdefault(name, len(names)))
            for i in range(len(self.graph))
            for name in self.graph.entities(i)
        ]
        rows, columns = np.asarray(pairs, dtype=np.intp).reshape(-1, 2).T
        shape = (len(self.graph), len(names))
        has = sparse.csr_matrix((np.ones(len(rows)), (rows, columns)), shape=shape)
        df = np.asarray(has.sum(axis=0)).ravel()  # at least 1: who is named is named somewhere
        rare = has @ sparse.diags(np.where(df > 1, 1 / df, 0.0))
        out = np.asarray(rare.sum(axis=1)).ravel()
        even = sparse.diags(np.where(out > 0, 1 / np.where(out > 0, out, 1.0), 0.0)) @ rare
        return sparse.csr_matrix(even @ (sparse.diags(1 / df) @ has.T))


@dataclass(frozen=True, eq=False)
class Question:
    """``bm25`` and ``cosine`` of every passage of the book; ``relevant`` are ordinals of the book."""

    id: str
    text: str
    group: str
    sets: tuple[str, ...]
    book: Book
    bm25: Floats
    cosine: Floats
    ceiling: float
    relevant: frozenset[int]

    @cached_property
    def lists(self) -> dict[str, list[int]]:
        return {"lexical": _first(self.bm25, self.bm25 > 0), "semantic": _first(self.cosine)}

    @cached_property
    def convex(self) -> Floats:
        """``(1 - w) BM25 / ceiling + w cosine`` of every passage."""
        return (1 - WEIGHT) * self.bm25 / max(self.ceiling, 1e-9) + WEIGHT * self.cosine

    @cached_property
    def _hops(self) -> dict[tuple[int, str, bool], list[Hop]]:
        return {}

    def hops(self, seeds: Iterable[int], *, ask: bool, titled: bool) -> list[Hop]:
        """The graph's hops from the seeds, computed once for all systems."""
        graph, query = self.book.graph if titled else self.book.untitled, self.text if ask else ""
        found: list[Hop] = []
        for seed in seeds:
            key = seed, query, titled
            if key not in self._hops:
                self._hops[key] = graph.hops([seed], query=query)
            found += self._hops[key]
        return found

    @cached_property
    def pool(self) -> list[int]:
        return sorted({o for found in self.lists.values() for o in found})

    def seeds(self, count: int = SEEDS) -> list[int]:
        return sorted(self.pool, key=lambda o: (-self.convex[o], o))[:count]

    def scores(self, reached: Iterable[int] = ()) -> Scores:
        return {o: float(self.convex[o]) for o in {*self.pool, *reached}}

    def hits(self) -> dict[str, list[Hit]]:
        """The two lists as the indexes give them."""
        own = {"lexical": self.bm25, "semantic": self.cosine}
        return {name: [Hit(o, float(own[name][o])) for o in found] for name, found in self.lists.items()}


System = Callable[[Question], list[int]]


def systems() -> dict[str, System]:
    """By name; the bases first."""
    found: dict[str, System] = {
        "bm25": lambda q: q.lists["lexical"][:TOP],
        "dense": lambda q: q.lists["semantic"][:TOP],
        "rrf-5": lambda q: _best(_rrf(q.lists.values(), 5)),
        "rrf-60": lambda q: _best(_rrf(q.lists.values(), 60)),
        "convex": lambda q: _best(q.scores()),
    }
    found |= {f"entities + neighbours, share {share}": _lifting(share=share) for share in SHARES}
    found |= {
        "entities alone": _lifting(neighbours=0.0),
        "neighbours alone": _lifting(entities=False),
        "neighbours at half weight": _lifting(neighbours=0.5),
        "3 seeds": _lifting(seeds=3),
        "10 seeds": _lifting(seeds=10),
        "entities of the query carry hops too": _lifting(ask=False),
        "titles unknown": _lifting(titled=False),
        "two rounds": _lifting(rounds=2),
        "rrf-5 with a third list": _third_list,
        "convex + 0.1 graph hits": _added(0.1, _hit_scores),
        "convex + 0.2 graph hits": _added(0.2, _hit_scores),
        "convex + 0.1 PageRank": _added(0.1, _pagerank),
        "convex + 0.2 PageRank": _added(0.2, _pagerank),
        "convex + 0.3 best neighbour": _added(0.3, _best_neighbour),
        "convex + 0.3 mean neighbour": _added(0.3, _mean_neighbour),
        "convex + 0.4 best of document": _added(0.4, _best_of_document),
        "lift 0.2 to best of document": _lifting(entities=False, neighbours=0.0, document=0.4),
        "default and best of document": _lifting(document=0.4),
    }
    return found


def _lifting(
    *,
    share: float = 0.5,
    entities: bool = True,
    neighbours: float = 1.0,
    document: float = 0.0,
    seeds: int = SEEDS,
    ask: bool = True,
    titled: bool = True,
    rounds: int = 1,
) -> System:
    def ranked(question: Question) -> list[int]:
        book, top = question.book, question.seeds(seeds)
        scores = question.scores()
        for _ in range(rounds):
            hops: list[Hop] = []
            if entities:
                hops += question.hops(top, ask=ask, titled=titled)
            if neighbours:
                hops += neighbour_hops(top, documents=book.documents, weight=neighbours)
            if document:
                hops += _document_hops(question, top, document)
            scores = {**question.scores(hop.target for hop in hops), **scores}
            passages = lifted(scores, hops, share=share)
            scores = {passage.ordinal: passage.score for passage in passages}
            top = [passage.ordinal for passage in passages[:seeds]]
        return _best(scores)

    return ranked


def _document_hops(question: Question, seeds: Sequence[int], weight: float) -> list[Hop]:
    documents = question.book.documents
    return [
        Hop(seed, o, weight, "the same document")
        for seed in seeds
        for o in question.pool
        if o != seed and documents[o] == documents[seed]
    ]


def _third_list(question: Question) -> list[int]:
    graph = question.book.graph.search(question.text, DEPTH, limit=len(question.bm25), seeds=question.hits())
    return _best(_rrf([*question.lists.values(), [hit.ordinal for hit in graph]], 5))


def _added(weight: float, more: Callable[[Question], Mapping[int, float]]) -> System:
    def ranked(question: Question) -> list[int]:
        extra = more(question)
        scores = question.scores(extra)
        return _best({o: score + weight * extra.get(o, 0.0) for o, score in scores.items()})

    return ranked


def _hit_scores(question: Question) -> Scores:
    limit = len(question.bm25)
    hits = question.book.graph.search(question.text, DEPTH, limit=limit, seeds=question.hits())
    return {hit.ordinal: hit.score for hit in hits}


def _pagerank(question: Question) -> Scores:
    """Personalised PageRank (Haveliwala 2002) over passages and entities, restarted at the seeds by their
    scores with probability a half, as in HippoRAG; the largest is scaled to 1."""
    restart = np.zeros(len(question.bm25))
    seeds = question.seeds()
    restart[seeds] = np.maximum(question.convex[seeds], 0.0)
    restart /= max(restart.sum(), 1e-12)
    standing = restart
    back = question.book.walk.T
    for _ in range(10):
        standing = 0.5 * restart + 0.5 * (back @ standing)
    best = np.argsort(-standing, kind="stable")[:DEPTH]
    top = max(float(standing[best[0]]), 1e-12)
    return {int(o): float(standing[o]) / top for o in best if standing[o] > 0}


def _beside(question: Question, ordinal: int) -> list[float]:
    hops = neighbour_hops([ordinal], documents=question.book.documents)
    return [float(question.convex[hop.target]) for hop in hops]


def _best_neighbour(question: Question) -> Scores:
    return {o: max(_beside(question, o), default=0.0) for o in question.pool}


def _mean_neighbour(question: Question) -> Scores:
    return {o: sum(_beside(question, o)) / 2 for o in question.pool}


def _best_of_document(question: Question) -> Scores:
    best: dict[str, float] = {}
    for o in question.pool:
        document = question.book.documents[o]
        best[document] = max(best.get(document, 0.0), float(question.convex[o]))
    return {o: best[question.book.documents[o]] for o in question.pool}


def _first(scores: Floats, admitted: NDArray[np.bool_] | None = None) -> list[int]:
    best = np.lexsort((np.arange(len(scores)), -scores))[:DEPTH]
    found: list[int] = (best if admitted is None else best[admitted[best]]).tolist()
    return found


def _rrf(lists: Iterable[Sequence[int]], constant: int) -> Scores:
    scores: Scores = {}
    for found in lists:
        for rank, ordinal in enumerate(found, start=1):
            scores[ordinal] = scores.get(ordinal, 0.0) + 1 / (constant + rank)
    return scores


def _best(scores: Mapping[int, float]) -> list[int]:
    return sorted(scores, key=lambda o: (-scores[o], o))[:TOP]
