"""Which sentence of some passages answers a question, and with which of its words: a cross-encoder.

The encoder that search uses, all-MiniLM-L6-v2, reads the question and a passage together, with low-rank
adapters on its matrices (LoRA: Hu et al., 2021). A sentence's score is the cosine of its mean token and the
question's, weighted by dimension, corrected by that mean, by the passage's first token and by the sentence's
highest single tokens; scores of all sentences of a question's passages, and one fixed score for "not told",
are normalised together, so that they can be compared between passages (shared normalisation: Clark & Gardner,
2018). The words that answer are marked by their first and last token (Devlin et al., 2019).
``training/answer_reader.py`` fits the adapters; ``training/answer_reader.md`` is the model card.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...errors import ModelMissing
from ..encoders.adapters import CrossEncoder
from ..encoders.bert import Array, EncoderShape
from ..encoders.prefixes import packaged_shape
from ..text.sentences import sentences
from ..types import Span

WEIGHTS = Path(__file__).with_name("answer_weights.npz")
QUESTION_TOKENS, PASSAGE_TOKENS, ANSWER_TOKENS = 48, 256, 25
"""So much of a question is read; so much of a passage at once; so long an answer may be."""
SHOWN = 3
"""So many sentences are shown as an answer."""
BY_RANK = 0.5
"""Chosen on novels and short stories left out of training."""
_LEAST = 1e-6  # of a probability whose odds are taken


@dataclass(frozen=True, slots=True)
class ReadSentence:
    """``span`` is the sentence and ``words`` the part of it that answers best, both in the text of passage
    number ``passage``. ``share`` is the probability, 0 to 1, that this sentence answers, as the reader has
    it: those of all sentences and of "not told" sum to 1."""

    passage: int
    span: Span
    words: Span
    share: float


@dataclass(frozen=True, slots=True)
class AnswerRead:
    """``sentences`` are all that were read, best first; a sentence in the overlap of two passages is there
    twice. ``told`` is the probability, 0 to 1, that one of the first :data:`SHOWN` answers, and ``first``
    that the best does: their shares, scaled to what was measured on questions left out of training (Platt,
    1999)."""

    sentences: tuple[ReadSentence, ...]
    told: float
    first: float


@dataclass(frozen=True, slots=True)
class Piece:
    """Whole sentences of a passage that are read at once: token ids, where each token stands in the passage,
    and the tokens of each sentence."""

    passage: int
    ids: list[int]
    offsets: list[tuple[int, int]]
    sentences: list[tuple[Span, int, int]]


class AnswerReader(CrossEncoder):
    """Reads sentences that answer."""

    def __init__(self, shape: EncoderShape, *, weights: Path = WEIGHTS) -> None:
        super().__init__(shape, weights)

    @cached_property
    def _tokens(self) -> PairTokens:
        return PairTokens(self._shape)

    def read(
        self,
        question: str,
        passages: Sequence[str],
        *,
        by_rank: float = BY_RANK,
        may_answer: Callable[[int, Span], bool] | None = None,
    ) -> AnswerRead:
        """All sentences of ``passages``, best first, ties in order; with ``may_answer`` those of a passage,
        by its number, of which it is true. Passages come in the order of a search: from a score that
        passage's rank takes ``by_rank * log(rank)``, ranks counting from 1. Raises ModelMissing where the
        encoder or the weights are not there."""
        asked = self._tokens.question(question)
        pieces = [piece for i, text in enumerate(passages) for piece in self._tokens.pieces(i, text)]
        encode, end = self._encoder.states, self._tokens.end

        def states_of(piece: Piece) -> Array:
            return encode([*asked, *piece.ids, end], second=len(asked))

        encoded = self._workers.map(states_of, pieces)
        read = [
            (score - by_rank * math.log1p(piece.passage), sentence)
            for piece, states in zip(pieces, encoded, strict=True)
            for score, sentence in self._scored(piece, states, len(asked))
            if may_answer is None or may_answer(sentence.passage, sentence.span)
        ]
        read.sort(key=lambda one: (-one[0], one[1].passage, one[1].span.start))
        if not read:
            return AnswerRead((), 0.0, 0.0)
        scores = np.array([score for score, _ in read] + [float(self._fitted["null"])])
        shares = np.exp(scores - scores.max())
        shares /= shares.sum()
        found = [
            ReadSentence(one.passage, one.span, one.words, float(share))
            for (_, one), share in zip(read, shares, strict=False)
        ]
        told, first = self._fitted["calibration"].tolist()
        shown = sum(one.share for one in found[:SHOWN])
        return AnswerRead(tuple(found), _calibrated(shown, *told), _calibrated(found[0].share, *first))

    def _scored(self, piece: Piece, states: Array, first: int) -> Iterator[tuple[float, ReadSentence]]:
        """The piece's sentences; the passage's tokens stand in ``states`` from ``first`` on."""
        heads, width = self._fitted, self._shape.width
        match = _unit(states[:first].mean(axis=0)) * heads["match"]
        whole = states[0] @ heads["sentence"][width:]
        peaks = np.exp(states[first:-1] @ heads["token"])
        marks = states[first:-1] @ heads["words"].T
        for span, start, stop in piece.sentences:
            said = states[first + start : first + stop].mean(axis=0)
            score = _unit(said) @ match + said @ heads["sentence"][:width] + whole
            score = float(score + np.log(peaks[start:stop].sum()))
            begin, end = _best_words(marks[start:stop])
            words = Span(piece.offsets[start + begin][0], piece.offsets[start + end][1])
            yield score, ReadSentence(piece.passage, span, words, 0.0)


class PairTokens:
    """A question and passages to token ids, as one text of two."""

    def __init__(self, shape: EncoderShape) -> None:
        from tokenizers import Tokenizer

        self._tokenizer = Tokenizer.from_file(str(shape.folder / "tokenizer.json"))
        self._tokenizer.no_padding()  # the file carries those of its training
        self._tokenizer.no_truncation()
        self.first, self.end = self._mark("[CLS]"), self._mark("[SEP]")
        self._kept = lru_cache(maxsize=4096)(self._pieces)

    def _mark(self, mark: str) -> int:
        found: int | None = self._tokenizer.token_to_id(mark)
        if found is None:
            raise ModelMissing(f"the embedding model's tokenizer knows no {mark}: install the model again")
        return found

    def question(self, text: str) -> list[int]:
        """The first of the two texts, with the marks around it."""
        return [self.first, *self.plain(text)[:QUESTION_TOKENS], self.end]

    def plain(self, text: str) -> list[int]:
        """A text without the marks around it."""
        ids: list[int] = self._tokenizer.encode(text, add_special_tokens=False).ids
        return ids

    def pieces(self, number: int, text: str) -> list[Piece]:
        """The passage in whole sentences, of a long sentence what can be read at once."""
        return [Piece(number, *piece) for piece in self._kept(text)]

    def _pieces(
        self, text: str
    ) -> list[tuple[list[int], list[tuple[int, int]], list[tuple[Span, int, int]]]]:
        found = self._tokenizer.encode(text, add_special_tokens=False)
        offsets: list[tuple[int, int]] = found.offsets
        spans = sentences(text)
        starts = np.searchsorted([a for a, _ in offsets], [span.start for span in spans]).tolist()
        cuts: list[list[tuple[Span, int, int]]] = [[]]
        for span, (start, stop) in zip(spans, pairwise([*starts, len(offsets)]), strict=True):
            if start == stop:
                continue
            if cuts[-1] and stop - cuts[-1][0][1] > PASSAGE_TOKENS:
                cuts.append([])
            cuts[-1].append((span, start, min(stop, start + PASSAGE_TOKENS)))
        made = []
        for cut in cuts:
            if cut:
                begin, stop = cut[0][1], cut[-1][2]
                inside = [(span, start - begin, end - begin) for span, start, end in cut]
                made.append((found.ids[begin:stop], offsets[begin:stop], inside))
        return made


@lru_cache(maxsize=1)
def packaged_reader() -> AnswerReader:
    """The reader that comes with fabula. Raises ModelMissing where its encoder is not installed."""
    return AnswerReader(packaged_shape())


def _calibrated(share: float, slope: float, intercept: float) -> float:
    odds = math.log((share + _LEAST) / (1 - share + _LEAST))
    return 1 / (1 + math.exp(-(slope * odds + intercept)))


def _best_words(marks: Array) -> tuple[int, int]:
    """First and last token, of a sentence's ``marks`` (n, 2), that fit best together."""
    ends: NDArray[np.float32] = np.full((len(marks), ANSWER_TOKENS), -np.inf, np.float32)
    for ahead in range(min(ANSWER_TOKENS, len(marks))):
        ends[: len(marks) - ahead, ahead] = marks[ahead:, 1]
    sums = marks[:, :1] + ends
    begin, ahead = divmod(int(sums.argmax()), ANSWER_TOKENS)
    return begin, begin + ahead


def _unit(vector: Array) -> Array:
    unit: Array = vector / np.linalg.norm(vector)
    return unit
