from itertools import pairwise
from pathlib import Path

import pytest
from tests.stories.examples import assert_read, rows

from fabula.story.time.amounts import Lapse, duration_of, lapse_of, number_of
from fabula.story.time.grammar import time_expressions


@pytest.mark.parametrize(("said", "value"), [*rows(Path(__file__).with_name("amounts.tsv")), ("", "-")])
def test_numbers_and_amounts(said, value):
    number = number_of(said)
    assert (str(number) if number is not None else duration_of(said) or "-") == value


LAPSES = {
    "P2W": Lapse(days=14),
    "-P10Y": Lapse(years=-10),
    "PT1H30M": Lapse(minutes=90),
    "P1Y6M": Lapse(years=1, months=6),
    "PXD": None,
    "P": None,
}


def test_lapses():
    assert {value: lapse_of(value) for value in LAPSES} == LAPSES
    assert Lapse(years=1, months=6).in_years == 1.5


HERE = Path(__file__).parent


def expressions(text):
    for one in time_expressions(text):
        if one.kind != "bare age":
            yield f"{one.kind} {one.value} ({text[one.start : one.end]})"


def test_a_time_has_a_value_and_long_texts_are_read_in_one_pass():
    assert_read(HERE / "expressions.tsv", expressions, parsed=False)
    text = "On June 4th, 1815, at nine o'clock in the evening, ten years later, aged 50, he slept. " * 50
    found = time_expressions(text)
    assert len(found) == 4 * 50
    assert all(a.end <= b.start for a, b in pairwise(found))
