"""Of the first things that the app shows of a well-known novel, how many would a reader name?

    python experiments/run.py first_shown list --projects DIR [--for-reading FILE]
    python experiments/run.py first_shown score

``list`` takes the first ``FIRST`` relations of the World page and events of the Timeline, by default
settings, of every novel of the dev split with an index under ``--projects``. Those that nobody judged
come into ``data/first_shown.json`` with a verdict of null (facts and offsets, no text); ``--for-reading``
writes them with their quotes for whoever judges. ``score`` counts the verdicts into
``results/first_shown.json``.

Verdicts: ``right`` (true, and a reader would name it), ``trivial`` (true, and nobody would),
``wrong person``, ``wrong type`` (the right people, something else between them), ``false`` (nothing of the
kind is told).
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from experiments.common.folders import DATA
from experiments.common.options import new_parser
from experiments.common.result_file import machine, write_result
from fabula import Project
from fabula.core.files.atomic import replace_file
from fabula.story.model.findings import bootstrap_interval
from fabula.views.quotes import QuoteShown
from fabula.views.times import times_at
from fabula.views.world import world_at

from .novel_gold import load_gold

FIRST = 20
VERDICTS = ("right", "trivial", "wrong person", "wrong type", "false")
JUDGED = DATA / "first_shown.json"
Row = dict[str, Any]


def shown_first(project: Project, novel: str) -> list[tuple[Row, list[str]]]:
    """What is shown first, with its quotes."""
    view = project.view(None)
    world = world_at(view)
    names = {node.id: node.name for node in world.nodes}
    found = [
        _row(novel, "relation", f"{names[edge.source]} {edge.label} {names[edge.target]}", edge.quotes)
        for edge in world.edges[:FIRST]
    ]
    for event in times_at(view).events[:FIRST]:
        said = f"{event.label} ({', '.join(event.who)})"
        found.append(_row(novel, "event", said, [event.quote] if event.quote else []))
    return found


def _row(novel: str, what: str, said: str, quotes: Sequence[QuoteShown]) -> tuple[Row, list[str]]:
    places = [[quote.start, quote.end] for quote in quotes]
    row = {"novel": novel, "what": what, "said": said, "offsets": places, "verdict": None}
    return row, [quote.text for quote in quotes]


def write_list(options: argparse.Namespace) -> None:
    known: list[Row] = json.loads(JUDGED.read_text(encoding="utf-8")) if JUDGED.is_file() else []
    verdicts = {_key(row): row["verdict"] for row in known}
    rows, reading = [], []
    for gold in load_gold("dev"):
        if not (options.projects / gold.slug / "fabula.db").is_file():
            continue
        with Project.open(options.projects / gold.slug) as project:
            for row, quotes in shown_first(project, gold.slug):
                rows.append(row | {"verdict": verdicts.get(_key(row))})
                if rows[-1]["verdict"] is None:
                    reading.append({"number": len(rows) - 1, **rows[-1], "quotes": quotes})
    replace_file(JUDGED, json.dumps(rows, indent=1, ensure_ascii=False) + "\n")
    if options.for_reading:
        replace_file(options.for_reading, json.dumps(reading, indent=1, ensure_ascii=False) + "\n")


def _key(row: Row) -> str:
    said = row["said"] if row["what"] == "relation" else ""  # an event is its place, however it is worded
    return json.dumps([row["novel"], row["what"], said, row["offsets"]])


def score(rows: Sequence[Row]) -> Row:
    """By what is shown: how many of each verdict, and the share that is right, novels resampled. Raises
    ValueError where a row has no verdict that counts."""
    unread = [row for row in rows if row["verdict"] not in VERDICTS]
    if unread:
        raise ValueError(f"{len(unread)} were not judged, the first in {unread[0]['novel']}")
    found: Row = {}
    for what in ("relation", "event"):
        mine = [row for row in rows if row["what"] == what]
        right = [float(row["verdict"] == "right") for row in mine]
        low, high = bootstrap_interval(right, groups=[row["novel"] for row in mine])
        counted = Counter(row["verdict"] for row in mine)
        found[what] = {
            "n": len(mine),
            **{verdict: counted[verdict] for verdict in VERDICTS},
            "share_right": {
                "n": len(mine),
                "hits": int(sum(right)),
                "mean": round(sum(right) / len(right), 4),
            }
            | {"low": low, "high": high},
        }
    return found


def main(options: argparse.Namespace) -> None:
    if options.part == "list":
        write_list(options)
        return
    rows = json.loads(JUDGED.read_text(encoding="utf-8"))
    facts = {
        "question": "Of the first things shown of a well-known novel, how many would a reader name?",
        "first": FIRST,
        "novels": sorted({row["novel"] for row in rows}),
        "aggregates": score(rows),
    }
    write_result("first_shown", facts=facts, measured=machine())


def parser() -> argparse.ArgumentParser:
    options = new_parser(__doc__)
    options.add_argument("part", choices=("list", "score"))
    options.add_argument("--projects", type=Path)
    options.add_argument("--for-reading", type=Path)
    return options
