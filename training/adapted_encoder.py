"""The encoder of search with low-rank adapters and the heads of the reader of answers, to be fitted in torch.

It computes what ``fabula.core.answering.answer_reader`` does with the same weights, for a batch.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from fabula.core.encoders.adapters import ADAPTED
from fabula.core.encoders.bert import EncoderShape, Weights

RANK = 32
NORMS = ("attention.output.LayerNorm", "output.LayerNorm")
TOKENS_DROPPED = 0.05
COSINE = 10.0  # what the cosine of question and sentence weighs at first


@dataclass(frozen=True, slots=True)
class Batch:
    """Questions with a passage each, shape (texts, tokens): token ids, which are of the passage, which are
    there at all. ``tokens`` are those of sentences, as places in the flattened batch, and ``sentence_of`` the
    number of each one's sentence; ``text_of`` is the text of each sentence. ``asked`` and ``asked_of`` are
    the same for the tokens of questions."""

    ids: Tensor
    second: Tensor
    there: Tensor
    tokens: Tensor
    sentence_of: Tensor
    text_of: Tensor
    asked: Tensor
    asked_of: Tensor


class AdaptedEncoder(nn.Module):
    """Matrices compute in bfloat16; they and the embeddings stay as they are. Fitted are the adapters, all
    biases and norms, the vectors of the two texts, and the heads."""

    def __init__(self, shape: EncoderShape, weights: Weights, *, seed: int, rank: int = RANK) -> None:
        super().__init__()
        made = torch.Generator().manual_seed(seed)
        self.shape = shape
        self._words = torch.from_numpy(weights["embeddings.word_embeddings.weight"])
        self._places = torch.from_numpy(weights["embeddings.position_embeddings.weight"])

        def fitted(*names: str) -> nn.Parameter:
            arrays = [torch.from_numpy(weights[name]) for name in names]
            return nn.Parameter(arrays[0].clone() if len(arrays) == 1 else torch.stack(arrays))

        kind = torch.from_numpy(weights["embeddings.token_type_embeddings.weight"][0])
        self.kinds = nn.Parameter(torch.stack([kind, kind]))  # at first both texts are read as one
        self.norm = fitted("embeddings.LayerNorm.weight", "embeddings.LayerNorm.bias")
        self._matrices: list[Tensor] = []
        self.a, self.b, self.c, self.n = (nn.ParameterList() for _ in range(4))
        for layer in range(shape.layers):
            at = f"encoder.layer.{layer}."
            for name in ADAPTED:
                matrix = torch.from_numpy(weights[f"{at}{name}.weight"])
                out, into = matrix.shape
                self._matrices.append(matrix.to(torch.bfloat16))
                self.a.append(nn.Parameter(torch.randn(rank, into, generator=made) / math.sqrt(into)))
                self.b.append(nn.Parameter(torch.zeros(out, rank)))
                self.c.append(fitted(f"{at}{name}.bias"))
            for name in NORMS:
                self.n.append(fitted(f"{at}{name}.weight", f"{at}{name}.bias"))
        self.match = nn.Parameter(torch.full((shape.width,), COSINE))
        self.sentence = nn.Parameter(torch.zeros(2 * shape.width))
        self.token = nn.Parameter(0.02 * torch.randn(shape.width, generator=made))
        self.words = nn.Parameter(0.02 * torch.randn(2, shape.width, generator=made))
        self.null = nn.Parameter(torch.tensor(COSINE / 2))

    def forward(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """Scores of the sentences, shape (sentences,), and of each token as the first and the last of an
        answer, shape (texts, tokens, 2)."""
        states = self.states(batch)
        flat = states.reshape(-1, self.shape.width)
        said = means(flat[batch.tokens], batch.sentence_of, len(batch.text_of))
        asked = means(flat[batch.asked], batch.asked_of, len(batch.ids))[batch.text_of]
        scores = (functional.normalize(said) * functional.normalize(asked)) @ self.match
        scores = scores + torch.cat([said, states[:, 0][batch.text_of]], dim=1) @ self.sentence
        tokens = (flat[batch.tokens] @ self.token).exp()
        peaks = torch.zeros(len(batch.text_of)).index_add(0, batch.sentence_of, tokens)
        return scores + peaks.log(), states @ self.words.T

    def vectors(self, texts: Sequence[Sequence[int]]) -> Tensor:
        """The unit vectors of single texts, given as token ids; shape (texts, width)."""
        states = self.states(batched([(list(ids), len(ids), []) for ids in texts]))
        there = torch.zeros(states.shape[:2])
        for number, ids in enumerate(texts):
            there[number, : len(ids)] = 1
        means = (states * there[:, :, None]).sum(1) / there.sum(1)[:, None]
        return functional.normalize(means)

    def adapters(self) -> dict[str, np.ndarray[Any, Any]]:
        """The encoder's part of what is loaded, in half precision."""
        arrays: dict[str, Tensor] = {"kinds": self.kinds, "norm": self.norm}
        for letter in "abcn":
            arrays |= {f"{letter}{i}": one for i, one in enumerate(getattr(self, letter))}
        return {name: tensor.detach().numpy().astype(np.float16) for name, tensor in arrays.items()}

    def to_arrays(self) -> dict[str, np.ndarray[Any, Any]]:
        """What the reader loads, in half precision but for single numbers."""
        heads = {name: getattr(self, name) for name in ("match", "sentence", "token", "words")}
        found = {name: tensor.detach().numpy().astype(np.float16) for name, tensor in heads.items()}
        return self.adapters() | found | {"null": self.null.detach().numpy().astype(np.float32)}

    def states(self, batch: Batch) -> Tensor:
        width = self.shape.width
        many, long = batch.ids.shape
        hidden = self._words[batch.ids] + self._places[:long] + self.kinds[batch.second]
        hidden = self._normed(hidden, self.norm)
        if self.training:
            hidden = hidden * (torch.rand(many, long, 1) > TOKENS_DROPPED)
        unseen = torch.zeros(batch.there.shape).masked_fill(~batch.there, -math.inf)[:, None, None, :]
        for layer in range(self.shape.layers):
            first = len(ADAPTED) * layer
            query, key, value = (
                self._linear(hidden, first + i).view(many, long, self.shape.heads, -1).transpose(1, 2).float()
                for i in range(3)
            )
            mixed = functional.scaled_dot_product_attention(query, key, value, attn_mask=unseen)
            joined = self._linear(mixed.transpose(1, 2).reshape(many, long, width), first + 3)
            hidden = self._normed(joined.float() + hidden, self.n[2 * layer])
            fed = self._linear(functional.gelu(self._linear(hidden, first + 4)), first + 5)
            hidden = self._normed(fed.float() + hidden, self.n[2 * layer + 1])
        return hidden

    def _linear(self, rows: Tensor, number: int) -> Tensor:
        half = torch.bfloat16
        rows = rows.to(half)
        low = functional.linear(rows, self.a[number].to(half))
        fixed = functional.linear(rows, self._matrices[number], self.c[number].to(half))
        return fixed + functional.linear(low, self.b[number].to(half))

    def _normed(self, rows: Tensor, scale_and_shift: Tensor) -> Tensor:
        return functional.layer_norm(rows, (self.shape.width,), *scale_and_shift, self.shape.epsilon)


