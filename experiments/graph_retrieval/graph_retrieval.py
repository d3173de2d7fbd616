"""Does a graph of passages and names, made without a language model, find what one search cannot reach?

Usage:  python experiments/run.py graph_retrieval [--data DIR] [--cache DIR]

DIR (default ``$FABULA_DATA``) holds ``retrieval/SET``; vectors are kept in the cache. Sets: questions over
two to four Wikipedia passages (MuSiQue, HotpotQA: 50 each, one pool), over novels (GraphRAG-Bench, within the
novel), and over tales (FairytaleQA, within the tale and in one library of all tales). "cross-section" are the
questions that FairytaleQA marks as summing up several sections. The settings are the same for all sets.

These sets were looked at while the rule was made: its form (a lift toward the source, not a sum), the share
of a half, the weight of a name and its caps were picked after some hundred tries on them, most of which are
not repeated here. So the gains are those of development data, and their intervals do not allow for that
choice. Choosing the share anew for each set on the others checks that one number alone. Every system that is
compared here is reported. Writes results/graph_retrieval.json.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from tqdm import tqdm

from experiments.common.folders import default_cache
from experiments.common.options import new_parser
from experiments.common.result_file import machine, write_result
from experiments.retrieval.data import Collection, load_collection
from experiments.retrieval.measures import MEASURES, macro_interval, measure
from fabula.core.embeddings import EmbeddingManager
from fabula.core.lexical.bm25 import LexicalIndex
from fabula.core.text.tokenizing import Tokenizer
from fabula.story.graph_rag.passage_graph import PassageGraph, PassageText

from .systems import BASES, DEFAULT, SHARES, Book, Floats, Question, System, systems

FOLDERS = ("musique100", "hotpot100", "graphragbench_silver", "fairytaleqa")
POOLED = ("musique100", "hotpot100")  # every passage is its own document, with a title
SETS = (
    "musique100",
    "hotpot100",
    "graphragbench_silver",
    "tale, local",
    "tale, cross-section",
    "library, all",
    "library, cross-section",
)
WHOLE = ("musique100", "hotpot100", "graphragbench_silver", "tale, local", "tale, cross-section")
BASELINE = "convex"
ALL_GOLD = "all-gold@10"
PASSAGES = 50_000  # of the speed test


def main(options: argparse.Namespace) -> None:
    started = time.perf_counter()
    embedder = EmbeddingManager()
    digests: dict[str, str] = {}
    table = _Table(systems())
    texts: list[str] = []
    for folder in FOLDERS:
        path = options.data / "retrieval" / folder
        collection = load_collection(path, embedder=embedder, cache=options.cache)
        digests[folder] = collection.digest
        texts += collection.texts
        for question in tqdm(_questions(folder, collection, _titles(path)), desc=folder):
            table.add(question)
    facts = {"model": embedder.name, "data": digests, "measures": [*MEASURES, ALL_GOLD], **table.facts()}
    speed = _speed(texts)
    measured = machine(seconds=round(time.perf_counter() - started, 1), speed=speed)
    write_result("graph_retrieval", facts=facts, measured=measured)
    _show(facts, speed)


class _Table:
    """Values by system and set, a row a question: the measures, then whether all that is relevant came."""

    def __init__(self, compared: Mapping[str, System]) -> None:
        self._systems = compared
        self._rows: dict[str, dict[str, list[tuple[float, ...]]]] = {
            name: {s: [] for s in SETS} for name in compared
        }
        self._groups: dict[str, list[str]] = {s: [] for s in SETS}

    def add(self, question: Question) -> None:
        for name, system in self._systems.items():
            ranked = system(question)
            values = *measure(ranked, question.relevant), float(question.relevant <= set(ranked))
            for own in question.sets:
                self._rows[name][own].append(values)
        for own in question.sets:
            self._groups[own].append(question.group)

    def facts(self) -> dict[str, Any]:
        values = {n: {s: np.asarray(v) for s, v in rows.items()} for n, rows in self._rows.items()}
        base = values[BASELINE]
        return {
            "sets": {s: {"questions": len(own), "groups": len(set(own))} for s, own in self._groups.items()},
            "baseline": BASELINE,
            "default": DEFAULT,
            "status": "development data: form and share of the default were picked after seeing these sets",
            "systems": {
                name: {s: self._row(s, v, None if name == BASELINE else base[s]) for s, v in rows.items()}
                for name, rows in values.items()
            },
            "share chosen on the other sets": _left_out(values),
        }

    def _row(self, own: str, values: Floats, base: Floats | None) -> dict[str, Any]:
        names = (*MEASURES, ALL_GOLD)
        row: dict[str, Any] = dict(zip(names, np.round(values.mean(0), 4).tolist(), strict=True))
        if base is not None:
            row["gain"] = {
                name: [
                    round(float((values[:, i] - base[:, i]).mean()), 4),
                    *macro_interval({own: values[:, i] - base[:, i]}, {own: self._groups[own]}),
                ]
                for i, name in enumerate(names)
                if name in ("ndcg@10", "r@5", "r@10")
            }
        return row


def _left_out(values: Mapping[str, Mapping[str, Floats]]) -> dict[str, Any]:
    """For each set the share with the best mean nDCG@10 on all others, and what it gives here. Slices of
    one collection are left out together."""
    found: dict[str, Any] = {}
    for left in WHOLE:
        others = [s for s in WHOLE if s.split(",")[0] != left.split(",")[0]]

        def over_others(share: float, others: Sequence[str] = others) -> float:
            own = values[f"entities + neighbours, share {share}"]
            return float(np.mean([own[s][:, 0].mean() for s in others]))

        share = max(SHARES, key=over_others)
        ndcg = values[f"entities + neighbours, share {share}"][left][:, 0].mean()
        found[left] = {"share": share, "ndcg@10": round(float(ndcg), 4)}
    return found


def _questions(folder: str, collection: Collection, titles: Sequence[str]) -> Iterator[Question]:
    members: dict[str, list[int]] = {"": list(range(len(collection.ids)))}
    if folder not in POOLED:
        for i, document in enumerate(collection.documents):
            members.setdefault(document, []).append(i)
    number = {passage: i for i, passage in enumerate(collection.ids)}
    books: dict[str, tuple[LexicalIndex, Book]] = {}
    tokenizer = Tokenizer()
    for query, vector in zip(collection.queries, collection.query_vectors, strict=True):
        gold = {number[passage] for passage in collection.relevant.get(query["_id"], ())}
        for own, sets in _places(folder, query):
            inside = members[own]
            if own not in books:
                index = LexicalIndex.from_texts((collection.texts[i] for i in inside), tokenizer=tokenizer)
                books[own] = index, _book(collection, titles, inside)
            index, book = books[own]
            yield Question(
                id=query["_id"],
                text=query["text"],
                group=query["doc"] if folder == "fairytaleqa" else query["_id"],
                sets=sets,
                book=book,
                bm25=index.scores(query["text"]),
                cosine=(collection.vectors[inside] @ vector).astype(np.float64),
                ceiling=index.ceiling_of(index.statistics(query["text"])),
                relevant=frozenset(at for at, i in enumerate(inside) if i in gold),
            )


def _places(folder: str, query: Mapping[str, Any]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The books that a question is asked of, and the sets that it counts in there."""
    if folder in POOLED:
        yield "", (folder,)
    elif folder == "fairytaleqa":
        local = query["scope"] == "local"
        yield query["doc"], ("tale, local" if local else "tale, cross-section",)
        if query["open_ok"]:
            yield "", ("library, all",) if local else ("library, all", "library, cross-section")
    else:
        yield query["doc"], (folder,)


