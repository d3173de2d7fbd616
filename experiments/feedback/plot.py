"""The learning curves of the feedback experiment as a small SVG."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

__all__ = ["plot"]

_COLOURS = ("#1b6ca8", "#c8553d", "#588157", "#8e6c8a", "#b08900")
_WIDTH, _HEIGHT, _LEFT, _TOP, _PLOT_W, _PLOT_H = 760, 340, 62, 34, 420, 250


def plot(projects: Mapping[str, Mapping[str, Any]]) -> str:
    """Gain in nDCG@10 on held-out queries by the number of ratings: lines for readers, dashes for coins."""
    curves = [
        (name, run["coin"], [(0, 0.0), *map(tuple, run["curve"])])
        for name, facts in projects.items()
        for run in facts["runs"]
        if run["prior"] == 0.4 and run["reader"] == "cascade" and run["window"] > 20
    ]
    values = [gain for _, _, curve in curves for _, gain in curve]
    low, high = min(-0.004, *values), max(0.012, *values)
    most = max(n for _, _, curve in curves for n, _ in curve)

    def at(n: float, gain: float) -> str:
        return f"{_LEFT + _PLOT_W * n / most:.1f},{_TOP + _PLOT_H * (high - gain) / (high - low):.1f}"

    colours = {name: _COLOURS[i % len(_COLOURS)] for i, name in enumerate(projects)}
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#fff"/>',
        f'<text x="{_LEFT}" y="20" font-size="14">nDCG@10 gained on held-out queries, from weight .4</text>',
    ]
    for i in range(round(low * 250), round(high * 250) + 1):
        gain = i / 250
        x, y = at(0, gain).split(",")
        end = at(most, gain).split(",")[0]
        stroke = "#555" if i == 0 else "#ddd"
        parts.append(f'<line x1="{x}" y1="{y}" x2="{end}" y2="{y}" stroke="{stroke}"/>')
        parts.append(f'<text x="{_LEFT - 6}" y="{float(y) + 4:.1f}" text-anchor="end">{gain:+.3f}</text>')
    for n in range(0, most + 1, 50):
        x = at(n, low).split(",")[0]
        parts.append(f'<text x="{x}" y="{_TOP + _PLOT_H + 18}" text-anchor="middle">{n}</text>')
    parts.append(f'<text x="{_LEFT + _PLOT_W / 2}" y="{_HEIGHT - 16}" text-anchor="middle">ratings</text>')
    for name, coin, curve in curves:
        line = " ".join(at(n, gain) for n, gain in curve)
        dash = ' stroke-dasharray="4 4"' if coin else ""
        parts.append(
            f'<polyline points="{line}" fill="none" stroke="{colours[name]}" stroke-width="2"{dash}/>'
        )
    x = _LEFT + _PLOT_W + 24
    for i, (name, colour) in enumerate(colours.items()):
        y = _TOP + 16 + 22 * i
        parts.append(
            f'<line x1="{x}" y1="{y - 4}" x2="{x + 24}" y2="{y - 4}" stroke="{colour}" stroke-width="2"/>'
        )
        parts.append(f'<text x="{x + 30}" y="{y}">{escape(name)}</text>')
    parts.append(f'<text x="{x}" y="{_TOP + 28 + 22 * len(colours)}">dashes: ratings by coin toss</text>')
    parts.append("</svg>")
    return "\n".join(parts) + "\n"
