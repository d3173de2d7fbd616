"""What do readers who did not write the short stories say of them?

    python experiments/run.py story_reading

``data/story_verdicts.json`` holds the verdicts of two readers on the same thirty stories of the train and dev
splits: each listed the contradictions of a story first, then saw its gold and judged it. Writes
``results/story_reading.json``.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from experiments.common.folders import DATA
from experiments.common.options import new_parser
from experiments.common.result_file import machine, write_result

VERDICTS = DATA / "story_verdicts.json"
Row = Mapping[str, Any]


def counted(rows: Sequence[Row]) -> dict[str, Any]:
    """Each verdict with how often it was given."""

    def of(key: str) -> dict[str, int]:
        return dict(sorted(Counter(str(one) for row in rows for one in row[key]).items()))

    return {
        "stories": len(rows),
        "natural": dict(sorted(Counter(row["natural"] for row in rows).items())),
        "contradictions": sum(len(row["real"]) for row in rows),
        "found_before": sum(sum(row["found_before"]) for row in rows),
        "real": of("real"),
        "difficulty_right": sum(sum(row["difficulty_right"]) for row in rows),
        "unlisted": sum(row["unlisted"] for row in rows),
        "changes_fair": of("changes_fair"),
        **{
            key: sum(row[key] for row in rows)
            for key in ("near_misses", "near_misses_fair", "questions", "questions_right")
        },
    }


def main(_: argparse.Namespace) -> None:
    rows = json.loads(VERDICTS.read_text(encoding="utf-8"))
    readers = sorted({row["reader"] for row in rows})
    facts = {
        "question": "What do readers say of the short stories?",
        "aggregates": {name: counted([row for row in rows if row["reader"] == name]) for name in readers},
    }
    write_result("story_reading", facts=facts, measured=machine())


def parser() -> argparse.ArgumentParser:
    return new_parser(__doc__)
