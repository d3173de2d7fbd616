"""Exact BM25 over a table of postings: the terms of a query are fetched whole and scored here.

They are scored by the embedded index itself, made of these terms alone: a posting list is cut at the horizon
as there, so that scores are equal to the bit.
"""

from __future__ import annotations

import threading
from collections import Counter, OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import sqlalchemy as sa
from numpy.typing import NDArray

from ...lexical.bm25 import BM25Settings, LexicalIndex
from ...text.term_evidence import QueryEvidence, measured
from ...text.tokenizing import Tokenizer
from ...types import CorpusStatistics, Hit, TermStatistics
from .generation import Generation
from .rows import read_ints

Floats = NDArray[np.float64]
Ordinals = NDArray[np.intp]
Mask = NDArray[np.bool_]

_KEPT_BYTES = 64 * 1024**2
_NO_WORDS = np.zeros(0, dtype=np.int32)

_LENGTHS = (
    "SELECT string_agg(int4send(length), ''::bytea ORDER BY ordinal) FROM fabula.chunks "
    "WHERE book = :book AND generation = :generation"
)
# the generation's own row is in every answer, so that none means that it is gone
_POSTINGS = (
    "SELECT p.term, p.number, p.chunks, p.counts FROM fabula.generations g LEFT JOIN fabula.postings p "
    "ON p.book = g.book AND p.generation = g.generation AND p.term = ANY(:terms) "
    "WHERE g.book = :book AND g.generation = :generation"
)
_ALL_POSTINGS = (
    "SELECT term, number, chunks, counts FROM fabula.postings "
    "WHERE book = :book AND generation = :generation ORDER BY number"
)
_WORDS = (
    "SELECT ordinal, words FROM fabula.chunks "
    "WHERE book = :book AND generation = :generation AND ordinal = ANY(:ordinals)"
)
_ALL_WORDS = (
    "SELECT string_agg(words, ''::bytea ORDER BY ordinal) FROM fabula.chunks "
    "WHERE book = :book AND generation = :generation"
)


@dataclass(frozen=True, slots=True, eq=False)
class _Fetched:
    """An index of some terms; ``numbers`` are those that the chunks' words have for them."""

    index: LexicalIndex
    numbers: Mapping[str, int]
    size: int


