"""Several drafts of one prompt, put together."""

from dataclasses import replace

import pytest
from tests.stories.comparison_fakes import make_engine

from fabula.core.types import Horizon
from fabula.errors import UsageError
from fabula.views.seeds import Seeded, over_seeds
from fabula.views.text.comparison import metric_rows


def compared():
    return make_engine().compare("Anna meets Bela at the mill.", horizon=Horizon(2))


def with_consistency(report, value):
    first = report.results[0]
    scores = tuple(
        replace(score, value=value) if score.name == "consistency" else score for score in first.scores
    )
    changed = replace(first, metrics=replace(first.metrics, scores=scores))
    return replace(report, results=(changed, *report.results[1:]))


def row(reports, label="Consistency"):
    return next(row for row in over_seeds(reports) if row.label == label)


def test_one_draft_is_its_own_interval():
    report = compared()
    rows = over_seeds([report])
    assert [row.label for row in rows] == [row.label for row in metric_rows(report)]
    assert all(one.mean == pytest.approx(one.low) == pytest.approx(one.high) for one in rows[0].cells if one)


def test_the_mean_and_its_interval_over_drafts():
    reports = [with_consistency(compared(), value) for value in (0.4, 0.6, 0.8)]
    cell = row(reports).cells[0]
    assert cell.mean == pytest.approx((0.4 + 0.6 + 0.8) / 3)
    assert 0.4 <= cell.low < cell.mean < cell.high <= 0.8
    assert cell.n == 3


def test_what_could_not_be_judged_is_not_counted():
    reports = [with_consistency(compared(), value) for value in (None, 1.0)]
    assert row(reports).cells[0] == Seeded(1.0, 1.0, 1.0, 1)
    assert row([with_consistency(compared(), None)]).cells[0] is None


def test_only_answers_to_one_question_go_together():
    with pytest.raises(UsageError, match="one prompt"):
        over_seeds([compared(), replace(compared(), prompt="Another.")])
    with pytest.raises(UsageError, match="one prompt"):
        over_seeds([])
