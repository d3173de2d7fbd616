"""The closed table of aspects: what a fact may tell of somebody, and how two values of one aspect stand.

A fact is (about, aspect, value). One row says whether somebody can have two values at a time, whether a value
can give way to another in the course of a story, and how values are compared.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from ..tables import read_records
from .types import Fact, Modality

# "is at on the roof", "has lost the her ring", "is a the cook"
_SPARE = re.compile(
    r"\b(?:at (?=(?:at|in|on|under|by|near|behind|over|with|outside|inside|upstairs|away|up|down|back)\b)"
    r"|(?:the|a) (?=(?:the|an?|all|both|his|her|their|its|my|\d+)\b)"
    r"|is a (?=(?:runs|keeps|manages|works|sells|builds|breeds|mends|repairs)\b))"
)
_PLURAL = re.compile(r"(?:[\w'’-]+ )*?[\w'’-]*[^\W\dsui]s(?:$|,| (?:in|of|at|on|from|with|for|to|under|by) )")
_AN = re.compile(r"\ba(?= [aeio])")
_WHAT_ONE_IS = frozenset("age home trade hair mark children cannot".split())
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


ASPECTS = read_records("aspects.tsv", Aspect)


def holds(fact: Fact[Any, Any]) -> bool:
    """Is it so by the narration's own word, or said by somebody of what people are ("I'm a nurse"), not of
    what befalls them?"""
    row = ASPECTS.get(fact.aspect)
    said = row is not None and (row.constant or row.name in _WHAT_ONE_IS)
    return fact.modality.happened or (said and fact.modality is Modality.REPORTED)


def fact_of(name: str, fact: Fact[Any, Any], *, person: bool = True) -> str:
    """The fact with whose it is: "Ann has green eyes", "Ann: the cup was broken"."""
    return f"{name} {fact_words(fact, person=person)}".replace(" : ", ": ")


def fact_words(fact: Fact[Any, Any], *, person: bool = True) -> str:
    """The fact in words, to stand behind a name: "has green eyes"; aspect and value where no row words it, or
    where more words than two tell a colour or number. What a ``person`` "belongs to" is theirs; a thing that
    is no person's has none."""
    row = ASPECTS.get(fact.aspect)
    many = fact.value.count(" ") > 1
    if row is None or (row.kind in ("colour", "number") and many) or (row.thing and not person):
        return f"{fact.aspect.replace('_', ' ')}: {fact.value}"
    phrase = "has {value}" if person and row.name == "owner" else row.phrase
    if row.thing and _PLURAL.match(fact.value):
        phrase = phrase.replace(" was ", " were ")
    return _AN.sub("an", _SPARE.sub("", phrase.format(value=fact.value), count=1))
