"""Rates weighted by the measured precision of rules."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fabula.core.types import Evidence, Span
from fabula.errors import ProjectError
from fabula.story.continuity.reporting.precision import (
    RulePrecision,
    measured_precision,
    precision_table,
    seldom_right,
    sureness,
    weighted_rate,
)
from fabula.story.model.findings import CheckReport, Severity, Violation


def quote(text: str, chapter: int = 1, start: int = 0, document: str = "book") -> Evidence:
    return Evidence(document, chapter, Span(start, start + len(text)), text)


def found(severity: Severity = Severity.WARNING, chapter: int = 2, **given) -> Violation:
    sides = (quote("Her eyes were grey."), quote("Her eyes were brown.", chapter, 50))
    return replace(Violation("eyes", severity, "m", ("anna",), sides), **given)


def test_a_weighted_rate_is_of_measured_rules_or_none() -> None:
    report = CheckReport((found(), found(rule="hair"), found(Severity.INFO, rule="hint")), 9, 9, 10_000)
    table = {"eyes": RulePrecision(0.9, 40), "hair": RulePrecision(0.5, 10)}
    assert weighted_rate(report, table).value == pytest.approx(0.9 + 0.5)
    without = weighted_rate(report, {"eyes": RulePrecision(0.9, 40)})
    assert (without.value, without.unmeasured) == (None, ("hair",))
    assert weighted_rate(CheckReport((), 9, 9, 10_000), {}).value == 0.0


def test_the_packaged_table_is_sound_and_a_damaged_one_is_refused() -> None:
    assert all(0 <= row.precision <= 1 and row.n > 0 for row in measured_precision().values())
    for text in (
        "",
        "[]",
        '{"schema": 2, "rules": {}}',
        '{"schema": 1, "rules": {"a": {"precision": 2, "n": 1}}}',
    ):
        with pytest.raises(ProjectError, match=r"rule_precision"):
            precision_table(text)


def test_a_word_says_how_sure_with_the_share_behind_it(monkeypatch) -> None:
    table = {
        "never": RulePrecision(0.0, 6),
        "half": RulePrecision(0.5, 10),
        "mostly": RulePrecision(0.9, 20),
        "always": RulePrecision(1.0, 40),
    }
    monkeypatch.setattr("fabula.story.continuity.reporting.precision.measured_precision", lambda: table)
    assert sureness("never") == "doubtful: 0 of 6 such findings in modern prose were right"
    assert [sureness(rule).split(":")[0] for rule in ("half", "mostly", "always")] == [
        "open",
        "likely",
        "sure",
    ]
    assert sureness("new") == "not measured on modern prose"
    assert [seldom_right(rule) for rule in (*table, "new")] == [True, True, False, False, False]
