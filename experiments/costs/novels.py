"""What do whole novels cost: wall time by stage, and peak memory.

Usage:  python experiments/run.py novels --data DIR [--books a,b,c] [--name RESULT]

DIR holds ``novels/NAME.txt``. Each command runs in a process of its own, as a user would run it.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
from pathlib import Path

from experiments.common.commands import run_fabula
from experiments.common.options import new_parser, split_names
from experiments.common.result_file import digest_of, machine, write_result

BOOKS = "anna-karenina,pride-and-prejudice,the-great-gatsby"
PROMPT = "The two of them meet again, alone, and one of them says what was left unsaid."


def main(options: argparse.Namespace) -> None:
    """Measures each book and writes ``results/NAME.json``."""
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
    whole = {"question": "What do whole novels cost?", "books": facts}
    write_result(options.name, facts=whole, measured=machine(books=measured))


def parser() -> argparse.ArgumentParser:
    options = new_parser(__doc__, data=True)
    options.add_argument("--books", type=split_names, default=BOOKS)
    options.add_argument("--name", default="novels", help="of the result file")
    return options
