"""An experiment's result as tables for a README or a paper, and as pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ...core.files.plain_json import parse_json
from ...errors import ProjectError
from ..svg_charts import Point, curves, scatter
from .results import SCHEMA

__all__ = ["FORMATS", "RESULT", "differences", "load_result", "means", "pictures", "tables"]

FORMATS = ("markdown", "latex")
RESULT = "result.json"
_LATEX = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
_LATEX |= {sign: "\\" + sign for sign in "&%$#_{}"}


def load_result(folder: Path) -> dict[str, Any]:
    """The result that ``bench run`` left in its folder. Raises ProjectError where there is none."""
    path = folder / RESULT
    try:
        result = parse_json(path.read_text(encoding="utf-8"))
        if result["schema"] != SCHEMA:
            raise ProjectError(f"{path} has schema {result['schema']!r}, not {SCHEMA}: run it again")
        return dict(result)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ProjectError(f"{path} is no result of a run ({error}): fabula bench run writes one") from error


def tables(result: Mapping[str, Any], *, format: str = "markdown") -> str:
    """Two tables for each variant: means, and differences from the baseline with what they are worth."""
    draw = _markdown if format == "markdown" else _latex
    facts = result["facts"]
    parts = []
    for variant in [one["name"] for one in facts["config"]["variants"]]:
        if variant:
            parts.append(variant)
        parts.append(draw(*means(facts, variant)))
        header, rows = differences(facts, variant)
        parts.append(draw(header, rows) if rows else "No item was scored by both of two pipelines.")
    return "\n\n".join([*parts, _note(facts)]) + "\n"


def pictures(result: Mapping[str, Any]) -> dict[str, str]:
    """SVG pictures by file name: consistency by chapter, and cost against quality."""
    facts = result["facts"]
    names = facts["config"]["pipelines"]
    rows = facts["rows"]
    lines = {name: _by_chapter(rows, name) for name in names}
    found = {
        "consistency-by-chapter.svg": curves(
            lines,
            title="Consistency of drafts set after each chapter",
            x_label="chapter",
            y_label="consistency",
            most=1.0,
        )
    }
    points = [point for name in names if (point := _cost_point(rows, name)) is not None]
    found["cost-against-quality.svg"] = scatter(
        points,
        title="What consistency costs",
        x_label="tokens a draft, prompt and answer",
        y_label="consistency",
    )
    return found


def means(facts: Mapping[str, Any], variant: str) -> tuple[list[str], list[list[str]]]:
    """Header and rows of a variant's means."""
    names = facts["config"]["pipelines"]
    cells = {
        (one["metric"], one["pipeline"]): one for one in facts["aggregates"] if one["variant"] == variant
    }
    rows = []
    for metric in facts["config"]["metrics"]:
        rows.append([metric.replace("_", " "), *(_mean(cells[metric, name]) for name in names)])
    return ["mean [95 % interval]", *names], rows


def _mean(cell: Mapping[str, Any]) -> str:
    if "mean" not in cell:
        return "–"
    shown = f"{cell['mean']:.3f}"
    if "interval_95" in cell:
        low, high = cell["interval_95"]
        shown += f" [{low:.3f}, {high:.3f}]"
    return f"{shown} n={cell['n']}"


def differences(facts: Mapping[str, Any], variant: str) -> tuple[list[str], list[list[str]]]:
    """Header and rows of what a variant's pipelines do against the baseline."""
    rows = []
    for one in facts["paired"]:
        if one["variant"] == variant:
            effect = "–" if one["effect"] is None else f"{one['effect']:+.2f}"
            several = one["groups"] > 1  # a single prompt says nothing of others
            between = f" [{one['low']:+.3f}, {one['high']:+.3f}]" if several else ""
            rows.append(
                [
                    one["metric"].replace("_", " "),
                    one["pipeline"],
                    f"{one['difference']:+.3f}{between}",
                    f"{one['p_holm']:.3f}" if several else "–",
                    effect,
                    f"{one['wins']}/{one['ties']}/{one['losses']}",
                    f"{one['groups']}",
                    "–" if one["needed"] is None else f"{one['needed']}",
                ]
            )
    header = ["metric", "pipeline", f"against {facts['config']['baseline']}", "p (Holm)", "d_z", "w/t/l"]
    return [*header, "prompts", "needed"], rows


def _note(facts: Mapping[str, Any]) -> str:
    seeds = len(facts["config"]["seeds"])
    return (
        f"{facts['model']}; {seeds} seed{'' if seeds == 1 else 's'} a prompt. Intervals resample prompts; "
        "p by flipping the signs of prompts, adjusted by Holm over pipelines and metrics; d_z is the mean "
        "difference of prompts by its spread; needed: how many prompts would show such a difference with "
        "power .8."
    )


def _markdown(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def _latex(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    def line(cells: Sequence[str]) -> str:
        return " & ".join("".join(_LATEX.get(sign, sign) for sign in cell) for cell in cells) + r" \\"

    columns = "l" * len(header)
    body = [r"\toprule", line(header), r"\midrule", *map(line, rows), r"\bottomrule"]
    return "\n".join([rf"\begin{{tabular}}{{{columns}}}", *body, r"\end{tabular}"])


def _by_chapter(rows: Sequence[Mapping[str, Any]], pipeline: str) -> list[tuple[float, float]]:
    found: dict[int, list[float]] = {}
    for row in rows:
        value = row["scores"].get("consistency")
        if row["pipeline"] == pipeline and value is not None:
            found.setdefault(row["chapter"], []).append(value)
    return [(float(chapter), sum(own) / len(own)) for chapter, own in sorted(found.items())]


def _cost_point(rows: Sequence[Mapping[str, Any]], pipeline: str) -> Point | None:
    own = [row["scores"] for row in rows if row["pipeline"] == pipeline]
    scored = [one["consistency"] for one in own if one.get("consistency") is not None]
    spent = [
        one["prompt_tokens"] + one["completion_tokens"]
        for one in own
        if one.get("prompt_tokens") is not None and one.get("completion_tokens") is not None
    ]
    if not scored or not spent:
        return None
    return Point(pipeline, sum(spent) / len(spent), sum(scored) / len(scored))
