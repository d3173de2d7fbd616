"""Fits the reader of answers (``src/core/answering/answer_reader.py``) to questions and what answers them.

    python training/answer_reader.py --data DIR

``--data`` holds FairytaleQA (``retrieval/fairytaleqa``) and the novels (``novels/``, ``novels_more/``);
the project's own questions are ``experiments/data/questions`` and those of the stories of training writers.
It takes less than two hours on two cores. Run ``training/question_encoder.py`` before it: how sure the reader
may be is fitted behind the search that asks with that encoder. Writes ``answer_weights.npz`` beside the
reader and ``training/answer_reader.json``, the manifest, which also tells how well questions left out are
answered.

An example is a question with some passages of its text: those that hold the answer, and the best that hybrid
search finds beside them. The loss is that of the sentences that answer, or of "not told", among all sentences
of the example (a softmax over all of them: shared normalisation, Clark & Gardner 2018), and of the first and
last token of the answer. Where nothing answers, what answers was held back, or the passages are of another
text, "not told" is right.
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
from sklearn.linear_model import LogisticRegression
from torch import Tensor
from torch.nn import functional
from training.adapted_encoder import AdaptedEncoder, batched, warmed

from experiments.user_view.asked_questions import holds
from experiments.user_view.story_sets import SPLITS
from experiments.user_view.text_questions import (
    CALIBRATING_TALES,
    TEST_TALES,
    AskedText,
    TextQuestion,
    answers,
    chapters,
    overlap,
    shuffled_tales,
    stories,
    whole_novels,
)
from fabula.core.answering.answer_reader import SHOWN, WEIGHTS, AnswerRead, AnswerReader, PairTokens
from fabula.core.chunks.chunking import chunk_document
from fabula.core.documents import document_from_text
from fabula.core.embeddings import EmbeddingManager
from fabula.core.encoders.adapters import QuestionEmbedder
from fabula.core.encoders.bert import read_weights
from fabula.core.encoders.prefixes import packaged_shape
from fabula.core.interfaces import Embedder
from fabula.core.lexical.bm25 import LexicalIndex
from fabula.core.types import Chunk, Span

MANIFEST = Path(__file__).with_suffix(".json")
SEED = 29
EPOCHS, RATE, GROUP, PASSAGES = 1, 1e-3, 8, 5
HELD_BACK, OTHER_TEXT = 0.2, 0.1  # shares of examples
SPAN_LOSS, WARMING = 0.25, 0.06
RANKED, READ = 10, 20
LEFT_OUT_TALES, LEFT_OUT_NOVELS = TEST_TALES + CALIBRATING_TALES, 5
"""Of the tales, the first are kept for the test of this reader (``experiments/user_view/tale_answers.py``);
the others, with the novels and the development writers' stories, say how well it reads."""


@dataclass(frozen=True, slots=True)
class Example:
    """A question, the chunks of its text that search ranks first, and those that hold the answer."""

    asked: AskedText
    question: TextQuestion
    ranked: tuple[Chunk, ...]
    right: tuple[Chunk, ...]


# --- examples


def examples(
    texts: Sequence[AskedText],
    embedder: EmbeddingManager,
    *,
    ranked: int,
    questions: Embedder | None = None,
) -> list[Example]:
    """Each question with what hybrid search (.4 BM25, .6 cosine, both from 0 to 1) ranks first; their vectors
    are those of ``questions``, by default the embedder's."""
    ask = questions or embedder
    for asked in texts:
        asked.chunks = chunk_document(document_from_text(asked.text, id="text", title=asked.name))
    found = []
    units = embedder.embed_units([chunk.text for chunk in asked.chunks] for asked in texts)
    for asked, vectors in zip(texts, units, strict=True):
        index = LexicalIndex.from_texts([chunk.text for chunk in asked.chunks])
        for question in asked.questions:
            scores = 0.4 * scaled(index.scores(question.text))
            scores += 0.6 * scaled(vectors @ ask.embed_query(question.text))
            best = tuple(asked.chunks[i] for i in np.argsort(-scores, kind="stable")[:ranked])
            right = tuple(chunk for chunk in asked.chunks if holds_answer(chunk, question))
            found.append(Example(asked, question, best, right))
    return found


def scaled(scores: Any) -> Any:
    """From 0 to 1."""
    return (scores - scores.min()) / (np.ptp(scores) + 1e-9)


def holds_answer(chunk: Chunk, question: TextQuestion) -> bool:
    if question.sections:
        return any(2 * overlap(chunk.span, place) >= len(chunk.span) for place in question.places)
    return any(overlap(chunk.span, place) >= 0.6 * len(place) for place in question.places)


# --- the fit


@dataclass(frozen=True, slots=True)
class Drawn:
    """An example's question with the chunks drawn for it; ``told``: one of them answers."""

    question: TextQuestion
    chunks: tuple[Chunk, ...]
    told: bool


