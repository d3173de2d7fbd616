"""The command that confirms what a project's folder asks for."""

from __future__ import annotations

from pathlib import Path

import click

from .options import answer

__all__ = ["trust"]


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Answer as JSON.")
def trust(folder: Path, as_json: bool) -> None:
    """Confirm what FOLDER, a project or a library of them, asks for in its own fabula.toml and index: which
    model is asked, where, with which key, and what is loaded. What changes there must be confirmed anew."""
    from ..project.confirmation import confirm_all

    confirmed = confirm_all(folder)
    lines = [f"{name} = {value!r}" for name, value in confirmed.items()]
    text = "\n".join((f"confirmed for {folder}:", *lines)) if lines else f"{folder} asks for nothing"
    answer(as_json, confirmed, lambda: text)
