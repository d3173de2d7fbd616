"""How far a reader has read, as commands take it: a chapter, or a book of a series and its chapter."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import click

__all__ = ["as_of_option"]

_PLACE = re.compile(r"([0-9]{1,6})(?::([0-9]{1,6}))?\Z")


def _told(ctx: click.Context, param: click.Parameter, value: str | None) -> int | None:
    """``N``, or ``BOOK:CHAPTER``, which the project's own books make a chapter of the series."""
    found = _PLACE.match(value or "")
    if value is None:
        return None
    if found is None:
        raise click.BadParameter(
            f"{value!r} is no chapter: give N, or BOOK:N in a series, e.g. 2:5", ctx, param
        )
    if found[2] is None:
        return int(found[1])
    return _chapter(int(found[1]), int(found[2]), ctx.params["project"])


def _chapter(book: int, chapter: int, folder: Path) -> int:
    from ...project.storage.opening import open_store

    with open_store(folder) as store:
        return store.snapshot().document.chapter_of(book, chapter)


def as_of_option(
    help: str = "Know no more than a reader of chapters 1 to N (BOOK:N in a series).",
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """The option ``--as-of``; of the command, the project's argument has to be eager, so that its books are
    known by then."""
    return click.option("--as-of", callback=_told, metavar="N", help=help)
