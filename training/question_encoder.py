"""Fits the encoder of questions (``src/core/encoders/adapters.py``) to what stories answer.

    python training/question_encoder.py --data DIR

``--data`` and the questions are those of ``training/answer_reader.py``, and so is the split. It takes less
than an hour on two cores, most of it to make the vectors of the passages. Writes ``question_weights.npz``
beside the encoder and ``training/question_encoder.json``, the manifest, which tells how often what answers is
among the first passages, for questions of tales and novels left out.

The vectors of passages stay as the encoder of search makes them. For each question the loss is that of the
passages that hold its answer among all passages of its text: a softmax over cosines, with a scale that is
fitted too.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from training.adapted_encoder import AdaptedEncoder, warmed
from training.answer_reader import SEED, holds_answer, scaled, split

from experiments.user_view.text_questions import AskedText, chapters, whole_novels
from fabula.core.chunks.chunking import chunk_document
from fabula.core.documents import document_from_text
from fabula.core.embeddings import EmbeddingManager
from fabula.core.encoders.adapters import QUESTION_TOKENS, QUESTION_WEIGHTS, QuestionEmbedder
from fabula.core.encoders.bert import TextTokens, read_weights
from fabula.core.encoders.prefixes import packaged_shape
from fabula.core.lexical.bm25 import LexicalIndex

MANIFEST = Path(__file__).with_suffix(".json")
EPOCHS, RATE, GROUP, RANK = 3, 5e-4, 32, 16
WARMING, SCALE = 0.1, 20.0
WITHIN = (3, 20)
"""What answers is looked for among so many passages."""


@dataclass(frozen=True, slots=True)
class Indexed:
    """A text with the vectors of its passages, and of each question which of them hold its answer."""

    text: AskedText
    vectors: Tensor
    asked: tuple[tuple[str, tuple[int, ...]], ...]


def indexed(texts: Sequence[AskedText], embedder: EmbeddingManager) -> list[Indexed]:
    """Texts with the questions whose answer stands in some passage."""
    for text in texts:
        text.chunks = chunk_document(document_from_text(text.text, id="text", title=text.name))
    units = embedder.embed_units([chunk.text for chunk in text.chunks] for text in texts)
    found = []
    for text, vectors in zip(texts, units, strict=True):
        asked = (
            (question.text, tuple(i for i, chunk in enumerate(text.chunks) if holds_answer(chunk, question)))
            for question in text.questions
        )
        found.append(Indexed(text, torch.from_numpy(vectors), tuple(one for one in asked if one[1])))
    return found


def fitted(some: Sequence[Indexed], tokens: TextTokens, *, epochs: int) -> AdaptedEncoder:
    """The encoder fitted to the questions."""
    torch.manual_seed(SEED)
    rng = random.Random(SEED)
    shape = packaged_shape()
    model = AdaptedEncoder(shape, read_weights(shape), seed=SEED, rank=RANK)
    scale = nn.Parameter(torch.tensor(math.log(SCALE)))
    adapters, rest = [*model.a, *model.b], [*model.c, *model.n, model.norm]
    optimiser = torch.optim.AdamW(
        [
            {"params": adapters, "lr": RATE},
            {"params": rest, "lr": RATE / 3},
            {"params": [scale], "lr": 2 * RATE},
        ],
        weight_decay=0.01,
    )
    asked = [(tokens.one(question), right, one.vectors) for one in some for question, right in one.asked]
    steps = epochs * math.ceil(len(asked) / GROUP)
    schedule = warmed(optimiser, steps, share=WARMING)
    model.train()
    losses: list[float] = []
    started = time.monotonic()
    for _ in range(epochs):
        rng.shuffle(asked)
        for start in range(0, len(asked), GROUP):
            group = asked[start : start + GROUP]
            questions = model.vectors([ids for ids, _, _ in group])
            each = [
                _loss((vectors @ question) * scale.exp(), right)
                for question, (_, right, vectors) in zip(questions, group, strict=True)
            ]
            loss = torch.stack(each).mean()
            optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_([*adapters, *rest], 1.0)
            optimiser.step()
            schedule.step()
            losses.append(loss.item())
            if len(losses) % 50 == 0:
                took = time.monotonic() - started
                print(
                    f"{len(losses)} of {steps} steps: {np.mean(losses[-50:]):.3f}, {took:.0f} s", flush=True
                )
    return model.eval()


def _loss(scores: Tensor, right: Sequence[int]) -> Tensor:
    return torch.logsumexp(scores, 0) - torch.logsumexp(scores[list(right)], 0)


def shares(some: Sequence[Indexed], embed: Any) -> dict[str, Any]:
    """How often a passage that answers is among the first, by the vectors alone and as a search has it."""
    ranks: dict[str, list[int]] = {"vectors": [], "search": []}
    for one in some:
        index = LexicalIndex.from_texts([chunk.text for chunk in one.text.chunks])
        for question, right in one.asked:
            cosines = one.vectors.numpy() @ embed(question)
            both = 0.4 * scaled(index.scores(question)) + 0.6 * scaled(cosines)
            for name, scores in (("vectors", cosines), ("search", both)):
                order = np.argsort(-scores, kind="stable")
                ranks[name].append(int(np.flatnonzero(np.isin(order, right))[0]))
    found: dict[str, Any] = {"questions": len(ranks["vectors"])}
    for name, of in ranks.items():
        found |= {f"{name}, first {n}": round(float(np.mean(np.array(of) < n)), 4) for n in WITHIN}
    return found


def main() -> None:
    """Fits and writes."""
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--data", type=Path, required=True)
    options.add_argument("--epochs", type=int, default=EPOCHS)
    chosen = options.parse_args()
    embedder, told = EmbeddingManager(), split(chosen.data)
    kept = frozenset(text.name for text in told["novels"])
    others = frozenset(text.name for text in chapters(chosen.data)) - kept
    short = [text for text in told["fit"] if text.name not in others]  # tales and stories, whole as they are
    fit = indexed([*short, *whole_novels(chosen.data, others)], embedder)
    shape = packaged_shape()
    arrays = fitted(fit, TextTokens(shape, limit=QUESTION_TOKENS), epochs=chosen.epochs).adapters()
    np.savez_compressed(QUESTION_WEIGHTS, **arrays)
    left_out = {name: indexed(told[name], embedder) for name in ("tales", "novels", "stories")}
    fitted_to = QuestionEmbedder(embedder, shape)
    manifest = {
        "weights_sha256": hashlib.sha256(QUESTION_WEIGHTS.read_bytes()).hexdigest(),
        "questions": sum(len(one.asked) for one in fit),
        "epochs": chosen.epochs,
        "left_out": {
            name: {
                "before": shares(some, embedder.embed_query),
                "fitted": shares(some, fitted_to.embed_query),
            }
            for name, some in left_out.items()
        },
    }
    MANIFEST.write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(manifest, indent=1))


if __name__ == "__main__":
    main()
