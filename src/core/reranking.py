"""Passages scored a second time by a cross-encoder, which reads the query and a passage together.

Nogueira & Cho, "Passage Re-ranking with BERT" (2019). Off by default.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..errors import ConfigError
from .types import Passage, Share

if TYPE_CHECKING:
    from .answering.answer_reader import AnswerReader

RERANKER = "reranker"


def reranked_by_answers(
    reader: AnswerReader, query: str, passages: Sequence[Passage], *, weight: float = 1.0
) -> list[Passage]:
    """The same passages by :func:`reranked`: a passage's second score is the probability that one of its
    sentences answers the query, beside "not told" alone. As they are for a blank query. Raises ModelMissing
    where the reader cannot be loaded, ConfigError for a weight outside 0 to 1."""
    if not passages or not query.strip():
        return list(passages)
    read = reader.read(query, [passage.chunk.text for passage in passages], by_rank=0.0)
    shares = [0.0] * len(passages)
    for sentence in read.sentences:
        shares[sentence.passage] += sentence.share
    not_told = max(0.0, 1 - math.fsum(shares))
    scores = [share / (share + not_told) if share else 0.0 for share in shares]
    return reranked(passages, scores, weight=weight)


def reranked(
    passages: Sequence[Passage], scores: Sequence[float], *, weight: float = 1.0, retriever: str = RERANKER
) -> list[Passage]:
    """The passages by their second scores (0 to 1 each), best first, ties in order of telling.

    ``score = weight · second + (1 - weight) · first / highest first``. Shares go on summing to the
    score: the second score is a share of its own, named ``retriever``, with the rank that it alone gives,
    and comes last; the others keep their rank and score and are scaled as the first score is, so at
    weight 1 (the default: the second score replaces the first) they say who found the passage and add 0.
    Raises ConfigError for a weight outside 0 to 1 or scores that are not one a passage.
    """
    if not 0 <= weight <= 1:
        raise ConfigError(f"a reranker's weight is between 0 and 1, not {weight}")
    if len(scores) != len(passages):
        raise ConfigError(f"{len(passages)} passages need as many second scores, not {len(scores)}")
    order = sorted(range(len(scores)), key=lambda i: (-scores[i], passages[i].chunk.ordinal))
    rank = {i: place for place, i in enumerate(order, start=1)}
    highest = max((_size(passage) for passage in passages), default=0.0) or 1.0
    left = 1 - weight
    found = []
    for i, passage in enumerate(passages):
        kept = [Share(s.retriever, s.rank, s.score, s.share / highest * left) for s in passage.shares]
        own = Share(retriever, rank[i], scores[i], weight * scores[i])
        found.append(Passage(passage.chunk, own.share + passage.score / highest * left, (*kept, own)))
    return sorted(found, key=lambda p: (-p.score, p.chunk.ordinal))


def _size(passage: Passage) -> float:
    """The sum of a passage's shares without their signs: its score, unless some are negative."""
    return max(abs(passage.score), sum(abs(s.share) for s in passage.shares))
