"""Small charts as SVG that needs nothing else: no script, no font, no request."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from math import ceil, floor, log10

__all__ = ["COLOURS", "Point", "curves", "scatter"]

COLOURS = ("#1b6ca8", "#c8553d", "#588157", "#8e6c8a", "#b8860b", "#3d5a5c", "#7a3b69")
_LEFT, _TOP, _WIDE, _HIGH = 56, 40, 460, 240


@dataclass(frozen=True, slots=True)
class Point:
    """A named point; ``x`` and ``y`` in the chart's own units."""

    name: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class _Frame:
    """From the chart's units to the picture's."""

    x_low: float
    x_high: float
    y_low: float
    y_high: float
    logarithmic: bool = False

    def steps(self, low: float, high: float, parts: int) -> list[float]:
        """The values that are marked on an axis: as many parts, or the powers of ten."""
        if self.logarithmic:
            return [float(power) for power in range(ceil(low), floor(high) + 1)]
        return [low + (high - low) * part / parts for part in range(parts + 1)]

    def label(self, value: float, digits: int) -> str:
        """A value of an axis, as it is written beside it."""
        if self.logarithmic and value >= 0:
            return f"{10**value:,.0f}"
        return f"{10**value if self.logarithmic else value:.{digits}g}"

    def at(self, x: float, y: float) -> tuple[float, float]:
        across = (x - self.x_low) / (self.x_high - self.x_low)
        up = (y - self.y_low) / (self.y_high - self.y_low)
        return round(_LEFT + _WIDE * across, 1), round(_TOP + _HIGH * (1 - up), 1)


def curves(
    lines: Mapping[str, Sequence[tuple[float, float]]],
    *,
    title: str,
    x_label: str,
    y_label: str,
    least: float = 0.0,
    most: float | None = None,
    logarithmic: bool = False,
) -> str:
    """A line for each name through its points, in their order, with a legend. The y axis goes from ``least``
    to ``most`` (the largest value, if None), the x axis over what is there. ``logarithmic``: both axes, y
    from the power of ten below the smallest value to the one above the largest; values are above 0, ``least``
    and ``most`` count for nothing."""
    if logarithmic:
        lines = {name: [(log10(x), log10(y)) for x, y in line] for name, line in lines.items()}
    points = [point for line in lines.values() for point in line]
    top = max((y for _, y in points), default=1.0) if most is None or logarithmic else most
    if logarithmic:
        least, top = floor(min((y for _, y in points), default=0.0)), ceil(top)
    frame = _frame([x for x, _ in points], least, top)
    if logarithmic:
        frame = replace(frame, logarithmic=True)
    parts = _axes(frame, title, x_label, y_label)
    for place, (name, line) in enumerate(lines.items()):
        colour = COLOURS[place % len(COLOURS)]
        at = [frame.at(x, min(max(y, least), frame.y_high)) for x, y in line]
        path = " ".join(f"{x},{y}" for x, y in at)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{x}" cy="{y}" r="3" fill="{colour}"/>' for x, y in at]
        y = _TOP + 14 + 22 * place
        x = _LEFT + _WIDE + 24
        parts.append(
            f'<line x1="{x}" y1="{y - 4}" x2="{x + 22}" y2="{y - 4}" stroke="{colour}" stroke-width="3"/>'
        )
        parts.append(f'<text x="{x + 28}" y="{y}">{escape(name)}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def scatter(points: Sequence[Point], *, title: str, x_label: str, y_label: str) -> str:
    """Named points; both axes begin at 0, and y goes to 1 or higher."""
    frame = _frame([0.0, *(point.x for point in points)], 0.0, max([1.0, *(point.y for point in points)]))
    parts = _axes(frame, title, x_label, y_label)
    for place, point in enumerate(points):
        x, y = frame.at(point.x, point.y)
        colour = COLOURS[place % len(COLOURS)]
        parts.append(f'<circle cx="{x}" cy="{y}" r="6" fill="{colour}"/>')
        parts.append(f'<text x="{x + 10}" y="{y + 4}">{escape(point.name)}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def _frame(xs: Sequence[float], least: float, most: float) -> _Frame:
    low, high = min(xs, default=0.0), max(xs, default=1.0)
    return _Frame(low, high if high > low else low + 1.0, least, most if most > least else least + 1.0)


def _axes(frame: _Frame, title: str, x_label: str, y_label: str) -> list[str]:
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 700 {_TOP + _HIGH + 56}" role="img" '
        f'aria-label="{escape(title)}" font-family="sans-serif" font-size="12">',
        '<rect width="100%" height="100%" fill="#fff"/>',
        f'<text x="{_LEFT}" y="22" font-size="14">{escape(title)}</text>',
    ]
    for value in frame.steps(frame.y_low, frame.y_high, 5):
        x, y = frame.at(frame.x_low, value)
        parts.append(f'<line x1="{x}" y1="{y}" x2="{x + _WIDE}" y2="{y}" stroke="#ddd"/>')
        parts.append(f'<text x="{x - 8}" y="{y + 4}" text-anchor="end">{frame.label(value, 3)}</text>')
    for value in frame.steps(frame.x_low, frame.x_high, 4):
        x, y = frame.at(value, frame.y_low)
        parts.append(f'<text x="{x}" y="{y + 18}" text-anchor="middle">{frame.label(value, 4)}</text>')
    middle, bottom = _LEFT + _WIDE / 2, _TOP + _HIGH + 42
    parts.append(f'<text x="{middle}" y="{bottom}" text-anchor="middle">{escape(x_label)}</text>')
    parts.append(f'<text x="{_LEFT}" y="{_TOP - 6}" fill="#666">{escape(y_label)}</text>')
    return parts
