"""Lines that are a date and nothing else: over an entry of a diary, a letter, a chapter."""

from __future__ import annotations

import re
from collections import Counter

_MONTHS = "january february march april may june july august september october november december".split()
_WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_TIMES = frozenset("morning noon afternoon evening night midnight spring summer autumn winter".split())
_BESIDE = frozenset("the of at a p dear journal".split())
_RELATIVE = frozenset("then now before after today".split())
_TOKEN = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)?|\d+(?:st|nd|rd|th)?(?![^\W_])|\S")
_CLOCK = re.compile(r"[T,\s]\s{0,3}\d{1,2}:\d\d(?::\d\d)?(?:\s?[ap]\.?m\.?)?\Z", re.IGNORECASE)
_PARTING = frozenset(".,:-\u2010\u2011\u2012\u2013\u2014/")
_BETWEEN = _PARTING | frozenset(";()[]*_")
_LONGEST, _PLACE = 60, 3  # letters of a line, words of a place


def is_date(line: str) -> bool:
    """Is a line a date: ``1893-05-03``, ``May 3, 1893``, ``Dear Diary, Monday``, ``June``, ``THEN``?
    The place may stand beside it (``3 May. Bistritz.``, ``London, 1893``)."""
    if len(line) > _LONGEST:
        return False
    tokens = _TOKEN.findall(_CLOCK.sub("", line))
    kinds = Counter(map(_kind, tokens))
    parted = not _PARTING.isdisjoint(tokens)
    day_of_month = kinds["day"] and (kinds["month"] or kinds["short month"])
    if kinds["other"]:
        return False
    if kinds["place"]:
        return kinds["place"] <= _PLACE and bool(day_of_month or (kinds["year"] == 1 and parted))
    timed = kinds["weekday"] or kinds["clock"]
    dated = timed or kinds["month"] or kinds["year"] == 1
    alone = kinds["relative"] == 1 == len(tokens)
    in_digits = kinds["year"] + kinds["day"] == 3 and len(tokens) == 5 and parted  # 1893-05-03
    return bool(day_of_month or alone or in_digits or (dated and (timed or kinds["day"] < 2)))


def _kind(token: str) -> str:
    word, upper = token.lower(), token[0].isupper()
    digits = token.rstrip("stndrh") if token[0].isdecimal() else ""
    kinds = (
        ("year", digits == token and len(digits) == 4 and 1000 <= int(digits) < 3000),
        ("day", 0 < len(digits) < 3),
        ("relative", word in _RELATIVE and upper),
        ("between", word in _BESIDE or word in _TIMES or token in _BETWEEN),
        ("clock", word in ("am", "pm", "m", "o'clock", "o\u2019clock")),
        ("other", not upper),
        ("month", word in _MONTHS),
        ("weekday", word in _WEEKDAYS or word == "diary"),
        ("short month", 3 <= len(word) <= 4 and any(name.startswith(word) for name in _MONTHS)),
        ("between", 3 <= len(word) <= 5 and any(name.startswith(word) for name in _WEEKDAYS)),
    )
    return next((kind for kind, is_one in kinds if is_one), "place")
