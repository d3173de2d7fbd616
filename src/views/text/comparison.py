"""A comparison for people at a terminal, and for programs as JSON."""

from __future__ import annotations

import json
import platform
import re
import textwrap
from collections import Counter
from dataclasses import asdict, dataclass
from importlib import metadata
from typing import Generic, TypeVar

from ...core.runtime.memory_monitor import GIB, MemoryReport
from ...core.text.sentences import in_marks
from ...core.types import Evidence
from ...story.comparison.report import ComparisonReport, PipelineResult
from ...story.metrics import Score, consistency
from ...story.model.findings import CheckReport, Violation
from ...story.writing.pipelines import Draft
from ..quotes import quote_shown
from .render import WIDTH, harmless

_Cell = TypeVar("_Cell")
ONE_PROMPT = "One prompt is an anecdote: it shows what the pipelines do, not which one is better."

_ROWS = (
    ("quality", "consistency", "Consistency", "{:.2f}"),
    ("quality", "first_consistency", "Consistency of the first draft", "{:.2f}"),
    ("quality", "violations_per_10k_words", "Violations per 10,000 words", "{:.1f}"),
    ("quality", "coverage", "Coverage: facts checked", "{:.0%}"),
    ("quality", "presence", "Characters of the prompt present", "{:.0%}"),
    ("quality", "scene_coherence", "Coherence with the scene before", "{:.3f}"),
    ("quality", "flow", "Coherence sentence to sentence", "{:.3f}"),
    ("quality", "entity_graph", "Coherence by nouns in common", "{:.2f}"),
    ("quality", "arc_plausibility", "Emotional moves as the story makes", "{:.2f}"),
    ("quality", "grounding", "Claims that the context tells too", "{:.0%}"),
    ("quality", "repetition", "Repeated 4-grams", "{:.1%}"),
    ("quality", "longest_repeat", "Longest repeated run, words", "{:.0f}"),
    ("quality", "distinct_2", "Different pairs of words", "{:.1%}"),
    ("quality", "copied", "4-grams copied from the context", "{:.1%}"),
    ("quality", "source_diversity", "Source diversity", "{:.2f}"),
    ("quality", "useful_diversity", "Diversity about whom was asked for", "{:.2f}"),
    ("cost", "response_time", "Response time, seconds", "{:.2f}"),
    ("cost", "retrieved", "Passages and notes found", "{:.0f}"),
    ("cost", "context_tokens", "Context tokens", "{:,.0f}"),
    ("cost", "prompt_tokens", "Prompt tokens, all calls", "{:,.0f}"),
    ("cost", "completion_tokens", "Completion tokens, all calls", "{:,.0f}"),
)


@dataclass(frozen=True, slots=True)
class MetricRow(Generic[_Cell]):
    """One metric over all pipelines. ``group`` is ``"quality"`` or ``"cost"``, ``form`` how to write a number
    (:meth:`str.format`); ``cells`` stand in the order of the report's results, None where there was nothing
    to judge."""

    group: str
    label: str
    form: str
    higher_is_better: bool
    cells: tuple[_Cell, ...]


def render_json(report: ComparisonReport, *, memory: MemoryReport | None = None) -> str:
    """The whole report as JSON, one line feed at the end. ``memory`` is what the guard saw.

    Everything but the object under ``machine`` is the same on every run that model and index repeat.
    """
    content = report.to_dict()
    content["machine"] |= {"versions": versions(), "memory": asdict(memory) if memory else None}
    return json.dumps(content, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def render_text(report: ComparisonReport, *, memory: MemoryReport | None = None, width: int = WIDTH) -> str:
    """The report in plain text, no line wider than ``width`` columns.

    Control characters of the story and the drafts are dropped, so no text can act on the terminal.
    """
    page = _Page(width)
    _head(page, report)
    _table(page, report)
    for result in report.results:
        _result(page, report, result)
    if not report.supplied:
        page.rule("what each was given")
        for result in report.results:
            _given(page, result)
    page.line()
    page.wrap(f"{ONE_PROMPT} {revision_words(report)}".strip())
    for line in memory_words(memory):
        page.wrap(line)
    return page.text()


def metric_rows(report: ComparisonReport) -> list[MetricRow[str]]:
    """The rows of the metrics table in words; metrics that no result has are left out."""
    return [
        MetricRow(
            row.group, row.label, row.form, row.higher_is_better, tuple(_cell(v, row.form) for v in row.cells)
        )
        for row in metric_values(report)
    ]


def metric_values(report: ComparisonReport) -> list[MetricRow[float | None]]:
    """The same rows in numbers."""
    rows = []
    for group, name, label, form in _ROWS:
        scores = [_score(result, name) for result in report.results]
        known = [score for score in scores if score is not None]
        if not known or (report.supplied and group == "cost"):
            continue
        if name != "first_consistency" or revision_words(report):
            values = tuple(None if score is None else score.value for score in scores)
            rows.append(MetricRow(group, label, form, known[0].higher_is_better, values))
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
    return "the whole text" if chapter is None else f"chapter {chapter}; nothing told later was read"


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
        "For a comparison on equal terms look at the first draft."
    )


def versions() -> dict[str, str]:
    """Versions of what made the report."""
    try:
        own = metadata.version("fabula")
    except metadata.PackageNotFoundError:
        own = "not installed"
    return {"fabula": own, "python": platform.python_version()}


