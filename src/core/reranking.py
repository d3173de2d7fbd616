"""Passages scored a second time by a cross-encoder, which reads the query and a passage together.

Nogueira & Cho, "Passage Re-ranking with BERT" (2019). Off by default.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..errors import ConfigError, ModelMissing, ModelRefused
from .types import Passage, Share

if TYPE_CHECKING:
    from sentence_transformers import CrossEncoder

    from .answering.answer_reader import AnswerReader

RERANKER = "reranker"
PACKAGED = "packaged"
"""The setting that names the reader of answers that comes with fabula."""


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
    _checked_weight(weight)
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


class AnswerReranker:
    """A Reranker by the reader of answers: a passage's second score is the probability that one of its
    sentences answers the query, beside "not told" alone."""

    def __init__(self, reader: AnswerReader, *, weight: float = 1.0) -> None:
        self._reader = reader
        self._weight = _checked_weight(weight)

    @property
    def name(self) -> str:
        """With the reader's weights, and the weight where the first score has one too."""
        made = f"{PACKAGED}:{self._reader.version}"
        return made if self._weight == 1 else f"{made}@{self._weight:g}"

    def rerank(self, query: str, passages: Sequence[Passage]) -> list[Passage]:
        """The same passages by :func:`reranked`; as they are for a blank query. Raises ModelMissing where the
        reader cannot be loaded."""
        if not passages or not query.strip():
            return list(passages)
        read = self._reader.read(query, [passage.chunk.text for passage in passages], by_rank=0.0)
        shares = [0.0] * len(passages)
        for sentence in read.sentences:
            shares[sentence.passage] += sentence.share
        not_told = max(0.0, 1 - math.fsum(shares))
        scores = [share / (share + not_told) if share else 0.0 for share in shares]
        return reranked(passages, scores, weight=self._weight)


class CrossEncoderReranker:
    """A Reranker by a sentence-transformers ``CrossEncoder`` with one output, e.g.
    ``cross-encoder/ms-marco-MiniLM-L6-v2``, or a folder that holds one.

    Loads on first use; a name that is no folder is fetched from the model hub unless ``offline``.
    A pair's score is the logistic function of the model's output, 0 to 1. What is longer than the model
    reads is cut there. Scores depend on the passages given only by the last bits (they share a batch).
    """

    def __init__(
        self,
        model: str,
        *,
        device: str = "auto",
        batch_size: int = 32,
        weight: float = 1.0,
        offline: bool = False,
    ) -> None:
        if batch_size < 1:
            raise ConfigError(f"a reranker reads at least 1 pair at a time, not {batch_size}")
        self._model_name = model
        self._device = device
        self._batch_size = batch_size
        self._weight = _checked_weight(weight)
        self._offline = offline
        self._model: CrossEncoder | None = None
        self._loading = threading.Lock()

    @property
    def name(self) -> str:
        """The model's name, with its weight where the first score has one too."""
        return self._model_name if self._weight == 1 else f"{self._model_name}@{self._weight:g}"

    @property
    def model(self) -> CrossEncoder:
        """The loaded model. Raises ModelMissing where it cannot be loaded, ModelRefused where it does not
        give one score a pair."""
        with self._loading:
            if self._model is None:
                self._model = self._load()
            return self._model

    def rerank(self, query: str, passages: Sequence[Passage]) -> list[Passage]:
        """The same passages by :func:`reranked`; nothing is loaded for no passages or a blank
        query, and the passages stay as they are.

        Raises ModelMissing like :attr:`model`, ModelRefused for a score that is not finite."""
        if not passages or not query.strip():
            return list(passages)
        # each text once: where one stands in a batch changes the last bits of its score
        texts = {text: row for row, text in enumerate(dict.fromkeys(p.chunk.text for p in passages))}
        found = self._outputs([(query, text) for text in texts])
        outputs = found[[texts[passage.chunk.text] for passage in passages]]
        for passage, output in zip(passages, outputs, strict=True):
            if not np.isfinite(output):
                raise ModelRefused(
                    f"{self._model_name} gave {output} for chunk {passage.chunk.id} "
                    f"({passage.chunk.text[:60]!r}): choose another reranker, or none"
                )
        return reranked(passages, _logistic(outputs).tolist(), weight=self._weight)

    def _outputs(self, pairs: list[tuple[str, str]]) -> NDArray[np.float64]:
        import torch

        with torch.inference_mode():
            found = self.model.predict(
                pairs,
                batch_size=self._batch_size,
                activation_fn=torch.nn.Identity(),
                show_progress_bar=False,
            )
        return np.asarray(found, dtype=np.float64)

    def _load(self) -> CrossEncoder:
        from sentence_transformers import CrossEncoder
        from transformers.utils import logging as transformers_logging

        transformers_logging.disable_progress_bar()
        device = None if self._device == "auto" else self._device
        try:
            model = CrossEncoder(self._model_name, device=device, local_files_only=self._offline)
        except (OSError, ValueError) as error:
            raise ModelMissing(
                f"the reranker {self._model_name!r} cannot be loaded ({error}): "
                "name a folder that holds a cross-encoder, go online once, or search without a reranker"
            ) from error
        if model.num_labels != 1:
            raise ModelRefused(
                f"{self._model_name!r} gives {model.num_labels} scores a pair: a reranker gives one, "
                "so choose a model trained to rank"
            )
        return model


def _checked_weight(weight: float) -> float:
    if not 0 <= weight <= 1:
        raise ConfigError(f"a reranker's weight is between 0 and 1, not {weight}")
    return weight


def _size(passage: Passage) -> float:
    """The sum of a passage's shares without their signs: its score, unless some are negative."""
    return max(abs(passage.score), sum(abs(s.share) for s in passage.shares))


def _logistic(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """``1 / (1 + exp(-x))`` without overflow."""
    return np.exp(-np.logaddexp(0.0, -x))
