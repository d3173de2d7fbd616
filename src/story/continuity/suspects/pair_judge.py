"""How probable is it that a later passage of a story contradicts an earlier one? A cross-encoder.

The encoder of search, all-MiniLM-L6-v2, reads both together, with low-rank adapters on its matrices (LoRA: Hu
et al., 2021); a small network on the first token, the means of both sides, their product and their distance
gives the probability. ``training/pair_judge.py`` fits it; ``training/pair_judge.md`` is the model card. It
is sure of too much in a story to call anything wrong: it ranks pairs for somebody to read.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from pathlib import Path

import numpy as np

from ....core.answering.answer_reader import PairTokens
from ....core.encoders.adapters import CrossEncoder
from ....core.encoders.bert import Array, EncoderShape
from ....core.encoders.prefixes import packaged_shape

PAIR_WEIGHTS = Path(__file__).with_name("pair_weights.npz")
SIDE_TOKENS = 72
"""So much of each side is read."""
_BATCH = 256


class PairJudge(CrossEncoder):
    """Weighs pairs of passages."""

    def __init__(self, shape: EncoderShape, *, weights: Path = PAIR_WEIGHTS) -> None:
        super().__init__(shape, weights)

    @cached_property
    def _tokens(self) -> PairTokens:
        return PairTokens(self._shape)

    def odds(
        self, pairs: Sequence[tuple[str, str]], *, on_done: Callable[[int, int], None] | None = None
    ) -> Array:
        """Log odds that the second of each two passages contradicts the first, shape (len(pairs),), float32.
        ``on_done`` hears how many of how many are read."""
        ids = lru_cache(maxsize=8192)(lambda text: self._tokens.plain(text)[:SIDE_TOKENS])
        found = np.empty(len(pairs), np.float32)
        for start in range(0, len(pairs), _BATCH):
            some = [(ids(a), ids(b)) for a, b in pairs[start : start + _BATCH]]
            found[start : start + len(some)] = list(self._workers.map(self._one, some))
            if on_done is not None:
                on_done(start + len(some), len(pairs))
        return found

    def _one(self, pair: tuple[list[int], list[int]]) -> float:
        earlier, later = pair
        first = [self._tokens.first, *earlier, self._tokens.end]
        states = self._encoder.states([*first, *later, self._tokens.end], second=len(first))
        a, b = states[: len(first)].mean(axis=0), states[len(first) : -1].mean(axis=0)
        heads = self._fitted
        seen = np.concatenate([states[0], 8 * a * b, np.abs(a - b), b])
        hidden = np.tanh(heads["hidden"] @ seen + heads["hidden_bias"])
        return float(hidden @ heads["odds"] + heads["odds_bias"])


@lru_cache(maxsize=1)
def packaged_judge() -> PairJudge:
    """The judge that comes with fabula. Raises ModelMissing where its encoder is not installed."""
    return PairJudge(packaged_shape())
