"""Traits that say how names are used, and not what is so."""

from __future__ import annotations

from ..graph_rag.as_known import AS_KNOWN
from ..graph_rag.full_names import FULL_NAME
from ..graph_rag.introductions import INTRODUCTION
from ..graph_rag.kin_hints import KIN_HINT

__all__ = ["NAMING_TRAITS"]

NAMING_TRAITS = frozenset({AS_KNOWN, FULL_NAME, INTRODUCTION, KIN_HINT})
"""Their aspects: no facts to check, nor to recall beside a passage."""
