"""Commands on what a project keeps: verify, backup, bible, export, pictures."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .answering import Answers, answers, on_project, path
from .options import as_of_option, progress_bars, project_argument, refuse_beside, set_option

if TYPE_CHECKING:
    from ..engine import Project
    from ..project.keeping.checks import Verified
    from ..views.bible_files.formats import Format


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
    """Export PROJECT's story graph, with the quotes."""
    from ..engine import Project
    from ..views.text.render import counted

    with Project.open(project) as opened:
        report = opened.export(out, format=format, as_of=as_of)
    told = ", ".join(f"{count} {table}" for table, count in report.records if count)
    yield report, f"wrote {counted(len(report.files), 'file')} to {out}: {told or 'nothing'}"


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
    metavar="PATH",
    type=path,
    help="Write .md, .docx, .json (World Info for SillyTavern) or a new folder (Obsidian vault).",
)
@click.option(
    "--format",
    type=click.Choice(["markdown", "docx", "vault", "wiki", "world-info", "character-card"]),
    help="What --out is; by default its ending says so. A wiki has a page for each chapter, without "
    "spoilers. A character card is of one person (--about).",
)
@as_of_option()
@answers
def bible(project: Project, threads: bool, out: Path | None, format: Format | None, **which: Any) -> Answers:
    """Show what PROJECT's story has established. It is ordered by person, place and thing, then the world and
    the plot threads, each line with its quotes. The codex comes first."""
    from ..views.bible import bible_at, bible_text
    from ..views.bible_files.formats import Wanted, format_of
    from ..views.text.render import counted
    from ..views.text.so_far import ledger_shown, ledger_text

    if threads:
        refuse_beside("--threads", "as_of", "as_json")
        as_of = which["as_of"]
        ledger = ledger_shown(project.threads(as_of), as_of or len(project.document.chapters))
        yield ledger, ledger_text(ledger)
    elif out is not None:
        project.horizon(which["as_of"])
        with progress_bars() as progress:
            wanted = Wanted(format or format_of(out), **which, progress=partial(progress, "chapters"))
            files = wanted.write(partial(bible_at, project), out)
        yield {"files": files, "format": wanted.format}, f"wrote {counted(len(files), 'file')} to {out}"
    elif format is not None:
        raise click.UsageError("--format says what is written: add --out FILE")
    else:
        shown = bible_at(project, **which)
        yield shown, bible_text(shown)


@click.command()
@on_project
@click.option("--add", type=path, metavar="FILE", help="Add this picture, or change its caption and names.")
@click.option("--of", multiple=True, metavar="NAME", help="With --add: who or what it shows (repeatable).")
@click.option("--caption", default="", help="With --add: the caption, searched by memories.")
@click.option(
    "--from-chapter",
    type=click.IntRange(0),
    default=0,
    metavar="N",
    help="With --add: visible from this chapter on; by default once the reader knows everybody in it.",
)
@click.option("--remove", metavar="ID", help="Remove this picture.")
@click.option("--save", type=path, metavar="FOLDER", help="Copy the listed pictures into this folder.")
@set_option
@as_of_option()
@answers
def pictures(
    project: Project,
    add: Path | None,
    remove: str | None,
    save: Path | None,
    as_of: int | None,
    **said: Any,
) -> Answers:
    """List the portraits and maps of PROJECT, or change them. It lists those that a reader at chapter N may
    see; options add or remove one."""
    from ..core.files.atomic import replace_file
    from ..core.formats.converting import image_file
    from ..errors import UsageError
    from ..project.pictures import add_picture, picture_data, pictures_at, remove_picture
    from ..views.text.memories import picture_shown, pictures_text

    if add is not None and remove is not None:
        raise UsageError("give only one of --add or --remove")
    if add is None and any(said.values()):
        raise UsageError("--of, --caption and --from-chapter describe the picture of --add: give it too")
    if add is not None:
        add_picture(project, image_file(add), add.name, **said)
    if remove is not None:
        remove_picture(project.folder, remove)
    shown = pictures_at(project, as_of)
    if save is not None:
        for one in shown:
            replace_file(save / one.picture.file, picture_data(project, one.picture.id, as_of)[1])
    yield [picture_shown(one) for one in shown], pictures_text(shown)


KEEPING = (verify, backup, bible, export, pictures)
