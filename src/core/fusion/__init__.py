"""Fusing ranked lists: pure functions over hits, the rules, and named presets of them.

A rule takes named lists, each best first, and a weight for each name. A list of weight 0 is dropped, and a
chunk that no other list holds is left out. Fused chunks come best first, ties by ordinal, and the shares
of a chunk sum to its score, to the bit.
"""

from __future__ import annotations

from .normalise import Fused, Normalisation, by_ceiling, hits_of, min_max, z_score
from .presets import COVERAGE, DEFAULT_PRESET, NEARNESS, PRESETS, FusionPreset, evidence_weights, fuse
from .rules import comb_mnz, convex_combination, reciprocal_rank_fusion

__all__ = [
    "COVERAGE",
    "DEFAULT_PRESET",
    "NEARNESS",
    "PRESETS",
    "Fused",
    "FusionPreset",
    "Normalisation",
    "by_ceiling",
    "comb_mnz",
    "convex_combination",
    "evidence_weights",
    "fuse",
    "hits_of",
    "min_max",
    "reciprocal_rank_fusion",
    "z_score",
]
