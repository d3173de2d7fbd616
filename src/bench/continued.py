"""What a continuation shows: scores by pipeline and chapter, paired tests, and the curves as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..config import load_config
from ..core.files.atomic import replace_file
from ..story.evaluation.paired_tests import bootstrap_interval, compare_paired, holm
from ..story.writing.pipelines import PIPELINES, STANDARD
from ..views.text.render import Answer, table
from .continuing import PROMPT, WrittenChapter, continue_story

if TYPE_CHECKING:
    from ..project.indexing import Progress

__all__ = ["MEASURES", "continued", "curves", "draw", "summed"]

MEASURES = (
    "consistency",
    "violations_per_10k_words",
    "coverage",
    "grounding",
    "entity_graph",
    "arc_plausibility",
    "repetition",
    "presence",
)
TEMPERATURE = "comparison.temperature=0.8"  # at 0 every seed would write the same
_COLOURS = ("#1b6ca8", "#c8553d", "#588157", "#8e6c8a")
_LEFT, _TOP, _WIDE, _HIGH = 52, 40, 460, 240


def continued(
    book: Path,
    work: Path,
    *,
    chapters: int,
    seeds: int,
    prompt: str | None = None,
    plot: Path | None = None,
    assignments: Sequence[str] = (),
    progress: Progress = lambda *_: None,
) -> Answer:
    """Runs what is missing and sums up."""
    config = load_config(assignments=(TEMPERATURE, *assignments))
    rows = continue_story(
        book,
        work,
        config=config,
        chapters=chapters,
        seeds=range(seeds),
        prompt=prompt or PROMPT,
        progress=progress,
    )
    data = summed(rows)
    if plot is not None:
        replace_file(plot, draw(curves(rows)))
    return Answer({**data, "rows": rows}, _text(data, rows))


def summed(rows: Sequence[WrittenChapter]) -> dict[str, Any]:
    """Means and 95 % intervals by pipeline, and each against the standard one. A line (a seed) is the unit:
    its chapters grow out of each other."""
    names = [p.name for p in PIPELINES if any(row.pipeline == p.name for row in rows)]
    means, pairs = {}, []
    for name in names:
        means[name] = {measure: _mean(rows, name, measure) for measure in MEASURES}
    group: dict[Any, str] = {(row.seed, row.number): f"seed {row.seed}" for row in rows}
    for measure in MEASURES:
        own = []
        for name in names:
            pair = None
            if name != STANDARD.name:
                one, other = _values(rows, name, measure), _values(rows, STANDARD.name, measure)
                pair = compare_paired(one, other, group=group)
            if pair is not None:
                own.append({"measure": measure, "pipeline": name, **asdict(pair)})
        adjusted = holm([one["p"] for one in own])
        pairs += [{**one, "p_holm": round(p, 4)} for one, p in zip(own, adjusted, strict=True)]
    ended = [f"{row.pipeline}, seed {row.seed}, ch. {row.number}: {row.error}" for row in rows if row.error]
    return {"means": means, "against_standard": pairs, "curves": curves(rows), "ended_early": ended}


def _values(rows: Sequence[WrittenChapter], pipeline: str, measure: str) -> dict[Any, float]:
    found = {}
    for row in rows:
        value = row.scores.get(measure)
        if row.pipeline == pipeline and value is not None:
            found[row.seed, row.number] = value
    return found


def _mean(rows: Sequence[WrittenChapter], pipeline: str, measure: str) -> dict[str, Any]:
    values = _values(rows, pipeline, measure)
    if not values:
        return {"n": 0, "mean": None, "interval": None}
    interval = bootstrap_interval(list(values.values()), groups=[f"{seed}" for seed, _ in values])
    return {"n": len(values), "mean": round(sum(values.values()) / len(values), 4), "interval": interval}


def curves(rows: Sequence[WrittenChapter]) -> dict[str, list[tuple[int, float]]]:
    """By pipeline, consistency at each chapter written, the mean over the seeds that could be scored."""
    found: dict[str, list[tuple[int, float]]] = {}
    first = min((row.number for row in rows), default=1)
    for row in rows:
        found.setdefault(row.pipeline, [])
    for name, curve in found.items():
        values = _values(rows, name, "consistency")
        for number in sorted({number for _, number in values}):
            own = [value for (_, n), value in values.items() if n == number]
            curve.append((number - first + 1, round(sum(own) / len(own), 4)))
    return found


def _text(data: dict[str, Any], rows: Sequence[WrittenChapter]) -> str:
    def cell(one: dict[str, Any]) -> str:
        if one["mean"] is None:
            return "-"
        low, high = one["interval"]
        return f"{one['mean']:.3f} [{low:.3f}, {high:.3f}]"

    means = data["means"]
    lines = [[measure, *(cell(means[name][measure]) for name in means)] for measure in MEASURES]
    parts = [
        f"{len(rows)} chapters; means over chapters, with 95 % intervals over seeds:",
        "",
        table(lines, header=["mean", *means]),
        "",
    ]
    for pair in data["against_standard"]:
        if pair["measure"] == "consistency":
            need = f"; to see it surely, about {pair['needed']} seeds" if pair["needed"] else ""
            parts.append(
                f"consistency, {pair['pipeline']} against standard: {pair['difference']:+.3f} "
                f"[{pair['low']:+.3f}, {pair['high']:+.3f}], p {pair['p_holm']:.2f} over "
                f"{pair['groups']} seeds{need}"
            )
    return "\n".join([*parts, *data["ended_early"]])


def draw(lines: dict[str, list[tuple[int, float]]]) -> str:
    """Consistency, 0 to 1, over the chapters written, as an SVG picture."""
    most = max((n for curve in lines.values() for n, _ in curve), default=1)

    def at(n: float, value: float) -> tuple[float, float]:
        return _LEFT + _WIDE * (n - 1) / max(1, most - 1), _TOP + _HIGH * (1 - value)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 680 {_TOP + _HIGH + 56}" role="img" '
        'aria-label="Consistency over the chapters written" font-family="sans-serif" font-size="12">',
        '<rect width="100%" height="100%" fill="#fff"/>',
        f'<text x="{_LEFT}" y="22" font-size="14">Consistency of each chapter with all before it</text>',
    ]
    for tenth in range(0, 11, 2):
        x, y = at(1, tenth / 10)
        parts.append(
            f'<line x1="{x}" y1="{y:.1f}" x2="{x + _WIDE}" y2="{y:.1f}" stroke="#ddd"/>'
            f'<text x="{x - 8}" y="{y + 4:.1f}" text-anchor="end">{tenth / 10:.1f}</text>'
        )
    for n in range(1, most + 1):
        x, y = at(n, 0)
        parts.append(f'<text x="{x:.1f}" y="{y + 18:.1f}" text-anchor="middle">{n}</text>')
    parts.append(
        f'<text x="{_LEFT + _WIDE / 2}" y="{_TOP + _HIGH + 40}" text-anchor="middle">chapter written</text>'
    )
    for i, (name, curve) in enumerate(lines.items()):
        colour = _COLOURS[i % len(_COLOURS)]
        points = [at(n, value) for n, value in curve]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in points]
        y = _TOP + 14 + 22 * i
        x = _LEFT + _WIDE + 24
        parts.append(
            f'<line x1="{x}" y1="{y - 4}" x2="{x + 22}" y2="{y - 4}" stroke="{colour}" stroke-width="3"/>'
        )
        parts.append(f'<text x="{x + 28}" y="{y}">{escape(name)}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"
