"""Which event came first: set beside what others annotated.

Usage:  python experiments/run.py story_model --data DIR --only events [--seen-only]

Fables (``temporal/fable_timelines.jsonl``): links between annotated events, both offsets given, on which both
annotators of a fable agree. Every link goes forward in the text. ``relation`` is the share of links whose
relation (before, after, includes, is_included, same, overlap) is predicted by ``event_order.lies``, the rules
that the product orders its events by; the baseline "text order" says "before" of every link. ``difference``
is the accuracy less that of text order, bootstrap over fables.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from experiments.common.story_data import held_out, rows
from fabula.story.extraction.events.order import Lies, lies
from fabula.story.extraction.parsing.chapter import ParsedChapter
from fabula.story.extraction.reader import StoryReader
from fabula.story.model.findings import bootstrap_interval

__all__ = ["measure"]


def measure(data: Path, reader: StoryReader, *, held: bool | None = None) -> dict[str, Any]:
    """The facts, seen and held-out documents apart; ``held`` restricts to one half."""
    halves = {"seen": False, "held_out": True}
    return {
        name: {"fables": _fables(data, reader, half)}
        for name, half in halves.items()
        if held is None or held is half
    }


def _tokens(chapter: ParsedChapter) -> dict[int, Any]:
    """The parsed words by their first character."""
    return {
        paragraph.span(token, token).start: token
        for paragraph in chapter.paragraphs
        for token in paragraph.doc
        if not token.is_space
    }


def _fables(data: Path, reader: StoryReader, half: bool) -> dict[str, Any]:
    told = [row for row in rows(data / "temporal" / "fable_timelines.jsonl") if held_out(row["doc"]) is half]
    found = [_fable(row, reader) for row in told]
    return {
        "n": len(found),
        "agreed": _links(found),
        "rows": [{"doc": row["doc"], "agreed": counts} for row, counts in zip(told, found, strict=True)],
    }


def _fable(row: dict[str, Any], reader: StoryReader) -> dict[str, int]:
    at = _tokens(reader.parse(row["text"]))
    counts = {"n": 0, "right": 0, "text_order": 0}
    for one, _, relation, other, _ in row["agreed_links"]:
        said = lies(at[one], at[other]).lies if one in at and other in at else Lies.BEFORE
        counts["n"] += 1
        counts["right"] += said.value == relation
        counts["text_order"] += relation == "before"
    return counts


def _links(counts: Sequence[dict[str, int]]) -> dict[str, Any]:
    return {
        "links": sum(each["n"] for each in counts),
        "relation": _share(counts, "right"),
        "text_order": _share(counts, "text_order"),
        "difference": _difference(counts),
    }


def _share(counts: Sequence[dict[str, int]], hits: str) -> dict[str, Any]:
    """A share over all links, its interval by drawing documents."""
    values = [1.0 if k < each[hits] else 0.0 for each in counts for k in range(each["n"])]
    groups = [str(i) for i, each in enumerate(counts) for _ in range(each["n"])]
    return _mean(values, groups)


def _difference(counts: Sequence[dict[str, int]]) -> dict[str, Any]:
    values, groups = [], []
    for i, each in enumerate(counts):
        gain = each["right"] - each["text_order"]
        step = 1.0 if gain > 0 else -1.0
        values += [step if k < abs(gain) else 0.0 for k in range(each["n"])]
        groups += [str(i)] * each["n"]
    return _mean(values, groups)


def _mean(values: Sequence[float], groups: Sequence[str]) -> dict[str, Any]:
    if not values:
        return {"value": None, "interval": None, "n": 0}
    return {
        "value": round(sum(values) / len(values), 4),
        "interval": bootstrap_interval(values, groups=groups),
        "n": len(values),
    }
