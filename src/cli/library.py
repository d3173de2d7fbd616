"""Commands for many books: a folder of them, each a project of its own, and those of a series."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

from .answering import Answers, answers, path
from .options import confirm_model, open_project, progress_bars, set_option

_MOST = 64


@click.group()
def library() -> None:
    """Index many books at once, or change the books of a series."""


@library.command("index")
@click.argument("books", type=path, metavar="FOLDER")
@click.option("-o", "--output", required=True, type=path, help="The library: a folder of projects.")
@click.option(
    "--workers",
    type=click.IntRange(1, _MOST),
    help="Processes on this machine; by default one per core, at most four.",
)
@click.option("--cluster", metavar="ADDRESS", help="A Dask scheduler whose workers index instead.")
@set_option
@click.option("--yes", is_flag=True, help="Allow models that cost money.")
@answers
def index(
    books: Path,
    output: Path,
    workers: int | None,
    cluster: str | None,
    **chosen: Any,
) -> Answers:
    """Index every book in FOLDER, each into its own project. Subfolders are included. When you run it again,
    only changes are processed; an interrupted run continues where it stopped."""
    from ..cluster.books import books_in, outcome_of, tasks_of, work
    from ..cluster.pools import spread

    if cluster and workers:
        raise click.UsageError("--workers are processes on this machine: leave them out with --cluster")
    count = None if cluster else workers or min(4, os.cpu_count() or 1)
    tasks = tasks_of(books_in(books), output, workers=count, **chosen)
    outcomes: list[dict[str, Any]] = []
    with progress_bars() as progress:
        progress("books", 0, len(tasks))
        for ended in spread(tasks, work, workers=count or 1, cluster=cluster):
            outcomes.append(outcome_of(ended))
            progress("books", len(outcomes), len(tasks))
    places = {task.folder: place for place, task in enumerate(tasks)}
    outcomes.sort(key=lambda one: places[one["folder"]])
    yield outcomes, _text(outcomes)
    if any(one["state"] != "done" for one in outcomes):
        raise SystemExit(1)


def _text(outcomes: list[dict[str, Any]]) -> str:
    from ..views.text.render import wrapped

    lines = []
    for one in outcomes:
        name = Path(one["folder"]).name
        did = f"{one['read']} of {one['chapters']} chapters read, {one['seconds']:.0f} s"
        said = f"{one['title']}, {one['words']:,} words, {did}"
        lines.append(
            wrapped(f"{name}: {said if one['state'] == 'done' else 'not indexed: ' + one['problem']}")
        )
    done = sum(one["state"] == "done" for one in outcomes)
    lines.append(f"{done} of {len(outcomes)} books indexed")
    return "\n".join(lines)


@library.command()
@click.argument("project", type=path)
@click.option("--add", type=path, metavar="FILE", help="Add a book, or a new version of one.")
@click.option("--at", type=click.IntRange(1), metavar="N", help="With --add: its position; else last.")
@click.option("--encoding", help="With --add: the file's encoding, if not UTF-8 or UTF-16.")
@click.option("--remove", type=click.IntRange(1), metavar="N", help="Remove book N.")
@click.option("--move", type=click.IntRange(1), nargs=2, metavar="N M", help="Move book N to position M.")
@click.option("--yes", is_flag=True, help="Use models that cost time or money without confirmation.")
@answers
def books(
    project: Path,
    add: Path | None,
    at: int | None,
    encoding: str | None,
    remove: int | None,
    move: tuple[int, int] | None,
    yes: bool,
) -> Answers:
    """List or change the books of a series. They are listed with their chapters; options add, replace, move
    or remove one. Only new text is read and embedded."""
    from ..errors import UsageError
    from ..project.creating import Bookshelf
    from ..views.text.render import table

    if sum(one is not None for one in (add, remove, move)) > 1:
        raise UsageError("give only one of --add, --remove or --move")
    if at is not None and add is None:
        raise UsageError("--at says where --add puts a book: give both")
    with progress_bars() as progress:
        shelf = Bookshelf(project, progress=progress, confirm=lambda plan: confirm_model(plan, yes=yes))
        if add is not None:
            shelf.add(add, at=at, encoding=encoding)
        elif remove is not None:
            shelf.remove(remove)
        elif move is not None:
            shelf.move(*move)
    with open_project(project) as opened:
        held = opened.document
    rows = [
        {"number": number, "id": one.id, "title": one.title, "first": one.first, "last": one.last}
        for number, one in enumerate(held.books, 1)
    ] or [{"number": 1, "id": held.id, "title": held.title, "first": 1, "last": len(held.chapters)}]
    cells = [(row["number"], row["title"], f"{row['first']}-{row['last']}") for row in rows]
    text = table(cells, header=("book", "title", "chapters"), right=(0,))
    yield {"title": held.title, "books": rows}, f"{held.title}\n{text}"
