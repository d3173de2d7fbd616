from fabula.story.time.amounts import duration_of, number_of
from fabula.story.time.calendar import Lapse, lapse_of

NUMBERS = {
    "7": 7,
    "twelve": 12,
    "twenty-one": 21,
    "five-and-twenty": 25,
    "a hundred": 100,
    "two hundred and six": 206,
    "several": None,
    "five six seven": None,
    "": None,
}
AMOUNTS = {
    "three weeks": "P3W",
    "a fortnight": "P2W",
    "half an hour": "PT30M",
    "three quarters of an hour": "PT45M",
    "a year and a half": "P1Y6M",
    "an hour and a quarter": "PT1H15M",
    "two centuries": "P200Y",
    "a couple of days": "P2D",
    "several days": "PXD",
    "a day or two": "PXD",
    "three miles": "",
}


def test_numbers():
    assert {words: number_of(words) for words in NUMBERS} == NUMBERS


def test_amounts():
    assert {words: duration_of(words) for words in AMOUNTS} == AMOUNTS


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