def drawn(example: Example, rng: random.Random, others: Sequence[Example]) -> Drawn:
    """Passages for one step, the ones that answer among them but for a share of times."""
    wrong = [chunk for chunk in example.ranked if chunk not in example.right]
    if rng.random() < OTHER_TEXT:
        other = rng.choice(others)
        if other.asked is not example.asked:
            return Drawn(example.question, other.ranked[:PASSAGES], told=False)
        return Drawn(example.question, tuple(wrong[:PASSAGES]), told=False)
    held_back = not example.question.sections and rng.random() < HELD_BACK
    if example.right and not held_back:
        right = rng.sample(example.right, min(2, len(example.right)))
        near = wrong[:3] + rng.sample(wrong[3:], min(2, len(wrong[3:])))
        return Drawn(example.question, (*right, *near[: PASSAGES - len(right)]), told=True)
    near = wrong[:2] + rng.sample(wrong[2:], min(PASSAGES - 2, len(wrong[2:])))
    return Drawn(example.question, tuple(near), told=False)


def fitted(some: Sequence[Example], tokens: PairTokens, *, epochs: int) -> AdaptedEncoder:
    """The encoder fitted to the examples."""
    torch.manual_seed(SEED)
    rng = random.Random(SEED)
    shape = packaged_shape()
    model = AdaptedEncoder(shape, read_weights(shape), seed=SEED)
    adapters = [*model.a, *model.b]
    held = {id(parameter) for parameter in adapters}
    rest = [parameter for parameter in model.parameters() if id(parameter) not in held]
    optimiser = torch.optim.AdamW(
        [{"params": adapters, "lr": RATE}, {"params": rest, "lr": RATE / 2}],
        betas=(0.9, 0.98),
        weight_decay=0.01,
    )
    steps = epochs * math.ceil(len(some) / GROUP)
    schedule = warmed(optimiser, steps, share=WARMING)
    model.train()
    losses: list[float] = []
    started = time.monotonic()
    for _ in range(epochs):
        order = list(some)
        rng.shuffle(order)
        for start in range(0, len(order), GROUP):
            group = [one for one in (drawn(e, rng, some) for e in order[start : start + GROUP]) if one.chunks]
            loss = _loss(model, group, tokens)
            optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_(list(model.parameters()), 1.0)
            optimiser.step()
            schedule.step()
            losses.append(loss.item())
            if len(losses) % 50 == 0:
                took = time.monotonic() - started
                print(
                    f"{len(losses)} of {steps} steps: {np.mean(losses[-50:]):.3f}, {took:.0f} s", flush=True
                )
    return model.eval()


def _loss(model: AdaptedEncoder, group: Sequence[Drawn], tokens: PairTokens) -> Tensor:
    texts, places, bounds = [], [], [0]
    for one in group:
        asked = tokens.question(one.question.text)
        for chunk in one.chunks:
            for piece in tokens.pieces(0, chunk.text):
                begin = len(asked)
                inside = [(begin + start, begin + stop) for _, start, stop in piece.sentences]
                texts.append(([*asked, *piece.ids, tokens.end], begin, inside))
                places.append((chunk, piece, len(bounds) - 1))
        bounds.append(len(texts))
    batch = batched(texts)
    scores, marks = model(batch)
    at = torch.searchsorted(batch.text_of, torch.tensor(bounds)).tolist()
    losses, marked = [], []
    for number, one in enumerate(group):
        own = scores[at[number] : at[number + 1]]
        everything = torch.logsumexp(torch.cat([own, model.null[None]]), 0)
        if not one.told:
            losses.append(everything - model.null)
            continue
        spans = [
            Span(chunk.span.start + span.start, chunk.span.start + span.end)
            for chunk, piece, _ in places[bounds[number] : bounds[number + 1]]
            for span, _, _ in piece.sentences
        ]
        right = torch.tensor([answers(span, one.question) for span in spans])
        if right.any():
            losses.append(everything - torch.logsumexp(own[right], 0))
        if one.question.words is not None:
            for text in range(bounds[number], bounds[number + 1]):
                marked += _marking(
                    marks[text], places[text][0], places[text][1], texts[text][1], one.question.words
                )
    loss = torch.stack(losses).mean()
    return loss + SPAN_LOSS * torch.stack(marked).mean() if marked else loss


def _marking(marks: Tensor, chunk: Chunk, piece: Any, begin: int, words: Span) -> list[Tensor]:
    """The loss of the answer's first and last token, where the whole answer stands in the piece."""
    if not chunk.span.contains(words):
        return []
    start, end = words.start - chunk.span.start, words.end - chunk.span.start
    inside = [i for i, (a, b) in enumerate(piece.offsets) if b > start and a < end]
    if not inside or piece.offsets[0][0] > start or piece.offsets[-1][1] < end:
        return []
    own = marks[begin : begin + len(piece.ids)].float()
    sides = zip(own.T, (inside[0], inside[-1]), strict=True)
    return [
        torch.stack(
            [functional.cross_entropy(side[None], torch.tensor([token])) for side, token in sides]
        ).sum()
    ]


