"""How long should a chunk of a story be? Does scoring a whole scene help, or feedback from the text?

Usage:  python experiments/run.py chunking --data DIR [--cache DIR] [--tales N] [--no-dense]

DIR holds ``retrieval/fairytaleqa`` and ``retrieval/graphragbench_silver``. Tales and novels are put together
from their sections and cut anew. Chunks are ranked by BM25, by cosine, and by both (convex); each ranking
is measured by sections (nDCG@10 of the gold section, scored from its chunks) and by budget: with the first
chunks filling 300 or 600 words, what share of the gold section is there, and does its answer stand there.
BM25 alone runs on all tales, the others on a seeded sample; ``open`` searches the sample's tales as one book.
Nothing is fitted to the data. Nearly all of the time is embedding, which the cache keeps.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from experiments.common.folders import default_cache
from experiments.common.options import new_parser
from experiments.common.result_file import digest_of, machine, write_result
from fabula.core.embeddings import DEFAULT_MODEL
from fabula.core.interfaces import Vectors
from fabula.core.lexical.bm25 import LexicalIndex
from fabula.core.text.tokenizing import Tokenizer

from .corpus import Book, Cutter, Query, Tale, as_sections, book_of, by_size, load
from .measures import NEIGHBOURS, NOT_FOUND, SECTION_SCORES, Filler, interval, members, ndcg, ranked
from .vectors import KeptVectors

Floats = NDArray[np.float64]
Measures = dict[str, float]

SIZES = (160, 270, 430, 540, 800, 1000, 2100)  # characters: about 30, 50, 80, 100, 150, 190, 400 words
OVERLAPS = (0.0, 0.2)
BASELINE = "1000/200"
BUDGETS = (300, 600)
SEMANTIC = 0.4
FEWEST = 30  # queries, for a measure to be reported
SCENE_SETTINGS = ("270/54", "430/86", "1000/200")
NOVEL_SETTINGS = ("270/54", "430/86", "1000/200", "2100/420")  # novels cost much to embed
SETTINGS: dict[str, Cutter] = {
    "sections": as_sections,
    **{f"{s}/{round(s * o)}": by_size(s, round(s * o)) for s in SIZES for o in OVERLAPS},
}


@dataclass(frozen=True, slots=True)
class Task:
    """Queries over books: each book is a list of tales that are searched together."""

    name: str
    books: list[tuple[list[Tale], list[Query]]]
    dense: bool
    settings: tuple[str, ...]


def main(options: argparse.Namespace) -> None:
    """Writes ``results/chunking.json`` and prints its tables."""
    started = time.perf_counter()
    dense, seed = not options.no_dense, options.seed
    tasks = _tasks(options.data / "retrieval", tales=options.tales, dense=dense, seed=seed)
    vectors = KeptVectors(options.cache)
    sizes, scenes = [], []
    for task in tasks:
        queries = vectors.queries([q for _, own in task.books for q in own]) if task.dense else {}
        baselines: dict[str, list[Measures]] = {}
        for setting in sorted(task.settings, key=lambda s: s != BASELINE):  # the baseline comes first
            found, shape = _measured(task, setting, vectors, queries)
            for system, rows in found.items():
                baselines.setdefault(system, rows)
                label = {"task": task.name, "system": system, "chunks": setting, **shape}
                sizes.append(label | _summary(task, rows, baselines[system]))
        system = "convex" if task.dense else "bm25"
        for setting in SCENE_SETTINGS if task.dense or not dense else ():
            scenes += _scenes(task, setting, system, vectors, queries)
    sample = next(task for task in tasks if "sample" in task.name and "within" in task.name)
    facts = {
        "question": "How long should a chunk of a story be, and does a scene's score help?",
        "settings": {
            "sizes_in_characters": SIZES,
            "overlaps": OVERLAPS,
            "budgets_in_words": BUDGETS,
            "semantic_weight": SEMANTIC,
            "baseline": BASELINE,
            "seed": seed,
            "model": DEFAULT_MODEL,
            "precision": vectors.embedder.resolved_precision if dense else None,
        },
        "data": {task.name: _digest(task) for task in tasks},
        "sample": sorted(name for own, _ in sample.books for name in [own[0].document.id]),
        "sizes": sorted(sizes, key=lambda row: (row["task"], row["system"], _order(row["chunks"]))),
        "scenes": scenes,
    }
    write_result("chunking", facts=facts, measured=machine(seconds=round(time.perf_counter() - started, 1)))
    _show(facts)


def _tasks(folder: Path, *, tales: int, dense: bool, seed: int) -> list[Task]:
    fairy, asked = load(folder / "fairytaleqa", separator="\n\n")
    novels, asked_novels = load(folder / "graphragbench_silver", separator=" ")
    names, whole = sorted(fairy), tuple(SETTINGS)
    picked = sorted(np.random.default_rng(seed).permutation(names)[:tales].tolist())
    return [
        Task("fairytaleqa within tale, all", _each(names, fairy, asked), False, whole),
        Task("fairytaleqa within tale, sample", _each(picked, fairy, asked), dense, whole),
        Task("fairytaleqa open, sample", _together(picked, fairy, asked), dense, whole),
        Task("graphragbench_silver, BM25", _each(sorted(novels), novels, asked_novels), False, whole),
        Task("graphragbench_silver", _each(sorted(novels), novels, asked_novels), dense, NOVEL_SETTINGS),
    ]


def _each(names: Sequence[str], tales: Mapping[str, Tale], queries: Sequence[Query]) -> list[Any]:
    own: dict[str, list[Query]] = defaultdict(list)
    for query in queries:
        own[query.tale].append(query)
    return [([tales[name]], own[name]) for name in names if own[name]]


def _together(names: Sequence[str], tales: Mapping[str, Tale], queries: Sequence[Query]) -> list[Any]:
    kept = set(names)
    return [([tales[n] for n in names], [q for q in queries if q.open and q.tale in kept])]


def _digest(task: Task) -> dict[str, Any]:
    texts = [tale.document.text for tales, _ in task.books for tale in tales]
    asked = [query.text for _, queries in task.books for query in queries]
    return {"tales": len(texts), "queries": len(asked), "digest": digest_of([texts, asked])}


def _order(setting: str) -> tuple[int, ...]:
    return tuple(map(int, setting.split("/"))) if "/" in setting else (0,)


# --- one setting ----------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Searched:
    """A query, its book, and the chunks' scores by system."""

    query: Query
    book: Book
    own: NDArray[np.int64]
    filler: Filler
    scores: dict[str, Floats]


