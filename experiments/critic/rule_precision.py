"""How often is each rule right? Writes the table of measured precision that the package carries.

    python experiments/run.py rule_precision

From ``data/finding_judgements.json``: every finding on modern prose that nobody tuned to, each called real,
defensible or false by a reader (``modern_prose`` makes the list). Only the real ones are right. A rule
with fewer than ``LEAST`` findings stays unmeasured, and no number stands beside what it finds.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from experiments.common.folders import DATA, ROOT
from experiments.common.options import new_parser
from fabula.core.files.atomic import replace_file
from fabula.story.continuity.reporting.precision import PRECISION_FILE, precision_table

LEAST = 5
BY_A_MODEL = "model_critic"
"""How often it is right depends on the model that somebody chose: no number is carried for it."""
JUDGEMENTS = DATA / "finding_judgements.json"
TARGET = ROOT / "src" / "story" / "continuity" / "reporting" / PRECISION_FILE


def table(judged: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The table's content. Raises ValueError where a finding was not read yet."""
    judged = [row for row in judged if row["rule"] != BY_A_MODEL]
    unread = [row for row in judged if row["verdict"] is None]
    if unread:
        raise ValueError(f"{len(unread)} findings were not read yet, the first in {unread[0]['story']}")
    found = Counter(str(row["rule"]) for row in judged)
    right = Counter(str(row["rule"]) for row in judged if row["verdict"] == "real")
    return {
        "schema": 1,
        "source": "experiments/data/finding_judgements.json",
        "rules": {
            rule: {"precision": round(right[rule] / n, 4), "n": n}
            for rule, n in sorted(found.items())
            if n >= LEAST
        },
    }


def main(_: argparse.Namespace) -> None:
    text = json.dumps(table(json.loads(JUDGEMENTS.read_text(encoding="utf-8"))), indent=1) + "\n"
    for rule, row in precision_table(text).items():
        print(f"{rule:24} {row.precision:.2f} of {row.n}")
    replace_file(TARGET, text)


def parser() -> argparse.ArgumentParser:
    return new_parser(__doc__)
