"""Verbs of having a thing in use, of getting it back or mended, and of eating."""

from __future__ import annotations

from .tables import lists, read_table, text

_TABLE = read_table("thing_verbs.tsv", verb=text, lists=lists("eats", "restores", "uses"))

USING = _TABLE.listed("uses")
RESTORING = _TABLE.listed("restores")
EATING = _TABLE.listed("eats")
