"""Does the weight learn from ratings? Simulated readers on real questions.

Usage:  python experiments/run.py feedback --data DIR [--cache DIR] [--seeds N] [--small-seeds N]

A project's queries are split in halves by each seed. A reader asks queries of one half, sees the top five at
the current weight and rates answers 1 where the labels call them relevant, else 0, wrong one time in ten;
after 200 ratings the learned weights are measured on the other half against the weights it started from.
Beside it a reader who tosses a coin for every rating. Writes ``results/feedback.json`` and the picture
``docs/feedback.svg``.

The rule and its constants were chosen on these same sets, from about ninety variants (forms of the
pull, baselines by rank, shrinkage, steps): queries are held out here, the rule is not, so the gains are
on the hopeful side until they are measured on other data. The intervals resample queries only; how
streams vary stands beside them as ``standard_error_of_seeds``.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import sqlalchemy as sa
from numpy.typing import NDArray
from tqdm import tqdm

from experiments.common.curves import curves, steps
from experiments.common.folders import ROOT, default_cache
from experiments.common.options import new_parser
from experiments.common.result_file import machine, write_result
from fabula.core.queries.router import CLASSES, QueryAnalysis, QueryClass
from fabula.core.queries.weight_learning import LearningSettings
from fabula.core.store.database import Database
from fabula.core.store.feedback import FeedbackStore
from fabula.core.store.tables import TABLES
from fabula.core.types import Horizon
from fabula.core.weight_manager import AdaptiveWeightManager
from fabula.story.model.findings import bootstrap_interval

from .data import GRID, Query, projects

Floats = NDArray[np.float64]
Reader = Literal["cascade", "first", "five"]

RATINGS = 200
SEEN = 5
WRONG = 0.1
STOPS = (25, 50, 100, 200)  # ratings after which the learned weights are measured
BOOK = Horizon()


@dataclass(frozen=True, slots=True)
class Setup:
    """``prior``: the weight of all classes at the start. ``reader``: *cascade* rates from the top until an
    answer is good (five at most), *first* the first answer only, *five* all five. ``coin``: ratings at
    random. ``window``: how many ratings are remembered."""

    prior: float
    reader: Reader
    coin: bool
    window: int = LearningSettings().window


class Learner:
    """The manager as the engine uses it, asked for a grid point of each class."""

    def __init__(self, prior: float, window: int) -> None:
        learning = LearningSettings(window=window)
        engine = sa.create_engine("sqlite://", poolclass=sa.StaticPool)
        TABLES.create_all(engine)
        store = FeedbackStore(Database(engine, "memory"))
        self.manager = AdaptiveWeightManager(store, prior=prior, learning=learning)

    def point(self, query_class: QueryClass) -> int:
        analysis = QueryAnalysis("", "factual", query_class, ())
        return round(self.manager.decide(analysis, horizon=BOOK).semantic * (len(GRID) - 1))

    def rated(self, query: Query, point: int, place: int, rating: float) -> None:
        seen = [query.places[c] for c in query.shown[point]]
        self.manager.rate(
            query.id,
            seen[place],
            rating,
            query_class=query.query_class,
            weight=float(GRID[point]),
            horizon=BOOK,
            alternatives=seen,
        )


def stream(queries: Sequence[Query], setup: Setup, seed: int) -> list[dict[QueryClass, int]]:
    """The grid points of the classes after each of ``STOPS`` ratings."""
    rng = np.random.default_rng([seed, 1])
    learner, given, points = Learner(setup.prior, setup.window), 0, []
    while True:
        query = queries[int(rng.integers(len(queries)))]
        point = learner.point(query.query_class)
        for place in range(min(1 if setup.reader == "first" else SEEN, query.shown.shape[1])):
            good = bool(query.relevant[query.shown[point][place]]) != (rng.random() < WRONG)
            good = bool(rng.random() < 0.5) if setup.coin else good
            learner.rated(query, point, place, float(good))
            given += 1
            if given in STOPS:
                points.append({name: learner.point(name) for name in CLASSES})
            if given == RATINGS:
                return points
            if good and setup.reader == "cascade":
                break


def gains(queries: Sequence[Query], setup: Setup, seed: int) -> tuple[list[int], Floats, list[int]]:
    """Held-out queries' numbers, their nDCG@10 less that at the prior (stops x queries), last points."""
    order = np.random.default_rng([seed, 0]).permutation(len(queries)).tolist()
    half = len(queries) // 2
    taught = stream([queries[i] for i in order[:half]], setup, seed)
    held = sorted(order[half:])
    start = round(setup.prior * (len(GRID) - 1))
    table = [
        [queries[i].ndcg[at[queries[i].query_class]] - queries[i].ndcg[start] for i in held] for at in taught
    ]
    return held, np.array(table), [taught[-1][name] for name in CLASSES]


