"""The command line. Answers go to stdout, progress and logs to stderr; bad input exits with 2."""

from __future__ import annotations

import io
import logging
import os
import sys
from contextlib import suppress
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from .. import __version__
from ..core.files.toml import load_toml
from ..core.runtime.memory_limits import lacks_memory
from ..core.text.encodings import require_text
from ..errors import FabulaError, UsageError
from .answering import Answers, answers, on_project, path
from .ask import ask, recap
from .authoring import accept, codex, correct, suggest, trust
from .bench import bench
from .continuity import calibrate, check
from .keeping import KEEPING
from .library import library
from .model import model
from .options import as_of_option, confirm_model, progress_bars, set_option, show_notices
from .packs import packs
from .searching import memories, search
from .serve import app, mcp, serve

if TYPE_CHECKING:
    from ..engine import Project

_NO_MEMORY = (
    "the system is out of memory: close other programs, or raise the limit (ulimit -v), and run "
    "it again; an index continues where it stopped"
)
_as_of = as_of_option()
_settings = click.option("--config", "settings", type=path, multiple=True, help="A TOML file with settings.")


class _Commands(click.Group):
    """Says what to use in place of a command that is gone, and which names are near a wrong one."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in self.commands and name[:1] != "-" and not ctx.resilient_parsing:
            near = get_close_matches(name, self.commands, n=2)
            said = f"did you mean {' or '.join(near)}?" if near else "fabula --help lists them"
            retired = load_toml(Path(__file__).with_name("retired_commands.toml"))
            raise UsageError(f"there is no command {name!r}: {retired.get(name, said)}")
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
@click.argument("books", metavar="BOOK...", nargs=-1, required=True, type=path)
@click.option("-o", "--output", required=True, type=path, help="The project's folder.")
@click.option("--title", help="The book's title; by default its own, or the file's name.")
@click.option("--encoding", help="The file's encoding, if not UTF-8 or UTF-16.")
@click.option("--codex", type=path, help="The author's facts and rules: YAML, or a project with notes.")
@click.option("--chunking", type=click.Choice(["story", "report", "tokens"]), help="How passages are cut.")
@click.option("--rebuild", is_flag=True, help="Ignore what is there and make everything again.")
@click.option("--yes", is_flag=True, help="Use models that cost time or money without confirmation.")
@click.option("--force", is_flag=True, help="Use the model even if it failed fabula model test.")
@_settings
@set_option
@answers
def index(
    books: tuple[Path, ...],
    output: Path,
    chunking: str | None,
    yes: bool,
    settings: tuple[Path, ...],
    assignments: tuple[str, ...],
    **chosen: Any,
) -> Answers:
    """Index BOOK into a project. BOOK is a .txt, .md, .epub, .docx, .html, .pdf, .fountain or .fdx file, a
    project of Scrivener, novelWriter or Manuskript, a folder of Markdown files (also as .zip), or - for
    stdin. Several books form a series, in their order. When you run it again, only changes are processed."""
    from ..core.runtime.memory_monitor import GIB
    from ..engine import config_of, index_book, make_monitor
    from ..project.connecting import keep_generator
    from ..views.text.render import index_text

    assignments = (*([f"chunking.preset={chunking}"] if chunking else ()), *assignments)
    config, own = config_of(output, above=settings, assignments=assignments)
    show_notices(own.notices)
    chosen["confirm"] = lambda plan: confirm_model(plan, yes=yes)
    book = books[0] if len(books) == 1 else books
    with progress_bars() as progress, make_monitor(config) as monitor:
        report = index_book(book, output, config=config, monitor=monitor, progress=progress, **chosen)
    keep_generator(output, settings, assignments)
    peak = f"peak memory: {monitor.report.peak / GIB:.2f} GB"
    yield report, f"{index_text(report, folder=str(output))}\n{peak}"


@cli.command()
@on_project
@click.option("--entity", help="Only this character, place or thing.")
@click.option("--kind", type=click.Choice(["character", "location", "event", "object", "group"]))
@click.option("--scenes", metavar="A-B", help="Who is present, where and when, in these chapters (3-9, 4-).")
@click.option(
    "--min-confidence", "sure", type=click.FloatRange(0, 1), help="Only relations at least this sure."
)
@click.option(
    "--limit", type=click.IntRange(1), default=30, show_default=True, help="At most this many rows."
)
@_as_of
@answers
def graph(
    project: Project, entity: str | None, kind: str | None, scenes: str | None, **chosen: Any
) -> Answers:
    """Show the people, places and things of PROJECT, with quotes. Their relations are shown too."""
    from .answers import entity_facts, staged, world

    if scenes is not None:
        yield staged(project, scenes, as_of=chosen["as_of"])
    elif entity:
        yield entity_facts(project, entity, **chosen)
    else:
        yield world(project, kind=kind, **chosen)


@cli.command()
@on_project
@click.argument("names", nargs=-1)
@_as_of
@answers
def arcs(project: Project, names: tuple[str, ...], as_of: int | None) -> Answers:
    """Show how characters fare from chapter to chapter. Shows the five most present characters, or NAMES. For
    a single NAME it adds turning points and shape."""
    from .answers import arc_of, arcs_of

    yield arc_of(project, names[0], as_of=as_of) if len(names) == 1 else arcs_of(project, names, as_of=as_of)


@cli.command()
@on_project
@click.option(
    "--between", nargs=2, metavar="A B", help="Paths from A to B: in the order of events, and in any order."
)
@click.option("--limit", type=click.IntRange(1), default=8, show_default=True, help="Maximum number of each.")
@_as_of
@answers
def discover(project: Project, between: tuple[str, str] | None, **chosen: Any) -> Answers:
    """Show what follows indirectly from PROJECT's story, with quotes. These are conflict triangles, implied
    enemies and hidden ties."""
    from .answers import discoveries, ways_between

    yield ways_between(project, *between, **chosen) if between else discoveries(project, **chosen)


@cli.command()
@on_project
@click.argument("prompt")
@click.option("--chapter", type=int, metavar="N", help="The scene is set right after chapter N.")
@click.option("--drafts", type=path, help="Score the texts in this folder instead.")
@click.option("--html", type=path, help="Write the report as one HTML page.")
@click.option("--out", type=path, help="Write the report as JSON.")
@_settings
@set_option
@answers
def compare(project: Project, **chosen: Any) -> Answers:
    """Write PROMPT with three pipelines, and compare the drafts. The pipelines are standard, graph and fused.
    You can also score existing drafts written for the prompt."""
    from .answers import run_comparison

    with progress_bars() as progress:
        yield run_comparison(project, progress=progress, **chosen)


@cli.command()
@click.option("-o", "--output", type=path, default=Path("demo-out"), show_default=True)
@click.option("--live", is_flag=True, help="Let the packaged model write the three drafts now.")
@set_option
@answers
def demo(output: Path, **chosen: Any) -> Answers:
    """Read the demo story, check a draft, and compare three others."""
    from .demo import run_demo

    with progress_bars() as progress:
        yield run_demo(output, progress=progress, **chosen)


@cli.command()
@click.argument("project", required=False, type=path)
@answers
def doctor(project: Path | None) -> Answers:
    """Report what is installed and whether PROJECT is intact. It lists models and memory, and verifies
    PROJECT if given."""
    from ..project.doctor import examine

    report = examine(project)
    yield report
    if not report.healthy:
        raise SystemExit(1)


_COMMANDS = (search, accept, suggest, app, ask, recap, codex, correct, bench, check, memories, packs)
for _command in (*_COMMANDS, calibrate, serve, mcp, trust, *KEEPING, library, model):
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
        cli(standalone_mode=False, prog_name="fabula")
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
