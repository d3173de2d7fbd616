"""Values of times and of lapses: which can follow which."""

import datetime

from hypothesis import given
from hypothesis import strategies as st

from fabula.story.time.calendar import CalendarTime, Lapse, follows, lapse_of, time_of, weekday_fits

TIMES = {
    "1850-06-03": CalendarTime(1850, 6, None, 3),
    "XXXX-06": CalendarTime(month=6),
    "1866-24": CalendarTime(1866, season=24),
    "XXXX-WXX-7TEV": CalendarTime(weekday=7),
    "T16:30": CalendarTime(minutes=990),
    "XXXX-02-30": None,
    "TMO": None,
}
LAPSES = {
    "P2W": Lapse(days=14),
    "-P10Y": Lapse(years=-10),
    "PT1H30M": Lapse(minutes=90),
    "P1Y6M": Lapse(years=1, months=6),
    "PXD": None,
    "P": None,
}


def test_times():
    assert {value: time_of(value) for value in TIMES} == TIMES


def test_lapses():
    assert {value: lapse_of(value) for value in LAPSES} == LAPSES


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


def test_the_day_after_january_is_not_in_may():
    day, may = lapse_of("P1D"), time_of("XXXX-05-01")
    assert follows(time_of("XXXX-01"), day, may) is False
    assert follows(time_of("XXXX-04"), day, may) is True
