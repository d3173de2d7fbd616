"""The command line. Answers go to stdout, progress and logs to stderr; bad input exits with 2."""

from __future__ import annotations

import io
import logging
import os
import sys
from contextlib import suppress
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NoReturn

import click

from .. import __version__
from ..core.runtime.memory_limits import lacks_memory
from ..core.text.encodings import require_text
from ..errors import FabulaError, UsageError
from .ask import ask, recap
from .authoring import accept, codex, correct, suggest, trust
from .bench import bench
from .continuity import calibrate, check
from .keeping import KEEPING
from .library import library
from .model import model
from .options import answer as _answer
from .options import (
    as_of_option,
    confirm_model,
    json_option,
    progress_bars,
    project_argument,
    set_option,
    show_notices,
)
from .options import open_project as _open
from .packs import packs
from .pictures import pictures
from .searching import memories, search
from .serve import app, mcp, serve

_NO_MEMORY = (
    "the system is out of memory: close other programs, or raise the limit (ulimit -v), and run "
    "it again; an index continues where it stopped"
)
_GONE = {
    "books": "use fabula library books PROJECT",
    "compact": "use fabula verify PROJECT --compact",
    "conversations": "use fabula ask PROJECT --conversations",
    "import": "graphs of other programs are no longer read; write what is to hold in a codex",
    "impact": "use fabula search PROJECT WORDS --impact",
    "ledger": "use fabula bible PROJECT --threads",
    "page": "use fabula search PROJECT WORDS --page FILE.png",
    "rate": "use fabula search PROJECT QUERY --rate N SCORE",
    "restore": "use fabula backup PROJECT FILE --restore",
    "scenes": "use fabula graph PROJECT --scenes A-B",
    "suspects": "use fabula check PROJECT --suspects N",
    "usage": "use fabula model usage PROJECT",
}
_as_of = as_of_option()
_settings = click.option(
    "--config", "settings", type=click.Path(path_type=Path), multiple=True, help="A TOML file with settings."
)


