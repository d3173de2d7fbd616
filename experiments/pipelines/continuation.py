"""Do drafts stay consistent over ten chapters, and does the story graph help?

The demo story is written on by each pipeline, each chapter upon what it wrote before. A run that is killed
goes on where it stopped. Usage:

    python experiments/continuation.py [--chapters 10] [--seeds 3] [--set SECTION.KEY=VALUE] [--name RESULT]
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from experiments.common.folders import RESULTS, WORK
from experiments.common.result_file import digest_of, machine, write_result
from fabula.bench.continued import TEMPERATURE, draw, summed
from fabula.bench.continuing import PROMPT, continue_story
from fabula.config import load_config
from fabula.core.serial import plain
from fabula.demo import save_story

_SHORT = "comparison.max_tokens=200"


def main(*, chapters: int, seeds: int, assignments: Sequence[str], work: Path, name: str) -> dict[str, Any]:
    """Writes what is missing and ``results/NAME.json``, and the curves beside the documentation."""
    started = time.perf_counter()
    settings = (TEMPERATURE, _SHORT, *assignments)
    config = load_config(assignments=settings)
    rows = continue_story(
        save_story(work),
        work / name,
        config=config,
        chapters=chapters,
        seeds=range(seeds),
        progress=lambda _, done, total: print(f"{done} of {total}", file=sys.stderr, flush=True),
    )
    data = summed(rows)
    facts = {
        "question": "Do drafts stay consistent over ten chapters, and does the story graph help?",
        "chapters": chapters,
        "seeds": seeds,
        "settings": list(settings),
        "prompt": PROMPT,
        **plain(data),
        "rows": [_row(row) for row in rows],
    }
    stages: dict[str, float] = {}
    for row in rows:
        for stage, seconds in row.seconds.items():
            stages[stage] = stages.get(stage, 0.0) + seconds
    measured = machine(
        this_run_seconds=round(time.perf_counter() - started),
        seconds_by_stage={stage: round(seconds, 1) for stage, seconds in stages.items()},
    )
    write_result(name, facts=facts, measured=measured)
    (RESULTS.parents[1] / "docs" / f"{name}.svg").write_text(draw(data["curves"]), encoding="utf-8")
    return facts


def _row(row: Any) -> dict[str, Any]:
    told = plain(row)
    del told["seconds"], told["text"]
    return {**told, "words": len(row.text.split()), "digest": digest_of(row.text)}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--chapters", type=int, default=10)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--set", dest="assignments", action="append", default=[])
    parser.add_argument("--name", default="continuation")
    parser.add_argument("--work", type=Path, default=WORK)
    options = parser.parse_args()
    result = main(
        chapters=options.chapters,
        seeds=options.seeds,
        assignments=options.assignments,
        work=options.work,
        name=options.name,
    )
    for pipeline, means in result["means"].items():
        print(pipeline, means)
    for line in result["against_standard"]:
        print(line)
