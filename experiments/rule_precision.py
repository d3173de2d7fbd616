"""How often is each rule right? Writes the table of measured precision that the package carries.

    python experiments/rule_precision.py [--result injection]

From ``results/NAME.json``, which ``injection.py`` writes: of a rule's findings that were caused by slips put
into novels, those that meet a slip of its kind on both sides are right; every other, and every finding in an
untouched novel, counts as wrong. Published novels hold few real slips, so that is the least the precision
can be; and a draft with more slips than were put in, or fewer, has another. Rules with fewer than ``LEAST``
findings stay unmeasured.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fabula.core.atomic_file import replace_file
from fabula.story.continuity.precision import PRECISION_FILE, precision_table
from result_file import RESULTS, digest_of

LEAST = 10
TARGET = Path(__file__).parents[1] / "src" / "story" / "continuity" / PRECISION_FILE


def table(facts: Mapping[str, Any], *, name: str) -> dict[str, Any]:
    """The table's content, from the facts of an injection result."""
    found = facts["aggregates"]
    alarms = found["clean"]["by_rule"]
    rules: dict[str, Any] = {}
    for rule in sorted(set(found["precision"]["by_rule"]) | set(alarms)):
        caused = found["precision"]["by_rule"].get(rule, {"hits": 0, "n": 0})
        n = caused["n"] + alarms.get(rule, 0)
        if n >= LEAST:
            right = caused["hits"]
            rules[rule] = {"precision": round(right / n, 4), "n": n, "clean_alarms": alarms.get(rule, 0)}
    return {
        "schema": 1,
        "source": f"experiments/results/{name}.json",
        "split": facts["split"],
        "phrasings": facts["half"],
        "digest": digest_of(facts),
        "rules": rules,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--result", default="injection", metavar="NAME")
    name = parser.parse_args().result
    facts = json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))["facts"]
    text = json.dumps(table(facts, name=name), indent=1) + "\n"
    for rule, row in precision_table(text).items():
        print(f"{rule:24} {row.precision:.2f} of {row.n}")
    replace_file(TARGET, text)


if __name__ == "__main__":
    main()
