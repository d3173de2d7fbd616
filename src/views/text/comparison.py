"""A comparison for people at a terminal, and for programs as JSON."""

from __future__ import annotations

import json
import platform
import re
import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from ... import __version__
from ...core.files.toml import load_toml
from ...core.runtime.memory_monitor import GIB, MemoryReport
from ...core.text.sentences import in_marks
from ...core.types import Evidence
from ...story.comparison.report import ComparisonReport, PipelineResult
from ...story.metrics import Score, consistency
from ...story.model.findings import Severity, Violation
from ...story.writing.pipelines import Draft
from ..quotes import quote_shown
from .render import WIDTH, harmless

ONE_PROMPT = "One prompt is an anecdote: it shows what the pipelines do, not which one is better."

_METRICS = load_toml(Path(__file__).parents[1] / "metrics.toml")["metric"]
DEFINITIONS: dict[str, str] = {one["label"]: one["means"] for one in _METRICS}
"""What a metric means, by its label."""
LABELS: dict[str, str] = {one["name"]: one["label"] for one in _METRICS}
"""What to call a metric."""


@dataclass(frozen=True, slots=True)
class MetricRow:
    """One metric over all pipelines, of the ``group`` ``"quality"`` or ``"cost"``. ``cells`` stand in the
    order of the report's results, a dash where there was nothing to judge. ``ahead`` are the places of the
    best, where not all are alike."""

    group: str
    label: str
    higher_is_better: bool
    cells: tuple[str, ...]
    ahead: tuple[int, ...] = ()


def verdict(report: ComparisonReport) -> str:
    """Whose draft contradicts the story least, in a sentence; a tie is called one. Hints do not count. Empty
    where fewer than two drafts could be judged."""
    judged = [one for one in report.results if one.check and (one.check.facts_checked or one.violations)]
    found = {one.pipeline: sum(v.severity is not Severity.INFO for v in one.violations) for one in judged}
    if len(found) < 2:
        return ""
    least = min(found.values())
    best = [name for name, count in found.items() if count == least]
    said = f"{least or 'no'} finding{'s' * (least != 1)}"
    if len(best) == len(found):
        return f"A tie: {said} in each of the {len(found)} drafts that could be judged."
    others = ", ".join(f"{name} {count}" for name, count in found.items() if count > least)
    verb = "contradict" if len(best) > 1 else "contradicts"
    return f"{' and '.join(best)} {verb} the story least: {said}; {others}."


