"""Times in words."""

import pytest

from fabula.views.times import time_words


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("P26Y", "26 years"),
        ("P1D", "1 day"),
        ("-P1D", "1 day before"),
        ("PT1M", "1 minute"),
        ("P3M", "3 months"),
        ("PT2H", "2 hours"),
        ("XXXX-08", "August"),
        ("1874-05-09", "9 May 1874"),
        ("1874", "1874"),
        ("XXXX-SU", "summer"),
        ("XXXX-WXX-7", "Sunday"),
        ("TEV", "evening"),
        ("T08:00", "08:00"),
        ("PXD", "some days"),
        ("P1Y6M", "1 year and 6 months"),
        ("P1DT12H", "1 day and 12 hours"),
        ("XXXX-WXX-3TEV", "Wednesday evening"),
        ("XXXX-24", "winter"),
        ("1874-13", "1874-13"),
        ("XXXX-XX-03", "XXXX-XX-03"),
        ("PTY", "PTY"),
        ("P1H", "P1H"),
        ("farm+sale < fever", "farm sale before fever"),
        ("", ""),
    ],
)
def test_a_value_is_told_in_words_or_left_as_it_is(value, words):
    assert time_words(value) == words


def test_a_shift_says_which_way():
    assert [time_words(value, "shift") for value in ("P36Y", "-P1D", "P0D", "TEV")] == [
        "36 years later",
        "1 day before",
        "the same day",
        "evening",
    ]
