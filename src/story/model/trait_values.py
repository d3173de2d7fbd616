"""Typed trait values: the aspects of a person that a reading tells, and one codec for each value that has
parts.

A trait's value is a string in the log (``TraitTold.value``), so that any tool can read it. Whoever writes or
reads one that has parts goes through the codec of its aspect here: ``Sighting``, ``Stay``, ``Count``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

__all__ = [
    "ALIVE",
    "AS_KNOWN",
    "AWAY",
    "COUNT",
    "DAY_ONLY",
    "DEAD",
    "FULL_NAME",
    "INTRODUCTION",
    "KIN_HINT",
    "KIN_KINDS",
    "LIFE",
    "NAMING_TRAITS",
    "NOW",
    "PASSING",
    "SIGHTED",
    "SPELLING",
    "STAY",
    "STRETCHES",
    "VOW",
    "WHEREABOUTS",
    "Count",
    "Sighting",
    "Stay",
]

LIFE, DEAD, ALIVE = "life", "dead", "alive"
"""The aspect of being alive, and its two values."""

SIGHTED = "sighted"
"""Where somebody was seen at a moment that the text names; its value is a ``Sighting``."""

NOW, AWAY = "now", "away"
"""Moments of a ``Sighting`` that no clock names: that of the scene around, and a time that the moment lies
in."""

DAY_ONLY = "day "
"""How a moment of a ``Sighting`` begins that is a whole day."""

WHEREABOUTS = "whereabouts"
"""Where somebody is during a scene; its value is the place, without case."""

STAY = "stay"
"""How long somebody was at a place, or how long a stretch of life was; its value is a ``Stay``."""

PASSING = 0.6
"""How sure a stay is that is told in passing, and may have been one of several: "was two days in London"."""

VOW = "vow"
"""What somebody has sworn or settled to do; its value is the aim."""

FULL_NAME = "full name"
"""What somebody is called in full: given name and surname, lower case."""

INTRODUCTION = "introduction"
"""Who somebody is: the words that say it."""

AS_KNOWN = "as known"
"""How a bare name is used: the kind of use."""

KIN_HINT = "kin hint"
"""Which kinship word stands beside somebody: that word."""

SPELLING = "spelling"
"""A word so like a name of theirs that the same may be meant."""

COUNT = "count:"
"""How many of a kind somebody has, the kind behind the colon (``"count:brother"``); its value is a
``Count``."""

NAMING_TRAITS = frozenset({AS_KNOWN, FULL_NAME, INTRODUCTION, KIN_HINT})
"""Aspects that say how names are used, and not what is so: no facts to check, nor to recall beside a
passage."""

STRETCHES = frozenset(
    """absence army blindness building engagement exile friendship frost governess hospital illness
    imprisonment keeping marriage mourning neighbourhood nursing partnership party quarrel rule run
    search service siege strike teaching trial visit voyage waiting widowhood writing""".split()
)
"""Stretches of life that a ``Stay`` may name in place of a place."""

# word → (what it is to the one whose kin it is, gender)
KIN_KINDS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "aunt": ("aunt or uncle", "f"), "auntie": ("aunt or uncle", "f"), "uncle": ("aunt or uncle", "m"),
        "niece": ("niece or nephew", "f"), "nephew": ("niece or nephew", "m"),
        "cousin": ("cousin", ""),
        "grandmother": ("grandparent", "f"), "grandmamma": ("grandparent", "f"),
        "granny": ("grandparent", "f"), "grandfather": ("grandparent", "m"),
        "granddaughter": ("grandchild", "f"), "grandson": ("grandchild", "m"),
        "grandchild": ("grandchild", ""),
        "mother": ("parent", "f"), "father": ("parent", "m"),
        "daughter": ("child", "f"), "son": ("child", "m"),
        "sister": ("sister or brother", "f"), "brother": ("sister or brother", "m"),
        "stepmother": ("parent", "f"), "stepfather": ("parent", "m"),
        "stepsister": ("sister or brother", "f"), "stepbrother": ("sister or brother", "m"),
        "godmother": ("godparent", "f"), "godfather": ("godparent", "m"),
        "godson": ("godchild", "m"), "goddaughter": ("godchild", "f"), "godchild": ("godchild", ""),
    }
)  # fmt: skip
"""Kinship words that stand for a bond in passing."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """``moment`` in words of the text, lower case, or ``NOW`` or ``AWAY``; ``place`` without case."""

    moment: str
    place: str

    def __str__(self) -> str:
        return f"{self.moment}@{self.place}"

    @classmethod
    def parse(cls, value: str) -> Sighting:
        """From a trait's value."""
        moment, _, place = value.partition("@")
        return cls(moment, place)

    @property
    def whole_day(self) -> bool:
        """Is the moment a day, in which one may come from one town to another?"""
        return self.moment.startswith(DAY_ONLY)


@dataclass(frozen=True, slots=True)
class Stay:
    """``days`` (fractions allowed) at a ``place`` without case, or in one of ``STRETCHES``."""

    days: float
    place: str

    def __str__(self) -> str:
        return f"{self.days:g}@{self.place}"

    @classmethod
    def parse(cls, value: str) -> Stay:
        """From a trait's value. Raises ValueError where no number of days stands before the mark."""
        days, _, place = value.partition("@")
        return cls(float(days), place)


@dataclass(frozen=True, slots=True)
class Count:
    """``number`` of a kind, or at least so many (``at_least``: "a brother" may be one of several)."""

    number: int
    at_least: bool = False

    def __str__(self) -> str:
        return f"{self.number}+" if self.at_least else str(self.number)

    @classmethod
    def parse(cls, value: str) -> Count:
        """From a trait's value; a change ("+1") gives its number. Raises ValueError for anything else."""
        return cls(int(value.rstrip("+")), value.endswith("+"))