def render_json(report: ComparisonReport, *, memory: MemoryReport | None = None) -> str:
    """The whole report as JSON, one line feed at the end. ``memory`` is what the guard saw.

    Everything but the object under ``machine`` is the same on every run that model and index repeat.
    """
    content = report.to_dict()
    content["machine"] |= {"versions": versions(), "memory": asdict(memory) if memory else None}
    return json.dumps(content, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def render_text(report: ComparisonReport, *, memory: MemoryReport | None = None) -> str:
    """The report in plain text, no line wider than a terminal.

    Control characters of the story and the drafts are dropped, so no text can act on the terminal.
    """
    lines = [*_head(report), *_table(report)]
    lines += [line for result in report.results for line in _result(report, result)]
    if not report.supplied:
        lines += _rule("context of each")
        lines += [line for result in report.results for line in _given(result)]
    lines += ["", *_wrapped(f"{ONE_PROMPT} {revision_words(report)}".strip())]
    lines += [line for told in memory_words(memory) for line in _wrapped(told)]
    return "\n".join(lines) + "\n"


def _ahead(values: Sequence[float | None], form: str, higher_is_better: bool) -> tuple[int, ...]:
    """What is written alike is alike."""
    known = [value for value in values if value is not None]
    if len({form.format(value) for value in known}) < 2:
        return ()
    best = _cell(max(known) if higher_is_better else min(known), form)
    return tuple(place for place, value in enumerate(values) if _cell(value, form) == best)


def metric_rows(report: ComparisonReport) -> list[MetricRow]:
    """The rows of the metrics table in words; metrics that no result has are left out."""
    rows = []
    for told in _METRICS:
        name, group, form = told["name"], told["group"], told["form"]
        scores = [_score(result, name) for result in report.results]
        known = [score for score in scores if score is not None]
        if not known or (report.supplied and group == "cost"):
            continue
        if name != "first_consistency" or revision_words(report):
            values = [None if score is None else score.value for score in scores]
            better = known[0].higher_is_better
            ahead = () if group == "cost" else _ahead(values, form, better)
            cells = tuple(_cell(value, form) for value in values)
            rows.append(MetricRow(group, told["label"], better, cells, ahead))
    return rows


def draft_title(result: PipelineResult, index: int) -> str:
    """What to call a draft: ``"Draft"``, or first draft and revision, and which of them counts."""
    if len(result.drafts) == 1:
        return "Draft"
    name = "First draft" if index == 0 else "Revision"
    return f"{name} (kept)" if index == result.kept else f"{name} (not kept)"


def horizon_words(report: ComparisonReport) -> str:
    """The horizon in words."""
    chapter = report.horizon.chapter
    return "the whole text" if chapter is None else f"chapter {chapter}; nothing from later chapters was read"


def memory_words(memory: MemoryReport | None) -> tuple[str, ...]:
    """The peak against the budget, and what the guard did about it."""
    if memory is None:
        return ()
    peak = f"Memory peak: {memory.peak / GIB:.2f} GB of a budget of {memory.budget / GIB:.1f} GB."
    return (peak, *(f"The guard acted: {action}." for action in memory.actions))


def quote_place(report: ComparisonReport, quote: Evidence) -> str:
    """Where a quote stands: its chapter of the story, or the draft."""
    return f"ch. {quote.chapter}" if quote.document_id == report.document_id else quote.document_id


def left_out_words(reason: str) -> str:
    """Why something was left out of a context, in words."""
    return {"budget": "over budget", "duplicate": "already given"}.get(reason, reason)


def revision_words(report: ComparisonReport) -> str:
    """The caution that a kept revision calls for; empty where there was none."""
    revised = [result.pipeline for result in report.results if result.kept]
    if not revised:
        return ""
    return (
        f"Revised against the same critic that scores it: {', '.join(revised)}. "
        "For a fair comparison look at the first draft."
    )


def versions() -> dict[str, str]:
    """Versions of what made the report."""
    return {"fabula": __version__, "python": platform.python_version()}


def _score(result: PipelineResult, name: str) -> Score | None:
    if name == "response_time":
        return result.metrics.response_time
    if name == "first_consistency":
        check = result.drafts[0].check if result.drafts else None
        return consistency(check)
    return result.metrics.score(name)


def _cell(value: float | None, form: str) -> str:
    return "–" if value is None else form.format(value)


def _line(text: str) -> str:
    return harmless(text)[:WIDTH].rstrip()


def _rule(title: str) -> list[str]:
    return ["", _line(f"── {title} ".ljust(WIDTH, "─"))]


def _wrapped(text: str, *, indent: str = "", hang: str | None = None) -> Iterator[str]:
    """Paragraphs; ``hang`` indents all lines but the first."""
    rest = indent if hang is None else hang
    for paragraph in re.split(r"\n\s*\n", harmless(text).strip()):
        flat = " ".join(paragraph.split())
        yield from textwrap.wrap(flat, WIDTH, initial_indent=indent, subsequent_indent=rest) or [""]
        indent = rest


def _head(report: ComparisonReport) -> Iterator[str]:
    what = "drafts written elsewhere" if report.supplied else "pipelines"
    yield _line(f"Comparison of {len(report.results)} {what}")
    yield from _wrapped(verdict(report))
    yield ""
    cast = ", ".join(report.cast_names) or "nobody"
    facts = (
        ("Prompt", report.prompt),
        ("Story", report.title),
        ("Horizon", horizon_words(report)),
        ("About", f"{cast} ({'named in the prompt' if report.cast.named else 'most present recently'})"),
        ("Model", f"{report.model}: {report.caveat}" if report.caveat else report.model),
        ("Budget", f"{report.settings.budget} context tokens for each pipeline"),
    )
    for name, value in facts[: 4 if report.supplied else None]:
        yield from _wrapped(" ".join(value.split()), indent=f"{name:<9}", hang=" " * 9)
    for notice in report.notices:
        yield from _wrapped(notice, indent=f"{'Note':<9}", hang=" " * 9)


def _table(report: ComparisonReport) -> Iterator[str]:
    names = [result.pipeline for result in report.results]
    column = max(10, *(min(16, len(name) + 2) for name in names))
    yield ""
    yield _line(" " * 38 + "".join(f"{name[: column - 2]:>{column}}" for name in names))
    group = "quality"
    for row in metric_rows(report):
        if row.group != group:
            group = row.group
            yield ""
        arrow = " " if row.group == "cost" else "↑" if row.higher_is_better else "↓"
        told = [f"{cell}{'*' if place in row.ahead else ' '}" for place, cell in enumerate(row.cells)]
        yield _line(f"{arrow} {row.label:<36}" + "".join(f"{cell:>{column}}" for cell in told))
    for stage in dict.fromkeys(name for result in report.results for name, _ in result.metrics.seconds):
        cells = [dict(result.metrics.seconds).get(stage) for result in report.results]
        worded = [f"{cell:.2f}" if cell is not None else "–" for cell in cells]
        yield _line(f"    {stage:<34}" + "".join(f"{cell:>{column}}" for cell in worded))
    yield ""
    yield from _wrapped(
        "↑ higher is better, ↓ lower is better, * ahead, – nothing to judge (which is not zero)."
    )


def _result(report: ComparisonReport, result: PipelineResult) -> Iterator[str]:
    yield from _rule(result.pipeline)
    if result.error:
        yield from _wrapped(f"FAILED: {result.error}")
    if result.notice:
        yield from _wrapped(result.notice)
    for index, draft in enumerate(result.drafts):
        yield ""
        cut = ", cut at the token limit" if draft.generation.finish_reason == "length" else ""
        yield _line(f"{draft_title(result, index)}{cut}")
        yield ""
        yield from _wrapped(draft.generation.text, indent="  ")
        yield ""
        yield from _findings(report, draft)


def _findings(report: ComparisonReport, draft: Draft) -> Iterator[str]:
    if draft.check is None:
        yield _line("Not checked.")
        return
    check = draft.check
    others = len(check.violations) - len(check.counted)
    beside = f" and {others} of a model" if others else ""
    yield _line(
        f"Findings: {len(check.counted)}{beside} "
        f"({check.facts_checked} of {check.facts_checkable} facts checked, {check.words} words)"
    )
    for violation in check.violations:
        yield from _finding(report, violation)


def _finding(report: ComparisonReport, violation: Violation) -> Iterator[str]:
    yield from _wrapped(
        f"{violation.severity.value} {violation.rule}: {violation.message}", indent="  • ", hang="    "
    )
    for quote in violation.evidence:
        place = quote_place(report, quote)
        yield from _wrapped(in_marks(quote_shown(quote).words), indent=f"    {place:<8}", hang=" " * 12)
    if violation.suggestion:
        yield from _wrapped(violation.suggestion, indent="    fix     ", hang=" " * 12)
    if violation.unless:
        yield from _wrapped(violation.unless, indent="    unless  ", hang=" " * 12)


def _given(result: PipelineResult) -> Iterator[str]:
    context = result.context
    yield ""
    if context is None:
        yield _line(f"{result.pipeline}: nothing")
        return
    yield _line(
        f"{result.pipeline}: {context.context.tokens} of {context.budget} tokens, {context.unused} not used"
    )
    for source in context.sources:
        start = f"  {source.tokens:>5}  {source.section:<15} "
        words = f"ch. {source.chapter}: {' '.join(source.text.split())}"
        shown = textwrap.shorten(words, 2 * (WIDTH - len(start)), placeholder=" …")
        yield from _wrapped(shown, indent=start, hang=" " * len(start))
    reasons = Counter(left.reason for left in context.context.left_out)
    if reasons:
        listed = ", ".join(f"{count} {left_out_words(reason)}" for reason, count in sorted(reasons.items()))
        yield _line(f"         left out: {listed}")
