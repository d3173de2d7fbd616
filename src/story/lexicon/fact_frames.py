"""Words that open a frame of plain facts (``extraction.frames``), and the words that such frames ask for."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from ..model.aspects import ASPECTS
from .tables import one_of, read_table, text

_FRAMES = (
    *("allergic", "body", "chosen", "coloured", "counted", "does", "hand", "is", "late", "list", "mark"),
    *("meat", "placed", "skill", "there", "thing"),
)
_TABLE = read_table(
    "fact_frames.tsv",
    key=2,
    word=text,
    frame=one_of("frame", _FRAMES),
    aspect=one_of("aspect", ASPECTS),
    value=text,
)
Row = tuple[str, str, str, str]
_ROWS: list[Row] = [(word, frame, aspect or "-", value or "-") for word, frame, aspect, value in _TABLE.rows]
_BY_WORD: dict[str, tuple[Row, ...]] = {}
for _row in _ROWS:
    if _row[1] != "list":
        _BY_WORD[_row[0]] = (*_BY_WORD.get(_row[0], ()), _row)

FRAMES: Mapping[str, tuple[Row, ...]] = MappingProxyType(_BY_WORD)
"""Word or lemma → its rows: word, frame, aspect, value."""


@cache
def listed(name: str) -> frozenset[str]:
    """The words of a list that a frame asks for: rows of the frame ``list``, or of the frame of that name."""
    return frozenset(
        row[0] for row in _ROWS if name == row[1] or (row[1] == "list" and name in row[3].split())
    )