class _Commands(click.Group):
    """Says what to use in place of a command that is gone, and which names are near a wrong one."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in self.commands and not name.startswith("-"):
            near = get_close_matches(name, self.commands, n=2)
            said = f"did you mean {' or '.join(near)}?" if near else "fabula --help lists them"
            raise UsageError(f"there is no command {name!r}: {_GONE.get(name, said)}")
        return super().resolve_command(ctx, args)


@click.group(
    cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(__version__, prog_name="fabula")
@click.option("-v", "--verbose", is_flag=True, help="Say more on stderr.")
def cli(verbose: bool) -> None:
    """Reads a story as a continuity editor does: search it, question it, check it, continue it."""
    level = logging.INFO if verbose else logging.WARNING
    logging.basicConfig(stream=sys.stderr, level=level, format="%(levelname)s %(name)s: %(message)s")
    if not verbose:
        for noisy in ("sentence_transformers", "transformers", "httpx"):
            logging.getLogger(noisy).setLevel(logging.ERROR)


@cli.command()
@click.argument("books", metavar="BOOK...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), help="The project's folder.")
@click.option("--title", help="The book's title; by default its own, or the file's name.")
@click.option("--encoding", help="The file's encoding, if not UTF-8 or UTF-16.")
@click.option("--codex", type=click.Path(path_type=Path), help="The author's facts and rules (YAML).")
@click.option("--chunking", type=click.Choice(["story", "report", "tokens"]), help="How passages are cut.")
@click.option("--rebuild", is_flag=True, help="Ignore what is there and make everything again.")
@click.option("--yes", is_flag=True, help="Use models that cost time or money without confirmation.")
@click.option("--force", is_flag=True, help="Use the model even if it failed fabula model test.")
@_settings
@set_option
@json_option
def index(
    books: tuple[Path, ...],
    output: Path,
    chunking: str | None,
    yes: bool,
    force: bool,
    settings: tuple[Path, ...],
    assignments: tuple[str, ...],
    as_json: bool,
    **chosen: Any,
) -> None:
    """Index BOOK into a project. BOOK is a .txt, .md, .epub, .docx, .html, .pdf or .fountain file, a
    Scrivener project, a folder of Markdown files (also as .zip), or - for stdin. Several books form a series,
    in their order. When you run it again, only changes are processed."""
    from ..core.runtime.memory_monitor import GIB
    from ..engine import config_of, index_book, make_monitor
    from ..project.connecting import keep_generator
    from ..views.text.render import index_text

    named = (f"chunking.preset={chunking}",) if chunking else ()
    assignments = (*named, *assignments)
    config, own = config_of(output, above=settings, assignments=assignments)
    show_notices(own.notices)
    with progress_bars() as progress, make_monitor(config) as monitor:
        report = index_book(
            books[0] if len(books) == 1 else books,
            output,
            config=config,
            monitor=monitor,
            progress=progress,
            confirm=lambda plan: confirm_model(plan, yes=yes),
            force=force,
            **chosen,
        )
    keep_generator(output, settings, assignments)
    text = f"{index_text(report, folder=str(output))}\npeak memory: {monitor.report.peak / GIB:.2f} GB"
    _answer(as_json, report, lambda: text)


@cli.command()
@project_argument
@click.option("--entity", help="Only this character, place or thing.")
@click.option("--kind", type=click.Choice(["character", "location", "event", "object", "group"]))
@click.option("--scenes", metavar="A-B", help="Who is present, where and when, in these chapters (3-9, 4-).")
@click.option(
    "--min-confidence",
    "sure",
    type=click.FloatRange(0, 1),
    help="Only relations at least this sure.",
)
@click.option(
    "--limit", type=click.IntRange(1), default=30, show_default=True, help="At most this many rows."
)
@_as_of
@json_option
def graph(
    project: Path,
    entity: str | None,
    kind: str | None,
    scenes: str | None,
    as_json: bool,
    **chosen: Any,
) -> None:
    """Show the people, places and things of PROJECT, with quotes. Their relations are shown too."""
    from .answers import entity_facts, staged, world

    with _open(project) as opened:
        if scenes is not None:
            answer = staged(opened, scenes, as_of=chosen["as_of"])
        elif entity:
            answer = entity_facts(opened, entity, **chosen)
        else:
            answer = world(opened, kind=kind, **chosen)
    _answer(as_json, answer.data, lambda: answer.text)


@cli.command()
@project_argument
@click.argument("names", nargs=-1)
@_as_of
@json_option
def arcs(project: Path, names: tuple[str, ...], as_of: int | None, as_json: bool) -> None:
    """Show how characters fare from chapter to chapter. Shows the five most present characters, or NAMES. For
    a single NAME it adds turning points and shape."""
    from .answers import arc_of, arcs_of

    with _open(project) as opened:
        if len(names) == 1:
            answer = arc_of(opened, names[0], as_of=as_of)
        else:
            answer = arcs_of(opened, names, as_of=as_of)
    _answer(as_json, answer.data, lambda: answer.text)


@cli.command()
@project_argument
@click.option(
    "--between", nargs=2, metavar="A B", help="Paths from one to the other, with and without regard to time."
)
@click.option("--limit", type=click.IntRange(1), default=8, show_default=True, help="Maximum number of each.")
@_as_of
@json_option
def discover(project: Path, between: tuple[str, str] | None, as_json: bool, **chosen: Any) -> None:
    """Show what follows indirectly from PROJECT's story, with quotes. These are conflict triangles, implied
    enemies and hidden ties."""
    from .answers import discoveries, ways_between

    with _open(project) as opened:
        answer = ways_between(opened, *between, **chosen) if between else discoveries(opened, **chosen)
    _answer(as_json, answer.data, lambda: answer.text)


@cli.command()
@project_argument
@click.argument("prompt")
@click.option("--chapter", type=int, metavar="N", help="The scene is set right after chapter N.")
@click.option("--drafts", type=click.Path(path_type=Path), help="Score the texts in this folder instead.")
@click.option("--html", type=click.Path(path_type=Path), help="Write the report as one HTML page.")
@click.option("--out", type=click.Path(path_type=Path), help="Write the report as JSON.")
@_settings
@set_option
@json_option
def compare(
    project: Path,
    settings: tuple[Path, ...],
    assignments: tuple[str, ...],
    as_json: bool,
    **chosen: Any,
) -> None:
    """Write PROMPT with three pipelines, and compare the drafts. The pipelines are standard, graph and fused.
    You can also score existing drafts written for the prompt."""
    from .answers import run_comparison

    with _open(project, assignments, settings) as opened, progress_bars() as progress:
        answer = run_comparison(opened, progress=progress, **chosen)
    _answer(as_json, answer.data, lambda: answer.text)


@cli.command()
@click.option("-o", "--output", type=click.Path(path_type=Path), default=Path("demo-out"), show_default=True)
@click.option("--live", is_flag=True, help="Let the packaged model write the three drafts now.")
@set_option
@json_option
def demo(output: Path, live: bool, assignments: tuple[str, ...], as_json: bool) -> None:
    """Read the demo story, check a draft, and compare three others."""
    from .demo import run_demo

    with progress_bars() as progress:
        answer = run_demo(output, live=live, assignments=assignments, progress=progress)
    _answer(as_json, answer.data, lambda: answer.text)


@cli.command()
@click.argument("project", required=False, type=click.Path(path_type=Path))
@json_option
def doctor(project: Path | None, as_json: bool) -> None:
    """Report what is installed and whether PROJECT is intact. It lists models and memory, and verifies
    PROJECT if given."""
    from ..project.doctor import examine

    report = examine(project)
    _answer(as_json, report, lambda: report.text)
    if not report.healthy:
        raise SystemExit(1)


for _command in (
    search,
    accept,
    suggest,
    app,
    ask,
    recap,
    codex,
    correct,
    bench,
    check,
    memories,
    packs,
    calibrate,
    pictures,
    serve,
    mcp,
    trust,
    *KEEPING,
    library,
    model,
):
    cli.add_command(_command)


def _open_streams() -> None:
    """What is redirected is UTF-8, unless PYTHONIOENCODING says otherwise; what an encoding does not have is
    written as an escape, and what is read and is no text is refused where it is used. Where the system knows
    ASCII alone (``LC_ALL=C``), the command is begun anew in UTF-8, which its arguments most likely are."""
    if sys.getfilesystemencoding() == "ascii" and not sys.flags.utf8_mode:
        again = [sys.executable, *sys.orig_argv[1:]]
        os.execve(sys.executable, again, {**os.environ, "PYTHONUTF8": "1"})  # noqa: S606 (itself)
    if sys.stdout is None:  # closed by who called: nobody reads what is said
        sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 (as long as the process)
    chosen = "PYTHONIOENCODING" in os.environ
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            encoding = None if chosen or stream.isatty() else "utf-8"
            errors = "surrogateescape" if stream is sys.stdin else "backslashreplace"
            stream.reconfigure(encoding=encoding, errors=errors)


def main() -> None:
    """The console command: errors that fabula raises on purpose, and those of the system, are one line on
    stderr, exit code 2."""
    # OpenMP reads it once, when the first library that uses it is loaded; spinning threads of one model
    # would otherwise starve the next on busy cores.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    _open_streams()
    try:
        for given in sys.argv[1:]:
            require_text(given, "the argument")
        cli(standalone_mode=False)
        sys.stdout.flush()
    except FabulaError as error:
        _fail(str(error))
    except click.exceptions.Abort:
        raise SystemExit(130) from None
    except click.ClickException as error:
        error.show()
        raise SystemExit(error.exit_code) from None
    except BrokenPipeError:  # the reader of stdout went away, e.g. `| head`
        sys.stderr.close()
        raise SystemExit(0) from None
    except OSError as error:
        with suppress(OSError):
            sys.stdout.close()  # what it did not take is not tried again at the end
        where = f"{error.filename}: " if error.filename else ""
        _fail(_NO_MEMORY if lacks_memory(error) else f"{where}{error.strerror or error}")
    except BaseException as error:  # a library's way to say that there is no memory may be any
        if not lacks_memory(error):
            raise
        _fail(_NO_MEMORY)


def _fail(said: str) -> NoReturn:
    from ..views.text.render import harmless

    click.echo(f"fabula: {harmless(' '.join(said.split()))}", err=True)
    raise SystemExit(2) from None
