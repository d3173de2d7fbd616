"""How far can the story graph be trusted? Every part of it set beside what people marked in real stories.

    python experiments/run.py story_model --data DIR [--parses DIR] [--only A,B] [--seen-only]

Runs the measures of ``names``, ``quotations`` and ``presence`` (each module says what it
measures and how), then sets their figures beside baselines. Everything is given for documents that were read
while the rules were written ("seen") and for those that were not ("held_out", see ``story_data.held_out``).
Writes ``results/story_model.json`` after every part, so that a run cut short loses little.

``--parses`` (by default in the user's cache) keeps parses and logs: the rules run anew where the code
changed, the parser does not. ``--seen-only`` prints the aggregates of the seen half and writes nothing.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from experiments.common.folders import RESULTS, default_cache
from experiments.common.options import add_parses, new_parser, split_names
from experiments.common.result_file import machine, write_result
from experiments.common.story_data import CachedReader, held_out, rows

from . import names, presence, quotations
from .bars import bars_of

_MEASURES = {
    "names": names.measure,
    "quotations": quotations.measure,
    "presence": presence.measure,
}
PARTS = tuple(_MEASURES)


def main(args: argparse.Namespace) -> None:
    """Runs the parts named, keeps the others' figures as they stand in the result file."""
    reader = CachedReader(args.parses)
    if args.seen_only:
        for name in args.only or PARTS:
            found = _MEASURES[name](args.data, reader, held=False)
            print(json.dumps({name: _without_rows(found)}, indent=1, ensure_ascii=False))
        return
    known = _known() if args.only else {"facts": {"parts": {}}, "machine": {}}
    parts: dict[str, Any] = dict(known["facts"]["parts"])
    spent: dict[str, Any] = dict(known["machine"].get("part_seconds", {}))
    for name in args.only or PARTS:
        began = time.perf_counter()
        sys.stderr.write(f"{name} ...\n")
        parts[name] = _MEASURES[name](args.data, reader)
        spent[name] = round(time.perf_counter() - began, 1)
        _write(parts, spent, reader, args.data)
    for bar in bars_of(parts):
        sys.stdout.write(f"{bar['measure']}: {bar['value']} ({bar['beside']})\n")


def _write(parts: Mapping[str, Any], spent: Mapping[str, float], reader: Any, data: Path) -> None:
    facts = {
        "question": "How far can the story graph be trusted?",
        "reader": reader.version,
        "held_out": _split(data),
        "bars": bars_of(parts),
        "parts": {name: parts[name] for name in PARTS if name in parts},
    }
    write_result("story_model", facts=facts, measured=machine(part_seconds=dict(spent)))


def _split(data: Path) -> dict[str, list[str]]:
    """The novels of each half."""
    names = sorted(path.stem for path in (data / "novels").glob("*.txt"))
    marked = sorted({row["doc"] for row in rows(data / "characters" / "pdnc.jsonl")})
    return {
        "novels": [name for name in names if held_out(name)],
        "pdnc": [name for name in marked if held_out(name)],
    }


def _without_rows(facts: Any) -> Any:
    """The aggregates alone."""
    if not isinstance(facts, dict):
        return facts
    return {key: _without_rows(value) for key, value in facts.items() if key not in ("rows", "novels")}


def _known() -> dict[str, Any]:
    path = RESULTS / "story_model.json"
    if not path.exists():
        return {"facts": {"parts": {}}, "machine": {}}
    known: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return known


def parser() -> argparse.ArgumentParser:
    options = new_parser(__doc__, data=True)
    add_parses(options, default_cache("parses"))
    options.add_argument("--only", type=_known_parts, metavar="A,B", help=f"of {', '.join(PARTS)}")
    options.add_argument(
        "--seen-only", action="store_true", help="leave the held-out half alone: print, and write nothing"
    )
    return options


def _known_parts(given: str) -> list[str]:
    names = split_names(given)
    if unknown := set(names) - set(PARTS):
        raise argparse.ArgumentTypeError(f"no part {', '.join(sorted(unknown))}")
    return names
