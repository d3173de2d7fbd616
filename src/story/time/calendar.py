"""Lapses of time as the story log writes them (ISO 8601 and its extensions, see ``time.rules``)."""

from __future__ import annotations

import re
from dataclasses import dataclass

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
