"""What does a PostgreSQL server cost, beside the embedded store?

    python experiments/run.py postgres --url postgresql://host/database [--chunks 5000] [--dry]

One book of ``--chunks`` chunks with vectors around themes, all made from a seed, is published into the
embedded store and into the server, there with every kind of vector index at single and half precision.
*Ingest* is the time of :meth:`publish`, the best of ``--rounds``; *hybrid* is a hybrid search, k 10, by
queries whose vectors are at hand, none asked twice; *recall* is the share of the ten nearest chunks, by the
embedded store's exact search, that the server's vector index finds, over the whole book and up to its middle.

The database should be one that nothing else uses; the books made in it are deleted.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from experiments.common.options import new_parser
from experiments.common.result_file import machine, write_result
from fabula.core.chunks.table import ChunkTable
from fabula.core.interfaces import Vectors
from fabula.core.lexical.bm25 import BM25Settings, LexicalIndex
from fabula.core.search import Search
from fabula.core.store.generations import Publication
from fabula.core.store.postgres.store import PostgresStore
from fabula.core.store.postgres.target import Target
from fabula.core.store.sqlite import ProjectStore
from fabula.core.store.store import IndexReader, Store
from fabula.core.types import Chapter, Chunk, Document, Span
from fabula.core.vectors.index import VectorIndex

SEED = 32
K, DIMENSION, WORDS, CHAPTER = 10, 384, 70, 50  # found, of a vector, of a chunk, chunks of a chapter
_VARIANTS = {
    "exact": {},
    "exact, half": {"half_precision": True},
    "hnsw": {"vector_index": "hnsw"},
    "hnsw, half": {"vector_index": "hnsw", "half_precision": True},
    "ivfflat": {"vector_index": "ivfflat"},
    "ivfflat, half": {"vector_index": "ivfflat", "half_precision": True},
}


@dataclass(frozen=True, slots=True, eq=False)
class _Book:
    document: Document
    parts: Publication
    queries: list[str]
    vectors: Vectors  # of the queries


class _Embedder:
    """Gives each query the vector that it has already."""

    name, dimension = "made", DIMENSION

    def __init__(self, book: _Book) -> None:
        self._known = dict(zip(book.queries, book.vectors, strict=True))

    def embed_query(self, text: str) -> Vectors:
        return self._known[text]

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        raise NotImplementedError


def main(options: argparse.Namespace) -> None:
    """Measures, prints, and writes ``results/postgres.json`` but on a dry run."""
    book = _make(options.chunks, options.queries)
    rows: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory() as scratch:
        with closing(ProjectStore.create(Path(scratch) / "embedded")) as store:
            rows["embedded"] = _measure(store, book, options.rounds)
            exact = [_nearest(store.index(), book, limit) for limit in (None, options.chunks // 2)]
        for number, (name, settings) in enumerate(_VARIANTS.items()):
            target = Target(options.url, f"speed-{number}", statement_timeout_s=600, **settings)
            with closing(PostgresStore.create(Path(scratch) / str(number), target)) as store:
                rows[name] = _measure(store, book, options.rounds)
                found = [_nearest(store.index(), book, limit) for limit in (None, options.chunks // 2)]
                rows[name] |= {
                    "recall_whole": _recall(exact[0], found[0]),
                    "recall_middle": _recall(exact[1], found[1]),
                }
                store.erase()
    print(_shown(rows))
    if not options.dry:
        facts = {"seed": SEED, "chunks": options.chunks, "queries": options.queries, "k": K}
        write_result("postgres", facts=facts, measured=machine(rows=rows))


def parser() -> argparse.ArgumentParser:
    """The options."""
    options = new_parser(__doc__)
    options.add_argument("--url", required=True, help="the server; the password comes from PGPASSWORD")
    options.add_argument("--chunks", type=int, default=5_000)
    options.add_argument("--queries", type=int, default=200)
    options.add_argument("--rounds", type=int, default=3, help="of publishing")
    options.add_argument("--dry", action="store_true", help="write no result file")
    return options


def _measure(store: Store, book: _Book, rounds: int) -> dict[str, float]:
    ingest = min(_timed(lambda: _publish(store, book)) for _ in range(rounds))
    opening = time.perf_counter()
    index = store.index()
    chunks = index.chunks(book.document)
    engine = Search(chunks, index.lexical(BM25Settings()), index.vectors(), _Embedder(book))
    opened = time.perf_counter() - opening
    half = len(book.queries) // 2
    for query in book.queries[:half]:  # warms what is kept between queries, with others than those timed
        engine.search(query, K)
    times = sorted(1000 * _timed(lambda q=query: engine.search(q, K)) for query in book.queries[half:])
    return {
        "ingest_s": round(ingest, 3),
        "open_ms": round(1000 * opened, 1),
        "hybrid_p50_ms": round(float(np.percentile(times, 50)), 2),
        "hybrid_p95_ms": round(float(np.percentile(times, 95)), 2),
    }


def _publish(store: Store, book: _Book) -> None:
    with store.lock():
        store.publish(book.parts)


def _timed(act: Callable[[], object]) -> float:
    started = time.perf_counter()
    act()
    return time.perf_counter() - started


def _nearest(index: IndexReader, book: _Book, limit: int | None) -> list[set[int]]:
    vectors = index.vectors()
    return [set(vectors.nearest(vector, K, limit=limit)[0].tolist()) for vector in book.vectors]


def _recall(exact: Sequence[set[int]], found: Sequence[set[int]]) -> float:
    return round(sum(len(a & b) for a, b in zip(exact, found, strict=True)) / sum(map(len, exact)), 4)


def _make(chunks: int, queries: int) -> _Book:
    chance, rng = random.Random(SEED), np.random.default_rng(SEED)
    vocabulary = [f"{a}{b}{c}" for a in "bdfgklmnprst" for b in ("a", "en", "ir", "ou") for c in _ENDS]
    chance.shuffle(vocabulary)
    rarity = 1 / np.arange(1, len(vocabulary) + 1)
    drawn = rng.choice(len(vocabulary), size=(chunks, WORDS), p=rarity / rarity.sum())
    texts = [" ".join(vocabulary[i] for i in row) + ".\n" for row in drawn.tolist()]
    document, table = _told(texts)
    themes = rng.normal(size=(max(8, chunks // 100), DIMENSION))
    vectors = _unit(themes[rng.integers(len(themes), size=chunks)] + rng.normal(size=(chunks, DIMENSION)))
    sources = rng.integers(chunks, size=queries)
    asked = [" ".join(chance.sample(texts[i].split(), 4)) + f" {n}" for n, i in enumerate(sources.tolist())]
    around = _unit(vectors[sources] + 0.05 * rng.normal(size=(queries, DIMENSION)))
    parts = Publication(document, table, LexicalIndex.from_texts(texts), VectorIndex(vectors), lambda _: None)
    return _Book(document, parts, asked, around)


def _told(texts: Sequence[str]) -> tuple[Document, ChunkTable]:
    ends = np.cumsum([0, *map(len, texts)]).tolist()
    chapters, chunks = [], []
    for first in range(0, len(texts), CHAPTER):
        body = Span(ends[first], ends[min(first + CHAPTER, len(texts))])
        chapters.append(Chapter(len(chapters) + 1, "", Span(body.start, body.start), body))
    document = Document("made", "Made", "".join(texts), tuple(chapters))
    for ordinal, text in enumerate(texts):
        span = Span(ends[ordinal], ends[ordinal + 1])
        id = Chunk.make_id("made", span, text)
        chunks.append(Chunk(id, "made", ordinal // CHAPTER + 1, ordinal, span, text))
    return document, ChunkTable.of(document, chunks)


def _unit(vectors: Any) -> Vectors:
    unit: Vectors = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
    return unit


def _shown(rows: Mapping[str, Mapping[str, float]]) -> str:
    names = list(dict.fromkeys(name for row in rows.values() for name in row))
    lines = [["", *names]]
    lines += [[one, *(str(row.get(name, "")) for name in names)] for one, row in rows.items()]
    wide = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join("  ".join(cell.ljust(n) for cell, n in zip(line, wide, strict=True)) for line in lines)


_ENDS = "da de do ga ge go ka ke ko la le lo ma me mo na ne no ra re ro sa se so ta te to va ve vo".split()
