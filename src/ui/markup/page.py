"""What all pages show, and a comparison: each function gives HTML (see :mod:`.markup`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial

from markupsafe import Markup

from ...core.types import Evidence
from ...story.comparison.report import ComparisonReport, PipelineResult
from ...story.model.findings import Violation
from ...story.writing.context import Source, StoryContext
from ...views.comparison_page import left_out, sections
from ...views.quotes import QuoteInContext, QuoteShown, quote_shown
from ...views.text.comparison import (
    MetricRow,
    Seeded,
    horizon_words,
    metric_rows,
    quote_place,
)
from ...views.text.render import counted
from ...views.word_diff import Piece, changed_share
from ..state.live import STAGE_WORDS, LiveDraft
from . import html

_LONGEST_SIDE = 700  # characters of context on one side of a quote
_html = partial(html, "page")
Link = Callable[[QuoteShown], str]
"""The address at which a quote of the story can be read; empty where nothing can be opened."""

prose = partial(_html, "prose")
"""A text to be read, its line breaks kept."""
note = partial(_html, "note")
"""Something to know, quietly."""
alert = partial(_html, "alert")
"""Something that went wrong, and what to do."""
soft = partial(_html, "soft")
"""A line of plain text that introduces what follows, or says more of it."""
answer = partial(_html, "answer")
"""The one sentence that says what a page found."""
empty = partial(_html, "empty")
"""Nothing to show (a title), and what would change that."""
header = partial(_html, "header")
"""A page's head: its title and lead, and of which story (or None) up to which chapter."""
section = partial(_html, "section")
"""The heading of some pages in the navigation."""
welcome = partial(_html, "welcome")
"""What an empty library shows before the choice of a story."""
story_card = partial(_html, "story_card")
"""One story of the library, and whether it is the one chosen."""
size = partial(_html, "size")
"""A book's chapters and words, in words."""
head = partial(_html, "head")
"""A pipeline's name and what it uses."""
suggestion = partial(_html, "suggestion")
"""A way to go on, and what of it does not fit the story."""
table = partial(_html, "table")
"""A table (its label, header and rows) whose rows are named by their first cell."""


def titled(title: str, body: str) -> str:
    """A list with its heading; ``body`` is HTML made here."""
    return _html("titled", title, Markup(body))  # noqa: S704 (it is made here)


def side(shown: QuoteInContext) -> tuple[str, str, str, str, str]:
    """Place, text before, quote, text after, address."""
    before, after = shown.before[-_LONGEST_SIDE:], shown.after[:_LONGEST_SIDE]
    return shown.quote.place, _flat(before), _flat(shown.quote.words), _flat(after), shown.link


def _flat(text: str) -> str:
    """Paragraphs stay, line ends within them do not."""
    parts = [" ".join(part.split()) for part in text.split("\n\n")]
    flat = "\n".join(parts)
    left = " " if text[:1].isspace() and not flat.startswith("\n") else ""
    right = " " if text[-1:].isspace() and flat and not flat.endswith("\n") else ""
    return f"{left}{flat}{right}"


def live(draft: LiveDraft) -> str:
    """A draft while it is written."""
    return _html("live", draft, STAGE_WORDS.get(draft.stage, draft.stage))


def asked(report: ComparisonReport) -> str:
    """What the results answer: the form may have changed since."""
    how = "named in the prompt" if report.cast.named else "most present recently"
    cast = f"{', '.join(report.cast_names)} ({how})" if report.cast_names else "nobody"
    rows = (("Written after", horizon_words(report)), ("About", cast), ("By", report.model))
    return _html("asked", report.prompt.strip(), rows)


def checked(result: PipelineResult) -> str:
    """What the critic had to go on, and how much it found."""
    if result.draft is None:
        return ""
    check = result.check
    if check is None:
        return _html("verdict", "", "Not checked.")
    count = len(check.violations)
    facts = f"{check.facts_checked} of {check.facts_checkable} facts could be checked"
    if not check.facts_checkable:
        facts = "the critic found no facts in the draft"
    found = "No contradiction found" if check.facts_checked else "Nothing to judge"
    cut = ""
    if result.generation is not None and result.generation.finish_reason == "length":
        cut = " The draft was cut at the token limit."
    return _html("verdict", counted(count, "finding") if count else found, f"; {facts}.{cut}")


def finding(violation: Violation, report: ComparisonReport, link: Link = lambda _: "") -> str:
    """One finding with the quotes of both sides."""
    return _html("finding", violation, _sides(violation.evidence, report, link))


def context(given: StoryContext, report: ComparisonReport, link: Link = lambda _: "") -> str:
    """What a pipeline was given, section by section with its quotes, and what was left out."""

    def told(source: Source) -> tuple[Source, str, list[tuple[str, str, str]]]:
        place = f"ch. {source.chapter}" if source.chapter else "before ch. 1"
        return source, place, _sides(source.evidence, report, link) if source.kind == "note" else []

    left = left_out(given)
    reasons = Counter(reason for _, reason, _ in left)
    return _html(
        "context",
        f"{given.context.tokens:,} of {given.budget:,} tokens, {given.unused:,} not used",
        [(name, list(map(told, inside))) for name, inside in sections(given)],
        ", ".join(f"{count} {reason}" for reason, count in sorted(reasons.items())),
        [f"{label} ({reason}, {tokens} tokens)" for label, reason, tokens in left],
    )


def metric_table(report: ComparisonReport) -> str:
    """All metrics of all pipelines, each with what it means."""
    rows = [(row, [(cell, "") for cell in row.cells]) for row in metric_rows(report)]
    below = "↑ higher is better, ↓ lower is better, – nothing to judge (which is not zero)."
    return _html("metrics", "Metrics", ["Metric", *(one.pipeline for one in report.results)], rows, below)


def seeded_table(rows: Sequence[MetricRow[Seeded | None]], names: Sequence[str], *, drafts: int) -> str:
    """Mean and 95 % interval of every metric over the drafts of one prompt."""

    def cell(one: Seeded | None, form: str) -> tuple[str, str]:
        if one is None:
            return "–", ""
        of = f", {one.n} judged" if one.n < drafts else ""
        return form.format(one.mean), f"{form.format(one.low)} to {form.format(one.high)}{of}"

    told = [(row, [cell(one, row.form) for one in row.cells]) for row in rows]
    below = (
        "Below each mean is its 95 % bootstrap interval over the drafts: how much drafts of this "
        "prompt vary, not how the pipelines differ on other prompts. – nothing to judge."
    )
    return _html("metrics", "Metrics over drafts", [f"Mean of {drafts} drafts", *names], told, below)


def diff(pieces: tuple[Piece, ...]) -> str:
    """What a revision changed: both drafts in one text, what is gone struck out, what is new underlined."""
    return _html("diff", pieces, f"{changed_share(pieces):.0%}")


def _sides(evidence: Sequence[Evidence], report: ComparisonReport, link: Link) -> list[tuple[str, str, str]]:
    told = [(one, quote_shown(one), one.document_id == report.document_id) for one in evidence]
    return [(quote_place(report, one), shown.words, link(shown) if own else "") for one, shown, own in told]
