"""Alarms on untouched novels, put down for a person to judge. Rows of ``data/alarm_judgements.json``: book,
rule, severity, offsets of the quotes, and ``verdict``: null until judged, then ``"slip"`` (the novel does
contradict itself), ``"defensible"`` (a reader may ask) or ``"false"``. No text of a novel is kept."""

from __future__ import annotations

import json
import random
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from experiments.common.folders import DATA

__all__ = ["JUDGEMENTS", "judged", "sample"]

JUDGEMENTS = DATA / "alarm_judgements.json"
VERDICTS = ("slip", "defensible", "false")
Row = dict[str, Any]


def sample(books: Sequence[Row], count: int, *, file: Path = JUDGEMENTS, seed: int = 0) -> list[Row]:
    """Draws up to ``count`` alarms, by turns from each rule, and adds those not yet there to the file."""
    known = _rows(file)
    have = {_key(row) for row in known}
    by_rule: dict[str, list[Row]] = defaultdict(list)
    for book in books:
        for alarm in book["alarms"]:
            row = {"book": book["book"], **alarm, "verdict": None}
            by_rule[alarm["rule"]].append(row)
    rng = random.Random(seed)
    for rows in by_rule.values():
        rng.shuffle(rows)
    drawn: list[Row] = []
    while len(drawn) < count and any(by_rule.values()):
        for rule in sorted(by_rule):
            if by_rule[rule] and len(drawn) < count:
                drawn.append(by_rule[rule].pop())
    fresh = [row for row in drawn if _key(row) not in have]
    file.parent.mkdir(exist_ok=True)
    text = json.dumps([*known, *fresh], indent=1, ensure_ascii=False) + "\n"
    partial = file.with_suffix(".part")
    partial.write_text(text, encoding="utf-8")
    partial.replace(file)
    return drawn


def show(rows: Sequence[Row], texts: Mapping[str, str], *, around: int = 200) -> None:
    """The quotes with what stands around them, on the terminal only."""
    for number, row in enumerate(rows, start=1):
        print(f"\n[{number}] {row['book']}: {row['rule']} ({row['severity']}), verdict {row['verdict']}")
        for start, end in row["offsets"]:
            text = texts[row["book"]]
            before, after = text[max(0, start - around) : start], text[end : end + around]
            print(f"  {start}:{end} …{before}>>>{text[start:end]}<<<{after}…".replace("\n", "\n    "))


def judged(books: Sequence[Row], *, file: Path = JUDGEMENTS) -> Row:
    """Verdicts by rule, of those alarms that the critic still raises."""
    raised = {_key({"book": book["book"], **alarm}) for book in books for alarm in book["alarms"]}
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for row in _rows(file):
        if row["verdict"] in VERDICTS and _key(row) in raised:
            counts[row["rule"]][row["verdict"]] += 1
    return {rule: dict(sorted(found.items())) for rule, found in sorted(counts.items())}


def _rows(file: Path) -> list[Row]:
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else []


def _key(row: Mapping[str, Any]) -> tuple[str, str, str]:
    return row["book"], row["rule"], json.dumps(row["offsets"])
