"""How often is a plain question about a short story answered, and how often is it refused where the story
does not say?

    python experiments/run.py story_answers [--split dev|test|train] [--name RESULT]

Each story of ``data/stories`` that has questions is indexed by itself, with default settings, and asked its
five, without a language model; see ``asked_questions`` for what counts as right. Intervals resample
stories."""

from __future__ import annotations

import argparse
from typing import Any

from experiments.common.indexed import indexed
from experiments.common.options import new_parser
from experiments.common.result_file import machine, write_result
from fabula import Config
from fabula.project.factories import make_embedder, make_reader

from .asked_questions import ask_all, summed_answers
from .story_sets import Story, load_stories

Row = dict[str, Any]


def main(options: argparse.Namespace) -> None:
    """Writes ``results/NAME.json``."""
    embedder, reader = make_embedder(Config()), make_reader(Config())
    rows: list[Row] = []
    for story in load_stories(options.split):
        if story.questions:
            rows += [{"story": story.id, **row} for row in _asked(story, embedder, reader)]
            print(story.id, flush=True)
    found = summed_answers(rows, group="story")
    facts = {
        "question": "How often is a plain question about a short story answered?",
        "split": options.split,
        "stories": len({row["story"] for row in rows}),
        "aggregates": found,
        "rows": [{key: value for key, value in row.items() if key != "seconds"} for row in rows],
    }
    seconds = sorted(row["seconds"] for row in rows)
    name = options.name or f"story_answers_{options.split}"
    write_result(name, facts=facts, measured=machine(ask_seconds_median=seconds[len(seconds) // 2]))
    for key, value in found.items():
        print(f"{key}: {value}")


def _asked(story: Story, embedder: Any, reader: Any) -> list[Row]:
    with indexed(story.id, story.text, embedder=embedder, reader=reader) as project:
        asked = [
            (q["question"], q["answer"], (), [(s["start"], s["end"]) for s in q["spans"]])
            for q in story.questions
        ]
        return ask_all(project, asked)


def parser() -> argparse.ArgumentParser:
    options = new_parser(__doc__)
    options.add_argument("--split", choices=("train", "dev", "test"), default="dev")
    options.add_argument("--name", default="", help="of the result file")
    return options
