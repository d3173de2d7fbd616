"""Decorators of commands: the project that a command works on, and how its answers are printed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import wraps
from pathlib import Path
from typing import Any

import click

from .options import answer, json_option, open_project, project_argument

Answers = Iterator[Any]
"""What a command yields: values that have a ``text``, and their ``data`` where that is another; or pairs of a
value and its text."""
path = click.Path(path_type=Path)


def answers(command: Callable[..., Answers]) -> Callable[..., None]:
    """Adds ``--json``, and prints each answer of the command as it comes."""

    @json_option
    @wraps(command)
    def run(*given: Any, as_json: bool, **chosen: Any) -> None:
        for one in command(*given, **chosen):
            value, text = one if isinstance(one, tuple) else (getattr(one, "data", one), one.text)
            answer(as_json, value, lambda text=text: text)  # type: ignore[misc]

    return run


def on_project(command: Callable[..., None]) -> Callable[..., None]:
    """Adds the argument PROJECT, which the command is given open; ``--config`` and ``--set``, where it has
    them, are settings to open it with."""

    @project_argument
    @wraps(command)
    def run(
        project: Path, assignments: tuple[str, ...] = (), settings: tuple[Path, ...] = (), **chosen: Any
    ) -> None:
        with open_project(project, assignments, settings) as opened:
            command(opened, **chosen)

    return run
