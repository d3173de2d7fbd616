"""Verbs that tell a death, and the words beside which they do not.

Numbers are how surely a verb says so, 0 to 1.
"""

from __future__ import annotations

from types import MappingProxyType

from .tables import lists, read_table, share, text

_LISTS = ("feeling", "figure", "grave", "nearly", "not_quite", "only_like")
_TABLE = read_table("death_words.tsv", word=text, dies=share, kills=share, lists=lists(*_LISTS))

DYING: MappingProxyType[str, float] = _TABLE.column("dies")
KILLING: MappingProxyType[str, float] = _TABLE.column("kills")
NOT_QUITE = _TABLE.listed("not_quite")
ALMOST = _TABLE.listed("nearly")
ONLY_LIKE = _TABLE.listed("only_like")
FIGURES = _TABLE.listed("figure")
FEELINGS = _TABLE.listed("feeling")
GRAVES = _TABLE.listed("grave")
