"""The words of looks: colours of eyes and hair, heights, hands."""

from __future__ import annotations

from types import MappingProxyType

from .tables import read_table, text

__all__ = ["EYE_COLOURS", "HAIR_COLOURS", "HANDS", "HEIGHTS"]

_COLOURS = read_table("colours.tsv", word=text, eyes=text, hair=text)
EYE_COLOURS: MappingProxyType[str, str] = _COLOURS.column("eyes")
"""Word → family. ``dark`` and ``light`` tell less than a colour and agree with much."""

HAIR_COLOURS: MappingProxyType[str, str] = _COLOURS.column("hair")
HEIGHTS: MappingProxyType[str, str] = read_table("heights.tsv", word=text, height=text).column("height")
HANDS: MappingProxyType[str, str] = MappingProxyType({"left": "left", "right": "right"})
