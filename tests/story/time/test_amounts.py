from pathlib import Path

import pytest
from tests.stories.examples import rows

from fabula.story.time.amounts import Lapse, duration_of, lapse_of, number_of


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
