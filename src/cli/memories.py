"""The command memories: chapters, characters and codex asked side by side."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .options import (
    answer,
    as_of_option,
    filters,
    json_option,
    open_project,
    project_argument,
    set_option,
    wanted,
)

if TYPE_CHECKING:
    from ..story.memories.memory import Collection

__all__ = ["memories"]


@click.command()
@project_argument
@click.argument("query")
@click.option(
    "--in",
    "collections",
    type=click.Choice(["chapters", "characters", "codex", "pictures"]),
    multiple=True,
    help="Only this memory (repeatable).",
)
@click.option("--limit", type=click.IntRange(1, 1000), help="Of each, in place of the settings in [recall].")
@filters
@as_of_option()
@set_option
@json_option
def memories(
    project: Path,
    query: str,
    collections: tuple[Collection, ...],
    limit: int | None,
    as_of: int | None,
    assignments: tuple[str, ...],
    as_json: bool,
    **chosen: Any,
) -> None:
    """Ask the memories of PROJECT for QUERY. They hold passages of the chapters, profiles of the characters
    as they stand after chapter N, what the codex lays down, and captions of pictures."""
    from ..story.memories.memory import COLLECTIONS
    from ..views.text.memories import recollection_facts, recollection_text

    with open_project(project, assignments) as opened:
        found = opened.recall(
            query, as_of=as_of, collections=collections or COLLECTIONS, limit=limit, wanted=wanted(**chosen)
        )
    answer(as_json, recollection_facts(found), lambda: recollection_text(found))
