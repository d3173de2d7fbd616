"""Several comparisons of one prompt that differ in their seed alone, put together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..errors import UsageError
from ..story.comparison.report import ComparisonReport
from ..story.model.rates import bootstrap_interval
from .text.comparison import MetricRow, metric_values


@dataclass(frozen=True, slots=True)
class Seeded:
    """A metric of one pipeline over ``n`` drafts: ``mean``, and ``low`` to ``high`` its 95 % interval by a
    bootstrap over the drafts. With one draft the three are one."""

    mean: float
    low: float
    high: float
    n: int


def over_seeds(reports: Sequence[ComparisonReport]) -> list[MetricRow[Seeded | None]]:
    """The metrics table over all the reports. It says how much a pipeline's drafts of *this* prompt vary, not
    how pipelines differ on others. Raises UsageError where the reports do not answer the same question."""
    asked = {
        (one.prompt, one.document_id, one.horizon, tuple(result.pipeline for result in one.results))
        for one in reports
    }
    if len(asked) != 1:
        raise UsageError("only comparisons of one prompt, at one chapter of one story, can be put together")
    tables = [{row.label: row for row in metric_values(report)} for report in reports]
    rows = []
    for label in dict.fromkeys(label for table in tables for label in table):
        found = [table[label] for table in tables if label in table]
        columns = zip(*(row.cells for row in found), strict=True)
        cells = tuple(_seeded(column) for column in columns)
        first = found[0]
        rows.append(MetricRow(first.group, label, first.form, first.higher_is_better, cells))
    return rows


def _seeded(values: Iterable[float | None]) -> Seeded | None:
    known = [value for value in values if value is not None]
    if not known:
        return None
    low, high = bootstrap_interval(known, groups=[str(place) for place in range(len(known))])
    return Seeded(sum(known) / len(known), low, high, len(known))
