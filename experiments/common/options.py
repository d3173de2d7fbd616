"""Options that several experiments take. What ``new_parser`` returns is an experiment's ``parser()``."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

__all__ = ["add_parses", "new_parser", "split_names"]


def new_parser(description: str | None, *, data: bool | None = None) -> argparse.ArgumentParser:
    """A parser whose help is the experiment's docstring. ``data``: does it need ``--data``? None gives it no
    such option. Without the option ``$FABULA_DATA`` is taken."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    if data is not None:
        known = os.environ.get("FABULA_DATA")
        parser.add_argument(
            "--data",
            type=Path,
            metavar="DIR",
            default=Path(known) if known else None,
            required=data and not known,
            help="folder of the evaluation data (default: $FABULA_DATA)",
        )
    return parser


def add_parses(parser: argparse.ArgumentParser, default: Path | None = None) -> None:
    """``--parses DIR``, a folder that keeps parses between runs; without it everything is parsed anew."""
    parser.add_argument(
        "--parses", type=Path, metavar="DIR", default=default, help="folder that keeps parses between runs"
    )


def split_names(given: str) -> list[str]:
    """Names with commas between them."""
    return [name for name in given.split(",") if name]
