"""The closed table of aspects: what a fact may tell of somebody, and how two values of one aspect stand.

A fact is (about, aspect, value). One row says whether somebody can have two values at a time, whether a value
can give way to another in the course of a story, and how values are compared.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from .types import Fact, Modality

# "is at on the roof", "has lost the her ring", "is a the cook"
_SPARE = re.compile(
    r"\b(?:at (?=(?:at|in|on|under|by|near|behind|over|with|outside|inside|upstairs|away|up|down|back)\b)"
    r"|(?:the|a) (?=(?:the|an?|his|her|their|its|my|\d+)\b))"
)
_AN = re.compile(r"\ba(?= [aeio])")
DEAD, ALIVE = "dead", "alive"
"""The values of the aspect ``life``."""


@dataclass(frozen=True, slots=True)
class Aspect:
    """``phrase`` words a fact, with ``{value}`` in it, behind a name. ``single``: one value at a time.
    ``constant``: the value of a whole life; else a change may pass between chapters without a word of it.
    ``kind`` is how values compare: ``"colour"``, ``"side"``, ``"number"``, ``"date"``, ``"place"``,
    ``"height"``, ``"words"``. ``thing``: the value is a thing of theirs. ``anything``: places and things have
    it too."""

    name: str
    phrase: str
    single: bool = False
    constant: bool = False
    kind: str = "words"
    thing: bool = False
    anything: bool = False


_ROWS = (
    Aspect("life", "is {value}", single=True),
    Aspect("age", "is {value} years old", single=True, kind="number"),
    Aspect("born", "was born {value}", single=True, constant=True, kind="date"),
    Aspect("birthplace", "was born in {value}", single=True, constant=True, kind="place"),
    Aspect("home", "lives in {value}", single=True, kind="place"),
    Aspect("trade", "is a {value}"),
    Aspect("eyes", "has {value} eyes", single=True, constant=True, kind="colour"),
    Aspect("hair", "has {value} hair", single=True, kind="colour"),
    Aspect("height", "is {value}", single=True, constant=True, kind="height"),
    Aspect("hand", "is {value}-handed", single=True, constant=True, kind="side"),
    Aspect("mark", "has {value}", kind="side"),
    Aspect("siblings", "has {value} siblings", single=True, constant=True, kind="number"),
    Aspect("children", "has {value} children", single=True, kind="number"),
    Aspect("allergy", "is allergic to {value}", constant=True),
    Aspect("cannot", "cannot {value}"),
    Aspect("diet", "is a {value}", single=True),
    Aspect("lost", "has lost the {value}", thing=True),
    Aspect("broken", "has broken the {value}", thing=True),
    Aspect("given_away", "has given away the {value}", thing=True),
    Aspect("burnt", "has lost the {value} to fire", thing=True),
    Aspect("where_at", "is at {value}", kind="place", anything=True),
    # told by a language model alone
    Aspect("role", ": {value}", anything=True),
    Aspect("died", "died {value}", single=True, constant=True, kind="date"),
    Aspect("can", "can: {value}"),
    Aspect("habit", ": {value}"),
    Aspect("count", ": {value}", anything=True),
    Aspect("called", "is called {value}", anything=True),
    Aspect("looks", "looks: {value}", anything=True),
    Aspect("owner", "belongs to {value}", anything=True),
    Aspect("state", ": {value}", anything=True),
    Aspect("date", ": {value}", kind="date", anything=True),
    Aspect("law", ": {value}", anything=True),
)
ASPECTS: MappingProxyType[str, Aspect] = MappingProxyType({row.name: row for row in _ROWS})


def holds(fact: Fact[Any, Any]) -> bool:
    """Is it so by the narration's own word, or said by somebody of what never changes ("I was born here")?"""
    row = ASPECTS.get(fact.aspect)
    return fact.modality.happened or (fact.modality is Modality.REPORTED and row is not None and row.constant)


def fact_words(fact: Fact[Any, Any], *, person: bool = True) -> str:
    """The fact in words, to stand behind a name: "has green eyes"; aspect and value where no row words it, or
    where more words than two tell a colour or number. What a ``person`` "belongs to" is theirs; a thing that
    is no person's has none."""
    row = ASPECTS.get(fact.aspect)
    many = fact.value.count(" ") > 1
    if row is None or (row.kind in ("colour", "number") and many) or (row.thing and not person):
        return f"{fact.aspect.replace('_', ' ')}: {fact.value}"
    phrase = "has {value}" if person and row.name == "owner" else row.phrase
    value = as_written(fact) if row.kind in ("words", "place", "date") else fact.value
    return _AN.sub("an", _SPARE.sub("", phrase.format(value=value), count=1))


def as_written(fact: Fact[Any, Any]) -> str:
    """The value with the capitals it has in its quote ("Harrow"), but for those that begin the quote."""
    quote, value = fact.evidence[0].quote if fact.evidence else "", fact.value.casefold()
    at = quote.casefold().find(value)
    written = quote[at : at + len(value)] if at > 0 else ""
    return written if written.casefold() == value and not written.isupper() else fact.value
