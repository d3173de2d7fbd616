"""Fits the judge of pairs (``src/story/continuity/suspects/pair_judge.py``): which later passage contradicts
which earlier one?

    python training/pair_judge.py

Its texts are the project's own: the scenarios of ``experiments/data/continuity_pairs`` and the short stories
of training writers. It takes about an hour on two cores. Writes ``pair_weights.npz`` beside the judge and
``training/pair_judge.json``, the manifest, with what it says of scenarios left out.

First the judge is fitted to scenarios, each of which sets one passage beside three that contradict it and
four that do not, with some pairs of the stories among them. Then it reads many pairs of the stories, nearly
all of which are sound, and is fitted on to those that it took for contradictions (hard negatives).
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
from sklearn.metrics import roc_auc_score
from torch import Tensor, nn
from torch.nn import functional
from training.adapted_encoder import RANK, AdaptedEncoder, batched, means, warmed

from experiments.common.folders import DATA
from experiments.user_view.story_sets import Story, load_stories
from fabula.core.answering.answer_reader import PairTokens
from fabula.core.documents import document_from_text
from fabula.core.embeddings import EmbeddingManager
from fabula.core.encoders.bert import read_weights
from fabula.core.encoders.prefixes import packaged_shape
from fabula.core.text.sentences import sentences
from fabula.core.types import Span
from fabula.story.continuity.suspects.pair_judge import PAIR_WEIGHTS, SIDE_TOKENS
from fabula.story.continuity.suspects.suspects import near_before

MANIFEST = Path(__file__).with_suffix(".json")
SCENARIOS = DATA / "continuity_pairs"
AGAINST, WITH = ("explicit", "paraphrase", "implicit"), ("same", "beside", "change", "trap")
SEED, LEFT_OUT = 3, 150
EPOCHS, RATE, GROUP = 2, 1e-3, 4
MORE_STEPS, MORE_RATE, MINED, HARD = 500, 6e-4, 30_000, 7_000
HIDDEN, EARLIER, BEFORE = 128, 8, 160
Ids = list[int]
Pair = tuple[Ids, Ids]


class PairEncoder(AdaptedEncoder):
    """The encoder with the judge's network on it."""

    def __init__(self, tokens: PairTokens) -> None:
        shape = packaged_shape()
        super().__init__(shape, read_weights(shape), seed=SEED, rank=RANK)
        self.hidden = nn.Linear(4 * shape.width, HIDDEN)
        self.odds = nn.Linear(HIDDEN, 1)
        self._ends = tokens.first, tokens.end

    def log_odds(self, pairs: Sequence[Pair]) -> Tensor:
        """Shape (pairs,)."""
        first, end = self._ends
        texts = []
        for a, b in pairs:
            begin = len(a) + 2
            texts.append(([first, *a, end, *b, end], begin, [(begin, begin + len(b))]))
        batch = batched(texts)
        states = self.states(batch)
        flat = states.reshape(-1, self.shape.width)
        later = means(flat[batch.tokens], batch.sentence_of, len(texts))
        earlier = means(flat[batch.asked], batch.asked_of, len(texts))
        seen = torch.cat([states[:, 0], earlier * later * 8, (earlier - later).abs(), later], 1)
        scores: Tensor = self.odds(torch.tanh(self.hidden(seen)))[:, 0]
        return scores

    def arrays(self) -> dict[str, np.ndarray[Any, Any]]:
        """What the judge loads."""
        heads = {
            "hidden": self.hidden.weight,
            "hidden_bias": self.hidden.bias,
            "odds": self.odds.weight[0],
            "odds_bias": self.odds.bias[0],
        }
        found = {name: tensor.detach().numpy().astype(np.float16) for name, tensor in heads.items()}
        return self.adapters() | found


@dataclass(frozen=True, slots=True)
class Told:
    """A story's sentences, and pairs of them: those that contradict each other, and near ones that do not."""

    texts: tuple[str, ...]
    wrong: tuple[tuple[int, int], ...]
    sound: tuple[tuple[int, int], ...]


