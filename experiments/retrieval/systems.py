"""The systems that the retrieval experiment compares, each from a case to ranked ordinals."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from fabula.core.fusion.normalise import Fused
from fabula.core.fusion.presets import PRESETS, FusionPreset, fuse

from .data import Case

__all__ = ["GRID", "RULES", "systems"]

System = Callable[[Case], list[int]]
GRID = tuple(step / 10 for step in range(11))
RULES = ("evidence", "convex", "convex-min-max", "convex-z-score", "comb-mnz")


def _of_preset(preset: FusionPreset, weight: float | None = None) -> System:
    weights = preset.weights(weight)

    def ranked(case: Case) -> list[int]:
        scored = preset.rule == "convex" and preset.scale == "ceiling"
        lists = case.scored if scored else case.found
        if not preset.evidence:
            lists = {name: lists[name] for name in ("lexical", "semantic")}
        return _ordinals(fuse(preset, lists, weights=weights, ceilings={"lexical": case.ceiling}, k=10))

    return ranked


def systems() -> dict[str, System]:
    """By name; ``NAME@W`` is a rule at semantic weight W."""
    found: dict[str, System] = {
        "bm25": lambda case: [hit.ordinal for hit in case.lexical[:10]],
        "dense": lambda case: [hit.ordinal for hit in case.semantic[:10]],
    }
    found.update({f"rrf-{c}": _of_preset(FusionPreset("rrf", "rrf", rrf_k=c)) for c in (5, 60)})
    for name in RULES:
        found.update({f"{name}@{weight}": _of_preset(PRESETS[name], weight) for weight in GRID})
    return found


def _ordinals(fused: Sequence[Fused]) -> list[int]:
    return [f.ordinal for f in fused]
