"""How soon does the story graph hold a chapter, once its last word has come?

Each chapter of the demo story but the first is streamed word by word onto the story before it. Finished
paragraphs are parsed meanwhile; ``waiting`` does without. Target: 200 ms. The graph is compared with that
of the chapters read one after the other. Usage:

    python experiments/run.py growing [--name RESULT]
"""

from __future__ import annotations

import argparse
import os
import re
import statistics
import time
from pathlib import Path
from typing import Any

from experiments.common.folders import WORK
from experiments.common.options import new_parser
from experiments.common.result_file import machine, write_result
from fabula.core.documents import document_from_text
from fabula.demo import save_story
from fabula.engine import Project, index_book
from fabula.story.extraction.reader import KEPT_CHARS, StoryReader
from fabula.story.writing.pipelines import ReadAhead, unheard

PACE_S = 0.002  # 500 words a second: faster than any model this machine runs


def one_chapter(project: Project, number: int, *, ahead: bool) -> dict[str, Any]:
    """Seconds of wall time and of the processor from the last word until the graph holds the chapter."""
    book, text = project.document, project.document.text
    reader = StoryReader(kept_chars=KEPT_CHARS)
    reader.load()
    reader.read("Warm.")
    project.__dict__["reader"] = reader
    checker = project.draft_checker(number - 1)
    start, end = book.chapter(number).heading.start, book.chapter(number).body.end
    with ReadAhead(reader.parse_ahead) as reading:
        feed = reading.feed() if ahead else unheard()
        for piece in re.findall(r"\s*\S+", book.chapter(number).body.of(text)):
            time.sleep(PACE_S)
            feed(piece)
        last, busy = time.perf_counter(), time.process_time()
        grown = checker.grown(document_from_text(text[:end], id=book.id, title=book.title))
        seconds, busy = time.perf_counter() - last, time.process_time() - busy
    whole = project.draft_checker(number).log
    return {
        "chapter": number,
        "words": len(text[start:end].split()),
        "paragraphs": len(re.findall(r"\n\s*\n", text[start:end].strip())),
        "seconds": round(seconds, 4),
        "processor": round(busy, 4),
        "same": grown.log == whole,
    }


def main(options: argparse.Namespace) -> None:
    """Both ways over all chapters, and ``results/NAME.json``."""
    work, name = options.work, options.name
    index_book(save_story(work), work / "project", rebuild=True)  # no reading of older rules
    with Project.open(work / "project") as project:
        numbers = range(2, len(project.document.chapters) + 1)
        rows = {
            way: [one_chapter(project, number, ahead=way == "streaming") for number in numbers]
            for way in ("streaming", "waiting")
        }
    facts = {
        "question": "How soon does the story graph hold a chapter, once its last word has come?",
        "chapters": len(rows["streaming"]),
        "words": [row["words"] for row in rows["streaming"]],
        "same_graph": all(row["same"] for way in rows.values() for row in way),
    }
    summed = {
        way: {
            f"{what}_{how}": round(of(row[what] for row in own), 3)
            for what in ("seconds", "processor")
            for how, of in (("median", statistics.median), ("most", max))
        }
        for way, own in rows.items()
    }
    load = round(os.getloadavg()[0], 1)  # above the cores, wall times say little
    write_result(name, facts=facts, measured=machine(rows=rows, load_average=load, **summed))
    print({**facts, **summed})


def parser() -> argparse.ArgumentParser:
    options = new_parser(__doc__)
    options.add_argument("--name", default="growing", help="of the result file")
    options.add_argument("--work", type=Path, default=WORK / "growing")
    return options
