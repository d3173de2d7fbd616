"""How often each rule has been right where it was measured, and rates that weigh findings by it.

The table is a file of the package, ``rule_precision.json``, that ``experiments/run.py rule_precision`` writes
from a measurement. A rule that is not in it is not measured, and nothing stands in for the number.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from types import MappingProxyType
from typing import Any

from ....errors import ProjectError
from ...model.findings import CheckReport, Violation
from ...model.rates import wilson

__all__ = [
    "LEAST_PRECISION",
    "PRECISION_FILE",
    "RulePrecision",
    "WeightedRate",
    "how_sure",
    "measured_precision",
    "precision_table",
    "seldom_right",
    "sureness",
    "weighted_rate",
]

PRECISION_FILE = "rule_precision.json"
LEAST_PRECISION = 0.8
"""Rules that are measured to be right less often only give hints."""
_SCHEMA = 1


@dataclass(frozen=True, slots=True)
class RulePrecision:
    """The share of a rule's findings that were right, 0 to 1, and of how many findings (``n``)."""

    precision: float
    n: int

    @property
    def right(self) -> int:
        return round(self.precision * self.n)


@dataclass(frozen=True, slots=True)
class WeightedRate:
    """Findings per 10,000 words, each counted as its rule's measured precision: how many of them can be
    expected to be right.

    ``value`` is None where there is no rate, or where a rule that found something is not measured; those are
    in ``unmeasured``, sorted.
    """

    value: float | None
    unmeasured: tuple[str, ...] = ()


@lru_cache(maxsize=1)
def measured_precision() -> Mapping[str, RulePrecision]:
    """The packaged table, by rule; empty until something was measured."""
    text = resources.files(__package__).joinpath(PRECISION_FILE).read_text(encoding="utf-8")
    return precision_table(text)


def seldom_right(rule: str) -> bool:
    """Does the upper end of the 95 % interval of its measured precision lie below ``LEAST_PRECISION``?"""
    found = measured_precision().get(rule)
    return found is not None and wilson(found.right, found.n)[1] < LEAST_PRECISION


def how_sure(violation: Violation) -> str:
    """A word with the measured share behind it, or whose finding it is."""
    if violation.is_against_codex:
        return "against what the codex lays down"
    if violation.origin == "rules":
        return sureness(violation.rule)
    return f"as sure as the model, {violation.origin.removeprefix('model:')}"


def sureness(rule: str) -> str:
    """How sure a finding of the rule is: a word, with the measured share behind it."""
    found = measured_precision().get(rule)
    if found is None:
        return "not measured on modern prose"
    low, high = wilson(found.right, found.n)
    word = (
        "sure"
        if low >= LEAST_PRECISION
        else "likely"
        if low >= 0.5
        else "open"
        if high >= 0.5
        else "doubtful"
    )
    return f"{word}: {found.right} of {found.n} such findings in modern prose were right"


def precision_table(text: str) -> Mapping[str, RulePrecision]:
    """The table in a JSON text. Raises ProjectError where it is damaged or of another schema."""
    try:
        content: Any = json.loads(text)
        if content["schema"] != _SCHEMA:
            raise ValueError(f"schema {content['schema']!r}, not {_SCHEMA}")
        table = {
            str(rule): RulePrecision(float(row["precision"]), int(row["n"]))
            for rule, row in sorted(content["rules"].items())
        }
        wrong = [rule for rule, row in table.items() if not (0.0 <= row.precision <= 1.0 and row.n > 0)]
        if wrong:
            raise ValueError(f"{wrong[0]} is out of range")
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ProjectError(
            f"the table of measured precision is damaged ({error}): write it again with "
            "experiments/run.py rule_precision"
        ) from error
    return MappingProxyType(table)


def weighted_rate(report: CheckReport, table: Mapping[str, RulePrecision] | None = None) -> WeightedRate:
    """The weighted rate of a report's counted findings; ``table`` is the packaged one where none is given."""
    known = measured_precision() if table is None else table
    unmeasured = tuple(sorted({one.rule for one in report.counted} - set(known)))
    if report.per_10k_words is None or unmeasured:
        return WeightedRate(None, unmeasured)
    expected = sum(known[one.rule].precision for one in report.counted)
    return WeightedRate(10_000 * expected / report.words)
