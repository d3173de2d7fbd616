"""``fabula suggest``: ways in which a story could go on."""

from __future__ import annotations

from pathlib import Path

import click

from ...story.writing.prompts import FORMS, Form
from ..options import answer, as_of_option, open_project

__all__ = ["suggest"]


@click.command()
@click.argument("project", is_eager=True, type=click.Path(path_type=Path))
@click.argument("wish", required=False, default="")
@click.option("-n", "--count", type=click.IntRange(1, 10), default=3, show_default=True, help="How many.")
@click.option(
    "--form",
    type=click.Choice(FORMS),
    default="line",
    show_default=True,
    help="A sentence each, its beats, or the passage itself.",
)
@as_of_option("After chapter N: know no more than its reader (BOOK:N in a series).")
@click.option("--set", "assignments", multiple=True, metavar="SECTION.KEY=VALUE", help="One setting.")
@click.option("--json", "as_json", is_flag=True, help="Answer as JSON.")
def suggest(
    project: Path,
    wish: str,
    count: int,
    form: Form,
    as_of: int | None,
    assignments: tuple[str, ...],
    as_json: bool,
) -> None:
    """Have the language model suggest how PROJECT could go on. It does as you WISH and as the settings
    [wishes] say; each suggestion is held against what the story has told."""
    from ...core.files.plain_json import plain
    from ...views.text.authoring import suggestions_text

    with open_project(project, assignments) as opened:
        found = opened.suggest(wish, count=count, form=form, as_of=as_of)
    answer(as_json, plain(found), lambda: suggestions_text(found))
