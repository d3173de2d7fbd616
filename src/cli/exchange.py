"""Commands that bring stories out of a project and into it: bible, export, import."""

from __future__ import annotations

from pathlib import Path

import click

from .options import answer, as_of_option, json_option, open_project, project_argument


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
@click.option("--graph", "name", metavar="NAME", help="An imported graph in place of the story's own.")
@as_of_option()
@json_option
def export(project: Path, format: str, out: Path, name: str | None, as_of: int | None, as_json: bool) -> None:
    """Write PROJECT's story to a file of another format. Who, where, what, when, and the quotes it stands
    on."""
    from ..engine import Project

    with Project.open(project) as opened:
        if name is not None:
            opened.look_at(name)
        report = opened.export(out, format=format, as_of=as_of)
    told = ", ".join(f"{count} {table}" for table, count in report.records if count)
    answer(as_json, report, lambda: f"wrote {len(report.files)} file(s) to {out}: {told or 'nothing'}")


@click.command()
@project_argument
@click.option("--about", metavar="NAME", help="Only the entries of that name.")
@click.option(
    "--out",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Write it: .md, .docx, .json (World Info for SillyTavern), or a new folder (an Obsidian vault).",
)
@as_of_option()
@json_option
def bible(project: Path, about: str | None, out: Path | None, as_of: int | None, as_json: bool) -> None:
    """Show what PROJECT's story has laid down. By person, place and thing, then the world and the plot's
    threads, each line with its quotes; what the author lays down in the codex stands above the text."""
    from ..views.bible import bible_shown, bible_text, write_bible

    with open_project(project) as opened:
        shown = bible_shown(opened.bible(as_of), title=opened.document.title, about=about)
    if out is None:
        answer(as_json, shown, lambda: bible_text(shown))
        return
    files = write_bible(shown, out)
    report = {"files": files, "as_of": as_of, "entries": len(shown.entries)}
    answer(as_json, report, lambda: f"wrote {len(shown.entries)} entries to {out}")


@click.command("import")
@project_argument
@click.argument("path", type=click.Path(path_type=Path))
@click.option(
    "--from", "source", required=True, type=click.Choice(["booknlp", "graphrag"]), help="Who made it."
)
@json_option
def import_graph(project: Path, path: Path, source: str, as_json: bool) -> None:
    """Keep another program's graph of the book in PROJECT. It stands beside the story's own.

    PATH is the output folder of BookNLP or of Microsoft GraphRAG. Quotes are looked for in the book's text,
    also where the other program read another edition; what does not stand there is dropped and counted.
    """
    from ..engine import Project

    with Project.open(project) as opened:
        report = opened.import_graph(path, source=source)
    told = [f"  {done} {count}: {what}" for done, counts in report.items() for what, count in counts.items()]
    answer(as_json, report, lambda: "\n".join((f"fabula graph {project} --graph {source} shows it", *told)))
