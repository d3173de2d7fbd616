"""How do time and memory grow with a text, and with one that was made to be slow?

Series of sizes, each twice the one before: where time grows with the size, it doubles; where it grows with
its square, it is four times as long (``growth`` is the exponent: the logarithm, base 2, of the last step).
Then ``fabula index`` of hostile books. Everything is measured in a process of its own. Usage:

    python experiments/run.py growth [--out FILE] [--only PART] [--limit SECONDS]

PART is ``series`` or ``hostile`` (default: both; the other half of FILE is kept).
"""

from __future__ import annotations

import argparse
import json
import math
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from experiments.common.folders import DOOR, RESULTS
from experiments.common.options import new_parser
from experiments.common.result_file import digest_of, machine, write_result
from fabula.config import Config
from fabula.core.chapters.reader import find_chapters
from fabula.core.chunks.chunking import chunk_document
from fabula.core.documents import document_from_text, read_document
from fabula.errors import DocumentError
from fabula.project.indexing import link
from fabula.story.codex.file import CodexFile
from fabula.story.extraction.reader import StoryReader
from fabula.story.passages.chunk_facts import chunk_facts

from .texts import HOSTILE, contents, garbled, headings, marked_up, names

LIMIT = 60.0
"""Seconds that a hostile book may take, of the processor, and"""
LIMIT_GB = 1.2
"""memory at its peak."""
Work = Callable[[], object]


def _read(text: str) -> Work:
    reader = StoryReader()
    reader.load()
    reader.read("Anna rowed home.")
    return lambda: reader.read(text)


def _linked(text: str, *, described: bool = False) -> Work:
    document = document_from_text(text, id="growth", title="Growth")
    reading = StoryReader().read(document.chapters[0].body.of(text))
    if not described:
        return lambda: link(document, [reading])
    log, size = link(document, [reading]).log, Config().chunking
    chunks = chunk_document(document, size=size.size, overlap=size.overlap)
    chunk_facts(document, chunks[:1], [reading], log)
    return lambda: chunk_facts(document, chunks, [reading], log)


def _document(suffix: str, text: str) -> Work:
    file = Path(tempfile.mkdtemp()) / f"book{suffix}"
    file.write_text(text, encoding="utf-8")
    return lambda: read_document(file)


def _epub(entries: int) -> Work:
    file = Path(tempfile.mkdtemp()) / "book.epub"
    contents(file, entries)
    return lambda: read_document(file)


def _refused(text: str) -> Work:
    def parse() -> None:
        try:
            CodexFile.parse(text)
        except DocumentError:
            return

    return parse


SERIES: Mapping[str, tuple[tuple[int, ...], Callable[[int], Work]]] = {
    "chunk facts (words of one chapter)": (
        (6_500, 13_000, 26_000, 52_000),
        lambda n: _linked(garbled(n), described=True),
    ),
    "reading (words)": ((3_000, 6_000, 12_000, 24_000), lambda n: _read(garbled(n))),
    "linking (words)": ((3_000, 6_000, 12_000, 24_000), lambda n: _linked(garbled(n))),
    "reading unique names": ((500, 1_000, 2_000, 4_000), lambda n: _read(names(n))),
    "linking unique names": ((500, 1_000, 2_000, 4_000), lambda n: _linked(names(n))),
    "headings": (
        (2_000, 4_000, 8_000, 16_000),
        lambda n: lambda: find_chapters(headings(n), title="Growth"),
    ),
    "HTML attributes": ((25_000, 50_000, 100_000, 200_000), lambda n: _document(".html", marked_up(n))),
    "EPUB contents": ((500, 1_000, 2_000, 4_000), _epub),
    "ampersands": ((125_000, 250_000, 500_000, 1_000_000), lambda n: _read("Anna " + "&" * n)),
    "codex brackets": ((5_000, 10_000, 20_000, 40_000), lambda n: _refused("[" * n)),
}


def measure(name: str, size: int) -> dict[str, float]:
    """One step of a series, in this process: seconds of the processor, and peak memory in GB."""
    work = SERIES[name][1](size)
    started = time.process_time()
    work()
    seconds = time.process_time() - started
    return {"seconds": round(seconds, 3), "peak_gb": _gigabytes(resource.getrusage(resource.RUSAGE_SELF))}


