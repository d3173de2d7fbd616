"""A comparison as one HTML page that needs nothing else: no script, no font, no request."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources

from ..core.runtime.memory_monitor import MemoryReport
from ..story.comparison.report import ComparisonReport
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
    offered = (verdict, horizon_words, revision_words, metric_rows, draft_title, quote_place, quote_shown)
    environment.globals |= {made.__name__: made for made in (*offered, sections, left_out)}
    template = resources.files(__package__).joinpath("report.html").read_text(encoding="utf-8")
    told = {"report": report, "before": before, "one_prompt": ONE_PROMPT, "stages": STAGES}
    return environment.from_string(template).render(told, versions=versions(), memory=memory_words(memory))


def sections(context: StoryContext) -> list[tuple[str, list[Source]]]:
    """What a pipeline was given, by section in their order; none that is empty."""
    inside = gathered((source.section, source) for source in context.sources)
    return [(name, inside[name]) for name in SECTIONS if name in inside]


def left_out(context: StoryContext) -> list[tuple[str, str, int]]:
    """What a pipeline was not given: label, reason in words, tokens."""
    return [(one.label, left_out_words(one.reason), one.tokens) for one in context.context.left_out]