def told(stories: Sequence[Story], embedder: EmbeddingManager) -> list[Told]:
    """Near are the earlier sentences that share most words and meaning."""
    placed = []
    for story in stories:
        document = document_from_text(story.text, id=story.id, title=story.title)
        spans = []
        for chapter in document.chapters:
            start = chapter.body.start
            inside = sentences(chapter.body.of(story.text))
            spans += [Span(start + one.start, start + one.end) for one in inside]
        placed.append((story, spans))
    units = embedder.embed_units([span.of(story.text) for span in spans] for story, spans in placed)
    found = []
    for (story, spans), vectors in zip(placed, units, strict=True):
        texts = tuple(span.of(story.text) for span in spans)
        wrong: dict[tuple[int, int], None] = {}
        for one in story.contradictions:
            sides = [
                [i for i, span in enumerate(spans) if span.overlaps(Span(side["start"], side["end"]))]
                for side in (one["earlier"], one["later"])
            ]
            wrong |= dict.fromkeys((a, b) for a in sides[0] for b in sides[1])
        near = near_before(texts, range(len(texts)), vectors, count=EARLIER)
        sound = tuple(pair for pair in near if pair not in wrong)
        found.append(Told(texts, tuple((a, b) for a, b in wrong if a < b), sound))
    return found


class Fit:
    """One run over scenarios and stories; each begins with the same seed."""

    def __init__(self, some: Sequence[Told], tokens: PairTokens) -> None:
        torch.manual_seed(SEED)
        self.rng = random.Random(SEED)
        self.model = PairEncoder(tokens)
        self._tokens = tokens
        self._told = some
        scenarios = [json.loads(line) for path in sorted(SCENARIOS.glob("*.jsonl")) for line in path.open()]
        self.rng.shuffle(scenarios)
        self.left_out, self.scenarios = scenarios[:LEFT_OUT], scenarios[LEFT_OUT:]
        self.wrong = [(n, a, b) for n, one in enumerate(some) for a, b in one.wrong]
        self.sound = [(n, a, b) for n, one in enumerate(some) for a, b in one.sound]

    def pair(self, place: tuple[int, int, int], *, with_before: bool) -> Pair:
        """Two sentences of a story, or each with some of the one before it."""
        number, a, b = place
        texts = self._told[number].texts

        def side(i: int) -> Ids:
            before = texts[i - 1][-BEFORE:] + " " if with_before and i else ""
            return self._ids(before + texts[i])

        return side(a), side(b)

    def scenario(self, one: dict[str, str]) -> list[Pair]:
        """Those that contradict, then those that do not."""
        earlier = self._ids(one["earlier"])
        return [(earlier, self._ids(one[kind])) for kind in (*AGAINST, *WITH)]

    def _ids(self, text: str) -> Ids:
        return self._tokens.plain(text)[:SIDE_TOKENS]

    def optimiser(self, rate: float) -> torch.optim.AdamW:
        """Adapters at the rate, all else at half of it."""
        adapters = [*self.model.a, *self.model.b]
        held = {id(parameter) for parameter in adapters}
        rest = [parameter for parameter in self.model.parameters() if id(parameter) not in held]
        groups = [{"params": adapters, "lr": rate}, {"params": rest, "lr": rate / 2}]
        return torch.optim.AdamW(groups, betas=(0.9, 0.98), weight_decay=0.01)

    def step(self, optimiser: torch.optim.AdamW, pairs: Sequence[Pair], right: Sequence[float]) -> Tensor:
        """Fits to the pairs; their scores before."""
        scores = self.model.log_odds(pairs)
        loss = functional.binary_cross_entropy_with_logits(scores, torch.tensor(right))
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        optimiser.step()
        return scores.detach()


