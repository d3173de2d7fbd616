"""Is each figure that a reader sees still above its bar?

    python experiments/run.py bars [--data DIR] [--run novels,story,answers,suspects,search]

Prints a table of the figures that no change may lower below what chance explains: each with its bar, its
95 % interval where there is one, and the commit that measured it. ``--run`` measures groups of them anew
first and writes their result files; the others stand as they were measured last. ``novels`` and ``story``
read from kept parses. Figures of a language model stand as measured; its answers are not asked for again.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from experiments.common.catalogue import load_catalogue
from experiments.common.folders import RESULTS
from experiments.common.options import new_parser, split_names

GROUPS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "novels": (("known_novels", "--split dev"), ("known_novels", "--split test")),
    "story": (("story_model", ""),),
    "answers": (("story_answers", "--split test"), ("modern_graph", "--set test --name modern_graph_test")),
    "suspects": (("suspects", "--set test"),),
    "search": (("retrieval", ""),),
}
"""The experiments that measure a group, with their options but for ``--data``."""


@dataclass(frozen=True, slots=True)
class Bar:
    """``path`` leads to the figure in the facts of ``result``; ``most``: the bar is an upper one."""

    measure: str
    result: str
    path: tuple[str, ...]
    bar: float
    most: bool = False


def _novels(measure: str, bar: float, *, most: bool = False) -> Bar:
    return Bar(f"{measure}, kept back", "known_novels_test", ("aggregates", measure), bar, most)


def _story(measure: str, bar: float) -> Bar:
    return Bar(measure, "story_model", ("bars", measure, "value"), bar)


_MEAN = ("aggregates", "typed")
BARS = (
    _novels("cards right", 0.74),
    _novels("relations shown, any tie", 0.50),
    _novels("relations shown, by type", 0.20),
    _novels("fates right", 0.70),
    _novels("false deaths", 0.08, most=True),
    _novels("key events on the timeline", 0.33),
    Bar("questions about novels, kept back", "known_novels_test", ("aggregates", "questions", "right"), 0.24),
    Bar("questions about stories, kept back", "story_answers_test", ("aggregates", "right"), 0.36),
    Bar(
        "contradictions among the first five to read",
        "suspects_test",
        ("aggregates", "judge", "5", "all"),
        0.45,
    ),
    _story("who is in which chapter, F1", 0.78),
    _story("speaker of a quotation, accuracy", 0.72),
    _story("alias clusters of gold names, B³ F1", 0.87),
    _story("named persons and places, F1 above the parser alone", 0.25),
    Bar("tales, nDCG@10", "retrieval", ("as_used", "table", "fairytaleqa_open", "default", "0"), 0.80),
    Bar("MuSiQue, recall@5", "retrieval", ("as_used", "table", "musique100", "default", "2"), 0.73),
    Bar("relations of modern stories", "modern_graph_test", _MEAN, 0.03),
    Bar("relations of modern stories, a model reads", "modern_graph_test_reader", _MEAN, 0.64),
    Bar(
        "relations of novels, a model reads",
        "model_reading_dev",
        ("aggregates", "rules and model", "relations shown, by type"),
        0.78,
    ),
    Bar("contradictions, a model reads", "modern_test_reader", ("aggregates", "recall", "all"), 0.96),
    Bar("… its precision", "modern_test_reader", ("aggregates", "precision"), 0.92),
    Bar(
        "knowledge that nobody can have, a model reads",
        "modern_ikd_reader",
        ("aggregates", "recall", "all"),
        1.0,
    ),
    Bar("questions, a model answers", "model_answers", ("aggregates", "as read", "right"), 0.89),
)


def main(options: argparse.Namespace) -> int:
    """The exit code: 1 where a figure is below its bar."""
    catalogue = load_catalogue()
    for group in options.run:
        for name, given in GROUPS[group]:
            module = catalogue[name].load()
            words = [*given.split(), *(["--data", str(options.data)] if catalogue[name].data else [])]
            module.main(module.parser().parse_args(words))
    rows = [_row(bar) for bar in BARS]
    print("\n".join("  ".join(cell) for cell in rows))
    return int(any(row[0].startswith("BELOW") for row in rows))


def _row(bar: Bar) -> tuple[str, ...]:
    file = RESULTS / f"{bar.result}.json"
    told = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {"facts": {}, "machine": {}}
    found = _at(told["facts"], bar.path)
    value, low, high = found if found else (None, None, None)
    if value is None:
        return ("not there   ", bar.measure)
    met = value <= bar.bar if bar.most else value >= bar.bar
    interval = f"[{low:.2f}, {high:.2f}]" if low is not None else ""
    return (
        "met         " if met else "BELOW       ",
        f"{bar.measure:60}",
        f"{value:.3f} {interval:14}",
        f"bar {bar.bar:.2f}",
        str(told["machine"].get("commit", "")),
    )


def _at(told: Any, path: tuple[str, ...]) -> tuple[float, float | None, float | None] | None:
    """The figure at the end of the path, with its interval where it has one."""
    for step in path:
        if isinstance(told, list):
            told = (
                told[int(step)] if step.isdigit() else next((r for r in told if r["measure"] == step), None)
            )
        else:
            told = told.get(step)
        if told is None:
            return None
    if isinstance(told, Mapping):
        return (told["mean"], told.get("low"), told.get("high")) if "mean" in told else None
    return (float(told), None, None)


def parser() -> argparse.ArgumentParser:
    options = new_parser(__doc__, data=False)
    options.add_argument(
        "--run", type=_groups, default=[], metavar="A,B", help=f"measure anew, of {', '.join(GROUPS)}"
    )
    return options


def _groups(given: str) -> list[str]:
    names = split_names(given)
    if unknown := set(names) - set(GROUPS):
        raise argparse.ArgumentTypeError(f"no group {', '.join(sorted(unknown))}")
    return names
