import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabula.core.types import Evidence, Span
from fabula.story.model.findings import CheckReport, Severity, Violation
from fabula.story.model.rates import chapter_interval, poisson_interval


def quote(text: str, chapter: int = 1, start: int = 0, document: str = "book") -> Evidence:
    return Evidence(document, chapter, Span(start, start + len(text)), text)


def found(severity: Severity = Severity.WARNING, chapter: int = 2, **given) -> Violation:
    sides = (quote("Her eyes were grey."), quote("Her eyes were brown.", chapter, 50))
    return replace(Violation("eyes", severity, "m", ("anna",), sides), **given)


def test_the_interval_of_a_rate_is_garwoods() -> None:
    # the classical table: 0 events leave 0 to 3.69, 3 leave 0.62 to 8.77, 10 leave 4.80 to 18.39
    for count, low, high in ((0, 0.0, 3.689), (3, 0.619, 8.767), (10, 4.795, 18.390)):
        assert poisson_interval(count) == (pytest.approx(low, abs=2e-3), pytest.approx(high, abs=2e-3))
    assert poisson_interval(0)[1] == pytest.approx(-math.log(0.025))
    report = CheckReport((found(),) * 3, 9, 9, 30_000)
    assert report.rate_interval == (pytest.approx(0.619 / 3, abs=1e-3), pytest.approx(8.767 / 3, abs=1e-3))
    assert CheckReport((), 0, 0, 100).rate_interval is None


@given(st.integers(0, 300))
def test_the_interval_holds_the_count(count: int) -> None:
    low, high = poisson_interval(count)
    assert 0 <= low <= count < high
    assert poisson_interval(count, level=0.5)[1] < high


def test_the_bootstrap_draws_chapters() -> None:
    even = chapter_interval([1, 1, 1, 1, 1], words=[1000] * 5)
    assert even == (10.0, 10.0)
    crowded = chapter_interval([5, 0, 0, 0, 0], words=[1000] * 5)
    assert crowded is not None and crowded[0] == 0.0 and crowded[1] > 20.0
    assert crowded == chapter_interval([5, 0, 0, 0, 0], words=[1000] * 5)
    assert chapter_interval([1, 1], words=[1000, 1000]) is None
    assert chapter_interval([0] * 5, words=[0] * 5) is None
