"""What a query asks for in words that tell, and how much of it a passage holds, how near together.

Words of a question that no answer needs to repeat (who, did, her) are left out: within one tale they are
rare enough for BM25 to care. Coverage is the part of the query's idf that the passage holds, each word
counted once: coordination level matching, weighted (Salton, Fox & Wu, "Extended Boolean Information
Retrieval", 1983). Nearness adds up, for words that follow each other in the query, one over their distance
in the passage (after Rasolofo & Savoy, "Term Proximity Scoring for Keyword-Based Retrieval Systems", 2003).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ..kernels import compiled
from ..types import TermStatistics
from .tokenizing import Tokenizer

Floats = NDArray[np.float64]

_APART = 1 << 40

FUNCTION_WORDS = frozenset(
    "what who whom whose which when where why how did do does done doing has have had having he she him "
    "her his hers them you your i me my we our us its been being were am can could would should may might "
    "must shall about from after before during than so all any some each out up down over under again "
    "here just only own same too very".split()
)


@dataclass(frozen=True, slots=True)
class QueryEvidence:
    """The telling words of a query in order, each once, with their idf; ``total`` is the sum of those.

    Depends on the query and on idf alone, so at a horizon on the chunks before it.
    """

    terms: tuple[str, ...]
    idf: tuple[float, ...]
    total: float

    @classmethod
    def of(cls, terms: Iterable[TermStatistics]) -> QueryEvidence:
        """From a query's terms in order of use. Where all are function words, all of them count."""
        idf: dict[str, float] = {}
        for term in terms:
            idf.setdefault(term.term, max(term.idf, 0.0))
        telling = {word: value for word, value in idf.items() if word not in _function_terms()} or idf
        return cls(tuple(telling), tuple(telling.values()), sum(telling.values()))


def measured(
    evidence: QueryEvidence,
    numbers: Sequence[int],
    words: NDArray[np.int32],
    ends: NDArray[np.int64],
    passages: NDArray[np.intp],
) -> tuple[Floats, Floats]:
    """Coverage and nearness of passages, both in [0, 1].

    ``coverage = sum of idf of the words held / total``. ``nearness = sum over neighbours a, b in the query
    of (idf a + idf b) / 2 / distance / total``, where distance is the least number of index terms from an a
    to a b, on either side, 1 for adjacent ones. Both 0 for a query of no weight. ``numbers`` are the query's
    terms as numbers (below 0: unknown); passage i has the terms
    ``words[ends[i] : ends[i + 1]]``, in order of its text.
    """
    if (kernel := compiled.KERNEL) is not None:
        asked = np.ascontiguousarray(passages, np.intp)
        told_of = list(numbers), evidence.idf, evidence.total
        found: tuple[Floats, Floats] = kernel.evidence(words, ends, asked, *told_of)
        return found
    coverage, nearness = np.zeros(len(passages)), np.zeros(len(passages))
    if not evidence.total or not len(passages):
        return coverage, nearness
    spans = zip(ends[passages].tolist(), ends[passages + 1].tolist(), strict=True)
    parts = [words[start:end] for start, end in spans]
    told = np.concatenate(parts)
    passage = np.repeat(np.arange(len(parts)), [len(part) for part in parts])
    places = np.arange(len(told)) + passage * _APART  # words of two passages are never near
    held = [np.flatnonzero(told == number) if number >= 0 else told[:0] for number in numbers]
    for idf, own in zip(evidence.idf, held, strict=True):
        holds = np.zeros(len(parts), dtype=np.bool_)
        holds[passage[own]] = True
        coverage += idf * holds
    for i in range(len(held) - 1):
        if len(held[i]) and len(held[i + 1]):
            least = np.full(len(parts), np.inf)
            np.minimum.at(least, passage[held[i]], _to_nearest(places[held[i]], places[held[i + 1]]))
            least[least > len(told)] = np.inf  # the nearest is in another passage
            nearness += (evidence.idf[i] + evidence.idf[i + 1]) / 2 / least
    return np.minimum(coverage / evidence.total, 1), np.minimum(nearness / evidence.total, 1)


def _to_nearest(places: NDArray[np.int64], others: NDArray[np.int64]) -> NDArray[np.int64]:
    """From each place to the nearest of the others (both ascending), shape (len(places),)."""
    after = np.searchsorted(others, places)
    right = np.abs(others[np.minimum(after, len(others) - 1)] - places)
    left = np.abs(places - others[np.maximum(after - 1, 0)])
    nearest: NDArray[np.int64] = np.minimum(left, right)
    return nearest


@lru_cache(maxsize=1)
def _function_terms() -> frozenset[str]:
    return frozenset(Tokenizer().terms(" ".join(sorted(FUNCTION_WORDS))))