def _searched(
    task: Task, setting: str, vectors: KeptVectors, queries: Mapping[str, Vectors]
) -> Iterator[_Searched]:
    tokenizer = Tokenizer()
    for tales, asked in tqdm(task.books, desc=f"{task.name} {setting}", leave=False):
        book = book_of(tales, SETTINGS[setting])
        index = LexicalIndex.from_texts([t for own in book.texts for t in own], tokenizer=tokenizer)
        near = np.concatenate([vectors.documents(own) for own in book.texts]) if task.dense else None
        own, filler = members(book), Filler(book)
        for query in asked:
            bm25 = index.scores(query.text)
            scores = {"bm25": np.where(bm25 > 0, bm25, NOT_FOUND)}
            if near is not None:
                cosine = (near @ queries[query.text]).astype(np.float64)
                ceiling = index.ceiling_of(index.statistics(query.text)) or 1.0
                scores["dense"] = cosine
                scores["convex"] = (1 - SEMANTIC) * bm25 / ceiling + SEMANTIC * cosine
            yield _Searched(query, book, own, filler, scores)


def _measured(
    task: Task, setting: str, vectors: KeptVectors, queries: Mapping[str, Vectors]
) -> tuple[dict[str, list[Measures]], dict[str, float]]:
    found: dict[str, list[Measures]] = defaultdict(list)
    books: list[Book] = []
    for at in _searched(task, setting, vectors, queries):
        if not books or books[-1] is not at.book:
            books.append(at.book)
        for system, scores in at.scores.items():
            by_section = {f"ndcg10_{n}": _by_section(at, scores, n) for n in ("max", "top2")}
            found[system].append(by_section | _by_budget(at, scores))
    words = np.concatenate([book.chunks[:, 1] - book.chunks[:, 0] for book in books])
    return found, {"n_chunks": len(words), "words_a_chunk": round(float(words.mean()), 1)}


def _by_section(at: _Searched, scores: Floats, name: str) -> float:
    first = at.book.first_section[at.query.tale]
    order = ranked(SECTION_SCORES[name](scores, at.own))[:10].tolist()
    return ndcg(order, {first + gold for gold in at.query.gold})


