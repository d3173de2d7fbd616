"""What all runs share: models that outlive the projects they work for, files that are read back, and a small
chart as SVG that needs nothing else: no script, no font, no request."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from html import escape
from pathlib import Path
from typing import Any, TypeVar

from ..config import Config
from ..core.files.atomic import replace_file
from ..core.files.plain_json import parse_json, plain
from ..core.interfaces import Generator
from ..engine import Project, index_book, make_embedder, make_reader
from ..errors import ProjectError
from ..project.factories import make_generator

T = TypeVar("T")


class Models:
    """The models of a configuration, each loaded when it is first needed."""

    def __init__(self, config: Config) -> None:
        self.config = config

    @cached_property
    def generator(self) -> Generator:
        """Writes the drafts."""
        return make_generator(self.config)

    @cached_property
    def parts(self) -> dict[str, Any]:
        """Embedder and reader."""
        return {"embedder": make_embedder(self.config), "reader": make_reader(self.config)}

    def index(self, book: Path, place: Path) -> None:
        """As ``index_book``."""
        index_book(book, place, config=self.config, **self.parts)

    def project(self, place: Path) -> Project:
        """The project in a folder, with these models and settings in place of its own."""
        project = Project.open(place)
        project.config = self.config
        project.__dict__.update(generator=_StaysOpen(self.generator), **self.parts)
        return project

    def close(self) -> None:
        """Closes the generator, where there is one."""
        if "generator" in self.__dict__:
            self.generator.close()


class _StaysOpen:
    """A generator that outlives the projects that use it."""

    def __init__(self, inner: Generator) -> None:
        self._inner = inner

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def close(self) -> None:
        """Left open."""


def keep(path: Path, value: object) -> None:
    """Writes a value as JSON, whole or not at all."""
    replace_file(path, json.dumps(plain(value), indent=1, ensure_ascii=False) + "\n")


def kept(path: Path, make: Callable[[Any], T], cure: str) -> T:
    """What ``make`` makes of the JSON in a file. Raises ProjectError, which names the cure, where the file is
    damaged."""
    try:
        return make(parse_json(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ProjectError(f"{path} is damaged ({error}): {cure}") from error


_COLOURS = ("#1b6ca8", "#c8553d", "#588157", "#8e6c8a", "#b8860b", "#3d5a5c", "#7a3b69")
_LEFT, _TOP, _WIDE, _HIGH = 56, 40, 460, 240
Marks = Sequence[tuple[float, str]]
"""The values that are marked on an axis, in order, and what is written beside each; the axis goes from the
first to the last, which differ."""


def averaged(points: Iterable[tuple[float, float]]) -> list[tuple[float, float]]:
    """For each x, in order, the mean of its values."""
    found: dict[float, list[float]] = {}
    for x, y in points:
        found.setdefault(x, []).append(y)
    return [(x, sum(own) / len(own)) for x, own in sorted(found.items())]


def steps(low: float, high: float, parts: int) -> Marks:
    """As many steps of one size."""
    size = (high - low or 1) / parts
    return [(low + size * part, f"{low + size * part:.4g}") for part in range(parts + 1)]


def curves(
    lines: Mapping[str, Sequence[tuple[float, float]]],
    title: str,
    x_label: str,
    y_label: str,
    *,
    across: Marks | None = None,
    up: Marks | None = None,
) -> str:
    """A line for each name through its points, in their order, with a legend. Without marks ``across``, four
    steps from the first value to the last; without marks ``up``, five from 0 to 1."""
    xs = [x for line in lines.values() for x, _ in line]
    across = across or steps(min(xs, default=0), max(xs, default=1), 4)
    up = up or steps(0, 1, 5)
    (left, right), (low, high) = (across[0][0], across[-1][0]), (up[0][0], up[-1][0])

    def at(x: float, y: float) -> tuple[float, float]:
        share = min(max((y - low) / (high - low), 0), 1)
        return round(_LEFT + _WIDE * (x - left) / (right - left), 1), round(_TOP + _HIGH * (1 - share), 1)

    middle = _LEFT + _WIDE / 2
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 700 {_TOP + _HIGH + 56}" role="img" '
        f'aria-label="{escape(title)}" font-family="sans-serif" font-size="12">',
        '<rect width="100%" height="100%" fill="#fff"/>',
        f'<text x="{_LEFT}" y="22" font-size="14">{escape(title)}</text>',
        f'<text x="{middle}" y="{_TOP + _HIGH + 42}" text-anchor="middle">{escape(x_label)}</text>',
        f'<text x="{_LEFT}" y="{_TOP - 6}" fill="#666">{escape(y_label)}</text>',
    ]
    for value, label in up:
        x, y = at(left, value)
        parts.append(f'<line x1="{x}" y1="{y}" x2="{x + _WIDE}" y2="{y}" stroke="#ddd"/>')
        parts.append(f'<text x="{x - 8}" y="{y + 4}" text-anchor="end">{label}</text>')
    for value, label in across:
        x, y = at(value, low)
        parts.append(f'<text x="{x}" y="{y + 18}" text-anchor="middle">{label}</text>')
    for place, (name, line) in enumerate(lines.items()):
        colour = _COLOURS[place % len(_COLOURS)]
        points = [at(*point) for point in line]
        path = " ".join(f"{x},{y}" for x, y in points)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{x}" cy="{y}" r="3" fill="{colour}"/>' for x, y in points]
        x, y = _LEFT + _WIDE + 24, _TOP + 14 + 22 * place
        ends = f'x1="{x}" y1="{y - 4}" x2="{x + 22}" y2="{y - 4}"'
        parts.append(f'<line {ends} stroke="{colour}" stroke-width="3"/>')
        parts.append(f'<text x="{x + 28}" y="{y}">{escape(name)}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"
