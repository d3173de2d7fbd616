"""How fast does a server with a large project answer searches of many clients, also while it ingests?

    python experiments/run.py serve_load --data DIR [--chunks 50000] [--seconds 60] [--rate 2]

Starts ``fabula serve`` on this machine over one project of ``--chunks`` chunks and asks it from a second
process: ``--clients`` connections, lexical searches (no query is embedded, none is repeated), k 10. Three
phases: *paced*, each client sends at most ``--rate`` requests a second and waits for its answer before the
next (a closed loop with think time, so the offered load is at most clients times rate); *saturated*, without
think time, for the throughput that one server process gives; *ingesting*, paced again while the server
indexes a second text. Client, server and indexing share the machine's cores.

The text is sentences of ``DIR/novels/*.txt`` told again in a seeded order. Vectors are random and the story
graph is empty: neither is used by a lexical search.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import psutil

from experiments.common.folders import ROOT
from experiments.common.options import new_parser
from experiments.common.result_file import digest_of, machine, write_result
from fabula.config import Config
from fabula.core.text.sentences import sentences
from fabula.engine import index_book, make_embedder
from fabula.story.model.chapter_reading import NOTHING_BEFORE, ChapterReading, ToldBefore

SEED = 31
BOOK, SECOND = "library", "second"
BARS = {"errors": 0, "p95_ms": 100.0, "memory_growth": 0.05, "p95_ratio_ingesting": 2.0}
_CHUNK = 430  # characters that a chunk adds, its overlap taken off
_PARAGRAPH, _CHAPTER = 5, 80  # sentences, paragraphs


def main(options: argparse.Namespace) -> None:
    """Measures, prints, and writes ``results/serve_load.json``."""
    result = measure(vars(options))
    write_result("serve_load", facts=result["facts"], measured=machine(**result["measured"]))
    for name, phase in result["measured"]["phases"].items():
        shown = {key: value for key, value in phase.items() if key != "memory_mb"}
        print(name, json.dumps(shown))
    print(json.dumps(result["measured"]["held"]))


def measure(config: Mapping[str, Any]) -> dict[str, Any]:
    """Facts and measurements of one run; writes no file."""
    said = _sentences(config["data"])
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch) / "root"
        book = Path(scratch) / f"{BOOK}.txt"
        book.write_text(_book(said, config["chunks"] * _CHUNK), encoding="utf-8")
        report = index_book(book, root / BOOK, embedder=_Vectors(), reader=_Unread())
        second = _book(said, config["second_characters"], seed=SEED + 1).encode()
        with _served(root) as server:
            phases = _phases(config, server, said, second)
    facts = {
        "config": {name: str(value) if isinstance(value, Path) else value for name, value in config.items()},
        "config_digest": digest_of({name: str(value) for name, value in config.items()}),
        "chunks": report.chunks,
        "words": report.words,
        "bars": BARS,
    }
    return {"facts": facts, "measured": {"phases": phases, "held": _held(phases)}}


def _phases(
    config: Mapping[str, Any], server: Server, said: Sequence[str], second: bytes
) -> dict[str, dict[str, Any]]:
    asked = _queries(said)

    def run(seconds: float, rate: float | None) -> dict[str, Any]:
        return _phase(server, asked, clients=config["clients"], seconds=seconds, rate=rate)

    run(min(5.0, config["seconds"]), config["rate"])  # opens the project, loads the index
    phases = {"paced": run(config["seconds"], config["rate"])}
    phases["saturated"] = run(min(20.0, config["seconds"]), None)
    with server.ingesting(second):
        phases["ingesting"] = run(config["seconds"], config["rate"])
        phases["ingesting"]["job"] = server.job_status()
    return phases


def _held(phases: Mapping[str, Mapping[str, Any]]) -> dict[str, bool]:
    """Which bars held."""
    paced, busy = phases["paced"], phases["ingesting"]
    return {
        "errors": not any(phase["errors"] for phase in phases.values()),
        "p95_ms": paced["p95_ms"] < BARS["p95_ms"],
        "memory_growth": paced["memory_growth"] < BARS["memory_growth"],
        "p95_ratio_ingesting": busy["p95_ms"] <= BARS["p95_ratio_ingesting"] * paced["p95_ms"],
    }


# --- the clients ---------------------------------------------------------------------------------


def _phase(
    server: Server, queries: Iterator[str], *, clients: int, seconds: float, rate: float | None
) -> dict[str, Any]:
    """One phase: its rates, its latencies in milliseconds, and the server's resident memory in MB."""
    most = int(clients * seconds * (1.3 * rate if rate else 40.0)) + clients
    order = {
        "port": server.port,
        "path": f"/v1/projects/{BOOK}/search?mode=lexical&k=10",
        "clients": clients,
        "seconds": seconds,
        "rate": rate,
        "seed": SEED,
        "queries": [next(queries) for _ in range(most)],
    }
    with server.watched() as memory:
        ran = subprocess.run(
            [sys.executable, "-m", "experiments.serving.clients"],
            cwd=ROOT,
            input=json.dumps(order),
            capture_output=True,
            text=True,
            check=True,
        )
    seen = json.loads(ran.stdout)
    return _summed(seen, memory, offered=clients * rate if rate else None)


