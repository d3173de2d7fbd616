"""A comparison as one HTML page that needs nothing else: no script, no font, no request."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any

from ..core.runtime.memory_monitor import MemoryReport
from ..story.comparison.report import ComparisonReport, PipelineResult
from ..story.model.types import gathered
from ..story.writing.context import SECTIONS, Source, StoryContext
from ..story.writing.pipelines import STAGES
from .quotes import quote_shown
from .text.comparison import (
    ONE_PROMPT,
    draft_title,
    horizon_words,
    left_out_words,
    memory_words,
    metric_rows,
    quote_place,
    revision_words,
    verdict,
    versions,
)

# Both charts share one user space, 360 wide, so that a phone shows them at their natural size.
_CHART_WIDTH = 360.0
_ROW_HEIGHT = 46.0
_GAP = 1.5


_Bar = tuple[str, float, float, str]
"""A piece of a bar: a CSS class, x and width in the chart's units, and what it shows in words."""


@dataclass(frozen=True, slots=True)
class Chart:
    """``rows`` are pipelines: a name, the value in words, the bars from left to right. All in a user space
    of ``width`` by ``height``."""

    title: str
    description: str
    rows: list[tuple[str, str, list[_Bar]]]
    legend: tuple[str, ...] = ()
    width: float = _CHART_WIDTH
    row_height: float = _ROW_HEIGHT


@dataclass(frozen=True, slots=True)
class Section:
    """What is shown above a comparison: each row a sentence, and quotes with their places, (place, words)."""

    title: str
    rows: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
    lead: str = ""


def render_html(
    report: ComparisonReport, *, memory: MemoryReport | None = None, before: Sequence[Section] = ()
) -> str:
    """The report as a page, below what stands ``before`` it. Everything in it is escaped.

    The page works in light and dark and on a phone, and its own policy forbids every request and script.
    """
    from jinja2 import Environment, StrictUndefined

    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    template = resources.files(__package__).joinpath("report.html").read_text(encoding="utf-8")
    return environment.from_string(template).render(
        report=report,
        before=before,
        verdict=verdict(report),
        horizon=horizon_words(report),
        rows=metric_rows(report),
        charts=(_consistency_chart(report), *(() if report.supplied else (_time_chart(report),))),
        columns=[_column(report, result) for result in report.results],
        one_prompt=ONE_PROMPT,
        revised=revision_words(report),
        versions=versions(),
        memory=memory_words(memory),
    )


def _consistency_chart(report: ComparisonReport) -> Chart:
    rows = []
    for result in report.results:
        score = result.metrics.score("consistency")
        value = score.value if score else None
        share = result.metrics.score("coverage")
        of = f", {share.value:.0%} of its facts checked" if share and share.value is not None else ""
        words = "nothing to judge" if value is None else f"{value:.2f}{of}"
        first = next((s.value for s in result.first_scores if s.name == "consistency"), None)
        if first is not None:
            words += f" (first draft {first:.2f})"
        bars: list[_Bar] = [("track", 0.0, _CHART_WIDTH, "0 to 1")]
        if value:
            bars.append(("fill", 0.0, value * _CHART_WIDTH, words))
        rows.append((result.pipeline, words, bars))
    return Chart("Consistency", "From 0 to 1: minus a tenth for each finding of the critic.", rows)


def _time_chart(report: ComparisonReport) -> Chart:
    totals = [result.metrics.response_time.value or 0.0 for result in report.results]
    scale = _CHART_WIDTH / max([*totals, 1e-9])
    rows = [
        (result.pipeline, f"{total:.2f} s", _stacked(result.metrics.seconds, scale))
        for result, total in zip(report.results, totals, strict=True)
    ]
    used = {stage for result in report.results for stage, _ in result.metrics.seconds}
    return Chart(
        "Response time",
        "Seconds by stage, on the same scale for all.",
        rows,
        tuple(stage for stage in STAGES if stage in used),
    )


def _stacked(seconds: Iterable[tuple[str, float]], scale: float) -> list[_Bar]:
    bars: list[_Bar] = []
    x = 0.0
    for stage, value in seconds:
        width = value * scale
        if width > _GAP:  # what is narrower than the gap between two pieces cannot be seen
            bars.append((stage, round(x, 2), round(width - _GAP, 2), f"{stage} {value:.3f} s"))
        x += width
    return bars


def _column(report: ComparisonReport, result: PipelineResult) -> dict[str, Any]:
    """What the template shows of one pipeline."""
    context = result.context
    return {
        "name": result.pipeline,
        "error": result.error,
        "notice": result.notice,
        "drafts": [_draft(report, result, index) for index in range(len(result.drafts))],
        "context": context,
        "sections": sections(context) if context else [],
        "left_out": left_out(context) if context else [],
    }


def _draft(report: ComparisonReport, result: PipelineResult, index: int) -> dict[str, Any]:
    draft = result.drafts[index]
    findings = [
        {
            "violation": violation,
            "sides": [(quote_place(report, quote), quote_shown(quote).words) for quote in violation.evidence],
        }
        for violation in (draft.check.violations if draft.check else ())
    ]
    return {
        "title": draft_title(result, index),
        "kept": index == result.kept,
        "generation": draft.generation,
        "prompt": draft.prompt,
        "check": draft.check,
        "findings": findings,
    }


def sections(context: StoryContext) -> list[tuple[str, list[Source]]]:
    """What a pipeline was given, by section in their order; none that is empty."""
    inside = gathered((source.section, source) for source in context.sources)
    return [(name, inside[name]) for name in SECTIONS if name in inside]


def left_out(context: StoryContext) -> list[tuple[str, str, int]]:
    """What a pipeline was not given: label, reason in words, tokens."""
    return [(one.label, left_out_words(one.reason), one.tokens) for one in context.context.left_out]
