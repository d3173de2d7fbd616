"""One system reads one corpus and answers, in a process of its own:
``python -m experiments.peers.reading.worker SYSTEM TASK.json RESULT.json``.

Runs in the interpreter that has the system's packages. The packages fabula, NumPy, tokenizers and safetensors
give it the reader and the embedding.
"""

from __future__ import annotations

import asyncio
import importlib
import importlib.util
import json
import os
import re
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

_NAME = re.compile(r"[\w.-]+")


def main(name: str, task: Path, result: Path) -> None:
    """Writes what the system said, what it holds, and what that cost."""
    _own_vocabulary()
    from experiments.peers.reading.given import Given, Meter

    told = json.loads(task.read_text(encoding="utf-8"))
    meter = Meter()
    meter.install()
    given = Given(Path(told["requests"]), told["reader"], timeout_s=told["timeout_s"])
    module = importlib.import_module(f"experiments.peers.reading.{name}")
    found: dict[str, Any] = {"version": metadata.version(module.PACKAGE), "mode": module.MODE}
    found |= asyncio.run(_run(module.System(Path(told["folder"]), given), told, meter))
    found |= {"installed_mb": round(sum(map(_size, _needed(module.PACKAGE, set()))) / 1e6)}
    result.write_text(json.dumps(found, ensure_ascii=False), encoding="utf-8")


async def _run(system: Any, told: dict[str, Any], meter: Any) -> dict[str, Any]:
    await system.index(told["texts"])
    seconds = {"index": meter.own_seconds}
    meter.phase = "ask"
    answers = await asyncio.gather(*(system.ask(question) for question in told["questions"]))
    seconds["ask"] = meter.own_seconds - seconds["index"]
    edges = await system.edges()
    return {
        "answers": answers,
        "edges": edges,
        "asked": meter.asked,
        "keys": sorted(meter.keys),
        "own_seconds": {phase: round(value, 1) for phase, value in seconds.items()},
    }


def _own_vocabulary() -> None:
    """tiktoken's files from the package litellm, where that is installed: nothing is fetched."""
    spec = importlib.util.find_spec("litellm")
    if spec is not None and spec.origin is not None:
        place = Path(spec.origin).parent / "litellm_core_utils" / "tokenizers"
        os.environ.setdefault("TIKTOKEN_CACHE_DIR", str(place))


def _needed(package: str, seen: set[str]) -> Iterator[metadata.Distribution]:
    """The distribution and all that it needs, as far as they are installed; without extras."""
    try:
        one = metadata.distribution(package)
    except metadata.PackageNotFoundError:
        return
    if one.name.lower() in seen:
        return
    seen.add(one.name.lower())
    yield one
    for line in one.requires or ():
        name = _NAME.match(line)
        if name and "extra ==" not in line:
            yield from _needed(name[0], seen)


def _size(one: metadata.Distribution) -> int:
    return sum(file.size or 0 for file in one.files or ())


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))