def summary(queries: Sequence[Query], setup: Setup, seeds: int) -> dict[str, Any]:
    """Mean gain on held-out queries with an interval that resamples documents (tales; elsewhere queries),
    each query's gains over the seeds averaged first; and how the seeds vary."""
    sums, counts = np.zeros(len(queries)), np.zeros(len(queries))
    by_seed, points = [], []
    for seed in range(seeds):
        held, table, last = gains(queries, setup, seed)
        sums[held] += table[-1]
        counts[held] += 1
        by_seed.append(table.mean(axis=1))
        points.append(last)
    known = np.flatnonzero(counts)
    mean = sums[known] / counts[known]
    documents = [queries[i].document for i in known]
    if len(set(documents)) < 20:
        documents = [queries[i].id for i in known]
    seeds_table = np.array(by_seed)
    last_gains = seeds_table[:, -1]
    return {
        **asdict(setup),
        "seeds": seeds,
        "gain": round(float(last_gains.mean()), 4),
        "interval": bootstrap_interval(mean.tolist(), groups=documents),
        "gain_sd_over_seeds": round(float(last_gains.std()), 4),
        "standard_error_of_seeds": round(float(last_gains.std() / np.sqrt(seeds)), 5),
        "seeds_that_gain": round(float((last_gains > 0).mean()), 3),
        "curve": [[n, round(float(g), 4)] for n, g in zip(STOPS, seeds_table.mean(axis=0), strict=True)],
        "weights": {
            name: [round(float(np.mean(w)) / 100, 3), round(float(np.std(w)) / 100, 3)]
            for name, w in zip(CLASSES, np.array(points).T, strict=True)
        },
    }


