"""The systems as processes: started, fed, timed from outside and ended."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import fabula
from experiments.common.folders import ROOT

from .worker import ONE_THREAD

__all__ = ["SYSTEMS", "Failed", "Interpreters", "Server", "build", "cold_start"]

SYSTEMS = {
    "fabula": "fabula_core",
    "by_hand": "by_hand",
    "glued": "glued",
    "bm25s": "bm25s_same",
    "llamaindex": "llamaindex",
    "lancedb": "lancedb",
    "txtai": "txtai",
    "langchain": "langchain",
}
"""By the name of the row: the module of ``peers``. ``glued`` is bm25s + FAISS + reciprocal ranks by hand,
its lexical row bm25s alone and its dense row a flat FAISS scan; ``by_hand`` is fabula's own two indexes,
fused in four lines; ``bm25s`` reads fabula's own terms."""


class Failed(Exception):  # noqa: N818 (reads as a state)
    """A system did not do what it was asked; the text says why."""


@dataclass(frozen=True, slots=True)
class Interpreters:
    """Which Python runs a system: fabula's own, or the peers'. ``scratch`` is a folder to write to."""

    peers: Path
    scratch: Path

    def command(self, system: str, action: str, data: Path, folder: Path) -> list[str]:
        python = sys.executable if system in ("fabula", "by_hand") else str(self.peers.absolute())
        return [
            python,
            "-W",
            "ignore",
            "-m",
            "experiments.speed.worker",
            SYSTEMS[system],
            action,
            str(data.resolve()),
            str(folder.resolve()),
        ]

    def environment(self, *, one_thread: bool = True) -> dict[str, str]:
        """Nothing is fetched, byte code is kept, and where asked every pool has one thread."""
        link = self.scratch / "source" / "fabula"
        if not link.exists():
            link.parent.mkdir(parents=True, exist_ok=True)
            link.symlink_to(Path(fabula.__file__).parent)
        unwanted = ("PYTHONDONTWRITEBYTECODE", "PYTHONPATH", "VIRTUAL_ENV")
        return {
            **{k: v for k, v in os.environ.items() if k not in unwanted},
            **(ONE_THREAD if one_thread else {}),
            "FABULA_SOURCE": str(link.parent),
            "HF_HUB_OFFLINE": "1",
            "LANCEDB_LOG": "error",  # its warnings would be part of its time
            "TOKENIZERS_PARALLELISM": "false",
        }


class Server:
    """A system that has opened its saved index and answers rounds of queries."""

    def __init__(self, at: Interpreters, system: str, data: Path, folder: Path, *, limit: float) -> None:
        self.system = system
        self._process = _start(at.command(system, "serve", data, folder), at.environment())
        try:
            ready = _read(self._process, limit)
        except Failed:
            self.stop()
            raise
        self.modes: list[str] = ready["modes"]
        self.opened = {key: ready[key] for key in ("bare_mb", "open_s")}

    def ask(self, *, limit: float, **order: Any) -> dict[str, Any]:
        """Raises Failed past ``limit`` seconds and where the system fails."""
        if self._process.stdin is None:
            raise Failed("its process takes no orders")
        try:
            self._process.stdin.write(json.dumps(order) + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            raise Failed("its process ended") from None
        return _read(self._process, limit)

    def stop(self) -> None:
        _end(self._process)


def build(at: Interpreters, system: str, data: Path, folder: Path, *, limit: float) -> dict[str, Any]:
    """CPU and wall seconds, peak memory and bytes on disk of building into ``folder``. Raises Failed."""
    folder.mkdir(parents=True)
    process = _start(at.command(system, "build", data, folder), at.environment())
    try:
        spent = _read(process, limit)
    finally:
        _end(process)
    files = [file for file in folder.rglob("*") if file.is_file()]
    kept = sum(file.stat().st_size for file in files)
    return {**spent, "disk_mb": round(kept / 2**20, 1)}


def cold_start(at: Interpreters, system: str, kind: str, data: Path, folder: Path) -> tuple[float, str]:
    """Seconds from the start of a process to its first answer, and that answer. ``kind`` is ``"lexical"``,
    ``"semantic"``, or ``"project"``, which makes the project that fabula starts from. Raises Failed."""
    started = time.perf_counter()
    process = _start(at.command(system, kind, data, folder), at.environment(one_thread=False))
    try:
        answer = _read(process, 300)
        return time.perf_counter() - started, str(answer["text"])
    finally:
        _end(process)


def _start(command: list[str], environment: dict[str, str]) -> subprocess.Popen[str]:
    return subprocess.Popen(  # noqa: S603
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        bufsize=1,
        env=environment,
        cwd=ROOT,
    )


def _read(process: subprocess.Popen[str], limit: float) -> dict[str, Any]:
    """The next line of an answer. One line is read at a time, so the pipe tells whether there is one."""
    if process.stdout is None:
        raise Failed("its process says nothing")
    if not select.select([process.stdout], [], [], limit)[0]:
        raise Failed(f"not done within the limit of {limit:.0f} seconds")
    line = process.stdout.readline()
    if not line:
        raise Failed(f"its process ended with {process.wait()}, with no word")
    answer: dict[str, Any] = json.loads(line)
    if "error" in answer:
        raise Failed(answer["error"])
    return answer


def _end(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            stream.close()
