"""``fabula books``: which books a project holds, and how they change."""

from __future__ import annotations

from pathlib import Path

import click

from .options import answer, confirm_model, json_option, open_project, progress_bars

__all__ = ["books"]

_file = click.Path(path_type=Path)


@click.command()
@click.argument("project", type=_file)
@click.option("--add", type=_file, metavar="FILE", help="Put a book in, or a new version of one.")
@click.option("--at", type=click.IntRange(1), metavar="N", help="With --add: as book N; by default the last.")
@click.option("--encoding", help="With --add: the file's encoding, where it is not UTF-8 or UTF-16.")
@click.option("--remove", type=click.IntRange(1), metavar="N", help="Take book N out.")
@click.option(
    "--move", type=click.IntRange(1), nargs=2, metavar="N M", help="Let book N be read as number M."
)
@click.option("--yes", is_flag=True, help="Ask models that cost time or money without asking first.")
@json_option
def books(
    project: Path,
    add: Path | None,
    at: int | None,
    encoding: str | None,
    remove: int | None,
    move: tuple[int, int] | None,
    yes: bool,
    as_json: bool,
) -> None:
    """List or change the books of a series. They are listed with their chapters; options add, replace, move
    or take out one. Only what is new is read and embedded."""
    from ..errors import UsageError
    from ..project.bookshelf import Bookshelf
    from ..views.text.render import table

    if sum(one is not None for one in (add, remove, move)) > 1:
        raise UsageError("one change at a time: give --add, --remove or --move")
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

    def text() -> str:
        cells = [(row["number"], row["title"], f"{row['first']}-{row['last']}") for row in rows]
        return f"{held.title}\n{table(cells, header=('book', 'title', 'chapters'), right=(0,))}"

    answer(as_json, {"title": held.title, "books": rows}, text)
