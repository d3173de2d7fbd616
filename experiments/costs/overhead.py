"""What does a comparison cost beside the time of its model?

A scripted model takes known time over drafts taken from the demo story's own next chapters; all else is
what every comparison does: search, notes, contexts, the critic, a revision, all measures twice (the check
that marks are blind). Target: at most 1.05 times the model's time and 150 ms a pipeline, with warm indexes.
Usage:

    python experiments/run.py overhead [--runs 5] [--name RESULT]
"""

from __future__ import annotations

import argparse
import os
import re
import statistics
import time
from pathlib import Path
from typing import Any, Unpack

from experiments.common.folders import WORK
from experiments.common.options import new_parser
from experiments.common.result_file import machine, write_result
from fabula.core.interfaces import Asking
from fabula.core.types import Generation, Prompt
from fabula.demo import prompts, save_story
from fabula.engine import Project, index_book
from fabula.llm.request import say
from fabula.story.writing.pipelines import PIPELINES

SHARE, FLAT_S = 1.05, 0.15  # of the model's time, and a pipeline
WORDS, PACE_S = 160, 0.01


class PacedGenerator:
    """Gives the next ``WORDS`` words of a text at each call, so that none was read before, one every
    ``PACE_S`` seconds, and adds up how long it took."""

    name = "paced"
    concurrency = 1
    context_tokens = 8192

    def __init__(self, text: str) -> None:
        self._pieces = re.findall(r"\s*\S+", text)
        self._next = 0
        self.seconds = 0.0

    def count_tokens(self, text: str) -> int:
        return len(text) // 4

    def generate(self, prompt: Prompt, **how: Unpack[Asking]) -> Generation:
        started = time.perf_counter()
        pieces = self._pieces[self._next : self._next + WORDS]
        self._next = (self._next + WORDS) % (len(self._pieces) - WORDS)
        for piece in pieces:
            time.sleep(PACE_S)
            say(how, piece)
        took = time.perf_counter() - started
        self.seconds += took
        asked = self.count_tokens(prompt.system + prompt.user)
        return Generation("".join(pieces), self.name, asked, len(pieces), took)

    def close(self) -> None:
        """Nothing to close."""


def one_run(project: Project, prompt: str, chapter: int) -> dict[str, float]:
    """One comparison: seconds of wall time, of the model and beside it, and of the processor. That of the
    waiting thread leaves out what runs beside the model (reading ahead) and embedding."""
    generator = project.generator
    if not isinstance(generator, PacedGenerator):
        raise TypeError("the project's model is not paced")
    generator.seconds = 0.0
    started, busy, own = time.perf_counter(), time.process_time(), time.thread_time()
    report = project.compare(prompt, chapter=chapter)
    wall, busy = time.perf_counter() - started, time.process_time() - busy
    own = time.thread_time() - own
    stages: dict[str, float] = {}
    for result in report.results:
        for stage, seconds in result.metrics.seconds:
            stages[stage] = stages.get(stage, 0.0) + seconds
    bound = SHARE * generator.seconds + FLAT_S * len(PIPELINES)
    return {
        "wall": wall,
        "model": generator.seconds,
        "beside_the_model": wall - generator.seconds,
        "processor": busy,
        "processor_waiting_thread": own,
        "of_the_bound": wall / bound,
        **{f"stage_{name}": seconds for name, seconds in stages.items()},
    }


def main(options: argparse.Namespace) -> None:
    """Measures each gold prompt's horizon that has a chapter after it; the first run of all warms up."""
    work = options.work
    index_book(save_story(work), work / "project")
    rows: list[dict[str, Any]] = []
    with Project.open(work / "project") as project:
        project.__dict__["generator"] = PacedGenerator(project.document.text)
        last = len(project.document.chapters)
        chosen = [one for one in prompts() if one.chapter < last][:2]
        one_run(project, chosen[0].prompt, chosen[0].chapter)
        for one in chosen:
            for _ in range(options.runs):
                measured = one_run(project, one.prompt, one.chapter)
                rows.append({"chapter": one.chapter, **{k: round(v, 4) for k, v in measured.items()}})
    beside = [row["beside_the_model"] for row in rows]
    measured = machine(
        rows=rows,
        load_average=round(os.getloadavg()[0], 1),  # above the cores, wall times say little
        beside_the_model_median=round(statistics.median(beside), 3),
        beside_the_model_most=round(max(beside), 3),
        processor_a_pipeline_median=round(
            statistics.median(row["processor"] for row in rows) / len(PIPELINES), 3
        ),
        processor_waiting_thread_a_pipeline_median=round(
            statistics.median(row["processor_waiting_thread"] for row in rows) / len(PIPELINES), 3
        ),
        a_pipeline_median=round(statistics.median(beside) / len(PIPELINES), 3),
        of_the_bound_most=round(max(row["of_the_bound"] for row in rows), 3),
    )
    facts = {
        "question": "What does a comparison cost beside the time of its model?",
        "bound": f"{SHARE} x model + {FLAT_S} s x {len(PIPELINES)} pipelines",
        "words_a_draft": WORDS,
        "runs": len(rows),
    }
    write_result(options.name, facts=facts, measured=measured)
    for row in rows:
        print(row)


def parser() -> argparse.ArgumentParser:
    options = new_parser(__doc__)
    options.add_argument("--runs", type=int, default=5)
    options.add_argument("--name", default="overhead", help="of the result file")
    options.add_argument("--work", type=Path, default=WORK / "overhead")
    return options
