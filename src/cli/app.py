"""The command that starts the app."""

from __future__ import annotations

import os
from pathlib import Path

import click

__all__ = ["app"]


@click.command()
@click.option(
    "--home",
    type=click.Path(file_okay=False, path_type=Path),
    envvar="FABULA_HOME",
    default="fabula-projects",
    show_default=True,
    help="The folder of your stories; $FABULA_HOME where it is not given.",
)
@click.option("--address", default="127.0.0.1", show_default=True, help="Which address to answer at.")
@click.option("--port", type=click.IntRange(1, 65535), default=8501, show_default=True)
@click.option(
    "--host-name",
    "host_names",
    multiple=True,
    metavar="NAME",
    help="A name, beside this machine's own and --address, that the app answers to (repeatable).",
)
@click.option("--headless", is_flag=True, help="Open no browser.")
def app(home: Path, address: str, port: int, host_names: tuple[str, ...], headless: bool) -> None:
    """Open your stories in the browser. Whoever reaches the address may read and write them."""
    from ..ui.starting import start

    os.environ["FABULA_HOME"] = str(home.absolute())
    shown = f"[{address}]" if ":" in address else address
    click.echo(f"fabula: http://{shown}:{port} (Ctrl+C ends it)", err=True)
    start(address=address, port=port, headless=headless, host_names=host_names)
