"""Does a story written on for ten chapters stay true to itself, and what does each context do for that?

python experiments/run.py continuation [--write DIR --reader NAME [--data DIR]]
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

from experiments.common.folder_reader import folder_reader
from experiments.common.options import new_parser
from experiments.pipelines.continued import UNANSWERED, Answers, Writing, go_on
from fabula.llm.folder import ANSWERS


def main(options: argparse.Namespace) -> None:
    asked = argparse.Namespace(folder=options.write, reader=options.reader, timeout=20.0, collect=True)
    answers = Answers(folder_reader(asked, unanswered=UNANSWERED), options.write / ANSWERS)
    writing = Writing(answers, options.write / "work", options.data)
    waiting: dict[str, list[Any]] = {}
    while True:
        waiting = go_on(writing, answers, waiting)
        (options.write / "waiting.json").write_text(json.dumps(waiting, indent=1))
        print(len(waiting), "waited for", flush=True)
        if not options.watch:
            break
        time.sleep(3)


def parser() -> argparse.ArgumentParser:
    options = new_parser(__doc__, data=False)
    options.add_argument("--write", type=Path, metavar="DIR")
    options.add_argument("--reader", default="strong")
    options.add_argument("--watch", action="store_true")
    return options
