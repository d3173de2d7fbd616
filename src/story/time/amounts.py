"""How long "three weeks", "half an hour" or "a year and a half" is, as an ISO 8601 duration, and back."""

from __future__ import annotations

import re
from dataclasses import dataclass
from types import MappingProxyType

_LAPSE = re.compile(
    r"(?P<back>-?)P(?:(?P<Y>\d+)Y)?(?:(?P<M>\d+)M)?(?:(?P<W>\d+)W)?(?:(?P<D>\d+)D)?"
    r"(?:T(?:(?P<h>\d+)H)?(?:(?P<m>\d+)M)?(?:(?P<s>\d+)S)?)?"
)


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


def lapse_of(value: str) -> Lapse | None:
    """None where its length is not told (``"PXD"``) or nothing is."""
    found = _LAPSE.fullmatch(value)
    if found is None or not any(found[part] for part in "YMWDhms"):
        return None
    sign = -1 if found["back"] else 1
    number = {part: sign * int(found[part] or 0) for part in "YMWDhms"}
    return Lapse(number["Y"], number["M"], 7 * number["W"] + number["D"], 60 * number["h"] + number["m"])


_NAMED = """one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen""".split()
ONES = {word: i for i, word in enumerate(_NAMED[:9], 1)}
_TEENS = {word: i for i, word in enumerate(_NAMED[9:], 10)}
_DECADES = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_TENS = {word: 10 * i for i, word in enumerate(_DECADES, 2)}
_VAGUE = "a few|some few|several|many|some|a good many|a great many|a number of"

_one, _teen, _ten = "|".join(ONES), "|".join(_TEENS), "|".join(_TENS)
_SMALL = rf"(?:(?:{_one})[- ]and[- ](?:{_ten})|(?:{_ten})(?:[- ](?:{_one}))?|{_teen}|{_one})"

NUMBER = rf"(?:\d{{1,4}}|(?:(?:a|{_one}) hundred(?: and {_SMALL})?)|{_SMALL})"
"""A counted number, in figures or words; a fragment of a regular expression without groups."""

_UNIT = {
    "second": ("T", "S", 1), "minute": ("T", "M", 1), "hour": ("T", "H", 1), "day": ("", "D", 1),
    "night": ("", "D", 1), "week": ("", "W", 1), "fortnight": ("", "W", 2), "month": ("", "M", 1),
    "year": ("", "Y", 1), "twelvemonth": ("", "Y", 1), "winter": ("", "Y", 1), "summer": ("", "Y", 1),
    "decade": ("", "Y", 10), "century": ("", "Y", 100), "centurie": ("", "Y", 100),
}  # fmt: skip
UNITS = "|".join(_UNIT)

AMOUNT = (
    rf"(?:(?:half an? (?:hour|day|year|century)|an? half[- ]hour|(?:a|three) quarters? of an hour)"
    rf"|(?:{NUMBER}|a couple of|half a dozen|a dozen|{_VAGUE}|an?)(?: (?:long|whole|full|short|more))?"
    rf"[- ](?:{UNITS})s?\b(?: and a (?:half|quarter)| or (?:two|so))?)"
)
"""So and so much time; a fragment of a regular expression without groups."""

_HALVES = MappingProxyType({"hour": "PT30M", "day": "PT12H", "year": "P6M", "century": "P50Y"})
_HALF = re.compile(r"half an? (hour|day|year|century)")
_PARTS = re.compile(rf"(.+?)[- ]({UNITS})s?(?: and a (half|quarter)| or (two))?(?: or so)?")
_LOOSE = re.compile(r" (?:long|whole|full|short|more)$")


def number_of(words: str) -> int | None:
    """``"five-and-twenty"`` is 25; None for what is no number ("several")."""
    text = words.strip().casefold()
    if text.isdigit():
        return int(text)
    if text in ("a", "an"):
        return 1
    head, hundred, rest = text.partition(" hundred")
    if hundred:
        more = number_of(rest.removeprefix(" and ")) if rest else 0
        many = number_of(head)
        return None if many is None or more is None else 100 * many + more
    parts = [part for part in re.split(r"[- ]", text) if part != "and"]
    values = [{**ONES, **_TEENS, **_TENS}.get(part) for part in parts]
    known = [value for value in values if value is not None]
    return sum(known) if known and len(known) == len(values) <= 2 else None


def duration_of(words: str) -> str:
    """``"three weeks"`` is ``P3W``, ``"a year and a half"`` ``P1Y6M``; an untold number is X, as ISO 8601-2
    writes digits that are not known: ``"several days"`` is ``PXD``. Empty for what is no amount of time."""
    text = " ".join(words.casefold().split())
    if (half := _HALF.fullmatch(text)) is not None:
        return _HALVES[half.group(1)]
    if "half-hour" in text or "half hour" in text:
        return "PT30M"
    if text.endswith("of an hour"):
        return "PT45M" if text.startswith("three") else "PT15M"
    found = _PARTS.fullmatch(text)
    if found is None:
        return ""
    clock, letter, times = _UNIT[found.group(2)]
    words = _LOOSE.sub("", found.group(1))
    count = {"a couple of": 2, "a dozen": 12, "half a dozen": 6}.get(words) or number_of(words)
    whole = f"{count * times}" if count is not None and not found.group(4) else "X"
    return f"P{clock}{whole}{letter}" + _rest(found.group(2), found.group(3))


def _rest(unit: str, part: str | None) -> str:
    if part is None:
        return ""
    return {"half": {"hour": "30M", "day": "T12H", "year": "6M"}, "quarter": {"hour": "15M", "year": "3M"}}[
        part
    ].get(unit, "")
