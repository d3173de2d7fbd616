"""How fast is hybrid search, beside what else there is? All systems in one run, each in its own process.

Usage:  python experiments/run.py speed --data DIR --peers-python PATH [--sizes 5k,50k,1M] [--systems a,b,c]
        [--picture FILE]

``DIR/novels/*.txt`` are novels; PATH is a Python with ``requirements-peers.txt`` installed. Query vectors
are given, every thread pool that can be set has one thread, and the best ten are asked for. Systems take
turns in rounds; times are medians over rounds, ratios are of the same round. Where wall and processor times
differ by much, the machine was busy: run it again. No query is asked twice of a process, but for warming
up. What could not be measured is left out, with the reason. Needs 12 GB of disk at 1M.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from experiments.common.folders import default_cache
from experiments.common.options import new_parser, split_names
from experiments.common.result_file import machine, write_result

from .data import SEED, library, make_size
from .report import agreement, cold_summary, growth_chart, latency, recall
from .systems import SYSTEMS, Failed, Interpreters, Server, build, cold_start

_MODES = ("dense", "dense_half", "lexical", "hybrid", "hybrid_half", "hybrid_convex", "hybrid_graph")
_WARM = 50
_PATIENCE_MS = 1_000
_COLD = {"lexical": ("fabula", "llamaindex", "glued", "lancedb"), "semantic": ("fabula", "glued")}
_UNITS = {"k": 1_000, "m": 1_000_000}


def main(args: argparse.Namespace) -> None:
    """Writes ``results/NAME.json``."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that processes and folders are cleared away
    rounds = {size: args.rounds if _count(size) < 500_000 else min(3, args.rounds) for size in args.sizes}
    source = library(args.data, args.cache, novels=args.novels)
    facts: dict[str, Any] = {"question": "How fast is hybrid search?", "seed": SEED, "sizes": {}}
    measured: dict[str, Any] = {}
    skipped: dict[str, dict[str, str]] = {}
    with tempfile.TemporaryDirectory(dir=args.work, prefix="speed-") as scratch:
        at = Interpreters(args.peers_python, Path(scratch))
        for size in args.sizes:
            _progress(f"{size}: making the data")
            asked = _WARM + len(_MODES) * rounds[size] * args.queries
            data = args.cache / "sizes" / f"{size}-{args.novels or 'all'}-{asked}"
            made = make_size(source, _count(size), asked, args.cache, data)
            run = _Run(at, args, size=size, data=data, made=made, rounds=rounds[size])
            measured[size] = run.measure(list(measured.values()))
            skipped[size] = run.skipped
            facts["sizes"][size] = _facts(made, measured[size], data)
            more = machine(sizes=measured, skipped=skipped)
            write_result(args.name, facts=facts, measured=more)  # what is measured is kept, come what may
    if args.picture:
        args.picture.write_text(growth_chart(measured), encoding="utf-8", newline="\n")


