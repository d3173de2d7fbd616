"""Commands of the critic: check and calibrate."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import UsageError
from .answering import Answers, answers, on_project
from .options import (
    answer,
    as_of_option,
    confirm_model,
    json_option,
    mention_cost,
    model_option,
    open_project,
    progress_bars,
    project_argument,
    refuse_beside,
    set_option,
    without_model,
)

if TYPE_CHECKING:
    from ..engine import Project
    from ..project.checking import CheckAsked

_SEVERITIES = click.Choice(["info", "warning", "error"])
_path = click.Path(path_type=Path)
_out = click.option("--out", type=_path, help="Write the complete answer to this file.")


@click.command()
@project_argument
@click.option("--draft", type=_path, help="Check this text, set after chapter N.")
@click.option("--fail-on", type=_SEVERITIES, help="Exit 1 on a finding of this severity or above.")
@click.option("--rule", "only", multiple=True, metavar="NAME", help="Only this rule (repeatable).")
@click.option("--without-rule", "without", multiple=True, metavar="NAME", help="Not this rule (repeatable).")
@click.option("--suppressions", type=_path, help="Intended findings; by default PROJECT/suppressions.toml.")
@click.option("--show-suppressed", is_flag=True, help="List suppressed findings too, with reasons.")
@click.option(
    "--suppress",
    "meant",
    metavar="FINDING",
    help="Mark this finding, by its number or fingerprint, as intended; needs --reason.",
)
@click.option("--reason", help="With --suppress: why it is intended.")
@click.option(
    "--suspects",
    type=click.IntRange(1, 1000),
    metavar="N",
    help="Instead, list the N pairs of sentences likeliest to contradict each other.",
)
@click.option("--chapters", metavar="A-B", help="With --suspects: only pairs from these chapters.")
@model_option
@click.option("--yes", is_flag=True, help="Do not ask before the language model costs money.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "sarif", "vale", "docx"]),
    help="Text by default; docx: comments in a copy of the Word document, into --out.",
)
@_out
@click.option("--lsp", is_flag=True, help="Serve an editor on stdin and stdout: a language server (LSP).")
@set_option
@as_of_option()
@json_option
def check(
    project: Path,
    lsp: bool,
    fail_on: str | None,
    show_suppressed: bool,
    meant: str | None,
    reason: str | None,
    suspects: int | None,
    chapters: str | None,
    form: str | None,
    out: Path | None,
    model: bool | None,
    yes: bool,
    assignments: tuple[str, ...],
    as_json: bool,
    **chosen: Any,
) -> None:
    """Find contradictions in PROJECT, or in a draft against it. Both sides are quoted."""
    from ..project.checking import CheckAsked, checked, in_word, suppress, with_suspects
    from ..views.text.check import check_as, fails

    if as_json and form not in (None, "json"):
        raise click.UsageError(f"--json and --format {form} exclude each other: use one")
    if (meant is None) != (reason is None):
        raise click.UsageError("--suppress FINDING and --reason TEXT go together")
    if form == "docx" and out is None:
        raise click.UsageError("--format docx needs --out FILE.docx: where to write the copy with comments")
    if chapters is not None and suspects is None:
        raise click.UsageError("--chapters narrows --suspects: give both")
    if lsp:
        refuse_beside("--lsp", "only", "without", "suppressions", "model", "as_of", "assignments")
        _serve_editor(project, assignments, CheckAsked(model=bool(model), **chosen))
        return
    if suspects is not None:
        plain = ("form",) * (form in ("text", "json")) + ("model",) * (model is False)
        refuse_beside("--suspects", "draft", "chapters", "as_of", "as_json", "assignments", *plain)
    with open_project(project, without_model(assignments, model)) as opened:
        if suspects is not None:
            _list_suspects(
                opened, chosen["draft"], chapters, suspects, chosen["as_of"], as_json or form == "json"
            )
            return
        asked = CheckAsked(model=opened.config.model_reads if model is None else model, **chosen)
        done = checked(opened, asked, confirm=lambda plan: mention_cost(plan, yes=yes))
        if meant is not None and reason is not None:
            path = suppress(done, meant, reason=reason, project=opened)
            click.echo(f"suppressed in {path}: {meant}")
            return
        if form == "docx" and out is not None:
            _give_word(in_word(opened, asked, done), out)
        if form in (None, "text", "json") and not (done.model or asked.only or asked.without):
            with progress_bars(asks=False) as progress:
                done = with_suspects(opened, done, as_of=asked.as_of, on_done=partial(progress, "compare"))
    if form != "docx":
        _give(check_as(done, "json" if as_json else form or "text", show_suppressed=show_suppressed), out)
    if fail_on and fails(done.report.violations, fail_on):
        raise SystemExit(1)


def _serve_editor(project: Path, assignments: tuple[str, ...], asked: CheckAsked) -> None:
    try:
        from ..integrations.language_server import run
    except ModuleNotFoundError as error:
        if error.name not in ("pygls", "lsprotocol"):
            raise
        raise UsageError("the package pygls is missing: pip install 'fabula[lsp]'") from None
    run(lambda use: open_project(project, without_model(assignments, use)), project, asked)


def _list_suspects(
    project: Project, draft: Path | None, chapters: str | None, limit: int, as_of: int | None, as_json: bool
) -> None:
    from ..core.documents import read_document
    from ..project.checking import suspects
    from ..project.searching import chapter_range
    from ..views.text.places import suspects_shown, suspects_text

    with progress_bars(asks=False) as progress:
        found = suspects(
            project,
            as_of=as_of,
            draft=read_document(draft).text if draft else None,
            chapters=chapter_range(chapters) if chapters else None,
            limit=limit,
            on_done=partial(progress, "compare"),
        )
    shown = suspects_shown(found, as_of)
    answer(as_json, shown, lambda: suspects_text(shown))


@click.command()
@on_project
@click.option("--copies", type=click.IntRange(1, 50), default=4, show_default=True, help="How many copies.")
@click.option(
    "--words",
    type=click.IntRange(1000, 10_000_000),
    default=20_000,
    show_default=True,
    help="About how many words, from the first chapters.",
)
@click.option("--model", is_flag=True, help="Also measure the critic with the language model.")
@click.option("--seed", type=int, default=0, show_default=True, help="Another seed gives other mistakes.")
@set_option
@click.option("--yes", is_flag=True, help="Use the language model without confirmation.")
@answers
def calibrate(project: Project, yes: bool, **chosen: Any) -> Answers:
    """Measure how much the critic finds in PROJECT's own prose. Mistakes (stated openly, in other words, or
    only implied) and sound passages are planted in copies of its first chapters, and the copies are checked.
    The project keeps the result, and later checks report it."""
    from ..project.checking import calibrate
    from ..views.text.check import power_data, power_text

    with progress_bars() as progress:
        powers = calibrate(
            project,
            confirm=lambda plan: confirm_model(plan, yes=yes),
            on_copy=lambda done, total: progress("check copies", done, total),
            **chosen,
        )
    yield power_data(powers), power_text(powers)


def _give(text: str, out: Path | None) -> None:
    if out is None:
        from ..views.text.render import harmless_json

        click.echo(harmless_json(text))  # text for people is harmless already
        return
    from ..core.files.atomic import replace_file

    replace_file(out, text + "\n")
    click.echo(f"written: {out}", err=True)


def _give_word(copy: tuple[bytes, int], out: Path) -> None:
    from ..core.files.atomic import replace_file

    data, comments = copy
    replace_file(out, data)
    click.echo(f"written: {out}, with {comments} comment{'' if comments == 1 else 's'}", err=True)
