"""The table of measured precision, from a result small enough to do by hand."""

import importlib.util
import json
import sys
from pathlib import Path

_FOLDER = Path(__file__).parents[2] / "experiments"
sys.path.insert(0, str(_FOLDER))
_SPEC = importlib.util.spec_from_file_location("rule_precision", _FOLDER / "rule_precision.py")
rule_precision = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(rule_precision)
sys.path.remove(str(_FOLDER))

from fabula.story.continuity.precision import RulePrecision, precision_table  # noqa: E402

FACTS = {
    "split": "held-out",
    "half": "held-out",
    "aggregates": {
        "precision": {"by_rule": {"eyes": {"hits": 18, "n": 20}, "rare": {"hits": 4, "n": 4}}},
        "clean": {"by_rule": {"eyes": 4, "noisy": 12}},
    },
}


def test_alarms_on_untouched_novels_count_as_wrong() -> None:
    made = rule_precision.table(FACTS, name="injection")
    assert precision_table(json.dumps(made)) == {
        "eyes": RulePrecision(18 / (20 + 4), 20 + 4),
        "noisy": RulePrecision(0.0, 12),
    }
    assert (made["split"], made["phrasings"]) == ("held-out", "held-out")
