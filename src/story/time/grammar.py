"""A small grammar of time in narrative prose: which stretches of a text tell a time, and which time.

General date parsers look for a deadline in every "may" and "second"; this one reads only what is surely a
time. The rules lie in ``rules.toml``: a kind (as on ``TimeTold``; ``"bare age"`` is a number behind "was"),
what makes a value of a match, and a regular expression; an empty value makes it none. Each is tried only
beside a word that gives it away, so that the price is a look-up a word.

Values are ISO 8601 with the extensions of ISO 8601-2:2019 (X for a digit that is not told, 21 to 24 for the
seasons in place of a month) and, for parts of the day, the codes of TimeML's TIMEX3 (TMO morning, TAF
afternoon, TEV evening, TNI night).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from .amounts import AMOUNT, NUMBER, ONES, UNITS, duration_of, number_of

Value = Callable[["re.Match[str]"], str]
MONTHS = "january february march april may june july august september october november december".split()
DAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
CALENDAR = frozenset((*MONTHS, *DAYS))
"""The names of months and weekdays, lower case."""
_SEASONS = {"spring": 21, "summer": 22, "autumn": 23, "fall": 23, "winter": 24}
_PARTS = {
    "morning": "TMO", "forenoon": "TMO", "dawn": "TMO", "daybreak": "TMO", "sunrise": "TMO",
    "afternoon": "TAF", "evening": "TEV", "dusk": "TEV", "sunset": "TEV", "twilight": "TEV",
    "nightfall": "TEV", "night": "TNI",
}  # fmt: skip
_STEPS = {"week": "1W", "fortnight": "2W", "month": "1M", "year": "1Y"} | dict.fromkeys(_SEASONS, "1Y")

_MONTH = "(?-i:(?P<month>" + "|".join(name.capitalize() for name in MONTHS) + "))"
_OTHER_MONTH = "(?-i:(?:" + "|".join(name.capitalize() for name in MONTHS) + "))"
_WEEKDAY = "(?-i:(?P<weekday>" + "|".join(name.capitalize() for name in DAYS) + "))"
_SEASON = "(?P<season>" + "|".join(_SEASONS) + ")"
_ORDINALS = """first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth
    fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth twenty-first
    twenty-second twenty-third twenty-fourth twenty-fifth twenty-sixth twenty-seventh
    twenty-eighth twenty-ninth thirtieth thirty-first""".split()
_AND_TWENTIETH = {f"{one}-and-twentieth": 20 + i for one, i in ONES.items()}
_DAY = r"(?P<day>[0-3]?\d|" + "|".join([*_AND_TWENTIETH, *reversed(_ORDINALS)]) + r")(?:st|nd|rd|th)?"
_STEP = r"(?P<step>day|morning|afternoon|evening|night|" + "|".join(_STEPS) + ")"


def _date(found: re.Match[str]) -> str:
    groups = found.groupdict()
    year = groups.get("year") or "XXXX"
    if groups.get("season"):
        return f"{year}-{_SEASONS[found['season'].lower()]}"
    if not groups.get("month"):
        return year
    month = f"{year}-{MONTHS.index(found['month'].lower()) + 1:02}"
    if not groups.get("day"):
        return month
    day = found["day"].lower()
    number = int(day) if day.isdigit() else _AND_TWENTIETH.get(day) or _ORDINALS.index(day) + 1
    return f"{month}-{number:02}" if 1 <= number <= 31 else ""


def _weekday(found: re.Match[str]) -> str:
    part = _PARTS.get((found["part"] or "").lower(), "")
    return f"XXXX-WXX-{DAYS.index(found['weekday'].lower()) + 1}{part}"


def _clock(found: re.Match[str]) -> str:
    groups = found.groupdict()
    hour = number_of(groups.get("hour") or "")
    if hour is None or hour > 24:
        return ""
    minute = int(groups.get("minute") or 0)
    past = (groups.get("past") or "").lower()
    if past.startswith("half"):
        minute = 30
    elif "quarter" in past:
        minute = 15
        if past.endswith("to"):
            hour, minute = hour - 1, 45
    late = (groups.get("late") or "").lower() in ("afternoon", "evening") or groups.get("m") in ("p", "P")
    if hour < 12 and (late or (groups.get("night") and hour > 5)):
        hour += 12
    return f"T{hour % 24:02}:{minute:02}" if minute < 60 else ""


def _constant(value: str) -> Value:
    return lambda _: value


def _age(found: re.Match[str]) -> str:
    count = number_of(found["age"])
    unit = (found.groupdict().get("unit") or "year")[0].upper()
    return f"P{count}{unit}" if count is not None and 1 <= count <= 130 else ""


_VALUES: dict[str, Value] = {
    "date": _date, "weekday": _weekday, "clock": _clock,
    "part": lambda found: _PARTS[found["part"].lower()],
    "noon": lambda found: "T00:00" if found.group().lower().endswith("midnight") else "T12:00",
    "amount": lambda found: duration_of(found["amount"]),
    "untold": lambda found: duration_of(f"many {found['sort']}s"),
    "yearly": lambda found: duration_of(f"{found['years']} years"),
    "step": lambda found: "P" + _STEPS.get(found["step"].lower(), "1D"),
    "step_back": lambda found: "-P" + _STEPS.get(found["step"].lower(), "1D"),
    "back": lambda found: f"-{ago}" if (ago := duration_of(found["amount"])) else "", "age": _age,
}  # fmt: skip
_NAMED = re.compile(r"\{([a-z_]+)\}")

_Rules = tuple[tuple[str, re.Pattern[str], Value], ...]


@lru_cache(maxsize=1)
def _triggers() -> dict[str, _Rules]:
    """Word (lower case; ``"#year"`` for four figures) → the rules that it may be part of."""
    told = tomllib.loads(Path(__file__).with_name("rules.toml").read_text(encoding="utf-8"))
    made = {
        "month": _MONTH, "other_month": _OTHER_MONTH, "weekday": _WEEKDAY, "season": _SEASON, "day": _DAY,
        "step": _STEP, "number": NUMBER, "amount": AMOUNT, "units": UNITS,
    }  # fmt: skip
    words = told.pop("words") | made

    def whole(pattern: str) -> str:
        return _NAMED.sub(lambda found: whole(words[found[1]]), pattern)

    units = UNITS.split("|")
    more = {
        "calendar": [*MONTHS, *DAYS, *(day + "s" for day in DAYS), *_SEASONS],
        "amounts": [*units, *(unit + "s" for unit in units), *_STEPS, *_PARTS],
    }
    table: dict[str, _Rules] = {}
    for group, each in told.items():
        rules = tuple(
            (
                kind,
                re.compile(whole(pattern), re.IGNORECASE),
                _constant(value[1:]) if value.startswith("=") else _VALUES[value],
            )
            for kind, value, pattern in each["rules"]
        )
        year = ["#year"] if group in ("calendar", "ages") else []
        for word in dict.fromkeys([*more.get(group, ()), *each.get("at", "").split(), *year]):
            table[word] = table.get(word, ()) + rules
    return table


@dataclass(frozen=True, slots=True)
class TimeExpression:
    """``start`` and ``end`` are half-open offsets; ``kind`` and ``value`` as on ``TimeTold``."""

    kind: str
    value: str
    start: int
    end: int


_WORDS = re.compile(r"[A-Za-z]+|\d+")
_BEFORE, _BEHIND = 48, 48  # characters round the word that gives a time away


def time_expressions(text: str) -> tuple[TimeExpression, ...]:
    """The expressions of time in ``text``, in order, none within another. ``kind`` is that of ``TimeTold``,
    or ``"bare age"`` for a number behind "was", an age only of somebody. Costs a look-up a word."""
    rules, found, end = _triggers(), [], 0
    for word in _WORDS.finditer(text):
        key = word.group().lower()
        mine = rules.get(key)
        if mine is None and key.isdigit():
            mine = rules["#year"] if len(key) == 4 else rules["two"]
        if mine is None or word.start() < end:
            continue
        expression = _read(text, word, mine, end)
        if expression is not None:
            found.append(expression)
            end = expression.end
    return tuple(found)


def _read(text: str, word: re.Match[str], rules: _Rules, least: int) -> TimeExpression | None:
    """The first rule that covers the word with a sound value."""
    low, high = max(least, word.start() - _BEFORE), min(len(text), word.end() + _BEHIND)
    for kind, pattern, value in rules:
        for match in pattern.finditer(text, low, high):
            if match.start() <= word.start() and match.end() >= word.end():
                told = value(match)
                if told:
                    return TimeExpression(kind, told, match.start(), match.end())
    return None
