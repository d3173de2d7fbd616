"""Pairs of passages to put into a book, so that a critic's recall on it can be measured.

Each scenario tells one fact, three passages that contradict it (openly, in other words, by inference) and
four that do not (the same again, something else about it, a change that is told, a trap). A language model
wrote them, who knew nothing of any critic; no critic here was fitted to these.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

__all__ = ["SLIPS", "SOUND", "Scenario", "scenarios"]

SLIPS = ("explicit", "paraphrase", "implicit")
"""How a later passage contradicts the earlier one: openly, in other words, by inference."""
SOUND = ("same", "beside", "change", "trap")
"""Later passages that do not."""
_FILE = Path(__file__).with_name("scenarios.jsonl")


@dataclass(frozen=True, slots=True)
class Scenario:
    """``kind`` is what the fact is about; ``later`` holds a passage under each name of ``SLIPS`` and
    ``SOUND``."""

    kind: str
    earlier: str
    later: dict[str, str]


@lru_cache(maxsize=1)
def scenarios() -> tuple[Scenario, ...]:
    """All of them, in the order of the file."""
    rows = (json.loads(line) for line in _FILE.read_text(encoding="utf-8").splitlines())
    return tuple(
        Scenario(row["kind"], row["earlier"], {name: row[name] for name in (*SLIPS, *SOUND)}) for row in rows
    )
