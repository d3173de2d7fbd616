"""A small grammar of time in narrative prose: which stretches of a text tell a time, and which time.

General date parsers look for a deadline in every "may" and "second"; this one reads only what is surely a
time. The rules lie in ``time.rules``; each is tried only beside a word that gives it away, so that the price
is a look-up a word.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from .rules import Value, triggers


@dataclass(frozen=True, slots=True)
class TimeExpression:
    """``start`` and ``end`` are half-open offsets; ``kind`` and ``value`` as on ``TimeTold``."""

    kind: str
    value: str
    start: int
    end: int


_Rules = tuple[tuple[str, re.Pattern[str], Value], ...]
_WORDS = re.compile(r"[A-Za-z]+|\d+")
_BEFORE, _BEHIND = 48, 48  # characters round the word that gives a time away


@lru_cache(maxsize=1)
def _compiled() -> dict[str, _Rules]:
    pattern = cache(lambda source: re.compile(source, re.IGNORECASE))
    return {
        word: tuple((kind, pattern(source), value) for rules in groups for kind, source, value in rules)
        for word, groups in triggers().items()
    }


def time_expressions(text: str) -> tuple[TimeExpression, ...]:
    """The expressions of time in ``text``, in order, none within another. ``kind`` is that of ``TimeTold``,
    or ``"bare age"`` for a number behind "was", an age only of somebody. Costs a look-up a word."""
    rules, found, end = _compiled(), [], 0
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
