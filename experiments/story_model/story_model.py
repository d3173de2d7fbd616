"""How far can the story graph be trusted? Every part of it set beside what people marked in real stories.

Usage:  python experiments/story_model.py --data DIR [--parses DIR] [--only A,B] [--no-costs]

Runs the measures of ``story_names``, ``story_quotations``, ``story_presence``, ``story_events``,
``story_relations``, ``story_arcs`` and ``story_robustness`` (each says what it measures and how), then sets
their figures beside bars and baselines. Everything is given for documents that were read while the rules
were written ("seen") and for those that were not ("held_out", see ``story_data.held_out``); bars stand on the
latter. Writes ``results/story_model.json`` after every part, so that a run cut short loses little.

``--parses`` keeps parses and logs on disk: the rules run anew where the code changed, the parser does not.
Without it everything is read once a measure. Costs (time and memory) are measured last and stand in the
machine half.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from experiments.common.folders import RESULTS
from experiments.common.result_file import machine, write_result
from experiments.common.story_data import CachedReader, held_out, rows

from .bars import bars_of
from .robustness import costs

PARTS = ("names", "quotations", "presence", "events", "relations", "arcs", "robustness")


def main(argv: Sequence[str] | None = None) -> None:
    """Runs the parts named, keeps the others' figures as they stand in the result file."""
    args = _arguments(argv)
    reader = CachedReader(args.parses)
    known = _known() if args.only else {"facts": {"parts": {}}, "machine": {}}
    parts: dict[str, Any] = dict(known["facts"]["parts"])
    spent: dict[str, Any] = dict(known["machine"].get("part_seconds", {}))
    more: dict[str, Any] = {"costs": known["machine"].get("costs")}
    chosen = args.only or PARTS
    for name in chosen:
        began = time.perf_counter()
        sys.stderr.write(f"{name} ...\n")
        parts[name] = importlib.import_module(f"story_{name}").measure(args.data, reader)
        spent[name] = round(time.perf_counter() - began, 1)
        _write(parts, more, spent, reader, args.data)
    if not args.no_costs:
        more["costs"] = costs(args.data)
        _write(parts, more, spent, reader, args.data)
    for bar in bars_of(parts, more["costs"]):
        met = {True: "met", False: "NOT MET", None: "not measured"}[bar["met"]]
        sys.stdout.write(f"{met:13}{bar['measure']}: {bar['value']} (bar {bar['bar']}; {bar['beside']})\n")


def _write(
    parts: Mapping[str, Any], more: Mapping[str, Any], spent: Mapping[str, float], reader: Any, data: Path
) -> None:
    facts = {
        "question": "How far can the story graph be trusted?",
        "reader": reader.version,
        "held_out": _split(data),
        "bars": [bar for bar in bars_of(parts, None) if not bar["machine"]],
        "parts": {name: parts[name] for name in PARTS if name in parts},
    }
    measured = machine(
        part_seconds=dict(spent),
        costs=more["costs"],
        bars=[bar for bar in bars_of(parts, more["costs"]) if bar["machine"]],
    )
    write_result("story_model", facts=facts, measured=measured)


def _split(data: Path) -> dict[str, list[str]]:
    """The novels of each half."""
    names = sorted(path.stem for path in (data / "novels").glob("*.txt"))
    marked = sorted({row["doc"] for row in rows(data / "characters" / "pdnc.jsonl")})
    return {
        "novels": [name for name in names if held_out(name)],
        "pdnc": [name for name in marked if held_out(name)],
    }


def _known() -> dict[str, Any]:
    path = RESULTS / "story_model.json"
    if not path.exists():
        return {"facts": {"parts": {}}, "machine": {}}
    known: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return known


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument(
        "--data", type=Path, default=os.environ.get("FABULA_DATA"), required=not os.environ.get("FABULA_DATA")
    )
    parser.add_argument(
        "--parses", type=Path, default=home / "fabula" / "parses", help="where parses are kept"
    )
    parser.add_argument("--only", type=lambda told: told.split(","), help="parts, by comma")
    parser.add_argument("--no-costs", action="store_true")
    args = parser.parse_args(argv)
    unknown = set(args.only or ()) - set(PARTS)
    if unknown:
        parser.error(f"no part {', '.join(sorted(unknown))}: choose from {', '.join(PARTS)}")
    return args


if __name__ == "__main__":
    main()
