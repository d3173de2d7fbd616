"""Words that tell a name from a word, and whose name it is: titles, given names, endings of place names."""

from __future__ import annotations

from types import MappingProxyType

from ..lexicon.given_names import GIVEN_NAMES
from ..lexicon.tables import gender, lists, read_table, text

__all__ = [
    "CALENDAR",
    "GIVEN",
    "GROUP_WORDS",
    "NON_NAMES",
    "PARTICLES",
    "PLACE_WORDS",
    "TITLES",
]

TITLES: MappingProxyType[str, str] = read_table("titles.tsv", title=text, gender=gender).column("gender")
"""Title, lower case and without its full stop → gender it tells ("" where it tells none)."""

GIVEN: MappingProxyType[str, str] = GIVEN_NAMES
"""Given names that tell a gender, short forms included."""

_WORDS = read_table(
    "name_words.tsv",
    word=text,
    lists=lists("calendar", "cry", "group", "no_name", "particle", "place"),
)
PARTICLES = _WORDS.listed("particle")
PLACE_WORDS = _WORDS.listed("place")
"""Last words that make a capitalised phrase a place."""

GROUP_WORDS = _WORDS.listed("group")
CALENDAR = _WORDS.listed("calendar")
"""No names, unless somebody so called does what people do: Friday, Thursday."""

NON_NAMES = CALENDAR | _WORDS.listed("cry") | _WORDS.listed("no_name")
"""Capitalised words that are no names of anybody in the story."""
