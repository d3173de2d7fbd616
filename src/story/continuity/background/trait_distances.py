"""When two values of one trait cannot both be true: distances between colours, sizes, sides, trades.

Colours of eyes stand on a line, black, brown, hazel, green, grey, blue, and so do those of hair from black to
fair; neighbours that are shades of one colour are written of the same person by careful authors, so only what
is two steps apart conflicts: brown and hazel, hazel and green do not, blue and grey do. Auburn and red hair
stand beside the line. Grey hair comes with age, and so does baldness: what was told before does not conflict
with them, but hair that is grey is not dark again (``grown_young``).
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from types import MappingProxyType

__all__ = ["EXCLUSIVE", "apart", "distance", "grown_young", "near"]

_EYES = {"black": 0.0, "dark": 0.75, "brown": 1.0, "hazel": 2.0, "green": 3.0, "grey": 5.0, "blue": 7.0}
_HAIR = {"black": 0.0, "dark": 0.5, "brown": 1.0, "light": 2.25, "sandy": 2.5, "fair": 3.0}
_RED = {
    "black": 2.0, "dark": 2.0, "brown": 2.0, "auburn": 1.0, "light": 1.0, "sandy": 1.0, "fair": 2.0,
    "red": 0.0,
}  # fmt: skip
_AUBURN = {"black": 2.0, "dark": 1.0, "brown": 1.0, "light": 1.0, "sandy": 1.0, "fair": 2.0, "auburn": 0.0}
_PALE = frozenset({"blue", "grey", "green"})  # eyes that "light" may mean
_COMMERCE = frozenset(
    "money cloth leather bread meat inn beer metal shoes print press chemist sales pawns clocks".split()
)
_BESIDE = frozenset(
    frozenset(pair.split("/"))
    for pair in """nursing/medicine lodgings/inn kitchen/inn post/trade writing/press writing/teaching
    books/teaching books/writing laundry/lodgings kitchen/lodgings driving/inn""".split()
)  # one person may follow both
_UNSURE = frozenset({"grey", "bald", "changed"})
_YOUNG = frozenset({"black", "dark", "brown", "red", "auburn"})
_SHADES = frozenset({"dark", "light"})
APART = 2.0

EXCLUSIVE: Mapping[str, str] = MappingProxyType(
    {
        "eyes": "eyes", "hair": "hair", "hand": "better hand", "height": "height", "build": "build",
        "birthplace": "birthplace", "born": "year of birth", "profession": "profession",
    }
)  # fmt: skip
"""Aspects of which a person has one value, and how to name them. Beside these, those of a side ("scar
cheek")."""


def apart(aspect: str, one: str, other: str) -> bool:
    """Can the two not be true of one person at one time?"""
    return distance(aspect, one, other) >= APART


def near(aspect: str, one: str, other: str) -> bool:
    """Do the two exclude each other by no more than it takes?"""
    return distance(aspect, one, other) <= APART


def grown_young(aspect: str, earlier: str, later: str) -> bool:
    """Is hair that was grey dark or red?"""
    return (
        aspect == "hair"
        and earlier == "grey"
        and not _YOUNG.isdisjoint(later.split("/"))
        and not (_UNSURE & set(later.split("/")))
    )


def distance(aspect: str, one: str, other: str) -> float:
    """0 for the same, ``APART`` or more for what excludes each other; the least over the parts of values that
    name several ("blue/grey")."""
    if one == other:
        return 0.0
    if aspect == "eyes" and "/" in one + other and {*_told(one), *_told(other)} <= _PALE:
        return 1.0  # they change with the light
    pairs = product(_told(one), _told(other))
    return min(_between(aspect, a, b) for a, b in pairs)


def _told(value: str) -> list[str]:
    """The parts of a value; beside a colour "dark" only says of what shade."""
    parts = value.split("/")
    return [part for part in parts if part not in _SHADES] or parts


def _between(aspect: str, one: str, other: str) -> float:
    if one == other:
        return 0.0
    if aspect == "eyes":
        return _of_eyes(one, other)
    if aspect == "hair":
        return _of_hair(one, other)
    if aspect == "birthplace":
        nested = one in other.split() or other in one.split()
        return 0.0 if nested else APART
    return 1.0 if aspect == "profession" and _both_followed(one, other) else APART


def _both_followed(one: str, other: str) -> bool:
    """May one person follow both trades: a merchant who is a banker or a draper as well?"""
    pair = frozenset((one, other))
    return pair in _BESIDE or ("trade" in pair and bool(pair & _COMMERCE))


def _of_eyes(one: str, other: str) -> float:
    if "light" in (one, other):
        rest = other if one == "light" else one
        return 1.0 if rest in _PALE or rest == "hazel" else APART
    if "dark" in (one, other):
        rest = other if one == "dark" else one
        return 1.0 if rest in ("grey", "blue", "green", "hazel") else 0.5
    return abs(_EYES[one] - _EYES[other])


def _of_hair(one: str, other: str) -> float:
    if one in _UNSURE or other in _UNSURE:
        return 1.0
    if "red" in (one, other):
        return _RED[other if one == "red" else one]
    if "auburn" in (one, other):
        return _AUBURN[other if one == "auburn" else one]
    return abs(_HAIR[one] - _HAIR[other])
