"""Phrases in small letters by which a text leads back to the past, or unveils something."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..lexicon.tables import compiled, read_toml

__all__ = ["LED_BACK", "PAST_PERFECT", "REMEMBERED", "UNVEILED"]

_FILE = "plot_cues.toml"
_CUES = read_toml(_FILE, "past_perfect", "led_back", "remembered", "unveiled", "words")
_WORDS = {**_CUES["words"], "participle": "|".join(_CUES["words"]["participle"].split())}


def _any(wordings: Sequence[str]) -> re.Pattern[str]:
    return compiled(_FILE, wordings, _WORDS)


PAST_PERFECT = _any(_CUES["past_perfect"])
"""A verb told from before: "had never spoken"."""

LED_BACK = _any(_CUES["led_back"])
REMEMBERED = _any(_CUES["remembered"])
UNVEILED: tuple[tuple[float, re.Pattern[str]], ...] = tuple(
    (group["weight"], _any(group["any"])) for group in _CUES["unveiled"]
)
"""Cues that something comes to light, with their weights."""