def means(rows: Tensor, of: Tensor, count: int) -> Tensor:
    """The mean of the rows of each number below ``count``."""
    sums = torch.zeros(count, rows.shape[1]).index_add(0, of, rows)
    return sums / torch.zeros(count).index_add(0, of, torch.ones(len(of)))[:, None]


def batched(texts: Sequence[tuple[list[int], int, list[tuple[int, int]]]]) -> Batch:
    """Of each text its token ids, where its passage begins, and the tokens of each of its sentences."""
    long = max(len(ids) for ids, _, _ in texts)
    ids, second, there = (
        torch.zeros(len(texts), long, dtype=kind) for kind in (torch.long,) * 2 + (torch.bool,)
    )
    tokens, sentence_of, text_of, asked, asked_of = [], [], [], [], []
    for number, (own, begin, spans) in enumerate(texts):
        ids[number, : len(own)] = torch.tensor(own)
        second[number, begin : len(own)] = 1
        there[number, : len(own)] = True
        asked += range(number * long, number * long + begin)
        asked_of += [number] * begin
        for start, stop in spans:
            tokens += range(number * long + start, number * long + stop)
            sentence_of += [len(text_of)] * (stop - start)
            text_of.append(number)
    return Batch(
        ids, second, there, *(torch.tensor(each) for each in (tokens, sentence_of, text_of, asked, asked_of))
    )


def warmed(
    optimiser: torch.optim.Optimizer, steps: int, *, share: float
) -> torch.optim.lr_scheduler.LambdaLR:
    """A rate that rises over that share of the steps, then falls in a line to a fiftieth."""
    warm = share * steps
    return torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda step: min((step + 1) / warm, max(0.02, (steps - step) / (steps - warm)))
    )
