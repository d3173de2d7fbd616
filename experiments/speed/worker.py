"""One system of the speed experiment in a process of its own: builds, serves or starts cold.

Usage:  python -m experiments.speed.worker SYSTEM build|serve|project|lexical|semantic DATA FOLDER

A system is a module of ``peers``. Runs in the interpreter that has the system's packages, so it imports
nothing but NumPy beside it. Answers are lines of JSON on the standard output as it was at the start; what
a package prints goes to the standard error.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO

_POOLS = "OMP MKL OPENBLAS NUMBA RAYON".split()
ONE_THREAD = {
    **{f"{pool}_NUM_THREADS": "1" for pool in _POOLS},
    **dict.fromkeys(("LANCE_CPU_THREADS", "TOKIO_WORKER_THREADS"), "1"),
}


def main() -> None:
    """Does what the command line says; an exception ends as one line with its text."""
    name, action, data, folder = sys.argv[1:]
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    try:
        system = importlib.import_module(f"experiments.peers.{name}")
        _ACTIONS[action](system, Path(data), Path(folder), answers)
    except ImportError as error:
        _say(answers, {"error": f"not installed: {error}"})
    except Exception as error:  # noqa: BLE001 (the outermost edge of a process that others may break)
        _say(answers, {"error": f"{type(error).__name__}: {error}"[:400]})


def _build(system: Any, data: Path, folder: Path, answers: TextIO) -> None:
    """Times what turns texts and vectors into an index that can be searched, and what saves it."""
    from experiments.peers.given import Given

    given = Given.read(data)
    if hasattr(system, "warm"):
        system.warm()
    cpu, wall = time.process_time(), time.perf_counter()
    built = system.build(given, folder)
    spent = {"build_cpu_s": time.process_time() - cpu, "build_s": time.perf_counter() - wall}
    cpu = time.process_time()
    system.save(built, folder)
    spent["save_cpu_s"] = time.process_time() - cpu
    _say(answers, {key: round(value, 3) for key, value in spent.items()} | {"peak_mb": _memory("VmHWM")})


def _serve(system: Any, data: Path, folder: Path, answers: TextIO) -> None:
    import numpy as np

    if hasattr(system, "warm"):
        system.warm()
    asked = json.loads((data / "queries.json").read_text(encoding="utf-8"))
    vectors = np.load(data / "query-vectors.npy")
    bare, wall = _memory(), time.perf_counter()
    opened = system.Opened(folder, data)
    seconds = time.perf_counter() - wall
    queries = [opened.prepare(q["text"], v) for q, v in zip(asked, vectors, strict=True)]
    _say(answers, {"modes": system.MODES, "bare_mb": bare, "open_s": round(seconds, 3)})
    for line in sys.stdin:
        order = json.loads(line)
        if order["do"] == "memory":
            gc.collect()
            kinds = {"rss_mb": "VmRSS", "anonymous_mb": "RssAnon", "file_mb": "RssFile"}
            _say(answers, {key: _memory(kind) for key, kind in kinds.items()})
            continue
        search = opened.search(order["mode"])
        _run(search, queries[-order["warm"] :], order["cap"] / 4)
        chosen = queries[order["start"] : order["start"] + order["count"]]
        ns, cpu, found = _run(search, chosen, order["cap"])
        hits = [opened.hits(order["mode"], f) for f in found] if order["answers"] else []
        _say(answers, {"ns": ns, "cpu_ns": cpu, "hits": hits})


def _run(
    search: Callable[[Any], Any], queries: list[Any], cap: float
) -> tuple[list[int], list[int], list[Any]]:
    """Nanoseconds, those of the processor (of all threads), and the answer of each query, until ``cap``
    seconds have passed."""
    ns, cpu, found = [], [], []
    clock, processor = time.perf_counter_ns, time.process_time_ns
    end = clock() + int(cap * 1e9)
    for query in queries:
        worked = processor()
        started = clock()
        answer = search(query)
        stopped = clock()
        cpu.append(processor() - worked)
        ns.append(stopped - started)
        found.append(answer)
        if stopped > end:
            break
    return ns, cpu, found


def _project(system: Any, data: Path, folder: Path, answers: TextIO) -> None:
    system.make_project(folder, data)
    _say(answers, {"text": ""})


def _lexical(system: Any, data: Path, folder: Path, answers: TextIO) -> None:
    _say(answers, {"text": system.cold_lexical(folder, _cold_query(data), data)})


def _semantic(system: Any, data: Path, folder: Path, answers: TextIO) -> None:
    _say(answers, {"text": system.cold_semantic(folder, _cold_query(data), data)})


def _cold_query(data: Path) -> str:
    return (data / "cold.txt").read_text(encoding="utf-8")


def _memory(kind: str = "VmRSS") -> float:
    """Megabytes of this process, as Linux counts them; 0 elsewhere."""
    try:
        lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    except OSError:
        return 0.0
    return next((round(int(x.split()[1]) / 1024, 1) for x in lines if x.startswith(f"{kind}:")), 0.0)


def _say(answers: TextIO, value: dict[str, Any]) -> None:
    answers.write(json.dumps(value) + "\n")
    answers.flush()


_ACTIONS = {
    "build": _build,
    "serve": _serve,
    "project": _project,
    "lexical": _lexical,
    "semantic": _semantic,
}

if __name__ == "__main__":
    main()
