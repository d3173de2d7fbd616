"""How long does a shelf of novels take, with one worker and with two, and do both come to the same?

Usage:  python experiments/run.py shelf --data DIR [--workers 1,2] [--most N] [--keep FOLDER]

Every novel in ``DIR/novels`` and ``DIR/novels_more`` (the first N by name) is indexed by ``fabula library
index`` into a project of its own, in a process as a user would start it. The same bytes: every file of every
index.
"""

from __future__ import annotations

import argparse
import hashlib
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from experiments.common.commands import run_fabula
from experiments.common.options import new_parser, split_names
from experiments.common.result_file import machine, write_result


def main(options: argparse.Namespace) -> None:
    """Writes ``results/NAME.json``."""
    books = sorted(p for part in ("novels", "novels_more") for p in (options.data / part).glob("*.txt"))
    runs: dict[str, Any] = {}
    digests: dict[str, dict[str, str]] = {}
    told: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory(dir=options.work) as scratch:
        shelf = Path(scratch) / "shelf"
        shelf.mkdir()
        for book in books[: options.most]:
            shutil.copy(book, shelf)
        for workers in options.workers:
            output = (options.keep or Path(scratch)) / f"by-{workers}"
            if output.exists():
                raise SystemExit(f"{output} is there already, and what it holds would not be indexed again")
            told, runs[workers] = _indexed(shelf, output, int(workers))
            digests[workers] = {project.name: _digest(project) for project in sorted(output.iterdir())}
            print(workers, runs[workers], flush=True)
    first, *others = digests.values()
    facts = {
        "question": "How long does a shelf of novels take, with one worker and with two?",
        "books": len(told),
        "words": sum(one["words"] for one in told),
        "chapters": sum(one["chapters"] for one in told),
        "same_bytes": all(other == first for other in others) if others else None,
    }
    write_result(options.name, facts=facts, measured=machine(runs=runs))


def _indexed(shelf: Path, output: Path, workers: int) -> tuple[list[dict[str, Any]], dict[str, float]]:
    """What is said of each book, and what it cost."""
    command = ["library", "index", str(shelf), "-o", str(output), "--workers", str(workers), "--json"]
    cost = run_fabula(*command)
    told: list[dict[str, Any]] = cost.pop("answer")
    return told, {"peak_gb_of_a_process": cost.pop("peak_gb"), **cost}


def _digest(project: Path) -> str:
    digest = hashlib.sha256()
    for file in sorted(path for path in (project / "index").rglob("*") if path.is_file()):
        digest.update(str(file.relative_to(project)).encode() + file.read_bytes())
    return digest.hexdigest()


def parser() -> argparse.ArgumentParser:
    options = new_parser(__doc__, data=True)
    options.add_argument("--workers", type=_numbers, default=["1", "2"])
    options.add_argument("--most", type=int, help="take only so many of the novels")
    options.add_argument("--work", type=Path, help="where the libraries are written, and removed again")
    options.add_argument("--keep", type=Path, help="a new folder, in which they are left instead")
    options.add_argument("--name", default="shelf", help="of the result file")
    return options


def _numbers(given: str) -> Sequence[str]:
    return [str(int(each)) for each in split_names(given)]
