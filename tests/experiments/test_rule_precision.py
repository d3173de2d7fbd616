"""The table of measured precision, from a result small enough to do by hand."""

import json

import pytest

from experiments.critic import rule_precision
from fabula.story.continuity.reporting.precision import RulePrecision, precision_table

JUDGED = [
    *[{"story": "a", "rule": "eyes", "verdict": "real"}] * 9,
    *[{"story": "b", "rule": "eyes", "verdict": "false"}] * 3,
    *[{"story": "b", "rule": "rare", "verdict": "real"}] * 4,
]


def test_the_share_that_readers_called_real_of_rules_that_found_enough() -> None:
    made = rule_precision.table(JUDGED)
    assert precision_table(json.dumps(made)) == {"eyes": RulePrecision(0.75, 12)}


def test_a_finding_that_nobody_read_is_no_verdict() -> None:
    with pytest.raises(ValueError, match="1 findings were not read yet, the first in c"):
        rule_precision.table([*JUDGED, {"story": "c", "rule": "eyes", "verdict": None}])


def test_the_packaged_table_is_that_of_the_judgements() -> None:
    judged = json.loads(rule_precision.JUDGEMENTS.read_text())
    assert json.loads(rule_precision.TARGET.read_text()) == rule_precision.table(judged)
