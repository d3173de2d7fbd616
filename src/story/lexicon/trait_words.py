"""The words of looks: colours of eyes and hair, build, hands."""

from __future__ import annotations

from types import MappingProxyType

from .tables import lists, read_table, text

_COLOURS = read_table("colours.tsv", word=text, eyes=text, hair=text, thing=text)
EYE_COLOURS: MappingProxyType[str, str] = _COLOURS.column("eyes")
"""Word → family. ``dark`` and ``light`` tell less than a colour and agree with much."""

HAIR_COLOURS: MappingProxyType[str, str] = _COLOURS.column("hair")

_TABLE = read_table("trait_words.tsv", word=text, aspect=text, value=text, lists=lists("build"))
BUILDS: MappingProxyType[str, tuple[str, str]] = MappingProxyType(
    {word: (aspect, value) for word, aspect, value, listed in _TABLE.rows if "build" in listed}
)
"""Word → aspect (height, build) and value."""

HANDS: MappingProxyType[str, str] = MappingProxyType({"left": "left", "right": "right"})
TRADES: MappingProxyType[str, str] = read_table("trades.tsv", trade=text, field=text).column("field")
"""Trade → field. Within a field words vary for the same trade."""
