"""How often are the scene type and the tone of a passage right, and what do a chunk's facts cost?

Usage:  python experiments/run.py chunk_facts [--data DIR] [--novels a,b] [--sample N]

Reads the labelled passages of experiments/data/scene_kinds.json (one for each scene type and tone in each
half: the rules were made on the dev half, the test half was written before them and never tuned on), each
as a story of its own, and compares. With ``--data DIR`` also the novels ``DIR/novels/NAME.txt``: how the
facts are spread, and their cost beside the reading's; ``--sample N`` prints N of their chunks to be
judged by eye. Writes results/chunk_facts.json.

The labels are one author's, who wrote the rules as well, and the passages are purer than novels are: the
test half's accuracy is an upper bound of what a novel would show.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from tqdm import tqdm

from experiments.common.folders import DATA
from experiments.common.options import new_parser, split_names
from experiments.common.result_file import digest_of, machine, write_result
from fabula.core.chunks.chunking import chunk_document
from fabula.core.documents import document_from_text, read_document
from fabula.core.types import Chunk, Document
from fabula.story.extraction.reader import StoryReader
from fabula.story.linking.linker import Linker
from fabula.story.model.chapter_reading import ChapterReading
from fabula.story.model.types import StoryLog
from fabula.story.passages.chunk_facts import RULES, ChunkFacts, chunk_facts

PASSAGES = DATA / "scene_kinds.json"
NOVELS = "the-great-gatsby,treasure-island"
SIZE, OVERLAP = 500, 100


def judge(rows: Sequence[Mapping[str, str]], reader: StoryReader) -> dict[str, Any]:
    """Accuracy of both labels in each half, by class, with what was taken for what."""
    found = {row["id"]: facts_of_passage(row["text"], reader) for row in tqdm(rows, desc="passages")}
    return {
        half: {
            what: _accuracy([(row[what], str(getattr(found[row["id"]], field))) for row in half_rows])
            for what, field in (("scene_type", "scene_type"), ("tone", "tone"))
        }
        for half in ("dev", "test")
        for half_rows in [[row for row in rows if row["half"] == half]]
    }


def facts_of_passage(text: str, reader: StoryReader) -> ChunkFacts:
    """The passage as the one chunk of a story of its own."""
    document = document_from_text(text, id="passage", title="Passage")
    readings, log = read(document, reader)
    (facts,) = chunk_facts(document, chunk_document(document, size=5000, overlap=0), readings, log)
    return facts


def read(document: Document, reader: StoryReader) -> tuple[list[ChapterReading], StoryLog]:
    readings, linker = [], Linker()
    for chapter in tqdm(document.chapters, desc=document.title, disable=len(document.chapters) < 2):
        readings.append(reader.read(chapter.body.of(document.text)))
        linker.add(document, chapter, readings[-1])
    return readings, linker.log


def _accuracy(pairs: Sequence[tuple[str, str]]) -> dict[str, Any]:
    by_class: dict[str, Counter[str]] = {}
    for label, said in pairs:
        by_class.setdefault(label, Counter())[said] += 1
    said_in_all = Counter(said for _, said in pairs)
    return {
        "n": len(pairs),
        "accuracy": round(sum(label == said for label, said in pairs) / len(pairs), 4),
        "recall": {name: round(taken[name] / taken.total(), 4) for name, taken in by_class.items()},
        "precision": {
            name: round(by_class[name][name] / said_in_all[name], 4) if said_in_all[name] else None
            for name in by_class
        },
        "taken_for": {name: dict(sorted(taken.items())) for name, taken in by_class.items()},
    }


def novel(document: Document, reader: StoryReader) -> tuple[dict[str, Any], dict[str, Any], list[Any]]:
    """(how its facts are spread, what they cost, its chunks with their facts)"""
    words = sum(len(chapter.body.of(document.text).split()) for chapter in document.chapters)
    started = time.process_time()
    readings, log = read(document, reader)
    reading = time.process_time() - started
    chunks = chunk_document(document, size=SIZE, overlap=OVERLAP)
    started = time.process_time()
    facts = chunk_facts(document, chunks, readings, log)
    took = time.process_time() - started
    spread = {
        "novel": document.id,
        "digest": digest_of(document.text),
        "words": words,
        "chunks": len(chunks),
        "scene_types": _shares(row.scene_type.value for row in facts),
        "tones": _shares(row.tone.value for row in facts),
        "importance": _shares(row.importance for row in facts),
        "with_characters": round(sum(bool(row.characters) for row in facts) / len(facts), 4),
    }
    cost = {
        "novel": document.id,
        "reading_cpu_s": round(reading, 2),
        "facts_cpu_s": round(took, 3),
        "share_of_reading": round(took / reading, 4),
        "words_per_cpu_s": round(words / took),
    }
    return spread, cost, list(zip(chunks, facts, strict=True))


def _shares(values: Any) -> dict[str, float]:
    counts = Counter(values)
    return {str(name): round(counts[name] / counts.total(), 4) for name in sorted(counts)}


def show(pairs: Sequence[tuple[Chunk, ChunkFacts]], sample: int) -> None:
    """Chunks drawn at random (seed 0), with what is said of them."""
    for chunk, facts in random.Random(0).sample(list(pairs), min(sample, len(pairs))):
        print(
            f"\n[{chunk.chapter}.{chunk.ordinal}] {facts.scene_type} / {facts.tone} / {facts.importance} "
            f"/ {', '.join(facts.characters) or 'nobody'}"
        )
        print(" ".join(chunk.text.split()))


def print_accuracy(judged: Mapping[str, Any]) -> None:
    for half, by_label in judged.items():
        for what, row in by_label.items():
            classes = "  ".join(f"{name} {value:.2f}" for name, value in row["recall"].items())
            print(f"{half:<5} {what:<11} {row['accuracy']:.3f} of {row['n']}   {classes}")


def main(options: argparse.Namespace) -> None:
    """Measures, prints, writes."""
    reader = StoryReader()
    reader.load()
    rows = json.loads(PASSAGES.read_text(encoding="utf-8"))["passages"]
    judged = judge(rows, reader)
    print_accuracy(judged)
    facts: dict[str, Any] = {
        "question": "How often are the scene type and the tone of a passage right?",
        "rules": RULES,
        "reader": reader.version,
        "passages": digest_of(rows),
        "labelled": judged,
        "chunks": {"size": SIZE, "overlap": OVERLAP},
        "novels": [],
    }
    costs = []
    for name in options.novels if options.data is not None else ():
        spread, cost, pairs = novel(read_document(options.data / "novels" / f"{name}.txt"), reader)
        facts["novels"].append(spread)
        costs.append(cost)
        print(json.dumps(cost))
        show(pairs, options.sample)
    file = write_result("chunk_facts", facts=facts, measured=machine(cost=costs))
    print(f"written: {file}")


def parser() -> argparse.ArgumentParser:
    options = new_parser(__doc__, data=False)
    options.add_argument("--novels", type=split_names, default=NOVELS, help="their names, with commas")
    options.add_argument("--sample", type=int, default=0, help="chunks of each novel to print")
    return options
