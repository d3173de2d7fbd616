"""Named settings of fusion, as data.

Evidence from the candidates' words makes further lists. BM25 rewards one rare word said often; a passage that
answers usually holds most of what is asked for, in one place. The lexical weight is therefore shared between
BM25, coverage and nearness (see :mod:`fabula.core.text.term_evidence`). The weights are fixed: what adapts to
query and passage is the evidence, and the one dial, lexical against semantic, stays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from ...errors import ConfigError
from ..types import Hit
from .normalise import Fused, Normalisation, by_ceiling, min_max, z_score
from .rules import comb_mnz, convex_combination, reciprocal_rank_fusion

COVERAGE, NEARNESS = "coverage", "nearness"
_LEXICAL = "lexical"


def evidence_weights(weights: Mapping[str, float]) -> dict[str, float]:
    """The same weights with the lexical one shared in equal parts by BM25, coverage and nearness."""
    shared = weights.get(_LEXICAL, 0.0) / 3
    return {**weights, _LEXICAL: shared, COVERAGE: shared, NEARNESS: shared}


Rule = Literal["rrf", "convex", "comb_mnz"]
Scale = Literal["ceiling", "min_max", "z_score"]

_SCALES: Mapping[Scale, Normalisation] = MappingProxyType(
    {"ceiling": by_ceiling, "min_max": min_max, "z_score": z_score}
)


@dataclass(frozen=True, slots=True)
class FusionPreset:
    """A rule and its settings. ``semantic_weight`` in [0, 1], the rest is lexical; ``scale`` is the
    normalisation of score rules, ``rrf_k`` the constant of RRF. With ``evidence`` the lexical weight is
    shared with coverage and nearness, whose lists must be given too."""

    name: str
    rule: Rule
    scale: Scale = "ceiling"
    rrf_k: float = 60
    semantic_weight: float = 0.5
    evidence: bool = False

    @property
    def lifts(self) -> bool:
        """Whether hops may lift a passage toward its source: scores of chunks in neither list are known."""
        return self.rule == "convex" and self.scale == "ceiling"

    def weights(self, semantic: float | None = None) -> dict[str, float]:
        """Weights of "lexical" and "semantic", which sum to 1. Raises ConfigError outside [0, 1]."""
        w = self.semantic_weight if semantic is None else semantic
        if not 0 <= w <= 1:
            raise ConfigError(f"semantic_weight is between 0 and 1, not {w}")
        return {"lexical": 1 - w, "semantic": w}


PRESETS: Mapping[str, FusionPreset] = MappingProxyType(
    {
        preset.name: preset
        for preset in (
            FusionPreset("evidence", "convex", semantic_weight=0.4, evidence=True),
            FusionPreset("convex", "convex", semantic_weight=0.4),
            FusionPreset("convex-min-max", "convex", scale="min_max"),
            FusionPreset("convex-z-score", "convex", scale="z_score"),
            FusionPreset("comb-mnz", "comb_mnz", scale="min_max"),
            FusionPreset("rrf", "rrf"),
            FusionPreset("rrf-5", "rrf", rrf_k=5),
        )
    }
)
DEFAULT_PRESET = PRESETS["evidence"]


def fuse(
    preset: FusionPreset,
    lists: Mapping[str, Sequence[Hit]],
    *,
    weights: Mapping[str, float] | None = None,
    ceilings: Mapping[str, float] | None = None,
    k: int | None = None,
) -> list[Fused]:
    """The ``k`` best chunks (all, if None) by the preset; ``weights`` in place of its own.

    ``weights`` name retrievers ("lexical", "semantic", "graph"): an evidence preset shares the lexical one
    out itself. Raises ConfigError for a weight missing or negative, or a list missing for the evidence.
    """
    own: Mapping[str, float] = preset.weights() if weights is None else weights
    if preset.evidence:
        if not {COVERAGE, NEARNESS} <= lists.keys():
            raise ConfigError(
                f"the preset {preset.name!r} needs coverage and nearness beside {sorted(lists)}"
            )
        own = evidence_weights(own)
    if preset.rule == "rrf":
        return reciprocal_rank_fusion(lists, weights=own, k=preset.rrf_k, top=k)
    rule = convex_combination if preset.rule == "convex" else comb_mnz
    return rule(lists, weights=own, normalisation=_SCALES[preset.scale], ceilings=ceilings, k=k)
