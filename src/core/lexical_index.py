"""BM25 over chunks in order of telling, exact at every horizon.

Chunks are numbered in order of telling, so a horizon is a prefix: a posting list is cut by binary
search, document frequency is the length of the cut, average length is a prefix sum. Scores at a horizon
are those of an index that was built on the prefix alone.

Sources: Robertson & Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009); variants
as named by Kamphuis et al., "Which BM25 Do You Mean?" (ECIR 2020).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from ..errors import ProjectError
from .tokenizing import Tokenizer
from .types import Hit

__all__ = ["BM25Settings", "LexicalIndex", "Variant"]

Variant = Literal["lucene", "okapi"]
Ints = NDArray[np.int32]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class BM25Settings:
    """``lucene``: idf ``ln(1 + (n - df + .5) / (df + .5))``, never negative, tf part without ``k1 + 1``.
    ``okapi``: idf ``ln((n - df + .5) / (df + .5))``, where negative replaced by ``epsilon`` times the
    mean idf of the vocabulary, tf part with ``k1 + 1`` (as rank_bm25.BM25Okapi)."""

    variant: Variant = "lucene"
    k1: float = 1.5
    b: float = 0.75
    epsilon: float = 0.25


class LexicalIndex:
    """Postings in two orders: by chunk (append-only, what is saved) and by term (derived, what is read).

    Build with :meth:`from_texts` or :meth:`load`; :meth:`appended` gives a new index with more chunks and
    tokenises only those.
    """

    def __init__(
        self,
        vocabulary: dict[str, int],
        lengths: Ints,
        chunk_of: Ints,
        term_of: Ints,
        count_of: Ints,
        *,
        settings: BM25Settings,
        tokenizer: Tokenizer,
    ) -> None:
        self.settings = settings
        self._tokenizer = tokenizer
        self._vocabulary = vocabulary
        self._by_chunk = (chunk_of, term_of, count_of)
        order = np.argsort(term_of, kind="stable")
        self._chunks, self._counts = chunk_of[order], count_of[order]
        self._starts = np.searchsorted(term_of[order], np.arange(len(vocabulary) + 1))
        self._lengths = lengths
        self._total = np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])
        self._floors: dict[int, float] = {}

    @classmethod
    def from_texts(
        cls,
        texts: Iterable[str],
        *,
        settings: BM25Settings | None = None,
        tokenizer: Tokenizer | None = None,
    ) -> LexicalIndex:
        none = np.empty(0, np.int32)
        empty = cls(
            {},
            none,
            none,
            none,
            none,
            settings=settings or BM25Settings(),
            tokenizer=tokenizer or Tokenizer(),
        )
        return empty.appended(texts)

    def __len__(self) -> int:
        return len(self._lengths)

    def appended(self, texts: Iterable[str]) -> LexicalIndex:
        """A new index: these chunks after the present ones. The present index stays as it is."""
        vocabulary = dict(self._vocabulary)
        chunks: list[int] = []
        terms: list[int] = []
        counts: list[int] = []
        lengths: list[int] = []
        for ordinal, text in enumerate(texts, start=len(self)):
            found: dict[int, int] = {}
            words = self._tokenizer.terms(text)
            for word in words:
                term = vocabulary.setdefault(word, len(vocabulary))
                found[term] = found.get(term, 0) + 1
            chunks.extend([ordinal] * len(found))
            terms.extend(found)
            counts.extend(found.values())
            lengths.append(len(words))
        old_chunks, old_terms, old_counts = self._by_chunk
        return LexicalIndex(
            vocabulary,
            _joined(self._lengths, lengths),
            _joined(old_chunks, chunks),
            _joined(old_terms, terms),
            _joined(old_counts, counts),
            settings=self.settings,
            tokenizer=self._tokenizer,
        )

    def truncated(self, limit: int) -> LexicalIndex:
        """A new index of the first ``limit`` chunks, equal to one that never saw the others."""
        chunk_of, term_of, count_of = self._by_chunk
        cut = int(np.searchsorted(chunk_of, limit))
        known = int(term_of[:cut].max(initial=-1)) + 1  # terms are numbered in order of first use
        words = {word: term for word, term in self._vocabulary.items() if term < known}
        return LexicalIndex(
            words,
            self._lengths[:limit],
            chunk_of[:cut],
            term_of[:cut],
            count_of[:cut],
            settings=self.settings,
            tokenizer=self._tokenizer,
        )

    def search(self, query: str, k: int, *, limit: int | None = None) -> list[Hit]:
        """The ``k`` best of the first ``limit`` chunks (all by default) that share a term with the query.

        Scores are > 0 under ``lucene``; ties go to the earlier chunk. Costs the postings of the query's
        terms plus one pass over ``limit`` scores.
        """
        n = len(self) if limit is None else min(limit, len(self))
        scores = self.scores(query, limit=n)
        touched = np.flatnonzero(scores)
        if len(touched) > k > 0:
            worst = np.partition(scores[touched], len(touched) - k)[len(touched) - k]
            touched = touched[scores[touched] >= worst]
        order = np.lexsort((touched, -scores[touched]))[:k]
        return [Hit(int(i), float(scores[i])) for i in touched[order]]

    def scores(self, query: str, *, limit: int | None = None) -> Floats:
        """BM25 of each of the first ``limit`` chunks, shape (limit,), float64; 0 where no term is shared."""
        n = len(self) if limit is None else min(limit, len(self))
        scores = np.zeros(n)
        if n == 0:
            return scores
        s = self.settings
        average = self._total[n] / n
        for word in self._tokenizer.terms(query):
            term = self._vocabulary.get(word)
            if term is None:
                continue
            chunks, counts = self._postings(term, n)
            if len(chunks) == 0:
                continue
            tf = counts.astype(np.float64)
            norm = s.k1 * (1 - s.b + s.b * self._lengths[chunks] / average)
            gain = s.k1 + 1 if s.variant == "okapi" else 1.0
            scores[chunks] += self._idf(len(chunks), n) * tf * gain / (tf + norm)
        return scores

    def _postings(self, term: int, n: int) -> tuple[Ints, Ints]:
        start, end = self._starts[term], self._starts[term + 1]
        cut = start + np.searchsorted(self._chunks[start:end], n)
        return self._chunks[start:cut], self._counts[start:cut]

    def _idf(self, df: int, n: int) -> float:
        if self.settings.variant == "lucene":
            return float(np.log1p((n - df + 0.5) / (df + 0.5)))
        idf = float(np.log(n - df + 0.5) - np.log(df + 0.5))
        return idf if idf >= 0 else self._floor(n)

    def _floor(self, n: int) -> float:
        """Okapi's stand-in for a negative idf: epsilon times the mean idf of the prefix's vocabulary."""
        if n not in self._floors:
            chunk_of, term_of, _ = self._by_chunk
            df = np.bincount(term_of[: np.searchsorted(chunk_of, n)])
            df = df[df > 0]
            self._floors[n] = self.settings.epsilon * float(np.mean(np.log(n - df + 0.5) - np.log(df + 0.5)))
        return self._floors[n]

    def save(self, folder: Path) -> None:
        """Writes ``lexical.npz`` and ``vocabulary.txt`` (one term a line, in order of term number)."""
        chunk_of, term_of, count_of = self._by_chunk
        np.savez(folder / "lexical.npz", lengths=self._lengths, chunk=chunk_of, term=term_of, count=count_of)
        words: Sequence[str] = list(self._vocabulary)
        (folder / "vocabulary.txt").write_text("\n".join(words), encoding="utf-8", newline="\n")

    @classmethod
    def load(
        cls, folder: Path, *, settings: BM25Settings | None = None, tokenizer: Tokenizer | None = None
    ) -> LexicalIndex:
        """Raises ProjectError where the files are missing or do not belong together."""
        try:
            with (folder / "lexical.npz").open("rb") as file, np.load(file, allow_pickle=False) as arrays:
                lengths, chunk, term, count = (arrays[x] for x in ("lengths", "chunk", "term", "count"))
            text = (folder / "vocabulary.txt").read_text(encoding="utf-8")
        except (OSError, ValueError, KeyError, EOFError, BadZipFile) as error:
            raise ProjectError(
                f"the lexical index in {folder.name} cannot be read ({error}): index the book again"
            ) from error
        words = text.split("\n") if text else []
        if not len(chunk) == len(term) == len(count) or (len(term) and int(term.max()) >= len(words)):
            raise ProjectError(f"the lexical index in {folder.name} is damaged: index the book again")
        return cls(
            {word: i for i, word in enumerate(words)},
            lengths,
            chunk,
            term,
            count,
            settings=settings or BM25Settings(),
            tokenizer=tokenizer or Tokenizer(),
        )


def _joined(old: Ints, new: list[int]) -> Ints:
    return np.concatenate([old, np.asarray(new, dtype=np.int32)])
