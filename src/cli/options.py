"""What commands share: how they answer, the options that say what a passage must be, and progress bars."""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

if TYPE_CHECKING:
    from ..core.runtime.model_requests import ModelPlan
    from ..engine import Project
    from ..project.indexing import Progress
    from ..story.passages.filter import SearchFilter

json_option = click.option("--json", "as_json", is_flag=True, help="Answer as JSON.")
set_option = click.option(
    "--set",
    "assignments",
    multiple=True,
    metavar="SECTION.KEY=VALUE",
    help="One setting, e.g. retrieval.k=8.",
)
model_option = click.option(
    "--model/--no-model",
    default=None,
    help="Use the language model or not; by default it is used if one is connected.",
)
project_argument = click.argument("project", is_eager=True, type=click.Path(path_type=Path))
"""The project whose chapters ``--as-of`` counts: it is read first."""
_CENTS = 0.05  # dollars that are spent without asking
_PATIENCE_S, _WAITING = 2, "working …"
_PLACE = re.compile(r"([0-9]{1,6})(?::([0-9]{1,6}))?\Z")


def refuse_beside(option: str, *fitting: str) -> None:
    """Raises UsageError where, beside an option that changes what a command does, others were given than the
    parameters that fit it: they would have no effect."""
    from ..errors import UsageError

    context = click.get_current_context()
    for one in context.command.params:
        given = context.get_parameter_source(one.name or "") is ParameterSource.COMMANDLINE
        if given and option not in one.opts and one.name not in ("project", *fitting):
            wrong = one.human_readable_name if isinstance(one, click.Argument) else one.opts[0]
            raise UsageError(f"{option} does not go with {wrong}: leave one out")


def filters(command: Callable[..., None]) -> Callable[..., None]:
    """The options that say what a passage must be."""
    for option in (
        click.option("--min-importance", type=click.IntRange(1, 10), default=1, help="1 to 10."),
        click.option("--tone", "tones", multiple=True, help="tense, sad, happy, angry, ... (repeatable)"),
        click.option(
            "--scene", "scene_types", multiple=True, help="dialogue, action, description, ... (repeatable)"
        ),
        click.option("--character", "characters", multiple=True, help="Who must be present (repeatable)."),
        click.option("--known-to", default="", metavar="NAME", help="Only what NAME could witness."),
        click.option(
            "--without",
            "without_chapters",
            type=int,
            multiple=True,
            metavar="N",
            help="Not this chapter (repeatable).",
        ),
        click.option("--chapters", metavar="A-B", help="Only these chapters, e.g. 3-9 or 4-."),
        click.option(
            "--book",
            "books",
            type=int,
            multiple=True,
            metavar="N",
            help="Only this book of a series (repeatable).",
        ),
    ):
        command = option(command)
    return command


def wanted(*, chapters: str | None, min_importance: int, **others: Any) -> SearchFilter | None:
    """The values of ``filters``' options as one filter; None where none was given."""
    if chapters is None and min_importance == 1 and not any(others.values()):
        return None
    from ..project.searching import chapter_range
    from ..story.passages.filter import SearchFilter

    told = chapter_range(chapters) if chapters is not None else None
    return SearchFilter(chapters=told, min_importance=min_importance, **others)


def open_project(
    folder: Path,
    assignments: tuple[str, ...] = (),
    settings: tuple[Path, ...] = (),
) -> Project:
    """The project in a folder. Close it when done."""
    from ..engine import Project

    project = Project.open(folder, settings=settings, assignments=assignments)
    show_notices(project.notices)
    return project


def show_notices(notices: Sequence[str]) -> None:
    """What a project's folder asks for that nobody confirmed, on stderr."""
    from ..views.text.render import harmless

    for notice in notices:
        click.echo(f"fabula: {harmless(notice)}", err=True)


