"""Commands on what a project keeps: verify, backup, bible, export."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from .answering import Answers, answers, on_project, path
from .options import as_of_option, progress_bars, project_argument

if TYPE_CHECKING:
    from ..engine import Project
    from ..project.keeping.checks import Verified


@click.command()
@click.argument("project", type=path)
@click.option("--mend", is_flag=True, help="Repair what can be repaired, and report it.")
@click.option("--compact", is_flag=True, help="Remove old indexes that nothing needs.")
@answers
def verify(project: Path, mend: bool, compact: bool) -> Answers:
    """Check every part of PROJECT against its checksum. Parts are also compared with each other. The exit
    code is 1 if one is broken."""
    from ..project.keeping import mending, verifying

    if mend and compact:
        raise click.UsageError("--mend and --compact cannot be combined: run one after the other")
    if compact:
        yield mending.compact(project)
    elif mend:
        with progress_bars() as progress:
            done = mending.mend(project, progress=progress)
        yield done
        _end(done.now)
    else:
        found = verifying.verify(project)
        yield found
        _end(found)


def _end(found: Verified) -> None:
    if not found.is_clean:
        raise SystemExit(1)


@click.command()
@click.argument("project", type=path)
@click.argument("file", type=path)
@click.option("--restore", is_flag=True, help="Instead, make PROJECT, a new folder, from FILE.")
@answers
def backup(project: Path, file: Path, restore: bool) -> Answers:
    """Back up PROJECT to one FILE. PROJECT may be in use. A restored project is verified; the exit code is 1
    if it is broken."""
    from ..project.keeping import backup as keeping

    if restore:
        made = keeping.restore(file, project)
        yield made
        _end(made.now)
    else:
        done = keeping.back_up(project, file)
        yield done, f"{done.text}: {file}"


@click.command()
@project_argument
@click.option(
    "--format",
    type=click.Choice(["json", "graphml", "cytoscape", "csv"]),
    default="json",
    show_default=True,
)
@click.option("--out", required=True, type=path, help="The file; with csv a folder of tables.")
@as_of_option()
@answers
def export(project: Path, format: str, out: Path, as_of: int | None) -> Answers:
    """Export PROJECT's story in another format. It has who, where, what and when, with quotes."""
    from ..engine import Project

    with Project.open(project) as opened:
        report = opened.export(out, format=format, as_of=as_of)
    told = ", ".join(f"{count} {table}" for table, count in report.records if count)
    yield report, f"wrote {len(report.files)} file(s) to {out}: {told or 'nothing'}"


@click.command()
@on_project
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
    type=path,
    help="Write .md, .docx, .json (World Info for SillyTavern) or a new folder (Obsidian vault).",
)
@as_of_option()
@answers
def bible(project: Project, about: str | None, threads: bool, out: Path | None, as_of: int | None) -> Answers:
    """Show what PROJECT's story has established. It is ordered by person, place and thing, then the world and
    the plot threads, each line with its quotes. The codex comes first."""
    from ..views.bible import bible_shown, bible_text, write_bible
    from ..views.text.so_far import ledger_shown, ledger_text

    if threads:
        ledger = ledger_shown(project.threads(as_of), as_of or len(project.document.chapters))
        yield ledger, ledger_text(ledger)
        return
    shown = bible_shown(project.bible(as_of), title=project.document.title, about=about)
    if out is None:
        yield shown, bible_text(shown)
        return
    report = {"files": write_bible(shown, out), "as_of": as_of, "entries": len(shown.entries)}
    yield report, f"wrote {len(shown.entries)} entries to {out}"


KEEPING = (verify, backup, bible, export)
