"""Tables in Markdown, and the cells that several of them have."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from experiments.common.folders import RESULTS

__all__ = ["interval_cell", "load_facts", "share_cell", "splits", "table"]

Row = Mapping[str, Any]


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [header, ["---"] + ["--:"] * (len(header) - 1), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def share_cell(one: Row | None) -> str:
    """Hits of n, mean and interval; a dash where nothing was measured."""
    if one is None or not one.get("n"):
        return "–"
    of = f"{one['hits']:.0f} of {one['n']}, " if float(one["hits"]).is_integer() else ""
    return of + interval_cell(one)


def interval_cell(one: Row, places: int = 2) -> str:
    low, high = one["interval"] if "interval" in one else (one["low"], one["high"])
    return f"{one['mean']:.{places}f} [{low:.{places}f}, {high:.{places}f}]"


def load_facts(name: str) -> dict[str, Any]:
    """The facts of a result. Raises FileNotFoundError where there is none."""
    return dict(json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))["facts"])


def splits(name: str) -> dict[str, dict[str, Any]]:
    """The facts of the results NAME_dev and NAME_test, by split."""
    return {split: load_facts(f"{name}_{split}") for split in ("dev", "test")}
