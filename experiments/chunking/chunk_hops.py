"""Do hops to neighbours and by shared names help on chunks of the size used, not only on sections?

Usage:  python experiments/run.py chunk_hops --data DIR [--cache DIR] [--tales N] [--size N --overlap N]

DIR holds ``retrieval/fairytaleqa`` and ``retrieval/graphragbench_silver``. Tales and novels are put together
from their sections and cut as a project cuts them; the engine searches them at its default preset without
hops, with the order of telling alone, and with names too, each at several shares. Measured by budget as in
``chunking`` (the first chunks filling 300 or 600 words: what share of the gold section is there, does its
answer stand there) and by nDCG@10 of sections, scored from their best chunk. Intervals resample tales.
Writes results/chunk_hops.json.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from tqdm import tqdm

from experiments.common.folders import default_cache
from experiments.common.options import new_parser
from experiments.common.result_file import machine, write_result
from fabula.core.chunks.table import Selection
from fabula.core.fusion import DEFAULT_PRESET
from fabula.core.fusion.neighbours import lifted, neighbour_hops
from fabula.core.interfaces import Vectors
from fabula.core.lexical.bm25 import LexicalIndex
from fabula.core.search import Query as SearchQuery
from fabula.core.search import Search
from fabula.core.types import Chunk, Horizon, Span
from fabula.core.vectors.index import VectorIndex
from fabula.story.graph_rag.passage_graph import PassageGraph, PassageText

from .chunking import BUDGETS, Task, _digest, _groups, _tasks, _with_interval
from .corpus import Book, Query, Tale, book_of, by_size
from .measures import Filler, members, ndcg
from .vectors import KeptVectors

VARIANTS: Mapping[str, tuple[float, float, bool]] = {
    "no hops": (0.0, 0.0, False),
    "neighbours, share .25": (0.25, 1.0, False),
    "neighbours, share .5": (0.5, 1.0, False),
    "names, share .5": (0.5, 0.0, True),
    "neighbours at half weight and names, share .5": (0.5, 0.5, True),
    "neighbours and names, share .5 (as used)": (0.5, 1.0, True),
}
"""Name; then the share a hop passes on, the weight of neighbours, and whether names are followed."""
_SEEDS = 5


class _Given:
    name, dimension = "given", 384

    def __init__(self, vectors: Mapping[str, Vectors]) -> None:
        self._vectors = vectors

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        return np.stack([self._vectors[text] for text in texts])

    def embed_query(self, text: str) -> Vectors:
        return self._vectors[text]


class _Searched:
    """One book: every chunk's base score once a query, then each variant over it."""

    def __init__(
        self, tales: Sequence[Tale], book: Book, vectors: Vectors, asked: Mapping[str, Vectors]
    ) -> None:
        texts = [text for own in book.texts for text in own]
        chunks = [
            Chunk(str(i), tales[t].document.id, 1, i, Span(0, len(text)), text)
            for i, (text, t) in enumerate(zip(texts, book.tale_of.tolist(), strict=True))
        ]
        self._n, self._documents = len(texts), [chunk.document_id for chunk in chunks]
        self._engine = Search(
            chunks,
            LexicalIndex.from_texts(texts),
            VectorIndex(np.ascontiguousarray(vectors)),
            _Given(asked),  # type: ignore[arg-type]
            preset=DEFAULT_PRESET,
        )
        self._graph = PassageGraph.from_passages(PassageText(i, "", text) for i, text in enumerate(texts))

    def ranked(self, query: str) -> dict[str, list[int]]:
        """By variant, chunk numbers, best first."""
        engine, k = self._engine, min(self._n, 40)
        weights = engine.preset.weights()
        found = engine.candidates(SearchQuery(query, k, Horizon(), Selection(self._n)), k, weights)
        seeds = [one.ordinal for one in engine.ranked(found, weights, _SEEDS)]
        names = list(self._graph.hops(seeds, query=query, limit=self._n))
        near = neighbour_hops(seeds, documents=self._documents)
        reached = np.array([hop.target for hop in (*names, *near)], dtype=np.intp)
        found = engine.extended(found, reached)
        scores = {one.ordinal: one.score for one in engine.ranked(found, weights, self._n)}
        out = {}
        for name, (share, weight, follow) in VARIANTS.items():
            hops = [replace(hop, weight=weight) for hop in near] if weight else []
            hops += names if follow else []
            out[name] = [one.ordinal for one in lifted(scores, hops, share=share)]
        return out


