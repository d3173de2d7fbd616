"""Commands on what a project keeps: verify, backup, bible, export."""

from __future__ import annotations

from pathlib import Path

import click

from .options import answer, as_of_option, json_option, open_project, progress_bars, project_argument

_path = click.Path(path_type=Path)


@click.command()
@click.argument("project", type=_path)
@click.option("--mend", is_flag=True, help="Repair what can be repaired, and report it.")
@click.option("--compact", is_flag=True, help="Remove old indexes that nothing needs.")
@json_option
def verify(project: Path, mend: bool, compact: bool, as_json: bool) -> None:
    """Check every part of PROJECT against its checksum. Parts are also compared with each other. The exit
    code is 1 if one is broken."""
    if mend and compact:
        raise click.UsageError("--mend and --compact cannot be combined: run one after the other")
    if compact:
        from ..project.keeping.mending import compact as compacted

        freed = compacted(project)
        answer(as_json, freed, lambda: freed.text)
        return
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
@click.option("--restore", is_flag=True, help="Instead, make PROJECT, a new folder, from FILE.")
@json_option
def backup(project: Path, file: Path, restore: bool, as_json: bool) -> None:
    """Back up PROJECT to one FILE. PROJECT may be in use. A restored project is verified; the exit code is 1
    if it is broken."""
    from ..project.keeping import backup as keeping

    if restore:
        made = keeping.restore(file, project)
        answer(as_json, made, lambda: made.text)
        if not made.now.is_clean:
            raise SystemExit(1)
        return
    done = keeping.back_up(project, file)
    answer(as_json, done, lambda: f"{done.text}: {file}")


@click.command()
@project_argument
@click.option(
    "--format",
    type=click.Choice(["json", "graphml", "cytoscape", "csv"]),
    default="json",
    show_default=True,
)
@click.option(
    "--out", required=True, type=click.Path(path_type=Path), help="The file; with csv a folder of tables."
)
@as_of_option()
@json_option
def export(project: Path, format: str, out: Path, as_of: int | None, as_json: bool) -> None:
    """Export PROJECT's story in another format. It has who, where, what and when, with quotes."""
    from ..engine import Project

    with Project.open(project) as opened:
        report = opened.export(out, format=format, as_of=as_of)
    told = ", ".join(f"{count} {table}" for table, count in report.records if count)
    answer(as_json, report, lambda: f"wrote {len(report.files)} file(s) to {out}: {told or 'nothing'}")


@click.command()
@project_argument
@click.option("--about", metavar="NAME", help="Only entries with this name.")
@click.option(
    "--threads",
    is_flag=True,
    help="Only plot threads (promises, plans, threats, secrets, objects, questions) and what became of "
    "them, open ones first. A language model reads them with the chapters.",
)
@click.option(
    "--out",
    metavar="FILE",
    type=_path,
    help="Write .md, .docx, .json (World Info for SillyTavern) or a new folder (Obsidian vault).",
)
@as_of_option()
@json_option
def bible(
    project: Path, about: str | None, threads: bool, out: Path | None, as_of: int | None, as_json: bool
) -> None:
    """Show what PROJECT's story has established. It is ordered by person, place and thing, then the world and
    the plot threads, each line with its quotes. The codex comes first."""
    from ..views.bible import bible_shown, bible_text, write_bible

    if threads:
        _threads(project, as_of, as_json)
        return
    with open_project(project) as opened:
        shown = bible_shown(opened.bible(as_of), title=opened.document.title, about=about)
    if out is None:
        answer(as_json, shown, lambda: bible_text(shown))
        return
    files = write_bible(shown, out)
    report = {"files": files, "as_of": as_of, "entries": len(shown.entries)}
    answer(as_json, report, lambda: f"wrote {len(shown.entries)} entries to {out}")


def _threads(project: Path, as_of: int | None, as_json: bool) -> None:
    from ..views.text.so_far import ledger_shown, ledger_text

    with open_project(project) as opened:
        shown = ledger_shown(opened.threads(as_of), as_of or len(opened.document.chapters))
    answer(as_json, shown, lambda: ledger_text(shown))


KEEPING = (verify, backup, bible, export)
