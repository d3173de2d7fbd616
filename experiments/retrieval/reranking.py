"""Does the reader of answers, put behind the search, find more of the passages that answer?

    python experiments/run.py reranking --data DIR [--cache DIR]

The first 30 passages of the default search are scored a second time (``retrieval.reranker = "packaged"``).
How much the second score weighs is chosen on the tales that calibrate the reader; everything in the table was
left out of its training: 25 tales, and sets of other kinds whole."""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from experiments.common.folders import default_cache
from experiments.common.options import new_parser
from experiments.common.result_file import machine, write_result
from experiments.user_view.text_questions import CALIBRATING_TALES, TEST_TALES, shuffled_tales
from fabula.core.answering.answer_reader import packaged_reader
from fabula.core.embeddings import EmbeddingManager
from fabula.core.fusion import DEFAULT_PRESET
from fabula.core.reranking import reranked_by_answers

from .data import SETS, SOURCES, WITHIN, Collection, load_collection, queries_of
from .engine import GivenVectors, engine_of
from .measures import macro_interval, ndcg

Floats = NDArray[np.float64]
WEIGHTS = (0.0, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0)
DEEP = 30
MOST = 100  # queries of a set, drawn by their order


def main(options: argparse.Namespace) -> None:
    """Writes ``results/reranking.json``."""
    embedder = EmbeddingManager()
    folder = options.data / "retrieval"
    collections = {
        name: load_collection(folder / name, embedder=embedder, cache=options.cache)
        for name in sorted(set(SOURCES.values()))
    }
    tales = [tale.name for tale in shuffled_tales(options.data)]
    calibrating = frozenset(tales[TEST_TALES : TEST_TALES + CALIBRATING_TALES])
    seconds: list[float] = []
    chosen = _measured("fairytaleqa_tale", collections["fairytaleqa"], calibrating, seconds)[0]
    weight = WEIGHTS[int(chosen.mean(axis=0).argmax())]
    rows: dict[str, Any] = {}
    differences, groups = {}, {}
    for name in SETS:
        kept = frozenset(tales[:TEST_TALES]) if name.startswith("fairytaleqa") else None
        values, own = _measured(name, collections[SOURCES[name]], kept, seconds)
        difference = values[:, WEIGHTS.index(weight)] - values[:, 0]
        low, high = macro_interval({name: difference}, {name: own})
        rows[name] = {
            "queries": len(values),
            "ndcg@10": {
                f"{w:g}": round(float(m), 4) for w, m in zip(WEIGHTS, values.mean(axis=0), strict=True)
            },
            "gain": [round(float(difference.mean()), 4), low, high],
        }
        differences[name], groups[name] = difference, own
    low, high = macro_interval(differences, groups)
    gain = round(float(np.mean([each.mean() for each in differences.values()])), 4)
    facts = {
        "question": "Does the reader of answers, behind the search, find more of what answers?",
        "read": DEEP,
        "weight": weight,
        "sets": rows,
        "macro_gain": [gain, low, high],
    }
    middle = sorted(seconds)[len(seconds) // 2]
    write_result("reranking", facts=facts, measured=machine(seconds_median=middle))
    for name, row in rows.items():
        print(name, row)
    print("macro gain", facts["macro_gain"], "at", weight, f"{middle:.3f} s")


def _measured(
    name: str, collection: Collection, kept: frozenset[str] | None, seconds: list[float]
) -> tuple[Floats, list[str]]:
    """nDCG@10 of each query with each weight, shape (queries, weights), and what the bootstrap resamples."""
    within = name in WITHIN
    queries = [
        i for i in queries_of(name, collection) if kept is None or collection.queries[i]["doc"] in kept
    ]
    queries = queries[:: -(-len(queries) // MOST)]
    asked = {collection.queries[i]["text"]: collection.query_vectors[i] for i in queries}
    embedder = GivenVectors(asked, collection.vectors.shape[1])
    members: dict[str, list[int]] = {}
    for i, document in enumerate(collection.documents):
        members.setdefault(document if within else "", []).append(i)
    number = {passage: i for i, passage in enumerate(collection.ids)}
    engines: dict[str, Any] = {}
    rows, own_groups = [], []
    for i in tqdm(queries, desc=name):
        query = collection.queries[i]
        own = query["doc"] if within else ""
        if own not in engines:
            engines[own] = engine_of(collection, members[own], embedder, DEFAULT_PRESET, "graph", shared=None)
        place = {passage: at for at, passage in enumerate(members[own])}
        gold = {number[p] for p in collection.relevant.get(query["_id"], ())} & place.keys()
        relevant = frozenset(place[p] for p in gold)
        found = engines[own].search(query["text"], DEEP)
        started = time.perf_counter()
        rows.append(_by_weight(query["text"], found, relevant))
        seconds.append(time.perf_counter() - started)
        own_groups.append(query["doc"] if name.startswith("fairytaleqa") else query["_id"])
    return np.array(rows), own_groups


def _by_weight(query: str, found: Sequence[Any], relevant: frozenset[int]) -> list[float]:
    second = {p.chunk.ordinal: p.score for p in reranked_by_answers(packaged_reader(), query, found)}
    highest = max((p.score for p in found), default=1.0) or 1.0
    values = []
    for weight in WEIGHTS:
        scores = {
            p.chunk.ordinal: weight * second[p.chunk.ordinal] + (1 - weight) * p.score / highest
            for p in found
        }
        values.append(ndcg(sorted(scores, key=lambda o: (-scores[o], o)), relevant))
    return values


def parser() -> argparse.ArgumentParser:
    options = new_parser(__doc__, data=True)
    options.add_argument("--cache", type=Path, default=default_cache("retrieval"), help="keeps vectors")
    return options
