"""A line chart as SVG that needs nothing else: no script, no font, no request."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

_COLOURS = ("#1b6ca8", "#c8553d", "#588157", "#8e6c8a", "#b8860b", "#3d5a5c", "#7a3b69")
_LEFT, _TOP, _WIDE, _HIGH = 56, 40, 460, 240
Marks = Sequence[tuple[float, str]]
"""The values that are marked on an axis, in order, and what is written beside each; the axis goes from the
first to the last, which differ."""


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
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 {_TOP + _HIGH + 56}" role="img" '
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
