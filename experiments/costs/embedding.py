"""What does embedding cost here, beside sentence-transformers: documents, questions, a cold start?

Usage:  python experiments/run.py embedding [--data DIR] [--book NAME] [--chunks N] [--rounds N] [--threads N]

DIR holds ``novels/NAME.txt``; without it the demo story is read. Both sides take turns, slice by slice, on
the same machine; each gets wall and processor time. Documents: chapter by chapter here, one ``encode`` of
the whole slice there, same precision. Questions there: as it comes (fp32, its default threads), and on one
thread.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

from experiments.common.folders import ROOT
from experiments.common.options import new_parser
from experiments.common.result_file import digest_of, machine, write_result
from fabula.core.chunks.chunking import chunk_document
from fabula.core.documents import read_document
from fabula.core.embeddings import EmbeddingManager
from fabula.core.types import Chunk

DEMO = ROOT / "src" / "demo" / "story.md"
QUESTIONS = (
    "Who left the harbour before dawn?",
    "What did the old man promise his daughter?",
    "Where is the letter hidden, and who knows of it?",
    "the quarrel at the wedding",
    "Why does she refuse to go back to the house on the hill after her brother has died?",
    "a storm at sea",
    "Who inherits the mill?",
    "They meet again, alone, and one of them says what was left unsaid.",
)
COLD = {
    "fabula": "from fabula.core.embeddings import EmbeddingManager as M; M().embed_query('who left?')",
    "sentence_transformers": (
        "from sentence_transformers import SentenceTransformer as S; "
        "S({folder!r}, device='cpu').encode('who left?')"
    ),
}
Timing = dict[str, list[float]]


def main(options: argparse.Namespace) -> None:
    """Measures and writes ``results/embedding.json``."""
    import torch

    book = options.data / "novels" / f"{options.book}.txt" if options.data else DEMO
    rounds, threads = options.rounds, options.threads
    cold = cold_start(rounds=3)
    torch.set_num_threads(threads)
    chunks = chunk_document(read_document(book))[: options.chunks]
    embedder = EmbeddingManager(device="cpu")
    exact = EmbeddingManager(device="cpu", precision="fp32")
    same = _reference(embedder, torch)
    documents = by_turns(
        {
            "fabula": lambda part: _by_chapter(embedder, part),
            "sentence_transformers": lambda part: same([c.text for c in part]),
        },
        [chunks[i * len(chunks) // rounds : (i + 1) * len(chunks) // rounds] for i in range(rounds)],
    )
    questions = by_turns(
        {
            "fabula": embedder._query_vector,  # past the memory of recent questions
            "sentence_transformers": exact.model.encode,
            "sentence_transformers_one_thread": lambda text: _on_one_thread(exact, text, torch),
        },
        QUESTIONS * rounds,
    )
    facts = {
        "question": "What does embedding cost here, beside sentence-transformers?",
        "book": book.stem,
        "digest": digest_of(book.read_text(encoding="utf-8")),
        "chunks": len(chunks),
        "questions": list(QUESTIONS),
    }
    write_result(
        "embedding",
        facts=facts,
        measured=machine(
            precision=embedder.resolved_precision,
            threads=threads,
            documents=_summary(documents),
            questions=_summary(questions),
            cold_start=_summary(cold),
        ),
    )


def by_turns(systems: dict[str, Callable[[Any], Any]], items: Sequence[Any]) -> dict[str, Timing]:
    """Wall and processor seconds of each system on each item; who goes first changes with every item."""
    names = list(systems)
    times: dict[str, Timing] = {name: {"wall": [], "cpu": []} for name in names}
    for name in names:
        systems[name](items[0])
    for turn, item in enumerate(items):
        for name in names[turn % len(names) :] + names[: turn % len(names)]:
            wall, cpu = time.perf_counter(), time.process_time()
            systems[name](item)
            times[name]["wall"].append(time.perf_counter() - wall)
            times[name]["cpu"].append(time.process_time() - cpu)
    return times


def cold_start(*, rounds: int) -> dict[str, Timing]:
    """Seconds of a fresh process from its start to its end, with one question embedded."""
    from fabula.core.encoders.prefixes import DEFAULT_MODEL, PACKAGED, packaged_folder

    folder = str(packaged_folder(PACKAGED[DEFAULT_MODEL]))
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    times: dict[str, Timing] = {name: {"wall": [], "cpu": []} for name in COLD}
    for turn in range(rounds + 1):
        for name, code in COLD.items():
            before, wall = os.times(), time.perf_counter()
            subprocess.run(  # noqa: S603
                [sys.executable, "-W", "ignore", "-c", code.format(folder=folder)],
                env=environment,
                check=True,
                stderr=subprocess.DEVNULL,
            )
            after = os.times()
            if turn:  # the first time compiles
                times[name]["wall"].append(time.perf_counter() - wall)
                used = after.children_user + after.children_system
                times[name]["cpu"].append(used - before.children_user - before.children_system)
    return times


def _reference(embedder: EmbeddingManager, torch: Any) -> Callable[[Sequence[str]], Any]:
    """sentence-transformers by itself: one call, batches of 32, in the embedder's precision."""
    dtype = {"fp16": torch.float16, "bf16": torch.bfloat16}.get(embedder.resolved_precision)
    model = embedder.model

    def encode(texts: Sequence[str]) -> Any:
        with torch.inference_mode(), torch.autocast("cpu", dtype=dtype, enabled=dtype is not None):
            return model.encode(
                list(texts), batch_size=32, normalize_embeddings=True, show_progress_bar=False
            )

    return encode


def _by_chapter(embedder: EmbeddingManager, chunks: Sequence[Chunk]) -> None:
    for chapter in sorted({c.chapter for c in chunks}):
        embedder.embed_documents([c.text for c in chunks if c.chapter == chapter])


def _on_one_thread(embedder: EmbeddingManager, text: str, torch: Any) -> None:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    embedder.model.encode(text)
    torch.set_num_threads(before)


def _summary(times: dict[str, Timing]) -> dict[str, Any]:
    """Medians in seconds, and how many times faster fabula is (median of paired ratios)."""
    ours = times["fabula"]
    return {
        name: {
            kind: {
                "median_s": round(statistics.median(values), 5),
                "median_ratio": round(
                    statistics.median(v / o for v, o in zip(values, ours[kind], strict=True)), 3
                ),
            }
            for kind, values in timing.items()
        }
        for name, timing in times.items()
    }


def parser() -> argparse.ArgumentParser:
    options = new_parser(__doc__, data=False)
    options.add_argument("--book", default="the-great-gatsby")
    options.add_argument("--chunks", type=int, default=400, help="at most so many, from the beginning")
    options.add_argument("--rounds", type=int, default=8)
    options.add_argument("--threads", type=int, default=2, help="torch's, on both sides")
    return options
