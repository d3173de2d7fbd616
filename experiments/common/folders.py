"""Where the experiments' files lie."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["DATA", "DOOR", "RESULTS", "ROOT", "default_cache"]

ROOT = Path(__file__).parents[2]
DOOR = ROOT / "experiments" / "run.py"
DATA = ROOT / "experiments" / "data"
RESULTS = ROOT / "experiments" / "results"


def default_cache(name: str) -> Path:
    """The folder of that name in the user's cache, for what is costly to make and not part of a result."""
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return home / "fabula" / name
