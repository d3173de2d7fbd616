"""The runs that a library keeps: a folder each, made by ``fabula bench run``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .grid.tables import RESULT, load_result
from .rating import RatingDesk

__all__ = ["BENCH", "Run", "runs_in"]

BENCH = "bench"  # in the library's folder
_RATING, _ITEMS = "rating", "items"


@dataclass(frozen=True, slots=True)
class Run:
    """A run's folder. ``name`` is the folder's."""

    name: str
    folder: Path

    @property
    def result(self) -> dict[str, Any] | None:
        """What it shows; None while it has not come to its end. Raises ProjectError for a damaged file."""
        return load_result(self.folder) if (self.folder / RESULT).is_file() else None

    @property
    def reports(self) -> tuple[Path, ...]:
        """Its comparisons, and any report that was put into its folder by hand."""
        own = sorted((self.folder / _ITEMS).glob("*.json"))
        return (*own, *(path for path in sorted(self.folder.glob("*.json")) if path.name != RESULT))

    def rating(self) -> RatingDesk:
        """Where its drafts are rated. Raises UsageError where no two drafts differ."""
        return RatingDesk.open(self.folder / _RATING, self.reports)


def runs_in(library: Path) -> tuple[Run, ...]:
    """The runs under a library's folder ``bench``, by name."""
    place = library / BENCH
    folders = sorted(place.iterdir()) if place.is_dir() else []
    found = [Run(folder.name, folder) for folder in folders if folder.is_dir()]
    return tuple(run for run in found if run.reports or (run.folder / RESULT).is_file())