def _book(collection: Collection, titles: Sequence[str], inside: Sequence[int]) -> Book:
    """Only passages with a title of their own bring it; a tale's title is no entity of its sections."""
    return Book(
        documents=[collection.documents[i] for i in inside],
        graph=_graph((titles[i], collection.texts[i]) for i in inside)
        if collection.name in POOLED
        else _graph(("", collection.texts[i]) for i in inside),
        untitled=_graph(("", collection.texts[i]) for i in inside),
    )


def _graph(rows: Iterable[tuple[str, str]]) -> PassageGraph:
    return PassageGraph.from_passages(
        PassageText(i, title, text.removeprefix(f"{title}. ")) for i, (title, text) in enumerate(rows)
    )


def _titles(path: Path) -> list[str]:
    lines = (path / "corpus.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line).get("title", "") for line in lines if line]


def _speed(texts: Sequence[str]) -> dict[str, float]:
    """Processor time of hops from five seeds at half of the book, for two sizes (texts repeat as needed)."""
    found: dict[str, float] = {}
    rng = np.random.default_rng(0)
    for n in (2_000, PASSAGES):
        started = time.process_time()
        graph = PassageGraph.from_passages(PassageText(i, "", texts[i % len(texts)]) for i in range(n))
        found[f"build_seconds_{n}"] = round(time.process_time() - started, 2)
        draws = [rng.integers(0, n // 2, 5).tolist() for _ in range(300)]
        took = []
        for seeds in draws:
            started = time.process_time()
            graph.hops(seeds, query="Who was the mother of the king?", limit=n // 2)
            took.append(time.process_time() - started)
        found[f"hops_ms_p50_{n}"] = round(float(np.median(took)) * 1e3, 3)
        found[f"hops_ms_p95_{n}"] = round(float(np.percentile(took, 95)) * 1e3, 3)
    return found


def _show(facts: Mapping[str, Any], speed: Mapping[str, float]) -> None:
    print(f"{'nDCG@10/R@5/R@10':38s}" + "".join(f"{s[:22]:>24s}" for s in SETS))
    for name, rows in facts["systems"].items():
        cells = (f"{r['ndcg@10']:.3f}/{r['r@5']:.3f}/{r['r@10']:.3f}" for r in rows.values())
        print(f"{name + (' (base)' if name in BASES else ''):38s}" + "".join(f"{c:>24s}" for c in cells))
    for s, row in facts["systems"][DEFAULT].items():
        print(f"gain {s}: {row['gain']}")
    print(facts["share chosen on the other sets"], speed)


def parser() -> argparse.ArgumentParser:
    options = new_parser(__doc__, data=True)
    options.add_argument("--cache", type=Path, default=default_cache("retrieval"), help="keeps vectors")
    return options
