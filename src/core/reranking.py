"""Passages scored a second time by a cross-encoder, which reads the query and a passage together.

Nogueira & Cho, "Passage Re-ranking with BERT" (2019). Off by default.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from .types import Passage, Share

if TYPE_CHECKING:
    from .answering.answer_reader import AnswerReader

RERANKER = "reranker"


def reranked_by_answers(reader: AnswerReader, query: str, passages: Sequence[Passage]) -> list[Passage]:
    """The same passages by the probability, 0 to 1, that one of a passage's sentences answers the query,
    beside "not told" alone: best first, ties in order of telling. As they are for a blank query.

    That probability is the passage's score, and a share of its own, which comes last; the other shares keep
    their rank and score, so that they say who found the passage, and add 0. Raises ModelMissing where the
    reader cannot be loaded."""
    if not passages or not query.strip():
        return list(passages)
    read = reader.read(query, [passage.chunk.text for passage in passages], by_rank=0.0)
    shares = [0.0] * len(passages)
    for sentence in read.sentences:
        shares[sentence.passage] += sentence.share
    not_told = max(0.0, 1 - math.fsum(shares))
    scores = [share / (share + not_told) if share else 0.0 for share in shares]
    order = sorted(range(len(scores)), key=lambda i: (-scores[i], passages[i].chunk.ordinal))
    found = []
    for rank, i in enumerate(order, start=1):
        before = [replace(share, share=0.0) for share in passages[i].shares]
        own = Share(RERANKER, rank, scores[i], scores[i])
        found.append(Passage(passages[i].chunk, scores[i], (*before, own)))
    return found
