"""Nouns for people and the gender that each tells: who "the old gentleman" or "his aunt" may be."""

from __future__ import annotations

from types import MappingProxyType

from .tables import gender, lists, read_table, text

_TABLE = read_table(
    "person_nouns.tsv",
    noun=text,
    person=gender,
    role=gender,
    lists=lists("animal", "calling"),
)

PERSON_NOUNS: MappingProxyType[str, str] = _TABLE.column("person")
"""Noun, lower case and singular → ``"m"``, ``"f"``, or ``""`` where it tells none."""

ROLE_NOUNS: MappingProxyType[str, str] = _TABLE.column("role")
"""The same of nouns that stand for somebody by themselves: "the king", "the wolf"."""

ANIMALS = _TABLE.listed("animal")
CALLINGS = _TABLE.listed("calling")
