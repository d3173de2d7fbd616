"""How long does it take to check a draft of 500 words against a whole novel?

A novel is read and linked but for its last chapter; the first 500 words of that chapter are the draft. Usage:

    python experiments/run.py draft_time --data DIR [--novel NAME] [--parses DIR] [--words N] [--name RESULT]

DIR holds ``novels/NAME.txt``. Each round checks a draft that was not seen before (its words moved on by one),
so that nothing kept from the round before helps, and reads the same words beside it: what the check takes
includes that reading, most of which is the parser's. Medians of ``--rounds``, in wall and in processor time.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from pathlib import Path

from experiments.common.options import add_parses, new_parser
from experiments.common.result_file import digest_of, machine, write_result
from experiments.common.story_data import CachedReader, document_of
from fabula.core.types import Document
from fabula.story.continuity.critic import ContinuityCritic, SourceChecker
from fabula.story.extraction.reader import StoryReader
from fabula.story.linking.linker import Linker

BAR = 300  # milliseconds


def main(options: argparse.Namespace) -> None:
    """Writes ``results/NAME.json``."""
    document = document_of(options.data / "novels" / f"{options.novel}.txt")
    last = document.chapters[-1].number
    reader = StoryReader(kept_chars=0)
    reader.load()
    linker = _linked(document, options.parses, before=last)
    checker = SourceChecker(linker, reader, ContinuityCritic(), horizon=last - 1)
    words = document.chapter(last).body.of(document.text).split()
    drafts = [" ".join(words[at : at + options.words]) for at in range(options.rounds + 1)]
    findings = len(checker.check(drafts[0]).violations)  # warms up
    rounds: dict[str, list[tuple[float, float]]] = {"check": [], "reading": []}
    for draft in drafts[1:]:
        rounds["check"].append(_timed(lambda draft=draft: checker.check(draft)))
        rounds["reading"].append(_timed(lambda draft=draft: reader.read(draft)))
    rounds["beside_reading"] = [
        (check[0] - read[0], check[1] - read[1])
        for check, read in zip(rounds["check"], rounds["reading"], strict=True)
    ]
    measured = {f"{name}_ms": _medians(pairs) for name, pairs in rounds.items()}
    facts = {
        "question": "How long does it take to check a draft against a whole novel?",
        "novel": options.novel,
        "digest": digest_of(document.text),
        "novel_words": len(document.text.split()),
        "draft_words": options.words,
        "findings": findings,
        "bar_ms": BAR,
    }
    write_result(options.name, facts=facts, measured=machine(rounds=options.rounds, **measured))
    for name, value in measured.items():
        print(f"{name}: {value}")


def _linked(document: Document, parses: Path | None, *, before: int) -> Linker:
    reader = CachedReader(parses) if parses is not None else StoryReader()
    linker = Linker()
    for chapter in document.chapters:
        if chapter.number < before:
            linker.add(document, chapter, reader.read(chapter.body.of(document.text)))
    return linker


def _timed(work: Callable[[], object]) -> tuple[float, float]:
    """Seconds on the wall and of the processor."""
    wall, processor = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - wall, time.process_time() - processor


def _medians(pairs: list[tuple[float, float]]) -> dict[str, float]:
    walls, processor = zip(*pairs, strict=True)
    return {
        "wall": round(1000 * statistics.median(walls), 1),
        "processor": round(1000 * statistics.median(processor), 1),
    }


def parser() -> argparse.ArgumentParser:
    options = new_parser(__doc__, data=True)
    add_parses(options)
    options.add_argument("--novel", default="anne-of-green-gables")
    options.add_argument("--words", type=int, default=500)
    options.add_argument("--rounds", type=int, default=9)
    options.add_argument("--name", default="draft_time", help="of the result file")
    return options