def facts_of(queries: Sequence[Query], seeds: int) -> dict[str, Any]:
    scores = np.array([query.ndcg for query in queries]).mean(axis=0)
    top = int(scores.argmax())
    runs = [
        summary(queries, Setup(prior, "cascade", coin), seeds)
        for prior in (0.4, 0.5)
        for coin in (False, True)
    ]
    runs += [
        summary(queries, Setup(0.4, reader, coin), max(seeds // 2, 1))
        for reader in ("first", "five")
        for coin in (False, True)
    ]
    runs += [summary(queries, Setup(0.4, "cascade", coin, window=20), seeds) for coin in (False, True)]
    return {
        "queries": len(queries),
        "classes": {name: sum(q.query_class == name for q in queries) for name in CLASSES},
        "ndcg@10": {f"{w:.1f}": round(float(scores[round(w * 100)]), 4) for w in np.arange(0, 1.01, 0.1)},
        "best_static": [round(float(GRID[top]), 2), round(float(scores[top]), 4)],
        "headroom": {f"{w}": round(float(scores[top] - scores[round(w * 100)]), 4) for w in (0.4, 0.5)},
        "runs": runs,
    }


def each_tale(queries: Sequence[Query], seeds: int) -> list[dict[str, Any]]:
    """Every tale its own project with 200 ratings on half its questions (about 18)."""
    tales: dict[str, list[Query]] = {}
    for query in queries:
        tales.setdefault(query.document, []).append(query)
    found = []
    for coin in (False, True):
        setup = Setup(0.4, "cascade", coin)
        means = [
            float(np.mean([gains(own, setup, seed)[1][-1].mean() for seed in range(seeds)]))
            for own in tales.values()
        ]
        interval = bootstrap_interval(means, groups=list(tales))
        found.append({**asdict(setup), "tales": len(tales), "seeds": seeds, "interval": interval})
        found[-1]["gain"] = round(float(np.mean(means)), 4)
    return found


def picture_of(projects: Mapping[str, Mapping[str, Any]]) -> str:
    """The learning curves as SVG: a line for each project, and the mean of what coin tosses teach in all."""
    lines: dict[str, list[tuple[float, float]]] = {}
    tossed = []
    for name, facts in projects.items():
        for run in facts["runs"]:
            if run["prior"] == 0.4 and run["reader"] == "cascade" and run["window"] > 20:
                curve = [(0, 0.0), *map(tuple, run["curve"])]
                if run["coin"]:
                    tossed.append([gain for _, gain in curve])
                else:
                    lines[name] = curve
    lines["coin tosses, mean"] = list(zip((0, *STOPS), np.mean(tossed, axis=0).tolist(), strict=True))
    title = "nDCG@10 gained on held-out queries, from weight .4"
    return curves(lines, title, "ratings", "gain", up=steps(-0.004, 0.012, 4))


def main(options: argparse.Namespace) -> None:
    began = time.perf_counter()
    found: dict[str, Any] = {}
    sets = projects(options.data, options.cache)
    for name, queries in tqdm(sets.items(), desc="projects"):
        found[name] = facts_of(queries, options.seeds if len(queries) > 500 else options.small_seeds)
        _show(name, found[name])
    facts: dict[str, Any] = {
        "question": "Do 200 ratings move the weight to where held-out queries gain, and coin tosses not?",
        "metric": "nDCG@10, higher is better; gain = learned weights less the weights at the start",
        "ratings": RATINGS,
        "wrong": WRONG,
        "learning": asdict(LearningSettings()),
        "projects": found,
        "each_tale": each_tale(sets["fairytaleqa, within the tale"], max(options.seeds // 8, 1)),
    }
    for run in facts["each_tale"]:
        tqdm.write(f"each tale its own project, coin {run['coin']}: {run['gain']:+.4f} {run['interval']}")
    write_result("feedback", facts=facts, measured=machine(seconds=round(time.perf_counter() - began, 1)))
    picture = ROOT / "docs" / "feedback.svg"
    picture.parent.mkdir(exist_ok=True)
    picture.write_text(picture_of(found), encoding="utf-8")


def _show(name: str, facts: dict[str, Any]) -> None:
    tqdm.write(
        f"\n{name}: {facts['queries']} queries, best static {facts['best_static']}, {facts['headroom']}"
    )
    for run in facts["runs"]:
        who = "coin" if run["coin"] else run["reader"]
        low, high = run["interval"]
        tqdm.write(
            f"  from {run['prior']} {run['reader']:8}{who:8}remembers {run['window']:4} "
            f"{run['gain']:+.4f} [{low:+.4f}, {high:+.4f}] "
            f"se {run['standard_error_of_seeds']:.5f}  weights "
            + " ".join(f"{c} {m:.2f}±{s:.2f}" for c, (m, s) in run["weights"].items())
        )


def parser() -> argparse.ArgumentParser:
    options = new_parser(__doc__, data=True)
    options.add_argument("--cache", type=Path, default=default_cache("experiments"), help="keeps vectors")
    options.add_argument("--seeds", type=int, default=40, help="streams for each large project")
    options.add_argument("--small-seeds", type=int, default=100, help="for those under 500 queries")
    return options
