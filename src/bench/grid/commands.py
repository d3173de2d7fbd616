"""Answers of ``fabula bench run`` and ``fabula bench tables``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from ...core.files.atomic import replace_file
from ...views.text.render import Answer
from .config import load_grid
from .results import result_of
from .running import run_grid
from .tables import RESULT, load_result, pictures, tables

if TYPE_CHECKING:
    from ...project.indexing import Progress

__all__ = ["ran", "tabled"]


def ran(
    config: Path,
    out: Path,
    *,
    workers: int = 1,
    cluster: str | None = None,
    progress: Progress = lambda *_: None,
) -> Answer:
    """Runs what is missing, in several processes or on a cluster where that is asked for, and writes
    ``result.json``, tables and pictures into the run's folder."""
    grid = load_grid(config)
    if workers > 1 or cluster:
        from .spreading import spread

        spread(config, grid, out, workers=workers, cluster=cluster, progress=progress)
    items = run_grid(grid, out, progress=progress)
    result = result_of(grid, items)
    replace_file(out / RESULT, json.dumps(result, indent=1, ensure_ascii=False) + "\n")
    table = tables(result)
    replace_file(out / "tables.md", table)
    for name, picture in pictures(result).items():
        replace_file(out / name, picture)
    failed = [row for row in result["facts"]["rows"] if row["error"]]
    told = "".join(f"\n{row['group']}, {row['pipeline']}: {row['error']}" for row in failed)
    return Answer(result, f"{len(items)} comparisons; all is in {out}.\n\n{table}{told}".rstrip())


def tabled(folder: Path, *, format: str) -> Answer:
    """The tables of a run that is done."""
    result = load_result(folder)
    return Answer(result["facts"]["aggregates"] + result["facts"]["paired"], tables(result, format=format))