def _summed(
    seen: Mapping[str, Any], memory: Sequence[tuple[float, float]], *, offered: float | None
) -> dict[str, Any]:
    times = sorted(1000 * one for one in seen["seconds"]) or [float("nan")]
    third = max(1, len(memory) // 3)
    used = [megabytes for _, megabytes in memory] or [0.0]
    early, late = statistics.median(used[:third]), statistics.median(used[-third:])
    return {
        "requests": len(seen["seconds"]),
        "errors": len(seen["errors"]),
        "error_kinds": sorted(set(seen["errors"])),
        "offered_per_s": offered,
        "answered_per_s": round(len(seen["seconds"]) / seen["wall"], 1),
        **{f"p{p}_ms": round(float(np.percentile(times, p)), 1) for p in (50, 95, 99)},
        "max_ms": round(times[-1], 1),
        "memory_mb": [[round(at, 1), round(megabytes, 1)] for at, megabytes in memory],
        "memory_growth": round(late / early - 1, 4) if early else 0.0,
    }


def _queries(said: Sequence[str]) -> Iterator[str]:
    """Two to four words that stand in one sentence, without end; hardly one comes twice."""
    chance = random.Random(SEED)
    while True:
        words = re.findall(r"\w{3,}", chance.choice(said))
        if len(words) >= 4:
            yield " ".join(chance.sample(words, chance.randint(2, 4)))


# --- the server ----------------------------------------------------------------------------------


class Server:
    """``fabula serve`` in a process of its own."""

    def __init__(self, process: subprocess.Popen[str], port: int) -> None:
        self.process = process
        self.port = port
        self._http = httpx.Client(base_url=f"http://127.0.0.1:{port}", trust_env=False, timeout=60)
        self._job = ""

    @contextmanager
    def watched(self) -> Iterator[list[tuple[float, float]]]:
        """Seconds and resident MB of the server process alone, twice a second while in use."""
        found: list[tuple[float, float]] = []
        over = threading.Event()
        process = psutil.Process(self.process.pid)
        start = time.perf_counter()

        def watch() -> None:
            while not over.wait(0.5):
                found.append((time.perf_counter() - start, process.memory_info().rss / 1e6))

        thread = threading.Thread(target=watch)
        thread.start()
        try:
            yield found
        finally:
            over.set()
            thread.join()

    @contextmanager
    def ingesting(self, text: bytes) -> Iterator[None]:
        """While a job runs; it is cancelled at the end, if it is not done by then."""
        answer = self._http.post("/v1/projects", files={"file": (f"{SECOND}.txt", text)})
        answer.raise_for_status()
        self._job = answer.json()["id"]
        while self.job_status() == "queued":
            time.sleep(0.05)
        try:
            yield
        finally:
            self._http.post(f"/v1/jobs/{self._job}/cancel")

    def job_status(self) -> str:
        return str(self._http.get(f"/v1/jobs/{self._job}").json()["status"])


@contextmanager
def _served(root: Path) -> Iterator[Server]:
    process = subprocess.Popen(  # noqa: S603
        [sys.executable, "-m", "fabula", "serve", str(root), "--port", "0"],
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        for line in process.stderr or ():
            if found := re.search(r"http://127\.0\.0\.1:(\d+)", line):
                break
        else:
            raise SystemExit("the server did not start: try fabula serve by hand")
        threading.Thread(target=lambda: [None for _ in process.stderr or ()], daemon=True).start()
        yield Server(process, int(found[1]))
    finally:
        process.terminate()
        process.wait(timeout=30)


# --- the text ------------------------------------------------------------------------------------


class _Vectors:
    """The default model by name, with random unit vectors: a lexical search looks at none."""

    def __init__(self) -> None:
        self._real = make_embedder(Config())
        self._chance = np.random.default_rng(SEED)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)

    def embed_documents(self, texts: Sequence[str], **_: Any) -> np.ndarray[Any, Any]:
        made = self._chance.standard_normal((len(texts), self._real.dimension)).astype(np.float32)
        return made / np.linalg.norm(made, axis=1, keepdims=True)

    def embed_units(self, units: Iterable[Sequence[str]], **_: Any) -> Iterator[np.ndarray[Any, Any]]:
        return map(self.embed_documents, units)


class _Unread:
    """Reads nothing: the story graph stays empty."""

    version = "unread"

    def load(self) -> None: ...

    def read(self, text: str, before: ToldBefore = NOTHING_BEFORE) -> ChapterReading:  # noqa: ARG002
        return ChapterReading()


def _sentences(data: Path) -> list[str]:
    files = sorted((data / "novels").glob("*.txt"))
    if not files:
        raise SystemExit(f"there are no novels in {data / 'novels'}: name another folder with --data")
    texts = (path.read_text(encoding="utf-8", errors="replace") for path in files)
    return [" ".join(span.of(text).split()) for text in texts for span in sentences(text)]


def _book(said: Sequence[str], characters: int, *, seed: int = SEED) -> str:
    chance = random.Random(seed)
    parts: list[str] = []
    size = number = 0
    while size < characters:
        number += 1
        parts.append(f"CHAPTER {number}")
        for _ in range(_CHAPTER):
            parts.append(" ".join(chance.choice(said) for _ in range(_PARAGRAPH)))
            size += len(parts[-1])
    return "\n\n".join(parts) + "\n"


def parser() -> argparse.ArgumentParser:
    options = new_parser(__doc__, data=True)
    options.add_argument("--chunks", type=int, default=50_000)
    options.add_argument("--clients", type=int, default=50)
    options.add_argument("--seconds", type=float, default=60.0)
    options.add_argument("--rate", type=float, default=2.0, help="requests a second of one client, at most")
    options.add_argument("--second-characters", type=int, default=1_500_000)
    return options
