"""Is a large pack with broken items in it taken in whole, and is taking it in again free?

    python experiments/run.py packs [--items N] [--name RESULT]

``--items`` made-up items (10,000 by default), one in a hundred broken, in 22 ways; indexed, indexed again
unchanged, and again with one text changed; then a hundred searches with a tag.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from experiments.common.options import new_parser
from experiments.common.result_file import machine, write_result
from fabula.core.embeddings import EmbeddingManager
from fabula.packs.pack import Pack, PackReport, Wanted, index_packs

_NOUNS = "kettle lid filter hose valve pump gauge lamp fuse hinge spring bolt gasket tray handle".split()
_VERBS = "clean replace tighten store inspect drain fill warm cool loosen align lift seal test label".split()
_WHEN = "weekly monthly before use after use in winter when it leaks once a year at night".split()
_BREAKS: tuple[Callable[[dict[str, Any]], Any], ...] = (
    lambda _: "a string",
    lambda _: 7,
    lambda _: None,
    lambda item: [item],
    lambda _: {},
    lambda item: item | {"id": ""},
    lambda item: item | {"id": "a" * 201},
    lambda item: item | {"id": "a\u0001"},
    lambda item: item | {"id": 5},
    lambda item: {"id": item["id"]},
    lambda item: item | {"text": "   "},
    lambda item: item | {"text": "—!"},
    lambda item: item | {"text": "x" * 20_001},
    lambda item: item | {"text": ["x"]},
    lambda item: item | {"metadata": {"chapter": -1}},
    lambda item: item | {"metadata": {"chapter": "two"}},
    lambda item: item | {"metadata": {"page": 1.5}},
    lambda item: item | {"metadata": []},
    lambda item: item | {"tags": [""]},
    lambda item: item | {"is_active": "perhaps"},
    lambda item: item | {"languageVariants": {"english!": "x"}},
    lambda item: item | {"id": "item-0"},
)


def main(options: argparse.Namespace) -> None:
    """Writes ``results/NAME.json``."""
    embedder = EmbeddingManager()
    embedder.load()
    with tempfile.TemporaryDirectory() as place:
        folder, file = Path(place) / "pack", Path(place) / "items.json"
        items, broken = _items(options.items)
        runs = {}
        for name in ("first", "again", "one changed"):
            if name == "one changed":
                items[1]["text"] = "Something else stands here now."
            file.write_text(json.dumps(items), encoding="utf-8")
            started = time.perf_counter()
            report = index_packs([file], folder, embedder=embedder)
            runs[name] = _row(report, time.perf_counter() - started)
        seconds = _searches(folder, embedder)
    facts = {
        "question": "Is a large pack with broken items in it taken in whole, and is taking it in again free?",
        "items": options.items,
        "broken": broken,
        "ways": len(_BREAKS),
        "runs": {name: {key: row[key] for key in row if key != "seconds"} for name, row in runs.items()},
    }
    measured = machine() | {
        "seconds": {name: row["seconds"] for name, row in runs.items()},
        "search_ms_p50": round(1000 * float(np.median(seconds)), 2),
        "search_ms_p95": round(1000 * float(np.quantile(seconds, 0.95)), 2),
    }
    write_result(options.name or "packs", facts=facts, measured=measured)
    print(json.dumps({**facts, **measured}, indent=1))


def _items(count: int) -> tuple[list[Any], int]:
    draw = random.Random(0)
    made: list[Any] = []
    broken = 0
    for number in range(count):
        noun, verb, when = draw.choice(_NOUNS), draw.choice(_VERBS), draw.choice(_WHEN)
        item: dict[str, Any] = {
            "id": f"item-{number}",
            "text": f"Rule {number}: {verb} the {noun} of unit {draw.randrange(900)} {when}, then note it.",
            "tags": {"part": noun, "act": verb},
            "metadata": {"chapter": number // 100, "section": noun.title()},
        }
        if number % 100 == 50:
            made.append(_BREAKS[(number // 100) % len(_BREAKS)](item))
            broken += 1
        else:
            made.append(item)
    return made, broken


def _row(report: PackReport, seconds: float) -> dict[str, Any]:
    return {
        "items": report.items,
        "left_out": len(report.skipped),
        "reasons": len({one.reason for one in report.skipped}),
        "embedded": report.embedded,
        "changed": report.changed,
        "seconds": round(seconds, 2),
    }


def _searches(folder: Path, embedder: EmbeddingManager) -> list[float]:
    pack = Pack(folder, embedder=embedder)
    pack.search("warm up")
    seconds = []
    for number in range(100):
        noun = _NOUNS[number % len(_NOUNS)]
        started = time.perf_counter()
        found = pack.search(f"how do I test the {noun}?", 5, wanted=Wanted((("part", noun),)))
        seconds.append(time.perf_counter() - started)
        if not all(("part", noun) in one.entry.tags for one in found):
            raise SystemExit(f"{noun}: an item without the tag was found")
    return seconds


def parser() -> argparse.ArgumentParser:
    options = new_parser(__doc__)
    options.add_argument("--items", type=int, default=10_000)
    options.add_argument("--name", default="", help="of the result file")
    return options
