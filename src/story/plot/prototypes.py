"""What the five turning points of a plot look like, and the background, in sentences of synopses."""

from __future__ import annotations

from types import MappingProxyType

from ..lexicon.tables import read_toml

__all__ = ["BACKGROUND", "TURNING_POINTS"]

_SENTENCES = read_toml("turning_points.toml", "background", "turning_points")

TURNING_POINTS: MappingProxyType[str, tuple[str, ...]] = MappingProxyType(
    {role: tuple(sentences) for role, sentences in _SENTENCES["turning_points"].items()}
)
"""By role, in order of the plot: sentences that could stand there."""

BACKGROUND: tuple[str, ...] = tuple(_SENTENCES["background"])
"""Sentences in which no plot turns: setting, links between scenes, daily life, aftermath."""