def first_fit(fit: Fit) -> None:
    """To scenarios, with some pairs of stories."""
    rng, model = fit.rng, fit.model
    optimiser = fit.optimiser(RATE)
    steps = EPOCHS * math.ceil(len(fit.scenarios) / GROUP)
    schedule = warmed(optimiser, steps, share=0.06)
    model.train()
    hard: list[tuple[int, int, int]] = []
    begun, done = time.monotonic(), 0
    for _ in range(EPOCHS):
        rng.shuffle(fit.scenarios)
        for start in range(0, len(fit.scenarios), GROUP):
            pairs: list[Pair] = []
            right: list[float] = []
            for one in fit.scenarios[start : start + GROUP]:
                pairs += fit.scenario(one)
                right += [1.0] * len(AGAINST) + [0.0] * len(WITH)
            for place in rng.sample(fit.wrong, 2):
                pairs.append(fit.pair(place, with_before=rng.random() < 0.5))
                right.append(1.0)
            few = len(hard) < 200
            pool = rng.sample(fit.sound, 8) if few else rng.sample(fit.sound, 4) + rng.sample(hard, 4)
            pairs += [fit.pair(place, with_before=rng.random() < 0.5) for place in pool]
            right += [0.0] * len(pool)
            scores = fit.step(optimiser, pairs, right)
            schedule.step()
            of_pool = zip(pool, scores[-len(pool) :].tolist(), strict=True)
            hard += [place for place, score in of_pool if score > -1.5]
            done += 1
            if done % 50 == 0:
                print(f"{done} of {steps} steps, {time.monotonic() - begun:.0f} s", flush=True)


def second_fit(fit: Fit) -> None:
    """To the sound pairs of stories that it takes for contradictions."""
    rng, model = fit.rng, fit.model
    mined = rng.sample(fit.sound, MINED)
    scores = np.zeros(MINED)
    pairs = [fit.pair(place, with_before=False) for place in mined]
    order = sorted(range(MINED), key=lambda i: len(pairs[i][0]) + len(pairs[i][1]))
    model.eval()
    with torch.no_grad():
        for start in range(0, MINED, 64):
            some = order[start : start + 64]
            scores[some] = model.log_odds([pairs[i] for i in some]).numpy()
    hard = [mined[i] for i in np.argsort(-scores)[:HARD]]
    optimiser = fit.optimiser(MORE_RATE)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda step: min((step + 1) / 30, max(0.02, (MORE_STEPS - step) / MORE_STEPS))
    )
    model.train()
    for done in range(MORE_STEPS):
        drawn: list[Pair] = []
        right: list[float] = []
        for one in rng.sample(fit.scenarios, 2):
            drawn += fit.scenario(one)
            right += [1.0] * len(AGAINST) + [0.0] * len(WITH)
        for place in rng.sample(fit.wrong, 4):
            drawn.append(fit.pair(place, with_before=rng.random() < 0.3))
            right.append(1.0)
        for place in rng.sample(hard[:2000], 10) + rng.sample(hard, 8) + rng.sample(fit.sound, 6):
            drawn.append(fit.pair(place, with_before=False))
            right.append(0.0)
        fit.step(optimiser, drawn, right)
        schedule.step()
        if (done + 1) % 50 == 0:
            print(f"{done + 1} of {MORE_STEPS} more steps", flush=True)


def of_left_out(fit: Fit) -> dict[str, Any]:
    """How well scenarios left out are told apart: area under the curve, and of each kind the share that is
    taken for a contradiction."""
    fit.model.eval()
    with torch.no_grad():
        scores = np.array([fit.model.log_odds(fit.scenario(one)).tolist() for one in fit.left_out])
    kinds = (*AGAINST, *WITH)
    right = np.tile([kind in AGAINST for kind in kinds], len(fit.left_out))
    found: dict[str, Any] = {"auc": round(float(roc_auc_score(right, scores.ravel())), 4)}
    return found | {kind: round(float((scores[:, i] > 0).mean()), 4) for i, kind in enumerate(kinds)}


def main() -> None:
    """Fits and writes."""
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.parse_args()
    some, tokens = told(load_stories("train"), EmbeddingManager()), PairTokens(packaged_shape())
    first = Fit(some, tokens)
    first_fit(first)
    second = Fit(some, tokens)
    second.model.load_state_dict(first.model.state_dict())
    second_fit(second)
    write(second)


def write(fit: Fit) -> None:
    """The weights and their manifest."""
    np.savez_compressed(PAIR_WEIGHTS, **fit.model.arrays())
    manifest = {
        "weights_sha256": hashlib.sha256(PAIR_WEIGHTS.read_bytes()).hexdigest(),
        "scenarios": len(fit.scenarios),
        "pairs_of_stories": {"wrong": len(fit.wrong), "sound": len(fit.sound)},
        "left_out": of_left_out(fit),
    }
    MANIFEST.write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(manifest, indent=1))


if __name__ == "__main__":
    main()
