"""Given names that tell a gender; names given to men and women alike are left out."""

from __future__ import annotations

from types import MappingProxyType

from .tables import gender, read_table, text

__all__ = ["GIVEN_NAMES"]

GIVEN_NAMES: MappingProxyType[str, str] = read_table("given_names.tsv", name=text, gender=gender).column(
    "gender"
)
"""Name, lower case → ``"f"`` or ``"m"``."""
