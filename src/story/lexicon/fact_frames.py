"""Words that open a frame of plain facts (``extraction.frames``), and the words that such frames ask for."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from ..model.aspects import ASPECTS
from .tables import one_of, read_table, text

__all__ = ["FRAMES", "listed"]

_FRAMES = (
    *("coloured", "counted", "chosen", "is", "does", "placed", "thing", "body", "hand", "mark", "skill"),
    *("meat", "late", "there", "list"),
)
_TABLE = read_table(
    "fact_frames.tsv", key=2, word=text, frame=one_of("frame", _FRAMES), aspect=one_of("aspect", ASPECTS), value=text
)
_ROWS = [tuple(cell or "-" for cell in row) for row in _TABLE.rows]

FRAMES: Mapping[str, tuple[tuple[str, str, str, str], ...]] = MappingProxyType(
    {word: tuple(row for row in _ROWS if row[0] == word and row[1] != "list") for word in {r[0] for r in _ROWS}}
)
"""Lemma → its rows: word, frame, aspect, value."""


@cache
def listed(name: str) -> frozenset[str]:
    """The words of a list that a frame asks for: rows of the frame ``list``, and "body" itself."""
    return frozenset(row[0] for row in _ROWS if (row[1] == "list" and name in row[3].split()) or row[1] == name)