def _gigabytes(used: resource.struct_rusage) -> float:
    return round(used.ru_maxrss / 1024**2, 2)


def series() -> dict[str, Any]:
    """All series, each step in a process of its own."""
    found: dict[str, Any] = {}
    for name, (sizes, _) in SERIES.items():
        steps = [json.loads(_own_process([str(DOOR), "growth", "--one", name, str(size)])) for size in sizes]
        seconds = [step["seconds"] for step in steps]
        growth = math.log2(max(seconds[-1], 0.01) / max(seconds[-2], 0.01))
        found[name] = {"seconds": seconds, "peak_gb": steps[-1]["peak_gb"], "growth": round(growth, 2)}
        print(name, found[name], flush=True)
    return found


def _own_process(command: list[str]) -> str:
    done = subprocess.run([sys.executable, *command], capture_output=True, text=True, check=True)  # noqa: S603
    return done.stdout


def hostile(limit: float) -> dict[str, Any]:
    """Every hostile book indexed by the command line; killed past ``limit`` seconds."""
    found: dict[str, Any] = {}
    for name, write in HOSTILE.items():
        with tempfile.TemporaryDirectory() as folder:
            book = write(Path(folder))
            command = [
                sys.executable,
                "-m",
                "fabula",
                "index",
                str(book),
                "-o",
                f"{folder}/project",
                "--json",
            ]
            if "codex" in name:
                codex = Path(folder) / "codex.yaml"
                codex.write_text("[" * 40_000, encoding="utf-8")
                command += ["--codex", str(codex)]
            found[name] = _indexed(command, limit)
        print(name, found[name], flush=True)
    return found


def _indexed(command: list[str], limit: float) -> dict[str, Any]:
    started = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:  # noqa: S603
        timer = threading.Timer(limit, process.kill)
        timer.start()
        said = process.stdout.read().strip() if process.stdout else ""
        _, status, used = os.wait4(process.pid, 0)
        timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
    seconds = used.ru_utime + used.ru_stime
    outcome = {0: "indexed", 2: "refused"}.get(process.returncode, "killed or broken")
    row = {
        "outcome": outcome,
        "seconds": round(seconds, 1),
        "wall_seconds": round(time.perf_counter() - started, 1),
        "peak_gb": _gigabytes(used),
        "within": process.returncode in (0, 2) and seconds < LIMIT and _gigabytes(used) < LIMIT_GB,
    }
    if outcome == "refused":
        return row | {"said": said.splitlines()[-1]}
    report = said[said.find("{\n") :] if outcome == "indexed" else ""
    return row | ({"stages": _stages(report)} if report else {})


def _stages(report: str) -> dict[str, float]:
    """Wall seconds by stage, from what the command answered."""
    answered = json.loads(report[: report.rindex("}") + 1])
    return {stage: round(seconds, 1) for stage, seconds in answered["seconds"].items()}


def main(options: argparse.Namespace) -> None:
    if options.one:
        print(json.dumps(measure(options.one[0], int(options.one[1]))))
        return
    kept = json.loads(options.out.read_text(encoding="utf-8"))["machine"] if options.out.exists() else {}
    measured = {
        "series": series() if options.only != "hostile" else kept.get("series"),
        "hostile": hostile(options.limit) if options.only != "series" else kept.get("hostile"),
    }
    facts = {
        "question": "How do time and memory grow with a text, and with one that was made to be slow?",
        "sizes": {name: list(sizes) for name, (sizes, _) in SERIES.items()},
        "hostile": list(HOSTILE),
        "text": digest_of(garbled(1_000)),
        "limit_seconds": LIMIT,
        "limit_gb": LIMIT_GB,
    }
    write_result(options.out.stem, facts=facts, measured=machine(**measured), folder=options.out.parent)


def parser() -> argparse.ArgumentParser:
    options = new_parser(__doc__)
    options.add_argument("--out", type=Path, default=RESULTS / "growth.json", help="the result file")
    options.add_argument("--only", choices=("series", "hostile"), help="the other half of the file is kept")
    options.add_argument(
        "--limit", type=float, default=180.0, help="seconds, after which a hostile book is given up"
    )
    options.add_argument("--one", nargs=2, help=argparse.SUPPRESS)
    return options
