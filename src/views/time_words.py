"""Normalised times in words a reader knows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

__all__ = ["time_words"]

_MONTHS = ("January February March April May June July August September October November December").split()
_DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
_UNITS = {"Y": "year", "M": "month", "W": "week", "D": "day"}
_CLOCK = {"H": "hour", "M": "minute", "S": "second"}
_PARTS = {"MO": "morning", "MI": "midday", "AF": "afternoon", "EV": "evening", "NI": "night"}
_SEASONS = {"SP": "spring", "SU": "summer", "FA": "autumn", "WI": "winter"}
_SEASONS |= {"21": "spring", "22": "summer", "23": "autumn", "24": "winter"}  # EDTF, ISO 8601-2

_LENGTH = re.compile(r"(-?)P(?=.)((?:(?:X|\d+)[YMWD])*)(?:T((?:(?:X|\d+)[HMS])+))?")
_AMOUNT = re.compile(r"(X|\d+)([YMWDHS])")
_DATE = re.compile(r"(\d{4}|XXXX)(?:-(\d\d|XX|SP|SU|FA|WI))?(?:-(\d\d))?")
_WEEKDAY = re.compile(r"(?:\d{4}|XXXX)-WXX-([1-7])(?:T([A-Z]{2}))?")
_TIME = re.compile(rf"T(?:(\d\d:\d\d)|({'|'.join(_PARTS)}))")


def time_words(value: str, kind: str = "") -> str:
    """What an ISO 8601 value (or TIMEX3's for what ISO cannot say) is called: ``"P26Y"`` 26 years (of the
    ``kind`` shift: 26 years later), ``"XXXX-08"`` August, ``"TEV"`` evening, ``"-P1D"`` 1 day before. A value
    of another form comes back as it is."""
    if found := _LENGTH.fullmatch(value):
        back, days, hours = found.groups()
        if kind == "shift" and value == "P0D":
            return "the same day"
        amounts = [*_amounts(days, _UNITS), *_amounts(hours or "", _CLOCK)]
        return f"{' and '.join(amounts)}{' before' if back else ' later' if kind == 'shift' else ''}"
    if found := _WEEKDAY.fullmatch(value):
        part = _PARTS.get(found[2] or "", "")
        return f"{_DAYS[int(found[1]) - 1]} {part}".rstrip()
    if " < " in value:  # of kind "order": telling words of two happenings
        return value.replace("+", " ").replace(" < ", " before ")
    if found := _TIME.fullmatch(value):
        return found[1] or _PARTS[found[2]]
    return _date(value) or value


def _amounts(value: str, units: Mapping[str, str]) -> Iterator[str]:
    for count, unit in _AMOUNT.findall(value):
        many = "some" if count == "X" else count
        yield f"{many} {units[unit]}{'' if count == '1' else 's'}"


def _date(value: str) -> str:
    found = _DATE.fullmatch(value)
    if found is None:
        return ""
    year, middle, day = found.groups()
    name = _SEASONS.get(middle or "", "")
    if middle and middle.isdigit() and 1 <= int(middle) <= len(_MONTHS):
        name = _MONTHS[int(middle) - 1]
    elif not name and (middle or day):
        return ""
    words = [str(int(day))] if day else []
    words += [name] if name else []
    words += [year] if year != "XXXX" else []
    return " ".join(words)