def confirm_model(plan: ModelPlan, *, yes: bool) -> None:
    """Says on stderr what a language model is to be asked, and goes on only if that is confirmed."""
    from ..errors import UsageError
    from ..views.text.render import harmless, plan_text

    click.echo(f"fabula: {harmless(plan_text(plan))}", err=True)
    if yes:
        return
    if not sys.stdin.isatty():
        raise UsageError("there is no terminal to confirm this: add --yes")
    click.confirm("Go on?", abort=True, err=True)


def mention_cost(plan: ModelPlan, *, yes: bool) -> None:
    """Says on stderr what a language model is to be asked; wants a yes where that costs more than a few
    cents."""
    if plan.requests and plan.cost is not None and plan.cost > _CENTS:
        confirm_model(plan, yes=yes)
    elif plan.requests:
        confirm_model(plan, yes=True)


def without_model(assignments: tuple[str, ...], model: bool | None) -> tuple[str, ...]:
    """The settings, and those that leave the language model out where that is asked for."""
    off = ("parsing.model_extractor=off", "answering.model=off")
    return (*assignments, *off) if model is False else assignments


@contextmanager
def progress_bars(*, asks: bool = True) -> Iterator[Progress]:
    """One bar a stage on the terminal, for work that takes longer than two seconds; where that ``asks`` the
    user nothing, a word before the first."""
    from tqdm import tqdm

    bars: dict[str, Any] = {}
    is_shown, (columns, rows) = sys.stderr.isatty(), shutil.get_terminal_size()
    waiting = Timer(_PATIENCE_S, partial(click.echo, _WAITING, nl=False, err=True))

    def close() -> None:
        waiting.cancel()
        if is_shown and not (asks or bars):
            click.echo(f"\r{' ' * len(_WAITING)}\r", nl=False, err=True)
        for bar in bars.values():
            bar.close()
        bars.clear()  # a stage that waited for memory goes on in a bar of its own

    def show(stage: str, done: int, total: int) -> None:
        if stage not in bars:
            close()
            sized = {"ncols": columns, "nrows": rows, "file": sys.stderr, "disable": not is_shown}
            bars[stage] = tqdm(total=total, desc=stage, delay=_PATIENCE_S, leave=False, **sized)
        bars[stage].update(done - bars[stage].n)

    if is_shown and not asks:
        waiting.daemon = True
        waiting.start()
    try:
        yield show
    finally:
        close()


def answer(as_json: bool, value: object, text: Callable[[], str]) -> None:
    """The command's answer on stdout: ``value`` as JSON, or the text. Nothing in it acts on the terminal."""
    from ..views.text.render import harmless, harmless_json

    if as_json:
        from ..core.files.plain_json import plain

        escaped = (sys.stdout.encoding or "").lower() not in ("utf-8", "utf8")
        click.echo(harmless_json(json.dumps(plain(value), indent=2, ensure_ascii=escaped)))
    else:
        click.echo(harmless(text()))


def read_chapter(ctx: click.Context, param: click.Parameter, value: str | None) -> int | None:
    """``N``, or ``BOOK:CHAPTER``, which the project's own books make a chapter of the series."""
    found = _PLACE.match(value or "")
    if value is None:
        return None
    if found is None:
        raise click.BadParameter(
            f"{value!r} is not a chapter: give N, or BOOK:N in a series, e.g. 2:5", ctx, param
        )
    if found[2] is None:
        return int(found[1])
    return _chapter(int(found[1]), int(found[2]), ctx.params["project"])


def _chapter(book: int, chapter: int, folder: Path) -> int:
    from ..project.storage.opening import open_store

    with open_store(folder) as store:
        return store.snapshot().document.chapter_of(book, chapter)


def as_of_option(
    help: str = "Know no more than a reader of chapters 1 to N (BOOK:N in a series).",
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """The option ``--as-of``; of the command, the project's argument has to be eager, so that its books are
    known by then."""
    return click.option("--as-of", callback=read_chapter, metavar="N", help=help)
