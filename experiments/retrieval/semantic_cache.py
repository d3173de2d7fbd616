"""How often does the semantic cache answer a paraphrase, and how often a question that only looks like one?

    python experiments/run.py semantic_cache

Asks each pair of ``data/cache_pairs.json`` of a cache that holds its first question, with the signature and
without it (cosine alone). Rules and threshold were chosen on the half ``dev``. ``test`` is by a writer who
knew nothing of them: every second of his pairs, none of which was looked at.
Writes ``results/semantic_cache.json``.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from experiments.common.folders import DATA
from experiments.common.options import new_parser
from experiments.common.result_file import digest_of, machine, write_result
from fabula.core.embeddings import EmbeddingManager
from fabula.core.signatures.semantic_cache import DEFAULT_THRESHOLD, SemanticCache
from fabula.core.signatures.signature import normalised
from fabula.story.model.findings import wilson

PAIRS = DATA / "cache_pairs.json"
HELD, ASKED = 10_000, 200
Vector = NDArray[np.float32]
Row = dict[str, Any]


def share(hits: Sequence[bool]) -> Row:
    n, count = len(hits), sum(hits)
    return {"n": n, "count": count, "rate": round(count / n, 4) if n else None, "ci95": wilson(count, n)}


def asks(row: Row, vectors: dict[str, Vector]) -> tuple[bool, bool]:
    """Is the second question answered by what was kept for the first: with the signature, and without it?"""
    cache: SemanticCache[str] = SemanticCache()
    cache.put("scope", row["a"], vectors[row["a"]], row["a"])
    cosine = float(vectors[row["a"]] @ vectors[row["b"]])
    exact = normalised(row["a"]) == normalised(row["b"])
    return cache.get("scope", row["b"], vectors[row["b"]]) is not None, exact or cosine >= DEFAULT_THRESHOLD


def answered(rows: Sequence[Row], vectors: dict[str, Vector]) -> Row:
    """The shares of paraphrases that are answered, and of other questions that are answered falsely."""
    found = [asks(row, vectors) for row in rows]
    shares: Row = {"threshold": DEFAULT_THRESHOLD}
    for at, name in enumerate(("signature", "cosine_only")):
        for label, same in (("hit", True), ("false_hit", False)):
            shares[f"{name}_{label}"] = share(
                [one[at] for one, row in zip(found, rows, strict=True) if row["same_answer"] is same]
            )
    return shares


def milliseconds(calls: Sequence[Callable[[], object]]) -> Row:
    times = []
    for call in calls:
        began = time.perf_counter()
        call()
        times.append(1000 * (time.perf_counter() - began))
    middle, late = np.percentile(times, [50, 95])
    return {"n": len(times), "median": round(float(middle), 3), "p95": round(float(late), 3)}


def latency(embedder: EmbeddingManager) -> Row:
    """Milliseconds at 10,000 entries of different signatures."""
    cache: SemanticCache[int] = SemanticCache(capacity_bytes=1 << 30, threshold=0.5)
    vector = embedder.embed_query("Who saw a rider?")
    for i in range(HELD):
        cache.put("scope", f"Who saw rider {i}?", vector, i)
    ids = range(ASKED)
    other = [f"Which person saw rider {i}?" for i in ids]
    if cache.get("scope", other[0], embedder.embed_query(other[0])) is None:
        raise SystemExit("what is timed as a hit is none: choose another wording")
    return {
        "entries": HELD,
        "exact": milliseconds([lambda i=i: cache.get("scope", f"who saw rider {i}") for i in ids]),
        "semantic_vector_given": milliseconds([lambda q=q: cache.get("scope", q, vector) for q in other]),
        "semantic_with_embedding": milliseconds(
            [lambda q=q: cache.get("scope", q, lambda: embedder.embed_query(q)) for q in other]
        ),
    }


def main(_: argparse.Namespace) -> None:
    rows: list[Row] = json.loads(PAIRS.read_text(encoding="utf-8"))
    embedder = EmbeddingManager(device="cpu", precision="fp32")
    vectors = {row[side]: embedder.embed_query(row[side]) for row in rows for side in ("a", "b")}
    halves = {half: [row for row in rows if row["half"] == half] for half in ("dev", "test")}
    facts: Row = {
        "model": embedder.name,
        "pairs": {"file": PAIRS.name, "digest": digest_of(rows)},
        "at_default": {half: answered(part, vectors) for half, part in halves.items()},
    }
    times = latency(EmbeddingManager(device="cpu"))
    print(write_result("semantic_cache", facts=facts, measured=machine(milliseconds=times)))
    print(json.dumps({**facts["at_default"], **times}, indent=1))


def parser() -> argparse.ArgumentParser:
    return new_parser(__doc__)