class _Run:
    """One size: every system built, then all of them asked in turns."""

    def __init__(
        self,
        at: Interpreters,
        args: argparse.Namespace,
        *,
        size: str,
        data: Path,
        made: Mapping[str, Any],
        rounds: int,
    ) -> None:
        self._at, self._args, self._size, self._rounds = at, args, size, rounds
        self._data, self._made = data, made
        self._folder = at.scratch / size
        self.skipped: dict[str, str] = {}

    def measure(self, before: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        built = self._build(before)
        servers = self._start(built)
        try:
            times, found = self._rounds_of(servers)
            memory = self._memory(servers)
        finally:
            for server in servers.values():
                server.stop()
        right = self._right(found)
        systems = {
            name: {
                "modes": {mode: latency(each) for mode, each in times[name].items()},
                "recall": right.get(name, {}),
                "build": built[name],
                "memory": memory[name],
                **server.opened,
            }
            for name, server in servers.items()
            if name in memory
        }
        if {"fabula", "bm25s"} <= systems.keys():
            pair = found["fabula"]["lexical"], found["bm25s"]["lexical"]
            least = min(map(len, pair))
            systems["bm25s"]["agreement"] = agreement(pair[0][:least], pair[1][:least])
        load = os.getloadavg()[0]
        out: dict[str, Any] = {"chunks": self._made["chunks"], "load": round(load, 2), "systems": systems}
        if self._made["from_novels"] and self._made["chunks"] >= self._args.cold_from:
            out["cold"] = self._cold(systems)
        shutil.rmtree(self._folder, ignore_errors=True)
        return out

    # --- stages ----------------------------------------------------------------------------------

    def _build(self, before: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        built = {}
        for name in self._args.systems:
            if reason := self._hopeless(name, before):
                self._skip(name, reason)
                continue
            _progress(f"{self._size}: building {name}")
            try:
                folder = self._folder / name
                built[name] = build(self._at, name, self._data, folder, limit=self._args.limit)
            except Failed as error:
                self._skip(name, f"build: {error}")
        return built

    def _hopeless(self, name: str, before: Sequence[Mapping[str, Any]]) -> str:
        """Why a system is not tried: what the size before tells of this one, all growing in proportion."""
        if not before or name == "fabula":
            return ""
        last = before[-1]
        if name not in last["systems"]:
            return "not measured at the size before"
        times, of = self._made["chunks"] / last["chunks"], last["systems"][name]
        seconds = times * of["build"]["build_s"]
        if seconds > self._args.limit:
            return f"its build would take about {seconds:.0f} s, the limit is {self._args.limit:.0f} s"
        slowest = times * max(mode["p50_ms"] for mode in of["modes"].values())
        if slowest > _PATIENCE_MS:
            return f"a query would take about {slowest / 1000:.1f} s"
        grown = times * (of["build"]["peak_mb"] - of["bare_mb"]) / 1024
        room = 0.6 * os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
        return f"its build would take about {grown:.0f} GB of memory" if grown > room else ""

    def _start(self, built: Mapping[str, Any]) -> dict[str, Server]:
        servers = {}
        for name in built:
            _progress(f"{self._size}: opening {name}")
            try:
                limit = self._args.limit
                servers[name] = Server(self._at, name, self._data, self._folder / name, limit=limit)
            except Failed as error:
                self._skip(name, f"open: {error}")
        return servers

    def _rounds_of(self, servers: dict[str, Server]) -> tuple[dict[str, Any], dict[str, Any]]:
        """Nanoseconds (wall, processor) by system, mode and round; the first round's answers."""
        times: dict[str, Any] = {name: {} for name in servers}
        found: dict[str, Any] = {name: {} for name in servers}
        for slot, mode in enumerate(_MODES):
            for turn in range(self._rounds):
                _progress(f"{self._size}: {mode}, round {turn + 1} of {self._rounds}")
                names = [name for name in servers if mode in servers[name].modes]
                shift = turn % max(1, len(names))
                for name in (*names[shift:], *names[:shift]):
                    if name in self.skipped:
                        continue
                    start = (slot * self._rounds + turn) * self._args.queries
                    try:
                        answer = self._ask(servers[name], mode, start, first=turn == 0)
                    except Failed as error:
                        self._skip(name, f"{mode}: {error}")
                        continue
                    times[name].setdefault(mode, []).append((answer["ns"], answer["cpu_ns"]))
                    if turn == 0:
                        found[name][mode] = answer["hits"]
        return times, found

    def _ask(self, server: Server, mode: str, start: int, *, first: bool) -> dict[str, Any]:
        return server.ask(
            do="round",
            mode=mode,
            start=start,
            count=self._args.queries,
            warm=_WARM if first else 10,
            cap=self._args.cap,
            answers=first,
            limit=10 * self._args.cap + 30,
        )

    def _memory(self, servers: Mapping[str, Server]) -> dict[str, Any]:
        return {name: s.ask(do="memory", limit=60) for name, s in servers.items() if name not in self.skipped}

    def _right(self, found: Mapping[str, Any]) -> dict[str, dict[str, float]]:
        vectors = np.load(self._data / "vectors.npy", mmap_mode="r")
        queries = np.load(self._data / "query-vectors.npy")
        right: dict[str, dict[str, float]] = {}
        for slot, mode in enumerate(_MODES):
            if not mode.startswith("dense"):
                continue
            limit = self._made["half"]["chunks"] if mode == "dense_half" else len(vectors)
            start = slot * self._rounds * self._args.queries
            for name in found:
                if hits := found[name].get(mode):
                    asked = queries[start : start + len(hits)]
                    right.setdefault(name, {})[mode] = recall(hits, asked, vectors[:limit])
        return right

    def _cold(self, systems: Mapping[str, Any]) -> dict[str, Any]:
        """Process starts in turns, the first of each not counted: files are in the page cache."""
        (self._data / "cold.txt").write_text(self._args.cold_query, encoding="utf-8")
        if "fabula" in systems:
            _progress(f"{self._size}: making the project")
            try:
                cold_start(self._at, "fabula", "project", self._data, self._folder / "fabula")
            except Failed as error:
                self.skipped["fabula project"] = str(error)
        out = {}
        for kind, able in _COLD.items():
            seconds: dict[str, list[float]] = {}
            for turn in range(1 + self._args.rounds):
                _progress(f"{self._size}: cold {kind} start {turn} of {self._args.rounds}")
                for name in [name for name in able if name in systems]:
                    try:
                        spent, _ = cold_start(self._at, name, kind, self._data, self._folder / name)
                    except Failed as error:
                        self.skipped[f"{name} cold {kind}"] = str(error)
                        _progress(f"{self._size}: {name} cold {kind}: {error}")
                        continue
                    if turn:
                        seconds.setdefault(name, []).append(spent)
            out[kind] = cold_summary(seconds)
        return out

    def _skip(self, name: str, reason: str) -> None:
        self.skipped[name] = reason
        _progress(f"{self._size}: {name} is left out: {reason}")


def _facts(made: Mapping[str, Any], measured: Mapping[str, Any], data: Path) -> dict[str, Any]:
    """What comes out the same on any machine: the data, and what fabula finds in it."""
    systems = measured["systems"]
    names = ("document.txt", "rows.npy", "queries.json")
    digests = {name: hashlib.sha256((data / name).read_bytes()).hexdigest()[:16] for name in names}
    return {
        "data": {
            key: made[key] for key in ("chunks", "characters", "from_novels", "half", "neighbour_cosine")
        },
        "sha256": digests,
        "recall_at_10": systems.get("fabula", {}).get("recall"),
        "same_ten_as_bm25s": systems.get("bm25s", {}).get("agreement"),
    }


def _count(size: str) -> int:
    unit = _UNITS.get(size[-1:].lower(), 1)
    return int(float(size[:-1] if unit > 1 else size) * unit)


def _progress(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def parser() -> argparse.ArgumentParser:
    options = new_parser(__doc__, data=True)
    options.add_argument("--cache", type=Path, default=default_cache("speed"), help="keeps made data")
    options.add_argument("--work", type=Path, help="where indexes are written, and removed again")
    options.add_argument(
        "--peers-python", type=Path, default=Path(sys.executable), help="a Python with the peers installed"
    )
    options.add_argument("--sizes", type=split_names, default="5k,50k,1M")
    options.add_argument("--systems", type=_known_systems, default=list(SYSTEMS))
    options.add_argument("--rounds", type=int, default=4, help="at most 3 of them at half a million and up")
    options.add_argument("--queries", type=int, default=200, help="a round, all of them new")
    options.add_argument("--cap", type=float, default=3, help="seconds a turn, after which it is cut")
    options.add_argument("--limit", type=float, default=300, help="seconds a build may take")
    options.add_argument("--novels", type=int, help="take only so many of the novels")
    options.add_argument(
        "--cold-from", type=int, default=50_000, help="chunks from which cold starts are timed"
    )
    options.add_argument("--cold-query", default="the captain looked out over the sea")
    options.add_argument("--picture", type=Path, help="an SVG of how times grow with the sizes")
    options.add_argument("--name", default="speed", help="of the result file")
    return options


def _known_systems(given: str) -> list[str]:
    names = split_names(given)
    if unknown := [name for name in names if name not in SYSTEMS]:
        raise argparse.ArgumentTypeError(
            f"there is no system {unknown[0]!r}: name some of {', '.join(SYSTEMS)}"
        )
    return names
