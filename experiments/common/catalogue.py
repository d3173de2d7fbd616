"""The catalogue of experiments, and the table that ``experiments/README.md`` shows of it."""

from __future__ import annotations

import importlib
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from experiments.common.folders import DOOR, ROOT

__all__ = ["README", "Experiment", "Run", "load_catalogue", "render"]

README = ROOT / "experiments" / "README.md"
_BLOCK = re.compile(r"(<!-- catalogue -->\n).*?(<!-- end -->)", re.DOTALL)
_MARK = re.compile(r"<!-- results: (\w+) -->")


@dataclass(frozen=True, slots=True)
class Run:
    """One way to run an experiment. ``shown_with`` is the result whose table shows this one too."""

    options: str
    result: str = ""
    shown_with: str = ""
    minutes: float | None = None


@dataclass(frozen=True, slots=True)
class Experiment:
    """``module`` is named within the package ``experiments``; ``data`` says what has to be there."""

    name: str
    question: str
    module: str
    runs: tuple[Run, ...]
    data: str = ""

    def load(self) -> ModuleType:
        """Its module, which has ``parser()`` and ``main(options)``. Imports what it measures: seconds."""
        return importlib.import_module(f"experiments.{self.module}")

    def command(self, run: Run) -> str:
        return f"python {DOOR.relative_to(ROOT)} {self.name} {run.options}".rstrip()


def load_catalogue() -> dict[str, Experiment]:
    """All experiments by name, in the order of the file."""
    told = tomllib.loads(DOOR.with_name("catalogue.toml").read_text(encoding="utf-8"))
    return {
        name: Experiment(name, **{**row, "runs": tuple(Run(**run) for run in row["runs"])})
        for name, row in told.items()
    }


def render(text: str) -> str:
    """The text of ``experiments/README.md`` with its table made anew."""
    return _BLOCK.sub(lambda found: f"{found[1]}{_table()}\n{found[2]}", text)


def _table() -> str:
    pages = _pages()
    header = ["question", "command", "result file", "table", "minutes", "needs"]
    rows = [header, ["---"] * 4 + ["--:", "---"]]
    for one in load_catalogue().values():
        for run in one.runs:
            question = one.question if run is one.runs[0] else ""
            result = f"[`{run.result}`](results/{run.result}.json)" if run.result else ""
            page = pages.get(run.shown_with or run.result)
            table = f"[{page}](../{page})" if page else ""
            minutes = "" if run.minutes is None else f"{run.minutes:g}"
            rows.append(
                [question, f"`{one.name} {run.options}`".replace(" `", "`"), result, table, minutes, one.data]
            )
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _pages() -> dict[str, str]:
    """The page that holds the table of each result."""
    return {
        name: str(page.relative_to(ROOT))
        for page in _documents()
        for name in _MARK.findall(page.read_text(encoding="utf-8"))
    }


def _documents() -> Iterator[Path]:
    yield ROOT / "README.md"
    yield from sorted((ROOT / "docs").rglob("*.md"))
