"""Commands for those who compare pipelines: experiments, and stories written on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from .answering import Answers, answers, path
from .options import progress_bars, set_option


@click.group()
def bench() -> None:
    """Compare pipelines by experiments. The app's page Bench shows them, and lets people rate the drafts."""


@bench.command()
@click.argument("config", type=path)
@click.option("-o", "--output", type=path, required=True, help="The run's folder; an old run continues.")
@click.option(
    "--workers",
    type=click.IntRange(1, 64),
    default=1,
    show_default=True,
    help="How many stories to run at once, each in its own process.",
)
@click.option("--cluster", metavar="ADDRESS", help="A Dask scheduler whose workers take the stories instead.")
@answers
def run(config: Path, output: Path, workers: int, cluster: str | None) -> Answers:
    """Run the experiment that CONFIG (TOML) describes. It runs stories x prompts x pipelines x seeds x
    settings. Results already in the folder are not run again."""
    from ..bench.grid import ran

    if cluster and workers > 1:
        raise click.UsageError("--workers are processes of this machine: leave them out with --cluster")
    with progress_bars() as progress:
        yield ran(config, output, workers=workers, cluster=cluster, progress=progress)


@bench.command("continue")
@click.argument("book", type=path)
@click.option("-o", "--output", type=path, required=True, help="The run's folder; an old run continues.")
@click.option("--chapters", type=click.IntRange(1), default=10, show_default=True)
@click.option("--seeds", type=click.IntRange(1), default=3, show_default=True, help="Continuations each.")
@click.option("--prompt", help="What to ask for each time, instead of the next chapter.")
@set_option
@answers
def continue_(book: Path, output: Path, **chosen: Any) -> Answers:
    """Let each pipeline continue BOOK, chapter after chapter. It says how consistent they stay."""
    from ..bench.continuing import continued

    with progress_bars() as progress:
        yield continued(book, output, progress=progress, **chosen)


@bench.command()
@click.argument("stories", type=path, nargs=-1, required=True)
@click.option("--findings", type=path, help="Score this file of findings, from any checker.")
@click.option("-o", "--output", type=path, help="Write what the critic found to this file.")
@click.option("--every", type=click.IntRange(1), default=1, help="Only every Nth story.")
@click.option("--prompt", type=path, help="The prompt that the model received; quotes copied from it count.")
@set_option
@answers
def continuity(stories: tuple[Path, ...], assignments: tuple[str, ...], **chosen: Any) -> Answers:
    """Measure a continuity checker on known contradictions. STORIES are files of JSON lines. The checker is
    fabula's own, with your connected language model, or the one that made --findings (JSON lines with the
    quotes story, earlier and later)."""
    from ..bench.continuity import benched
    from ..config import load_config
    from ..project.trust import user_settings

    config = load_config(*user_settings(), assignments=assignments)
    with progress_bars() as progress:
        yield benched(stories, config=config, progress=progress, **chosen)