class PostgresLexical:
    """A :class:`...interfaces.LexicalBackend`. Opening it fetches the lengths of all chunks, 4 bytes each; a
    query fetches the postings of its terms, 8 bytes for each chunk that holds one, once: those of the last
    queries are kept, up to 64 MB. Under ``okapi``, whose idf may need every term's, all postings are fetched
    at first use.
    """

    def __init__(self, generation: Generation, *, settings: BM25Settings) -> None:
        self.settings = settings
        self._generation = generation
        self._tokenizer = Tokenizer()
        self._lengths = _lengths(generation)
        self._fetched: OrderedDict[frozenset[str], _Fetched] = OrderedDict()
        self._size = 0
        self._lock = threading.Lock()
        self._corpus: CorpusStatistics | None = None

    def __len__(self) -> int:
        return len(self._lengths)

    def search(self, query: str, k: int, *, limit: int | None = None) -> list[Hit]:
        ordinals, scores = self.leaders(Counter(self._tokenizer.terms(query)), k, limit=limit)
        return list(map(Hit, ordinals.tolist(), scores.tolist()))

    def leaders(
        self, terms: Mapping[str, float], k: int, *, limit: int | None = None, mask: Mask | None = None
    ) -> tuple[Ordinals, Floats]:
        return self._over(terms).index.leaders(terms, k, limit=limit, mask=mask)

    def scores(self, query: str, *, limit: int | None = None) -> Floats:
        return self.scores_of(Counter(self._tokenizer.terms(query)), limit=limit)

    def scores_of(self, terms: Mapping[str, float], *, limit: int | None = None) -> Floats:
        return self._over(terms).index.scores_of(terms, limit=limit)

    def scores_at(
        self, terms: Mapping[str, float], ordinals: Ordinals, *, limit: int | None = None
    ) -> Floats:
        return self._over(terms).index.scores_at(terms, ordinals, limit=limit)

    def statistics(self, query: str, *, limit: int | None = None) -> list[TermStatistics]:
        return self._over(self._tokenizer.terms(query)).index.statistics(query, limit=limit)

    def corpus(self, query: str, *, limit: int | None = None) -> CorpusStatistics | None:
        if self.settings.variant == "okapi":
            return None
        return self._over(self._tokenizer.terms(query)).index.corpus(query, limit=limit)

    def among(self, corpus: CorpusStatistics) -> PostgresLexical:
        """The same chunks, scored as in one index of the corpus; what is fetched is shared."""
        own = copy(self)
        own._corpus = corpus
        return own

    def ceiling_of(self, terms: Sequence[TermStatistics]) -> float:
        return self._over(()).index.ceiling_of(terms)

    def evidence(self, terms: Sequence[TermStatistics], ordinals: Ordinals) -> tuple[Floats, Floats]:
        """Coverage and nearness of each chunk; fetches their words."""
        asked = QueryEvidence.of(terms)
        numbers = self._over(term.term for term in terms).numbers
        words = self._words(ordinals.tolist())
        ends = np.cumsum([0, *map(len, words)], dtype=np.int64)
        places = np.arange(len(words), dtype=np.intp)
        told = np.concatenate([_NO_WORDS, *words])
        return measured(asked, [numbers.get(term, -1) for term in asked.terms], told, ends, places)

    def _words(self, ordinals: list[int]) -> list[NDArray[np.int32]]:
        if not ordinals:
            return []
        found = {row.ordinal: row.words for row in self._generation.rows(_WORDS, ordinals=ordinals)}
        if len(found) < len(set(ordinals)):
            raise self._generation.broken("the words")
        return [read_ints(found[ordinal]) for ordinal in ordinals]

    def _over(self, terms: Iterable[str]) -> _Fetched:
        """The index of these terms at least, among others where it stands among them."""
        found = self._own(terms)
        return replace(found, index=found.index.among(self._corpus)) if self._corpus else found

    def _own(self, terms: Iterable[str]) -> _Fetched:
        if self.settings.variant == "okapi":
            return self._whole
        key = frozenset(terms)
        with self._lock:
            if key in self._fetched:
                self._fetched.move_to_end(key)
                return self._fetched[key]
        made = self._fetch(key)
        with self._lock:
            if key not in self._fetched:
                self._fetched[key] = made
                self._size += made.size
            while self._size > _KEPT_BYTES and len(self._fetched) > 1:
                self._size -= self._fetched.popitem(last=False)[1].size
        return made

    def _fetch(self, terms: frozenset[str]) -> _Fetched:
        rows = self._generation.rows(_POSTINGS, terms=sorted(terms)) if terms else []
        if terms and not rows:
            self._generation.check()
        found = sorted((row for row in rows if row.term is not None), key=lambda row: int(row.number))
        chunks = [read_ints(row.chunks) for row in found]
        counts = [read_ints(row.counts) for row in found]
        index = LexicalIndex(
            {row.term: i for i, row in enumerate(found)},
            self._lengths,
            np.cumsum([0, *map(len, chunks)], dtype=np.int64),
            np.concatenate([_NO_WORDS, *chunks]),
            np.concatenate([_NO_WORDS, *counts]),
            _NO_WORDS,
            settings=self.settings,
            tokenizer=self._tokenizer,
        )
        # with the scores that the index keeps, and its sums of lengths
        size = 16 * sum(map(len, chunks)) + 16 * len(self._lengths)
        return _Fetched(index, {row.term: row.number for row in found}, size)

    @cached_property
    def _whole(self) -> _Fetched:
        rows, index = _all_postings(self._generation, self._lengths, self.settings, self._tokenizer)
        return _Fetched(index, {row.term: row.number for row in rows}, 0)


def whole_index(generation: Generation, *, settings: BM25Settings) -> LexicalIndex:
    """All postings and words as an index in memory. Raises ProjectError where they are not whole."""
    return _all_postings(generation, _lengths(generation), settings, Tokenizer(), words=True)[1]


def _lengths(generation: Generation) -> NDArray[np.int32]:
    lengths = read_ints(generation.rows(_LENGTHS)[0][0], ">i4")
    if len(lengths) != generation.chunks:
        raise generation.broken("the chunks")
    return lengths


def _all_postings(
    generation: Generation,
    lengths: NDArray[np.int32],
    settings: BM25Settings,
    tokenizer: Tokenizer,
    *,
    words: bool = False,
) -> tuple[Sequence[sa.Row[*tuple[Any, ...]]], LexicalIndex]:
    rows = generation.rows(_ALL_POSTINGS)
    if [row.number for row in rows] != list(range(generation.postings)):
        raise generation.broken("the postings")
    chunks = [read_ints(row.chunks) for row in rows]
    told = read_ints(generation.rows(_ALL_WORDS)[0][0]) if words else _NO_WORDS
    if words and len(told) != int(lengths.sum()):
        raise generation.broken("the words")
    return rows, LexicalIndex(
        {row.term: row.number for row in rows},
        lengths,
        np.cumsum([0, *map(len, chunks)], dtype=np.int64),
        np.concatenate([_NO_WORDS, *chunks]),
        np.concatenate([_NO_WORDS, *(read_ints(row.counts) for row in rows)]),
        told,
        settings=settings,
        tokenizer=tokenizer,
    )
