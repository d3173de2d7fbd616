"""People of history, legend and other books, of whom stories only speak: their names are lent to nobody."""

from __future__ import annotations

from ..lexicon.tables import read_table, text
from .person_name import PersonName

__all__ = ["is_figure"]

_FIGURES = frozenset(name for (name,) in read_table("public_figures.tsv", name=text).rows)


def is_figure(name: PersonName) -> bool:
    """Is it the full name of one who is known outside the story?"""
    return name.full and f"{name.given} {name.surname}" in _FIGURES
