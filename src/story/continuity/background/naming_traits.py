"""Traits that say how names are used, and not what is so."""

from __future__ import annotations

from ...extraction.naming.full_names import FULL_NAME
from ...extraction.naming.introductions import INTRODUCTION
from ...extraction.naming.kin_hints import KIN_HINT
from ...extraction.naming.taken_as_known import AS_KNOWN

__all__ = ["NAMING_TRAITS"]

NAMING_TRAITS = frozenset({AS_KNOWN, FULL_NAME, INTRODUCTION, KIN_HINT})
"""Their aspects: no facts to check, nor to recall beside a passage."""
