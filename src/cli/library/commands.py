"""``fabula library``: a folder of books at once."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

from ..options import answer, progress_bars

__all__ = ["library"]

_path = click.Path(path_type=Path)
_MOST = 64


@click.group()
def library() -> None:
    """Many books at once, each a project of its own."""


@library.command("index")
@click.argument("books", type=_path, metavar="FOLDER")
@click.option("-o", "--output", required=True, type=_path, help="The library: a folder of projects.")
@click.option(
    "--workers",
    type=click.IntRange(1, _MOST),
    help="Processes of this machine; by default one a core, four at most.",
)
@click.option("--cluster", metavar="ADDRESS", help="A Dask scheduler whose workers do it instead.")
@click.option("--set", "assignments", multiple=True, metavar="SECTION.KEY=VALUE", help="One setting.")
@click.option("--yes", is_flag=True, help="Models that cost money may be asked.")
@click.option("--json", "as_json", is_flag=True, help="Answer as JSON.")
def index(
    books: Path,
    output: Path,
    workers: int | None,
    cluster: str | None,
    assignments: tuple[str, ...],
    yes: bool,
    as_json: bool,
) -> None:
    """Index every book in FOLDER, each into a project of its own. The folders in it are looked through too.
    Again, only what changed is worked on; a run that was ended goes on where it was."""
    from ...cluster.books import books_in, outcome_of, tasks_of, work
    from ...cluster.pools import spread

    if cluster and workers:
        raise click.UsageError("--workers are processes of this machine: leave them out with --cluster")
    count = None if cluster else workers or min(4, os.cpu_count() or 1)
    tasks = tasks_of(books_in(books), output, workers=count, assignments=assignments, yes=yes)
    outcomes: list[dict[str, Any]] = []
    with progress_bars() as progress:
        progress("books", 0, len(tasks))
        for ended in spread(tasks, work, workers=count or 1, cluster=cluster):
            outcomes.append(outcome_of(ended))
            progress("books", len(outcomes), len(tasks))
    places = {task.key: place for place, task in enumerate(tasks)}
    outcomes.sort(key=lambda one: places[one["key"]])
    answer(as_json, outcomes, lambda: _text(outcomes))
    if any(one["state"] != "done" for one in outcomes):
        raise SystemExit(1)


def _text(outcomes: list[dict[str, Any]]) -> str:
    from ...views.text.answer import wrapped

    lines = []
    for one in outcomes:
        name = Path(one["folder"]).name
        if one["state"] == "done":
            did = f"{one['read']} of {one['chapters']} chapters read, {one['seconds']:.0f} s"
            lines.append(wrapped(f"{name}: {one['title']}, {one['words']:,} words, {did}"))
        else:
            lines.append(wrapped(f"{name}: not indexed: {one['problem']}"))
    failed = sum(one["state"] != "done" for one in outcomes)
    lines.append(f"{len(outcomes) - failed} of {len(outcomes)} books are indexed")
    return "\n".join(lines)
