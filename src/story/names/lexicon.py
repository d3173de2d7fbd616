"""Words that tell a name from a word, and whose name it is: titles, given names, endings of place names."""

from __future__ import annotations

from types import MappingProxyType

from ..tables import gender, lists, read_table, text

_TITLES = read_table(
    "titles.tsv",
    title=text,
    gender=gender,
    plain=text,
    lists=lists("alone", "armed", "calling", "noble", "rank", "with_given"),
)
CALLINGS = _TITLES.listed("calling")
TITLES: MappingProxyType[str, str] = MappingProxyType(
    {title: sex for title, sex in _TITLES.column("gender").items() if title not in CALLINGS}
)
"""Title, lower case and without its full stop → gender it tells ("" where it tells none)."""

PLAIN_TITLES: MappingProxyType[str, str] = _TITLES.column("plain")
"""Another spelling of a title, or of a calling → the title that it stands for."""

ARMED = _TITLES.listed("armed")
BORNE_ALONE = _TITLES.listed("alone")
NOBLE = _TITLES.listed("noble")
RANKS = _TITLES.listed("rank")
WITH_GIVEN = _TITLES.listed("with_given")

GIVEN: MappingProxyType[str, str] = read_table("given_names.tsv", name=text, gender=gender).column("gender")
"""Given names that tell a gender, lower case, short forms included → ``"f"`` or ``"m"``. Names given to men
and women alike are left out."""

_WORDS = read_table(
    "name_words.tsv",
    word=text,
    lists=lists("calendar", "cry", "group", "no_name", "opens", "particle", "place"),
)
PARTICLES = _WORDS.listed("particle")
PLACE_WORDS = _WORDS.listed("place")
"""Last words that make a capitalised phrase a place."""

GROUP_WORDS = _WORDS.listed("group")
OPENERS = _WORDS.listed("opens")
"""Capitalised at the start of a sentence, they begin no name."""

CALENDAR = _WORDS.listed("calendar")
"""No names, unless somebody so called does what people do: Friday, Thursday."""

NON_NAMES = CALENDAR | _WORDS.listed("cry") | _WORDS.listed("no_name")
"""Capitalised words that are no names of anybody in the story."""