def _by_budget(at: _Searched, scores: Floats, *, reach: int = 0) -> Measures:
    first, word = at.book.first_section[at.query.tale], at.book.first_word[at.query.tale]
    out: Measures = {}
    filled = at.filler.fill(ranked(scores).tolist(), BUDGETS, reach=reach)
    for budget, taken in zip(BUDGETS, filled, strict=True):
        there = np.zeros(at.book.words, dtype=bool)
        there[taken] = True
        shares = []
        for gold in at.query.gold:
            start, end = at.book.sections[first + gold].tolist()
            shares.append(float(there[start:end].mean()))
        out[f"covered_{budget}"] = float(np.mean(shares))
        if at.query.answers:
            told = (there[word + start : word + end].all() for start, end in at.query.answers)
            out[f"answered_{budget}"] = float(any(told))
    return out


def _summary(task: Task, rows: list[Measures], baseline: list[Measures]) -> dict[str, Any]:
    """Each measure: mean and 95 % interval; and the same of the difference to the baseline's chunks."""
    groups = _groups(task)
    out: dict[str, Any] = {}
    for measure in max(rows, key=len):
        has = [i for i, row in enumerate(rows) if measure in row]
        if len(has) < FEWEST:
            continue
        values = [rows[i][measure] for i in has]
        gains = [rows[i][measure] - baseline[i][measure] for i in has]
        own = [groups[i] for i in has]
        out[measure] = _with_interval(values, own)
        if measure.startswith("answered"):
            out["n_answered"] = len(has)
        out[f"{measure}_gain"] = _with_interval(gains, own)
    return out


def _groups(task: Task) -> list[str]:
    """What is resampled: tales, or single queries where there are only a few tales."""
    asked = [query for _, queries in task.books for query in queries]
    few = len({query.tale for query in asked}) < 10
    return [query.id if few else query.tale for query in asked]


def _with_interval(values: Sequence[float], groups: Sequence[str]) -> list[float]:
    return [round(float(np.mean(values)), 4), *interval(values, groups)]


# --- scenes ---------------------------------------------------------------------------------------


def _scenes(
    task: Task, setting: str, system: str, vectors: KeptVectors, queries: Mapping[str, Vectors]
) -> list[dict[str, Any]]:
    """Section scores from all its chunks, chunks lifted by their neighbours, neighbours brought along."""
    found: dict[str, list[Measures]] = defaultdict(list)
    for at in _searched(task, setting, vectors, queries):
        scores = at.scores[system]
        for name in SECTION_SCORES:
            found[f"section: {name}"].append({"ndcg10": _by_section(at, scores, name)})
        for name, lift in NEIGHBOURS.items():
            lifted = lift(scores, at.book.tale_of)
            measures = {"ndcg10": _by_section(at, lifted, "max")} | _by_budget(at, lifted)
            found[f"chunk: {name}"].append(measures)
        found["chunk: own, neighbours brought along"].append(_by_budget(at, scores, reach=1))
    label = {"task": task.name, "system": system, "chunks": setting}
    return [
        label | {"rule": rule} | _summary(task, rows, found["chunk: own"]) for rule, rows in found.items()
    ]


# --- tables ---------------------------------------------------------------------------------------


def _show(facts: Mapping[str, Any]) -> None:
    measures = ("ndcg10_max", "ndcg10_top2", "covered_300", "covered_600", "answered_300", "answered_600")
    print("task | system | chunks | words | " + " | ".join(measures) + " | gain in nDCG (max)")
    for row in facts["sizes"]:
        cells = [f"{row[m][0]:.3f}" if m in row else "-" for m in measures]
        gain = row["ndcg10_max_gain"]
        label = f"{row['task']} | {row['system']} | {row['chunks']} | {row['words_a_chunk']}"
        print(label, *cells, "{:+.3f} [{:+.3f}, {:+.3f}]".format(*gain), sep=" | ")
    for part in ("scenes", "feedback"):
        for row in facts[part]:
            cells = [
                f"{k} {v[0]:+.3f} [{v[1]:+.3f}, {v[2]:+.3f}]" for k, v in row.items() if k.endswith("_gain")
            ]
            label = [str(v) for v in row.values() if isinstance(v, str)]
            print(part, *label, *cells, sep=" | ")


def parser() -> argparse.ArgumentParser:
    options = new_parser(__doc__, data=True)
    options.add_argument("--cache", type=Path, default=default_cache("experiments"), help="keeps vectors")
    options.add_argument("--tales", type=int, default=30, help="tales in the sample that is embedded")
    options.add_argument("--no-dense", action="store_true", help="BM25 only: embeds nothing")
    options.add_argument("--seed", type=int, default=0, help="draws the sample")
    return options
