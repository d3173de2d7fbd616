"""``fabula accept``, a draft as the next chapter, and ``fabula suggest``, ways to go on."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..story.writing.prompts import FORMS
from .options import (
    answer,
    as_of_option,
    confirm_model,
    json_option,
    open_project,
    progress_bars,
    project_argument,
    set_option,
)

if TYPE_CHECKING:
    from ..project.accepting import Accepted
    from ..story.model.findings import Violation


@click.command()
@click.argument("project", type=click.Path(path_type=Path))
@click.argument("draft", required=False, type=click.Path(path_type=Path))
@click.option("--title", default="", help="The chapter's title; by default that of the draft's heading.")
@click.option("--after", type=click.IntRange(1), metavar="N", help="Refuse unless chapter N is the last one.")
@click.option("--take-back", is_flag=True, help="Take the chapter accepted last out of the book again.")
@click.option("--yes", is_flag=True, help="Ask a language model without asking first.")
@json_option
def accept(
    project: Path,
    draft: Path | None,
    title: str,
    after: int | None,
    take_back: bool,
    yes: bool,
    as_json: bool,
) -> None:
    """Make a draft the next chapter of PROJECT's book. DRAFT is a file, or - for stdin; it comes into the
    book's text, its index and its story graph. Only that chapter is read; what the critic finds in it is
    said. PROJECT keeps the book in its folder book/."""
    from ..core.documents import read_document
    from ..core.files.plain_json import plain
    from ..project.accepting import Desk

    if (draft is None) != take_back:
        raise click.UsageError("name a DRAFT to accept, or --take-back alone")
    with progress_bars() as progress:
        desk = Desk(project, progress=progress, confirm=lambda plan: confirm_model(plan, yes=yes))
        text = read_document(draft).text if draft is not None else ""
        found = _counted(project, text) if draft is not None else ()
        done = desk.take_back() if take_back else desk.accept(text, title=title, after=after)
    facts: dict[str, Any] = {**plain(done), "findings": [one.message for one in found]}
    answer(as_json, facts, lambda: _text(done, found, taken_back=take_back))


def _counted(project: Path, draft: str) -> tuple[Violation, ...]:
    """What counts of what the critic finds in the draft, set after the book."""
    with open_project(project) as opened:
        return opened.check(draft=draft).counted if draft.strip() else ()


def _text(done: Accepted, found: Sequence[Violation], *, taken_back: bool) -> str:
    from ..views.text.render import wrapped

    seconds = sum(done.report.seconds.values())
    said = "taken back" if taken_back else "accepted"
    worked = f"{_chapters(done.report.embedded)} embedded, {done.report.read} read"
    if taken_back and not (done.report.embedded or done.report.read):
        worked = "index and story graph are without it"
    lines = [wrapped(f"to look at: {one.message}", indent="  ") for one in found]
    return (
        f"{said}: {done.title} (chapter {done.number}, {done.words:,} words)\n"
        f"{worked}, {seconds:.1f} s\n"
        f"the book of {_chapters(done.report.chapters)} is in {done.file}"
    ) + "".join(f"\n{line}" for line in lines)


def _chapters(count: int) -> str:
    return f"{count} chapter{'' if count == 1 else 's'}"


@click.command()
@project_argument
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
@set_option
@json_option
def suggest(project: Path, wish: str, assignments: tuple[str, ...], as_json: bool, **chosen: Any) -> None:
    """Have the language model suggest how PROJECT could go on. It does as you WISH and as the settings
    [wishes] say; each suggestion is held against what the story has told."""
    from ..views.text.memories import suggestions_text

    with open_project(project, assignments) as opened:
        found = opened.suggest(wish, **chosen)
    answer(as_json, found, lambda: suggestions_text(found))