def _score(result: PipelineResult, name: str) -> Score | None:
    if name == "response_time":
        return result.metrics.response_time
    if name == "first_consistency":
        check = result.drafts[0].check if result.drafts else None
        return consistency(check)
    return result.metrics.score(name)


def _cell(value: float | None, form: str) -> str:
    return "–" if value is None else form.format(value)


class _Page:
    """Lines of one width."""

    def __init__(self, width: int) -> None:
        self.width = width
        self._lines: list[str] = []

    def line(self, text: str = "") -> None:
        self._lines.append(harmless(text)[: self.width].rstrip())

    def rule(self, title: str) -> None:
        self.line()
        self.line(f"── {title} ".ljust(self.width, "─"))

    def wrap(self, text: str, *, indent: str = "", hang: str | None = None) -> None:
        """Paragraphs, wrapped; ``hang`` indents all lines but the first."""
        rest = indent if hang is None else hang
        for paragraph in re.split(r"\n\s*\n", harmless(text).strip()):
            lines = textwrap.wrap(
                " ".join(paragraph.split()), self.width, initial_indent=indent, subsequent_indent=rest
            )
            self._lines += lines or [""]
            indent = rest

    def text(self) -> str:
        return "\n".join(self._lines) + "\n"


def _head(page: _Page, report: ComparisonReport) -> None:
    what = "drafts written elsewhere" if report.supplied else "pipelines"
    page.line(f"Comparison of {len(report.results)} {what}")
    page.line()
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
        page.wrap(" ".join(value.split()), indent=f"{name:<9}", hang=" " * 9)
    for notice in report.notices:
        page.wrap(notice, indent=f"{'Note':<9}", hang=" " * 9)


def _table(page: _Page, report: ComparisonReport) -> None:
    names = [result.pipeline for result in report.results]
    column = max(10, *(min(16, len(name) + 2) for name in names))
    page.line()
    page.line(" " * 38 + "".join(f"{name[: column - 2]:>{column}}" for name in names))
    group = "quality"
    for row in metric_rows(report):
        if row.group != group:
            group = row.group
            page.line()
        arrow = " " if row.group == "cost" else "↑" if row.higher_is_better else "↓"
        page.line(f"{arrow} {row.label:<36}" + "".join(f"{cell:>{column}}" for cell in row.cells))
    for stage in _stages(report):
        cells = [dict(result.metrics.seconds).get(stage) for result in report.results]
        worded = [f"{cell:.2f}" if cell is not None else "–" for cell in cells]
        page.line(f"    {stage:<34}" + "".join(f"{cell:>{column}}" for cell in worded))
    page.line()
    page.wrap("↑ higher is better, ↓ lower is better, – nothing to judge (which is not zero).")


def findings_words(check: CheckReport) -> str:
    """How many findings count, and how many of a language model stand beside them."""
    others = len(check.violations) - len(check.counted)
    beside = f" and {others} of a model" if others else ""
    return f"{len(check.counted)}{beside}"


def _stages(report: ComparisonReport) -> list[str]:
    return list(dict.fromkeys(stage for result in report.results for stage, _ in result.metrics.seconds))


def _result(page: _Page, report: ComparisonReport, result: PipelineResult) -> None:
    page.rule(result.pipeline)
    if result.error:
        page.wrap(f"FAILED: {result.error}")
    if result.notice:
        page.wrap(result.notice)
    for index, draft in enumerate(result.drafts):
        page.line()
        cut = ", cut at the token limit" if draft.generation.finish_reason == "length" else ""
        page.line(f"{draft_title(result, index)}{cut}")
        page.line()
        page.wrap(draft.generation.text, indent="  ")
        page.line()
        _findings(page, report, draft)


def _findings(page: _Page, report: ComparisonReport, draft: Draft) -> None:
    if draft.check is None:
        page.line("Not checked.")
        return
    check = draft.check
    page.line(
        f"Findings: {findings_words(check)} "
        f"({check.facts_checked} of {check.facts_checkable} facts checked, {check.words} words)"
    )
    for violation in check.violations:
        _finding(page, report, violation)


def _finding(page: _Page, report: ComparisonReport, violation: Violation) -> None:
    page.wrap(f"{violation.severity.value} {violation.rule}: {violation.message}", indent="  • ", hang="    ")
    for quote in violation.evidence:
        place = quote_place(report, quote)
        page.wrap(in_marks(quote_shown(quote).words), indent=f"    {place:<8}", hang=" " * 12)
    if violation.suggestion:
        page.wrap(violation.suggestion, indent="    mend    ", hang=" " * 12)
    if violation.unless:
        page.wrap(violation.unless, indent="    unless  ", hang=" " * 12)


def _given(page: _Page, result: PipelineResult) -> None:
    context = result.context
    page.line()
    if context is None:
        page.line(f"{result.pipeline}: nothing")
        return
    page.line(
        f"{result.pipeline}: {context.context.tokens} of {context.budget} tokens, {context.unused} not used"
    )
    for source in context.sources:
        start = f"  {source.tokens:>5}  {source.section:<15} "
        words = f"ch. {source.chapter}: {' '.join(source.text.split())}"
        shown = textwrap.shorten(words, 2 * (page.width - len(start)), placeholder=" …")
        page.wrap(shown, indent=start, hang=" " * len(start))
    reasons = Counter(left.reason for left in context.context.left_out)
    if reasons:
        listed = ", ".join(f"{count} {left_out_words(reason)}" for reason, count in sorted(reasons.items()))
        page.line(f"         left out: {listed}")
