"""``fabula usage``: what a project's models were asked and what it cost."""

from __future__ import annotations

from pathlib import Path

import click

from ..options import answer, open_project

__all__ = ["usage"]


@click.command()
@click.argument("project", type=click.Path(path_type=Path))
@click.option(
    "--prices",
    type=click.Path(path_type=Path),
    help="A price list (TOML), in place of generator.prices.",
)
@click.option("--json", "as_json", is_flag=True, help="Answer as JSON.")
def usage(project: Path, prices: Path | None, as_json: bool) -> None:
    """Show what PROJECT's models were asked and what it cost. By day (UTC) and model: calls, tokens,
    dollars."""
    from ...views.text.usage import usage_text

    with open_project(project) as opened:
        report = opened.usage(prices)
    answer(as_json, report, lambda: usage_text(report))
