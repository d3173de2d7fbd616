"""Do drafts stay consistent over ten chapters, and does the story graph help?

The demo story is written on by each pipeline, each chapter upon what it wrote before. A run that is killed
goes on where it stopped. Usage:

    python experiments/run.py continuation [--chapters 10] [--seeds 3]
        [--set SECTION.KEY=VALUE] [--name RESULT]
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Any

from experiments.common.folders import ROOT, WORK
from experiments.common.options import new_parser
from experiments.common.result_file import digest_of, machine, write_result
from fabula.bench.continuing import PROMPT, TEMPERATURE, continue_story, draw, summary
from fabula.config import load_config
from fabula.core.files.plain_json import plain
from fabula.demo import save_story

_SHORT = "comparison.max_tokens=200"


def main(options: argparse.Namespace) -> None:
    """Writes what is missing and ``results/NAME.json``, and the curves beside the documentation."""
    started = time.perf_counter()
    settings = (TEMPERATURE, _SHORT, *options.assignments)
    config = load_config(assignments=settings)
    rows = continue_story(
        save_story(options.work),
        options.work / options.name,
        config=config,
        chapters=options.chapters,
        seeds=range(options.seeds),
        progress=lambda _, done, total: print(f"{done} of {total}", file=sys.stderr, flush=True),
    )
    data = summary(rows)
    facts = {
        "question": "Do drafts stay consistent over ten chapters, and does the story graph help?",
        "chapters": options.chapters,
        "seeds": options.seeds,
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
    write_result(options.name, facts=facts, measured=measured)
    (ROOT / "docs" / f"{options.name}.svg").write_text(draw(data["curves"]), encoding="utf-8")
    for pipeline, means in facts["means"].items():
        print(pipeline, means)
    for line in facts["against_standard"]:
        print(line)


def _row(row: Any) -> dict[str, Any]:
    told = plain(row)
    del told["seconds"], told["text"]
    return {**told, "words": len(row.text.split()), "digest": digest_of(row.text)}


def parser() -> argparse.ArgumentParser:
    options = new_parser(__doc__)
    options.add_argument("--chapters", type=int, default=10)
    options.add_argument("--seeds", type=int, default=3)
    options.add_argument(
        "--set", dest="assignments", action="append", default=[], metavar="SECTION.KEY=VALUE"
    )
    options.add_argument("--name", default="continuation", help="of the result file")
    options.add_argument("--work", type=Path, default=WORK, help="keeps what is finished")
    return options
