"""When two values of one aspect cannot both be: colours by family, sides, numbers, dates, places."""

from __future__ import annotations

import re

from ...lexicon.words import EYE_COLOURS, HAIR_COLOURS
from ...model.aspects import ASPECTS
from ...time.grammar import DAYS, MONTHS

_DARK = frozenset({"brown", "black", "dark"})
_LIGHT = frozenset({"fair", "light", "blue", "grey", "green", "yellow"})
_SIDES = frozenset({"left", "right"})
_SIZES = {"six": "tall", "6": "tall", "seven": "tall", "7": "tall", "four": "short", "4": "short"}
_WORD = re.compile(r"[^\W_]+")
_YEAR = re.compile(r"\b\d{4}\b")
_ARTICLES = frozenset({"the", "a", "an", "of", "in", "at"})


def cannot_both(aspect: str, one: str, other: str) -> bool:
    """Do the two values exclude each other for one person at one time? Values that cannot be compared do
    not."""
    row = ASPECTS.get(aspect)
    if row is None or one == other:
        return False
    return row.single if row.kind == "words" else _BY_KIND[row.kind](aspect, one, other)


def _colours(aspect: str, one: str, other: str) -> bool:
    table = EYE_COLOURS if aspect == "eyes" else HAIR_COLOURS
    first, second = ({table.get(word, word) for word in _WORD.findall(value)} for value in (one, other))
    if not first or not second or first & second:
        return False
    for vague, alike in (("dark", _DARK), ("light", _LIGHT)):
        if (vague in first and second & alike) or (vague in second and first & alike):
            return False
    return True


def _sides(_: str, one: str, other: str) -> bool:
    """Other sides of the same part: "left" and "right", "missing left leg" and "missing right leg"."""
    first, second = set(_WORD.findall(one)), set(_WORD.findall(other))
    sides = first & _SIDES, second & _SIDES
    return all(sides) and sides[0] != sides[1] and first - _SIDES == second - _SIDES


def _numbers(_: str, one: str, other: str) -> bool:
    """Two numbers; "some" is any but none."""
    if one.isdigit() and other.isdigit():
        return int(one) != int(other)
    return {one, other} == {"0", "some"}


def _heights(_: str, one: str, other: str) -> bool:
    """Two measures, or "tall" and "short", which six feet and five feet are as well."""
    words = [
        value if value in ("tall", "short") else _SIZES.get(value.split()[0], "") for value in (one, other)
    ]
    both = one not in ("tall", "short") and other not in ("tall", "short")
    return both or {*words} == {"tall", "short"}


def _dates(_: str, one: str, other: str) -> bool:
    """Other years; else other months or other weekdays, where both name one."""
    years = set(_YEAR.findall(one)), set(_YEAR.findall(other))
    if any(years):
        return all(years) and years[0] != years[1]
    first, second = (set(_WORD.findall(value.casefold())) for value in (one, other))
    named = ((first.intersection(names), second.intersection(names)) for names in (MONTHS, DAYS))
    return any(mine and theirs and mine != theirs for mine, theirs in named)


def _places(_: str, one: str, other: str) -> bool:
    """No word in common: "Leeds" is in "north Leeds"."""
    first, second = (set(_WORD.findall(value)) - _ARTICLES for value in (one, other))
    return bool(first and second) and not first & second


_BY_KIND = {
    "colour": _colours,
    "side": _sides,
    "height": _heights,
    "number": _numbers,
    "date": _dates,
    "place": _places,
}
