"""Times as the story log writes them (ISO 8601 and its extensions, see ``time.rules``), and
whether one can follow another after so and so long."""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass

__all__ = ["CalendarTime", "Lapse", "follows", "lapse_of", "time_of", "weekday_fits"]

_DATE = re.compile(r"(?P<year>\d{4}|XXXX)(?:-(?P<month>\d\d)(?:-(?P<day>\d\d))?)?")
_WEEKDAY = re.compile(r"XXXX-WXX-(?P<weekday>[1-7])(?:T[A-Z]+)?")
_CLOCK = re.compile(r"T(?P<hour>\d\d):(?P<minute>\d\d)")
_LAPSE = re.compile(
    r"(?P<back>-?)P(?:(?P<Y>\d+)Y)?(?:(?P<M>\d+)M)?(?:(?P<W>\d+)W)?(?:(?P<D>\d+)D)?"
    r"(?:T(?:(?P<h>\d+)H)?(?:(?P<m>\d+)M)?(?:(?P<s>\d+)S)?)?"
)
_COMMON_YEAR, _LEAP_YEAR = 1801, 1804  # neither says which weekday: only how many days a month has
_HALF_DAY, _MINUTES = 720, 5
_SHORT_MONTH = 28  # days
_JULIAN_FROM = 1582


@dataclass(frozen=True, slots=True)
class CalendarTime:
    """What is told of a time; None where it is not. ``month`` 1 to 12, ``season`` 21 (spring) to 24,
    ``weekday`` 1 (Monday) to 7, ``minutes`` after midnight."""

    year: int | None = None
    month: int | None = None
    season: int | None = None
    day: int | None = None
    weekday: int | None = None
    minutes: int | None = None


@dataclass(frozen=True, slots=True)
class Lapse:
    """So much time, negative where it goes back."""

    years: int = 0
    months: int = 0
    days: int = 0
    minutes: int = 0

    @property
    def in_years(self) -> float:
        """In years, a month taken as 1/12 and a day as 1/365.25; minutes do not count."""
        return self.years + self.months / 12 + self.days / 365.25


def time_of(value: str) -> CalendarTime | None:
    """None for parts of the day and what is no time of the calendar or the clock."""
    if found := _WEEKDAY.fullmatch(value):
        return CalendarTime(weekday=int(found["weekday"]))
    if found := _CLOCK.fullmatch(value):
        return CalendarTime(minutes=60 * int(found["hour"]) + int(found["minute"]))
    found = _DATE.fullmatch(value)
    if found is None:
        return None
    year = int(found["year"]) if found["year"] != "XXXX" else None
    month = int(found["month"]) if found["month"] else None
    if month is not None and month > 12:
        return CalendarTime(year, season=month) if 21 <= month <= 24 else None
    day = int(found["day"]) if found["day"] else None
    if month is not None and day is not None and not _exists(year, month, day):
        return None
    return CalendarTime(year, month, None, day)


def _exists(year: int | None, month: int, day: int) -> bool:
    try:
        datetime.date(year or _LEAP_YEAR, month, day)
    except ValueError:
        return False
    return True


def lapse_of(value: str) -> Lapse | None:
    """None where its length is not told (``"PXD"``) or nothing is."""
    found = _LAPSE.fullmatch(value)
    if found is None or not any(found[part] for part in "YMWDhms"):
        return None
    sign = -1 if found["back"] else 1
    number = {part: sign * int(found[part] or 0) for part in "YMWDhms"}
    return Lapse(number["Y"], number["M"], 7 * number["W"] + number["D"], 60 * number["h"] + number["m"])


def weekday_fits(time: CalendarTime, weekday: int) -> bool | None:
    """Does the date fall on that day of the week? None for what is no whole date. A date that does so in the
    Julian calendar fits as well: Russia kept it until 1918, and novels do not say which they count by."""
    if time.year is None or time.month is None or time.day is None or time.year < _JULIAN_FROM:
        return None
    date = datetime.date(time.year, time.month, time.day)
    behind = time.year // 100 - time.year // 400 - 2  # days by which the Julian calendar is behind
    return weekday in (date.isoweekday(), (date + datetime.timedelta(days=behind)).isoweekday())


def follows(earlier: CalendarTime, lapse: Lapse, later: CalendarTime) -> bool | None:
    """Can ``later`` be so long after ``earlier``? None where the three cannot be compared. Years may be out
    by one and months by one, since who says "two months later" does not count days."""
    parts = [bool(part) for part in (lapse.years, lapse.months, lapse.days, lapse.minutes)]
    if sum(parts) != 1:
        return None
    if lapse.minutes:
        return _clock_follows(earlier, lapse.minutes, later)
    if lapse.days:
        return _day_follows(earlier, lapse.days, later)
    if lapse.years and earlier.year is not None and later.year is not None:
        return abs(earlier.year + lapse.years - later.year) <= 1
    if lapse.months and earlier.month is not None and later.month is not None:
        return (earlier.month + lapse.months - later.month) % 12 in (0, 1, 11)
    return None


def _clock_follows(earlier: CalendarTime, minutes: int, later: CalendarTime) -> bool | None:
    if earlier.minutes is None or later.minutes is None:
        return None
    gap = (earlier.minutes + minutes - later.minutes) % _HALF_DAY
    return min(gap, _HALF_DAY - gap) <= _MINUTES


def _day_follows(earlier: CalendarTime, days: int, later: CalendarTime) -> bool | None:
    if earlier.weekday is not None and later.weekday is not None:
        return (earlier.weekday + days - later.weekday) % 7 == 0
    if earlier.month is None or later.month is None:
        return None
    if earlier.day is None or later.day is None:
        months = (later.month - earlier.month if days >= 0 else earlier.month - later.month) % 12
        return months <= abs(days) // _SHORT_MONTH + 1
    return any(_dated(earlier, year, days) == (later.month, later.day) for year in _years(earlier, later))


def _years(earlier: CalendarTime, later: CalendarTime) -> tuple[int, ...]:
    known = earlier.year or later.year
    return (known,) if known is not None else (_COMMON_YEAR, _LEAP_YEAR)


def _dated(time: CalendarTime, year: int, days: int) -> tuple[int, int] | None:
    try:
        date = datetime.date(year, time.month or 1, time.day or 1) + datetime.timedelta(days=days)
    except (ValueError, OverflowError):
        return None
    return date.month, date.day
