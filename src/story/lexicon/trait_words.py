"""The words of traits: colours of eyes and hair, build, lasting conditions, trades; which of them agree."""

from __future__ import annotations

from types import MappingProxyType

from .tables import lists, read_table, text

__all__ = [
    "BARE_HEADS",
    "BUILDS",
    "CONDITIONS",
    "EYE_COLOURS",
    "EYE_NOUNS",
    "FIELDS",
    "HAIR_COLOURS",
    "HAIR_NOUNS",
    "HANDS",
    "MARKS",
    "OF_THE_COLOUR_OF",
    "PARTS",
]

_COLOURS = read_table("colours.tsv", word=text, eyes=text, hair=text, thing=text)
EYE_COLOURS: MappingProxyType[str, str] = _COLOURS.column("eyes")
"""Word → family. ``dark`` and ``light`` tell less than a colour and agree with much."""

HAIR_COLOURS: MappingProxyType[str, str] = _COLOURS.column("hair")
OF_THE_COLOUR_OF: MappingProxyType[str, str] = _COLOURS.column("thing")
"""A thing → the colour that "the colour of straw" names; what both tables of colours know counts."""

_LISTS = ("bare_head", "build", "condition", "eye_noun", "hair_noun", "mark", "part")
_TABLE = read_table("trait_words.tsv", word=text, aspect=text, value=text, lists=lists(*_LISTS))


def _traits(name: str) -> MappingProxyType[str, tuple[str, str]]:
    """Word → aspect, value, of the words on one list."""
    words = _TABLE.listed(name)
    return MappingProxyType(
        {word: (aspect, value) for word, aspect, value, _ in _TABLE.rows if word in words}
    )


BUILDS = _traits("build")
CONDITIONS = _traits("condition")
BARE_HEADS: MappingProxyType[str, str] = MappingProxyType(
    {word: value for word, (_, value) in _traits("bare_head").items()}
)
EYE_NOUNS = _TABLE.listed("eye_noun")
HAIR_NOUNS = _TABLE.listed("hair_noun")
MARKS = _TABLE.listed("mark")
PARTS = _TABLE.listed("part")
"""Parts of the body of which there are two, so that it matters which."""

HANDS: MappingProxyType[str, str] = MappingProxyType({"left": "left", "right": "right"})
FIELDS: MappingProxyType[str, str] = read_table("trades.tsv", trade=text, field=text).column("field")
"""Trade → field. Two fields exclude each other for one person at one time; within a field words vary."""