# --- how well it reads, and how sure it may be


def judged(some: Sequence[Example], reader: AnswerReader) -> list[dict[str, Any]]:
    """What the reader makes of the first chunks of each question, beside what is right."""
    rows = []
    for example in some:
        texts = [chunk.text for chunk in example.ranked]
        read = reader.read(example.question.text, texts)
        first = _first(read, example.ranked, SHOWN)
        hits = [
            answers(span, example.question)
            or any(holds(span.of(example.asked.text), a) for a in example.question.answers)
            for span in first
        ] or [False]
        rows.append(
            {
                "answerable": bool(example.question.answers),
                "first": bool(example.question.answers) and hits[0],
                "shown": bool(example.question.answers) and any(hits),
                "told": read.told,
                "best": read.first,
            }
        )
    return rows


def _first(read: AnswerRead, ranked: Sequence[Chunk], count: int) -> list[Span]:
    found: list[Span] = []
    for sentence in read.sentences:
        start = ranked[sentence.passage].span.start
        span = Span(start + sentence.span.start, start + sentence.span.end)
        if len(found) < count and not any(span.overlaps(other) for other in found):
            found.append(span)
    return found


def calibrated(rows: Sequence[dict[str, Any]], sure: str, right: str) -> tuple[float, float]:
    """Slope and intercept that make the log odds of how sure the reader is those of it being right (Platt
    1999)."""
    odds = np.log([(row[sure] + 1e-6) / (1 - row[sure] + 1e-6) for row in rows])[:, None]
    model = LogisticRegression(C=100).fit(odds, [row[right] for row in rows])
    return float(model.coef_[0, 0]), float(model.intercept_[0])


def shares(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Of the questions left out: the right sentence first, and among the first three."""
    told = [row for row in rows if row["answerable"]]
    return {
        "questions": len(told),
        "first": round(float(np.mean([row["first"] for row in told])), 4),
        "shown": round(float(np.mean([row["shown"] for row in told])), 4),
    }


def main() -> None:
    """Fits, calibrates, writes."""
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--data", type=Path, required=True)
    options.add_argument("--epochs", type=int, default=EPOCHS)
    options.add_argument("--calibrate", action="store_true", help="Keep the weights; calibrate them anew.")
    chosen = options.parse_args()
    embedder, told = EmbeddingManager(), split(chosen.data)
    asked = [question for text in told["fit"] for question in text.questions]
    if chosen.calibrate:
        with np.load(WEIGHTS) as file:
            arrays = dict(file)
    else:
        tokens = PairTokens(packaged_shape())
        arrays = fitted(
            examples(told["fit"], embedder, ranked=RANKED), tokens, epochs=chosen.epochs
        ).to_arrays()
    arrays["calibration"] = np.array([[1.0, 0.0], [1.0, 0.0]], np.float32)
    np.savez_compressed(WEIGHTS, **arrays)
    questions = QuestionEmbedder(embedder, packaged_shape())
    left_out = {
        name: judged(examples(told[name], embedder, ranked=READ, questions=questions), reader_of(WEIGHTS))
        for name in ("tales", "novels", "stories")
    }
    asked_of_all = left_out["novels"] + left_out["stories"]
    arrays["calibration"] = np.array(
        [calibrated(asked_of_all, "told", "shown"), calibrated(asked_of_all, "best", "first")], np.float32
    )
    np.savez_compressed(WEIGHTS, **arrays)
    manifest = {
        "weights_sha256": hashlib.sha256(WEIGHTS.read_bytes()).hexdigest(),
        "questions": len(asked),
        "answerable": sum(bool(question.answers) for question in asked),
        "epochs": chosen.epochs,
        "left_out": {name: shares(rows) for name, rows in left_out.items()},
        "calibration": np.round(arrays["calibration"].astype(float), 4).tolist(),
    }
    MANIFEST.write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(manifest, indent=1))


def split(data: Path) -> dict[str, list[AskedText]]:
    """What is fitted to, and what calibrates: by tale, by novel, by writer."""
    every_tale, every_chapter = shuffled_tales(data), chapters(data)
    novels = sorted({asked.name for asked in every_chapter})
    random.Random(SEED).shuffle(novels)
    kept = frozenset(novels[:LEFT_OUT_NOVELS])
    return {
        "fit": [
            *every_tale[LEFT_OUT_TALES:],
            *(asked for asked in every_chapter if asked.name not in kept),
            *stories(SPLITS["train"]),
        ],
        "test_tales": every_tale[:TEST_TALES],
        "tales": every_tale[TEST_TALES:LEFT_OUT_TALES],
        "novels": whole_novels(data, kept),
        "stories": stories(SPLITS["dev"]),
    }


def reader_of(weights: Path) -> AnswerReader:
    """A reader of these weights."""
    return AnswerReader(packaged_shape(), weights=weights)


if __name__ == "__main__":
    main()
