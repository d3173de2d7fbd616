"""Sums with told times: what cannot be, and what may."""

from __future__ import annotations

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabula.story.continuity.rules.timeline.timeline_conflict import TimelineConflict
from fabula.story.time.calendar import CalendarTime, Lapse, follows, lapse_of, time_of, weekday_fits

from .told_story import story


def found(*bodies: str):
    return [violation.message for violation in TimelineConflict().find(story(*bodies))]


# --- values --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("1850-06-03", CalendarTime(1850, 6, None, 3)),
        ("XXXX-06", CalendarTime(month=6)),
        ("1866-24", CalendarTime(1866, season=24)),
        ("XXXX-WXX-7TEV", CalendarTime(weekday=7)),
        ("T16:30", CalendarTime(minutes=990)),
        ("XXXX-02-30", None),
        ("TMO", None),
    ],
)
def test_times(value, expected):
    assert time_of(value) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("P2W", Lapse(days=14)),
        ("-P10Y", Lapse(years=-10)),
        ("PT1H30M", Lapse(minutes=90)),
        ("P1Y6M", Lapse(years=1, months=6)),
        ("PXD", None),
        ("P", None),
    ],
)
def test_lapses(value, expected):
    assert lapse_of(value) == expected


@given(st.dates(datetime.date(1583, 1, 1), datetime.date(2090, 1, 1)))
def test_every_date_has_its_own_weekday(date):
    time = CalendarTime(date.year, date.month, None, date.day)
    assert weekday_fits(time, date.isoweekday())
    assert sum(bool(weekday_fits(time, day)) for day in range(1, 8)) in (1, 2)


@given(st.dates(datetime.date(1800, 1, 1), datetime.date(1900, 1, 1)), st.integers(1, 400))
def test_a_date_so_many_days_later_follows(date, days):
    then = date + datetime.timedelta(days=days)
    first = CalendarTime(date.year, date.month, None, date.day)
    later = CalendarTime(None, then.month, None, then.day)
    assert follows(first, Lapse(days=days), later)
    assert follows(first, Lapse(days=days + 3), later) is False


def test_old_style_dates_keep_their_weekday():
    assert weekday_fits(CalendarTime(1812, 8, None, 26), 1)  # Borodino, a Monday by the Julian calendar
    assert weekday_fits(CalendarTime(1812, 9, None, 7), 1)
    assert weekday_fits(CalendarTime(1812, 8, None, 26), 5) is False


def test_what_cannot_be_compared_is_not():
    assert follows(CalendarTime(weekday=1), Lapse(days=2), CalendarTime(month=5, day=3)) is None
    assert follows(CalendarTime(weekday=1), Lapse(), CalendarTime(weekday=4)) is None
    assert follows(CalendarTime(year=1850), Lapse(years=1, months=6), CalendarTime(year=1890)) is None


# --- stories -------------------------------------------------------------------------------------

SLIPS = [
    ("Mr. Reed died on Christmas Day.", "It was on the third of May that Mr. Reed died."),
    (
        "“Which day was Mr. Reed married?” somebody asked. “The second of June,” said Tobias.",
        "Nobody forgot the ninth of August, because of Mr. Reed’s wedding.",
    ),
    (
        "Only once had Mr. Reed been abroad, for three months, in the East Indies.",
        "It took Mr. Reed two years to make his fortune in the East Indies.",
    ),
    (
        "“How long was Mr. Reed in the East\nIndies?” “Five days,” Elena replied.",
        "“I was eleven years in the East Indies,” Mr. Reed said.",
    ),
    (
        "The great fire came a year after the sale of the farm.",
        "First there had been the great fire, and then the sale of the farm.",
    ),
    ("On Tuesday, June 5, 1811, Elena wrote home.",),
    ("It was Thursday, the 12th of August.", "On Friday, the 18th of August, Marcus dined with Tobias."),
    ("Marcus arrived on Monday. Three days later, on Saturday, he called on Elena.",),
    ("On Wednesday Elena went to town. The next day, Friday, Marcus followed her.",),
    ("Marcus came in at four o'clock. An hour later, at nine o'clock, he left the house.",),
    ("It was in March that Elena fell ill. Two months later, in September, she was well.",),
    ("In 1801 Marcus built the mill. Four years later, in 1812, he sold it.",),
    ("Elena Voss was born in 1785.", "Elena, who had been born in 1791, laughed."),
    ("Tobias Crane died in March.", "Tobias had died in the autumn, and Elena was poor."),
    ("Tobias had died ten years ago.", "Tobias Crane had died two years ago."),
    ("Elena was born in 1795.", "In 1812 Elena was twenty-five years old."),
    ("One winter evening in July, Elena played to them.",),
    ("Marcus left before Elena arrived. Tobias laughed. Elena arrived before Marcus left.",),
]


@pytest.mark.parametrize("bodies", SLIPS)
def test_slips(bodies):
    (violation,) = TimelineConflict().find(story(*bodies))
    assert violation.rule == "timeline_conflict"
    assert all(quote.quote in " ".join(bodies) for quote in violation.evidence)
    assert violation.suggestion and violation.unless


@pytest.mark.parametrize(
    "bodies",
    [
        ("On Monday, June 3, 1811, Elena wrote home.",),
        ("It was Thursday, the 12th of August.", "On Wednesday, the 18th of August, Marcus dined."),
        ("Marcus arrived on Monday. Three days later, on Thursday, he called on Elena.",),
        ("Marcus was to arrive on Monday. Three days later, on Saturday, he called on Elena.",),
        ("Marcus arrived on Monday. The next morning he slept. Three days later, on Saturday, he called.",),
        ("Marcus arrived on Monday. About three days later, on Saturday, he called.",),
        ("“I came on Monday,” said Marcus. Three days later, on Saturday, he called on Elena.",),
        ("In 1801 Marcus built the mill. Four years later, in 1806, he sold it.",),
        ("Elena Voss was born in 1785.", "Elena, who had been born in 1785, laughed."),
        ("Tobias Crane died in November.", "Tobias had died in the autumn."),
        ("Tobias had died two years ago.", "The ice went out.", "Tobias Crane had died ten years ago."),
        ("Elena was born in 1795.", "In 1812 Elena was seventeen years old."),
        ("One winter evening in January, Elena played to them.",),
        ("Marcus left before Elena arrived. Elena left before Marcus arrived.",),
    ],
)
def test_what_may_be(bodies):
    assert found(*bodies) == []


def test_later_dates_are_checkable():
    rule = TimelineConflict()
    assert {time.value for time in rule.checkable(story("On Monday Elena sang. On Friday Elena wept."))} == {
        "XXXX-WXX-5"
    }
    assert not rule.checkable(story("On Monday Elena sang."))


@pytest.mark.parametrize(
    "bodies",
    [
        ("Mr. Reed died on Christmas Day.", "Mrs. Reed died on the third of May."),
        (
            "Mr. Reed was married on the second of June.",
            "On the ninth of August Elena heard of Mr. Reed’s marriage.",
        ),
        ("Mr. Reed was three weeks in London.", "Mr. Reed was two days in London."),
        ("Mr. Reed had been three weeks in London.", "By then Mr. Reed had been two years in London."),
        ("Mr. Reed was eleven years in Peru.", "Mr. Reed was two years in Spain."),
        ("Mr. Reed was eleven years in Peru.", "Tobias was two years in Peru."),
        (
            "The great fire came after the sale of the farm.",
            "The great fire came after the sale of the mill.",
        ),
    ],
)
def test_lives_and_stays_that_agree(bodies):
    assert not found(*bodies)
