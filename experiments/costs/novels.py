"""What do whole novels cost: wall time by stage, peak memory, and embedding against the bare encoder.

Usage:  python experiments/run.py novels --data DIR [--books a,b,c] [--name RESULT] [--only-embedding]

DIR holds ``novels/NAME.txt``. Each command runs in a process of its own, as a user would run it.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from experiments.common.commands import run_fabula
from experiments.common.folders import RESULTS
from experiments.common.options import new_parser, split_names
from experiments.common.result_file import digest_of, machine, write_result
from fabula.config import Config
from fabula.core.chunks.chunking import chunk_document
from fabula.core.documents import read_document
from fabula.core.embeddings import EmbeddingManager
from fabula.core.store.records import KeptWork
from fabula.core.store.sqlite import ProjectStore
from fabula.core.types import Chapter, Chunk, Document
from fabula.project.vectors import embed_chapters, vectors_key

BOOKS = "anna-karenina,pride-and-prejudice,the-great-gatsby"
PROMPT = "The two of them meet again, alone, and one of them says what was left unsaid."


def main(options: argparse.Namespace) -> None:
    """Measures each book and writes ``results/NAME.json``."""
    if options.only_embedding:
        _embedding_only(options)
        return
    facts, measured = [], []
    with tempfile.TemporaryDirectory() as scratch:
        for book in options.books:
            text = options.data / "novels" / f"{book}.txt"
            project = Path(scratch) / book
            index = run_fabula("index", str(text), "-o", str(project), "--json")
            again = run_fabula("index", str(text), "-o", str(project), "--json")
            chapter = str(index["answer"]["chapters"] // 2)
            compare = run_fabula("compare", str(project), PROMPT, "--chapter", chapter, "--json")
            answer = index["answer"]
            facts.append(
                {
                    "book": book,
                    "digest": digest_of(text.read_text(encoding="utf-8")),
                    **{key: answer[key] for key in ("chapters", "words", "chunks")},
                }
            )
            measured.append(
                {
                    "book": book,
                    "index_wall_s": index["wall_s"],
                    "index_stages_s": {k: round(v, 2) for k, v in answer["seconds"].items()},
                    "index_peak_gb": index["peak_gb"],
                    "index_again_wall_s": again["wall_s"],
                    "compare_wall_s": compare["wall_s"],
                    "compare_peak_gb": compare["peak_gb"],
                    "compare_stages_s": {
                        pipeline: {stage: round(s, 2) for stage, s in part["stages"].items()}
                        for pipeline, part in compare["answer"]["machine"]["seconds"].items()
                    },
                }
            )
            print(json.dumps(measured[-1], indent=1), file=sys.stderr, flush=True)
            shutil.rmtree(project)
        throughput = _embedding_of_first(options, Path(scratch))
    half = machine(books=measured, embedding=throughput)
    whole = {"question": "What do whole novels cost?", "books": facts}
    write_result(options.name, facts=whole, measured=half)


def _embedding_of_first(options: argparse.Namespace, scratch: Path) -> dict[str, Any]:
    text = options.data / "novels" / f"{options.books[0]}.txt"
    return side_by_side(text, scratch, rounds=options.rounds)


def side_by_side(text: Path, scratch: Path, *, rounds: int) -> dict[str, Any]:
    """The embedding stage and two encoders alone on the same chunks, by turns, slice by slice."""
    import torch

    document = read_document(text)
    chunks = chunk_document(document)
    embedder = EmbeddingManager()
    embedder.load()
    _encoder_alone(embedder, chunks[:2], torch)
    config = Config()
    width = -(-len(document.chapters) // rounds)
    ratios, ours, alone, own, count = [], 0.0, 0.0, 0.0, 0
    for turn in range(rounds):
        chapters = document.chapters[turn * width : (turn + 1) * width]
        part = [c for c in chunks if chapters and chapters[0].number <= c.chapter <= chapters[-1].number]
        if not part:
            continue
        steps = [lambda: _stage(document, chapters, part, embedder, config, scratch / f"s{turn}")]  # noqa: B023
        steps.append(lambda: _encoder_alone(embedder, part, torch))  # noqa: B023
        steps.append(lambda: _own_encoder_alone(embedder, part))  # noqa: B023
        order = [(turn + step) % 3 for step in range(3)]
        seconds = {which: steps[which]() for which in order}
        ours, alone, own = ours + seconds[0], alone + seconds[1], own + seconds[2]
        count += len(part)
        ratios.append(seconds[1] / seconds[0])
    return {
        "book": text.stem,
        "commit": machine()["commit"],
        "chunks": count,
        "precision": embedder.resolved_precision,
        "stage_chunks_per_s": round(count / ours, 1),
        "encoder_alone_chunks_per_s": round(count / alone, 1),
        "own_encoder_alone_chunks_per_s": round(count / own, 1),
        "own_ratio_of_totals": round(own / ours, 3),
        "ratio_of_totals": round(alone / ours, 3),
        "median_ratio": round(statistics.median(ratios), 3),
        "ratios": [round(r, 3) for r in ratios],
    }


def _stage(
    document: Document,
    chapters: tuple[Chapter, ...],
    chunks: list[Chunk],
    embedder: EmbeddingManager,
    config: Config,
    folder: Path,
) -> float:
    part = Document(document.id, document.title, document.text, chapters)
    with ProjectStore.create(folder) as store:
        started = time.perf_counter()
        embed_chapters(chunks, KeptWork(store, vectors_key(embedder, config), part), embedder)
        return time.perf_counter() - started


def _encoder_alone(embedder: EmbeddingManager, chunks: list[Chunk], torch: Any) -> float:
    """What sentence-transformers takes by itself: one call, all chunks, same batch size and precision."""
    dtype = {"fp16": torch.float16, "bf16": torch.bfloat16}.get(embedder.resolved_precision)
    model = embedder.model
    started = time.perf_counter()
    with torch.inference_mode(), torch.autocast(model.device.type, dtype=dtype, enabled=dtype is not None):
        model.encode_document(
            [c.text for c in chunks], batch_size=32, normalize_embeddings=True, show_progress_bar=False
        )
    return time.perf_counter() - started


def _own_encoder_alone(embedder: EmbeddingManager, chunks: list[Chunk]) -> float:
    """What fabula's own encoder takes by itself: one call, all chunks, nothing kept."""
    started = time.perf_counter()
    embedder.embed_documents([c.text for c in chunks])
    return time.perf_counter() - started


def _embedding_only(options: argparse.Namespace) -> None:
    """Measures the embedding stage again and keeps the rest of the result file."""
    result = json.loads((RESULTS / f"{options.name}.json").read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as scratch:
        again = _embedding_of_first(options, Path(scratch))
    result["machine"]["embedding"] = again
    write_result(options.name, facts=result["facts"], measured=result["machine"])


def parser() -> argparse.ArgumentParser:
    options = new_parser(__doc__, data=True)
    options.add_argument("--books", type=split_names, default=BOOKS)
    options.add_argument("--rounds", type=int, default=6, help="of embedding by turns")
    options.add_argument("--name", default="novels", help="of the result file")
    options.add_argument("--only-embedding", action="store_true", help="keep the rest of the result file")
    return options
