"""Commands on what a project keeps: verify, backup, restore, compact, usage."""

from __future__ import annotations

from pathlib import Path

import click

from .options import answer, json_option, open_project, progress_bars

_path = click.Path(path_type=Path)


@click.command()
@click.argument("project", type=_path)
@click.option("--mend", is_flag=True, help="Make anew what can be made anew, and say what was done.")
@json_option
def verify(project: Path, mend: bool, as_json: bool) -> None:
    """Check every part of PROJECT against its checksum. Parts are held against each other too; exit code 1
    where one is broken."""
    if mend:
        from ..project.keeping.mending import mend as mended

        with progress_bars() as progress:
            done = mended(project, progress=progress)
        answer(as_json, done, lambda: done.text)
        found = done.now
    else:
        from ..project.keeping.verifying import verify as verified

        found = verified(project)
        answer(as_json, found, lambda: found.text)
    if not found.is_clean:
        raise SystemExit(1)


@click.command()
@click.argument("project", type=_path)
@click.argument("file", type=_path)
@json_option
def backup(project: Path, file: Path, as_json: bool) -> None:
    """Write all of PROJECT into one FILE. It may be open and being written to."""
    from ..project.keeping.backup import back_up

    done = back_up(project, file)
    answer(as_json, done, lambda: f"{done.text}: {file}")


@click.command()
@click.argument("file", type=_path)
@click.argument("project", type=_path)
@json_option
def restore(file: Path, project: Path, as_json: bool) -> None:
    """Make PROJECT, a new folder, from the backup in FILE. It is verified; exit code 1 where it is broken."""
    from ..project.keeping.backup import restore as restored

    done = restored(file, project)
    answer(as_json, done, lambda: done.text)
    if not done.now.is_clean:
        raise SystemExit(1)


@click.command()
@click.argument("project", type=_path)
@json_option
def compact(project: Path, as_json: bool) -> None:
    """Drop kept work and old indexes that PROJECT does not need. The space is given back."""
    from ..project.keeping.mending import compact as compacted

    done = compacted(project)
    answer(as_json, done, lambda: done.text)


KEEPING = (verify, backup, restore, compact)


@click.command()
@click.argument("project", type=click.Path(path_type=Path))
@click.option(
    "--prices",
    type=click.Path(path_type=Path),
    help="A price list (TOML), in place of generator.prices.",
)
@json_option
def usage(project: Path, prices: Path | None, as_json: bool) -> None:
    """Show what PROJECT's models were asked and what it cost. By day (UTC) and model: calls, tokens,
    dollars."""
    from ..views.text.kept import usage_text

    with open_project(project) as opened:
        report = opened.usage(prices)
    answer(as_json, report, lambda: usage_text(report))