def main(options: argparse.Namespace) -> None:
    vectors = KeptVectors(options.cache)
    rows = []
    tasks = [
        task
        for task in _tasks(options.data / "retrieval", tales=options.tales, dense=True, seed=0)
        if task.dense
    ]
    for task in tasks:
        found = _measured(task, vectors, size=options.size, overlap=options.overlap)
        for variant, values in found.items():
            rows.append({"task": task.name, "variant": variant, **_summary(task, values, found["no hops"])})
    facts = {
        "question": "Do hops help on chunks of the size that is used?",
        "chunks": f"{options.size}/{options.overlap}",
        "data": {task.name: _digest(task) for task in tasks},
        "rows": rows,
    }
    write_result("chunk_hops", facts=facts, measured=machine())
    for row in rows:
        cells = [f"{k} {v[0]:+.3f} [{v[1]:+.3f}, {v[2]:+.3f}]" for k, v in row.items() if k.endswith("_gain")]
        print(row["task"], row["variant"], *cells, sep=" | ")


def _measured(
    task: Task, vectors: KeptVectors, *, size: int, overlap: int
) -> dict[str, list[dict[str, float]]]:
    asked = vectors.queries([q for _, own in task.books for q in own])
    found: dict[str, list[dict[str, float]]] = defaultdict(list)
    for tales, queries in tqdm(task.books, desc=task.name):
        book = book_of(tales, by_size(size, overlap))
        searched = _Searched(tales, book, np.concatenate([vectors.documents(t) for t in book.texts]), asked)
        own, filler = members(book), Filler(book)
        for query in queries:
            for variant, order in searched.ranked(query.text).items():
                found[variant].append(_worth(query, book, order, own, filler))
    return found


def _worth(query: Query, book: Book, order: Sequence[int], own: Any, filler: Filler) -> dict[str, float]:
    first, word = book.first_section[query.tale], book.first_word[query.tale]
    rank = {chunk: place for place, chunk in enumerate(order)}
    placed = [min((rank.get(c, len(rank)) for c in row if c >= 0), default=len(rank)) for row in own.tolist()]
    sections = sorted((s for s, r in enumerate(placed) if r < len(rank)), key=lambda s: (placed[s], s))
    out = {"ndcg10": ndcg(sections[:10], {first + gold for gold in query.gold})}
    for budget, taken in zip(BUDGETS, filler.fill(order, BUDGETS), strict=True):
        there = np.zeros(book.words, dtype=bool)
        there[taken] = True
        spans = [book.sections[first + gold].tolist() for gold in query.gold]
        out[f"covered_{budget}"] = float(np.mean([there[a:b].mean() for a, b in spans]))
        if query.answers:
            told = (there[word + a : word + b].all() for a, b in query.answers)
            out[f"answered_{budget}"] = float(any(told))
    return out


def _summary(task: Task, rows: list[dict[str, float]], base: list[dict[str, float]]) -> dict[str, Any]:
    groups = _groups(task)
    out: dict[str, Any] = {"n": len(rows)}
    for measure in max(rows, key=len):
        has = [i for i, row in enumerate(rows) if measure in row]
        own = [groups[i] for i in has]
        out[measure] = _with_interval([rows[i][measure] for i in has], own)
        out[f"{measure}_gain"] = _with_interval([rows[i][measure] - base[i][measure] for i in has], own)
    return out


def parser() -> argparse.ArgumentParser:
    options = new_parser(__doc__, data=True)
    options.add_argument("--cache", type=Path, default=default_cache("experiments"), help="keeps vectors")
    options.add_argument("--tales", type=int, default=60)
    options.add_argument("--size", type=int, default=540)
    options.add_argument("--overlap", type=int, default=108)
    return options
