"""BM25 over chunks in order of telling, exact at every horizon.

Chunks are numbered in order of telling, so a horizon is a prefix: a posting list is cut by binary
search, document frequency is the length of the cut, average length is a prefix sum. Scores at a horizon
are, to the bit, those of an index that was built on the prefix alone.

Sources: Robertson & Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009); variants
as named by Kamphuis et al., "Which BM25 Do You Mean?" (ECIR 2020).

A posting list has the chunks that hold a term, ascending, and what the term adds to each. Sums add term by
term in the order given, so the same chunk gets the same bits whichever way it is asked for; they are compiled
where that could be built.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray

from ...errors import ProjectError
from ..files.atomic import opened
from ..kernels import compiled
from ..kernels.top_k import best
from ..text.term_evidence import QueryEvidence, measured
from ..text.tokenizing import Learnt, Tokenizer, without_accents
from ..types import CorpusStatistics, TermStatistics

Ints = NDArray[np.int32]
Floats = NDArray[np.float64]
Ordinals = NDArray[np.intp]
Mask = NDArray[np.bool_]
Postings = tuple[Ints, Floats]
"""Chunks, and what each is given."""


def gains(chunks: Ints, counts: Ints, norms: Floats, factor: float) -> Floats:
    """``factor * tf / (tf + norm)`` of each posting; ``norms`` has one number for every chunk."""
    if compiled.KERNEL is not None:
        made: Floats = compiled.KERNEL.gains(chunks, counts, norms, factor)
        return made
    tf = counts.astype(np.float64)
    gained: Floats = factor * tf / (tf + norms[chunks])
    return gained


def sums(postings: list[Postings], weights: list[float], n: int) -> Floats:
    """Of each of the first ``n`` chunks, shape (n,); no posting is of a later one."""
    if compiled.KERNEL is not None:
        made: Floats = compiled.KERNEL.sums(postings, weights, n)
        return made
    if not postings:
        return np.zeros(n)
    chunks = np.concatenate([chunks for chunks, _ in postings])
    given = np.concatenate([g if w == 1 else g * w for (_, g), w in zip(postings, weights, strict=True)])
    total: Floats = np.bincount(chunks, weights=given, minlength=n).astype(np.float64, copy=False)
    return total


def sums_at(postings: list[Postings], weights: list[float], n: int, ordinals: Ordinals) -> Floats:
    """As ``sums(...)[ordinals]``, which lie below ``n``; costs a look-up a term and ordinal."""
    if compiled.KERNEL is not None:
        own = np.ascontiguousarray(ordinals, np.intp)
        found: Floats = compiled.KERNEL.sums_at(postings, weights, own)
        return found
    return sums(postings, weights, n)[ordinals]


def leaders(
    postings: list[Postings], weights: list[float], n: int, k: int, *, mask: Mask | None = None
) -> tuple[Ordinals, Floats]:
    """The ``k`` highest sums above 0 and whose they are, best first, ties to the earlier chunk. ``mask``,
    shape (n,), says which chunks may be found at all."""
    if compiled.KERNEL is not None:
        allowed = None if mask is None else np.ascontiguousarray(mask)
        best_of: tuple[Ordinals, Floats] = compiled.KERNEL.leaders(postings, weights, n, k, allowed)
        return best_of
    total = sums(postings, weights, n)
    if mask is not None:
        total *= mask
    found = best(total, k)
    return found, total[found]


def counted(words: list[int], lengths: list[int]) -> tuple[Ints, Ints, Ints]:
    """Chunk, term and count of each pair that occurs, by term, then by chunk."""
    chunk_of = np.repeat(np.arange(len(lengths), dtype=np.int64), lengths)
    pairs = np.asarray(words, dtype=np.int64) * max(len(lengths), 1) + chunk_of
    pairs, counts = np.unique(pairs, return_counts=True)
    terms, chunks = np.divmod(pairs, max(len(lengths), 1))
    return chunks.astype(np.int32), terms.astype(np.int32), counts.astype(np.int32)


Variant = Literal["lucene", "okapi"]

_FILES = ("lexical-lengths", "lexical-starts", "lexical-chunks", "lexical-counts", "lexical-words")
_VOCABULARY = "vocabulary.txt"
_KEPT_BYTES = 64 * 1024**2
_SINGLES = 20_000


@dataclass(frozen=True, slots=True)
class BM25Settings:
    """``lucene``: idf ``ln(1 + (n - df + .5) / (df + .5))``, never negative, tf part without ``k1 + 1``.
    ``okapi``: idf ``ln((n - df + .5) / (df + .5))``, where negative replaced by ``epsilon`` times the
    mean idf of the vocabulary, tf part with ``k1 + 1`` (as rank_bm25.BM25Okapi)."""

    variant: Variant = "lucene"
    k1: float = 1.5
    b: float = 0.75
    epsilon: float = 0.25

    @property
    def gain(self) -> float:
        """The factor of the tf part, and so its ceiling."""
        return self.k1 + 1 if self.variant == "okapi" else 1.0


@dataclass(eq=False)
class LexicalIndex:
    """Postings by term, chunks ascending within a term, and the terms of each chunk in order of its text;
    terms are numbered in order of first use.

    Build with :meth:`from_texts` or :meth:`load`; :meth:`appended` gives a new index with more chunks and
    tokenises only those. A term's scored postings at a horizon are kept once computed, least recently
    used out first beyond 64 MB. Searches may run in several threads.
    """

    _usual: ClassVar = BM25Settings()

    _vocabulary: dict[str, int]
    _lengths: Ints
    _starts: NDArray[np.int64]
    _chunks: Ints
    _counts: Ints
    _words: Ints
    settings: BM25Settings
    _tokenizer: Tokenizer
    _corpus: CorpusStatistics | None = None

    def __post_init__(self) -> None:
        self._total = np.concatenate([[0], np.cumsum(self._lengths, dtype=np.int64)])
        self._floors: dict[int, float] = {}
        self._singles: dict[tuple[str, int], TermStatistics] = {}
        self._scored: dict[tuple[int, int], Postings] = {}
        self._scored_bytes = 0
        self._last_norms: tuple[int, Floats] = (-1, np.zeros(0))
        self._lock = threading.Lock()

    @classmethod
    def from_texts(
        cls,
        texts: Iterable[str],
        *,
        settings: BM25Settings | None = None,
        tokenizer: Tokenizer | None = None,
    ) -> Self:
        """Tokenises every text; text number i is chunk i."""
        tokenizer, vocabulary = tokenizer or Tokenizer(), dict[str, int]()
        number, terms_of = vocabulary.setdefault, tokenizer.terms_of
        numbers: Learnt[int] = Learnt(
            lambda word: tuple(number(term, len(vocabulary)) for term in terms_of(word))
        )
        lengths: list[int] = []
        words: list[int] = []
        for text in texts:
            before = len(words)
            words.extend(chain.from_iterable(map(numbers.__getitem__, tokenizer.words(text))))
            lengths.append(len(words) - before)
        chunks, terms, counts = counted(words, lengths)
        df = np.bincount(terms, minlength=len(vocabulary))
        starts = np.concatenate([[0], np.cumsum(df, dtype=np.int64)])
        sizes, said = (np.asarray(each, dtype=np.int32) for each in (lengths, words))
        return cls(vocabulary, sizes, starts, chunks, counts, said, settings or cls._usual, tokenizer)

    def __len__(self) -> int:
        return len(self._lengths)

    def among(self, corpus: CorpusStatistics) -> Self:
        """The same chunks, scored as they would be in one index of the whole corpus: its idf and its average
        length in place of their own, at every horizon."""
        return replace(self, _corpus=corpus)

    # --- questions -------------------------------------------------------------------------------

    def leaders(
        self,
        terms: Mapping[str, float],
        k: int,
        *,
        limit: int | None = None,
        mask: NDArray[np.bool_] | None = None,
    ) -> tuple[Ordinals, Floats]:
        """The ``k`` best of the first ``limit`` chunks (all by default) that have one of these analysed
        terms, which have a weight each, and their scores. ``mask``, shape (limit,), says which may be found
        at all.

        Scores are > 0 under ``lucene``; ties go to the earlier chunk. Costs the terms' postings plus one pass
        over ``limit`` scores."""
        n = self._prefix(limit)
        return leaders(*self._given(terms, n), n, k, mask=mask)

    def scores(self, query: str, *, limit: int | None = None) -> Floats:
        """BM25 of each of the first ``limit`` chunks, shape (limit,), float64; 0 where no term is shared."""
        return self.scores_of(Counter(self._tokenizer.terms(query)), limit=limit)

    def scores_of(self, terms: Mapping[str, float], *, limit: int | None = None) -> Floats:
        """As :meth:`scores`, for analysed terms with a weight each (how often the query has it)."""
        n = self._prefix(limit)
        return sums(*self._given(terms, n), n)

    def scores_at(
        self, terms: Mapping[str, float], ordinals: Ordinals, *, limit: int | None = None
    ) -> Floats:
        """As ``scores_of(terms, limit=limit)[ordinals]``, without the scores of all the others."""
        n = self._prefix(limit)
        return sums_at(*self._given(terms, n), n, ordinals)

    def statistics(self, query: str, *, limit: int | None = None) -> list[TermStatistics]:
        """The query's distinct terms in order of first use, as they stand among the first ``limit``."""
        n = self._prefix(limit)
        found = []
        for word, weight in Counter(self._tokenizer.terms(query)).items():
            own = self._singles.get((word, n)) or self._single(word, n)
            found.append(own if weight == 1 else replace(own, count=weight))
        return found

    def corpus(self, query: str, *, limit: int | None = None) -> CorpusStatistics | None:
        """What :meth:`among` needs for this query, of the first ``limit`` chunks; None under ``okapi``, whose
        idf may need every term's."""
        if self.settings.variant == "okapi":
            return None
        n = self._prefix(limit)
        df = {term.term: term.df for term in self.statistics(query, limit=n)}
        return CorpusStatistics(n, int(self._total[n]), df)

    def _single(self, word: str, n: int) -> TermStatistics:
        """Of a term that a query has once; kept, up to so many that they hardly count."""
        term = self._vocabulary.get(word)
        df = 0 if term is None else self._df(term, n)
        own = TermStatistics(word, 1, df, self._idf_of(word, df, n))
        if len(self._singles) >= _SINGLES:
            self._singles = {}
        self._singles[word, n] = own
        return own

    def ceiling_of(self, terms: Sequence[TermStatistics]) -> float:
        """What no chunk's score can pass: the sum of the terms' idf, times ``k1 + 1`` under okapi.

        A term that no chunk holds counts too: what is asked for and nowhere told keeps scores low."""
        return self.settings.gain * sum(term.count * max(term.idf, 0) for term in terms)

    def evidence(self, terms: Sequence[TermStatistics], ordinals: Ordinals) -> tuple[Floats, Floats]:
        """Coverage and nearness of these chunks (see :mod:`.text.term_evidence`), shape (len(ordinals),)
        each."""
        asked = QueryEvidence.of(terms)
        numbers = [self._vocabulary.get(term, -1) for term in asked.terms]
        return measured(asked, numbers, self._words, self._total, ordinals)

    # --- scoring ---------------------------------------------------------------------------------

    def _prefix(self, limit: int | None) -> int:
        return len(self) if limit is None else min(limit, len(self))

    def _given(self, terms: Mapping[str, float], n: int) -> tuple[list[Postings], list[float]]:
        """The postings of those terms that some of the first ``n`` chunks hold, and their weights."""
        parts, weights = [], []
        for word, weight in terms.items():
            term = self._vocabulary.get(word)
            if term is not None and n:
                parts.append(self._postings(word, term, n))
                weights.append(weight)
        return parts, weights

    def _df(self, term: int, n: int) -> int:
        start, end = self._starts[term], self._starts[term + 1]
        return int(end - start if n == len(self) else np.searchsorted(self._chunks[start:end], np.int32(n)))

    def _postings(self, word: str, term: int, n: int) -> Postings:
        """Chunks that hold the term, and what one occurrence of it in a query adds to each."""
        with self._lock:
            kept = self._scored.pop((term, n), None)
            if kept is not None:
                self._scored[term, n] = kept
                return kept
        start, df = int(self._starts[term]), self._df(term, n)
        chunks, counts = self._chunks[start : start + df], self._counts[start : start + df]
        if df == 0:
            return chunks, np.zeros(0)
        kept = chunks, gains(chunks, counts, self._norms(n), self._idf_of(word, df, n) * self.settings.gain)
        self._keep((term, n), kept)
        return kept

    def _norms(self, n: int) -> Floats:
        """What a chunk's length adds to the denominator at a horizon, shape (n,)."""
        known, norms = self._last_norms
        if known != n:
            s = self.settings
            mean = np.float64(self._corpus.mean_length) if self._corpus else self._total[n] / n
            norms = s.k1 * (1 - s.b + s.b * self._lengths[:n] / mean)
            self._last_norms = n, norms
        return norms

    def _keep(self, key: tuple[int, int], postings: Postings) -> None:
        with self._lock:
            if key not in self._scored:
                self._scored[key] = postings
                self._scored_bytes += 8 * len(postings[1])
            while self._scored_bytes > _KEPT_BYTES:
                oldest = next(iter(self._scored))
                self._scored_bytes -= 8 * len(self._scored.pop(oldest)[1])

    def _idf_of(self, word: str, df: int, n: int) -> float:
        if self._corpus is not None:
            df, n = self._corpus.df.get(word, df), self._corpus.chunks
        if self.settings.variant == "lucene":
            return float(np.log1p((n - df + 0.5) / (df + 0.5)))
        idf = float(np.log(n - df + 0.5) - np.log(df + 0.5))
        return idf if idf >= 0 else self._floor(n)

    def _floor(self, n: int) -> float:
        """Okapi's stand-in for a negative idf: epsilon times the mean idf of the prefix's vocabulary."""
        if n not in self._floors:
            before = np.concatenate([[0], np.cumsum(self._chunks < n, dtype=np.int64)])
            df = np.diff(before[self._starts])
            df = df[df > 0]
            self._floors[n] = self.settings.epsilon * float(np.mean(np.log(n - df + 0.5) - np.log(df + 0.5)))
        return self._floors[n]

    # --- files -----------------------------------------------------------------------------------

    def save(self, folder: Path) -> None:
        """Writes five ``.npy`` files and ``vocabulary.txt`` (one term a line, in order of term number)."""
        own = (self._lengths, self._starts, self._chunks, self._counts, self._words)
        arrays: Sequence[NDArray[np.generic]] = own
        for name, array in zip(_FILES, arrays, strict=True):
            np.save(folder / f"{name}.npy", array, allow_pickle=False)
        (folder / _VOCABULARY).write_text("\n".join(self._vocabulary), encoding="utf-8", newline="\n")

    @classmethod
    def load(
        cls, folder: Path, *, settings: BM25Settings | None = None, tokenizer: Tokenizer | None = None
    ) -> LexicalIndex:
        """Opens the arrays by mmap. Raises ProjectError where files are missing or do not belong together."""
        what = "the lexical index"
        lengths, starts, chunks, counts, words_of = (opened(folder / f"{name}.npy", what) for name in _FILES)
        try:
            text = (folder / _VOCABULARY).read_text(encoding="utf-8")
        except (OSError, ValueError) as error:
            raise ProjectError(
                f"{what} in {folder.name} cannot be read ({error}): index the book again"
            ) from error
        words = text.split("\n") if text else []
        whole = len(starts) == len(words) + 1 and int(starts[-1]) == len(chunks) == len(counts)
        if not whole or int(lengths.sum()) != len(words_of) or words != [*map(without_accents, words)]:
            raise ProjectError(f"the lexical index in {folder.name} is damaged or old: index the book again")
        vocabulary = {word: i for i, word in enumerate(words)}
        made = settings or BM25Settings(), tokenizer or Tokenizer()
        return cls(vocabulary, lengths, starts, chunks, counts, words_of, *made)
