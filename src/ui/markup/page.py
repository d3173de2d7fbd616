"""What all pages show, and a comparison: each function gives HTML (see :mod:`.markup`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial

from markupsafe import Markup

from ...core.types import Evidence
from ...library.library import Entry
from ...project.accepting import Suggestion
from ...story.comparison.report import ComparisonReport, PipelineResult
from ...story.model.findings import Violation
from ...story.writing.context import SECTIONS, StoryContext
from ...views.quotes import QuoteInContext, quote_shown
from ...views.text.comparison import (
    MetricRow,
    Seeded,
    draft_title,
    horizon_words,
    left_out_words,
    metric_rows,
    quote_place,
)
from ...views.text.render import counted
from ...views.word_diff import Piece, changed_share
from ..state.live import STAGE_WORDS, LiveDraft
from . import html

_LONGEST_SIDE = 700  # characters of context on one side of a quote
_html = partial(html, "page")
Link = Callable[[Evidence], str]
"""The address at which a quote of the story can be read."""


def no_link(_: Evidence) -> str:
    """Where nothing can be opened."""
    return ""


def prose(text: str) -> str:
    """A text to be read, its line breaks kept."""
    return _html("prose", text)


def note(text: str) -> str:
    """Something to know, quietly."""
    return _html("note", text)


def empty(title: str, text: str) -> str:
    """Nothing to show, and what would change that."""
    return _html("empty", title, text)


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


def alert(text: str) -> str:
    """Something that went wrong, and what to do."""
    return _html("alert", text)


def soft(text: str) -> str:
    """A line of plain text that introduces what follows, or says more of it."""
    return _html("soft", text)


def answer(text: str) -> str:
    """The one sentence that says what a page found."""
    return _html("answer", text)


def header(title: str, lead: str, entry: Entry | None, as_of: int) -> str:
    """A page's head: what it is for, and of which story up to where."""
    return _html("header", title, lead, entry, as_of)


def section(title: str) -> str:
    """The heading of some pages in the navigation."""
    return _html("section", title)


def welcome() -> str:
    """What an empty library shows before the choice of a story."""
    return _html("welcome")


def nothing_yet() -> str:
    """What a page about a story shows while there is none."""
    return note("There is no story yet. Add your own text or the demo story, then come back.")


def story_card(entry: Entry, *, chosen: bool) -> str:
    """One story of the library."""
    return _html("story_card", entry, chosen)


def size(chapters: int, words: int) -> str:
    """A book's size in words."""
    return _html("size", chapters, words)


def head(pipeline: str) -> str:
    """A pipeline's name and what it uses."""
    return _html("head", pipeline)


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


def suggestion(one: Suggestion) -> str:
    """A way to go on, and what of it does not fit the story."""
    return _html("suggestion", one)


def finding(violation: Violation, report: ComparisonReport, link: Link = no_link) -> str:
    """One finding with the quotes of both sides."""
    return _html("finding", violation, _sides(violation.evidence, report, link))


def context(given: StoryContext, report: ComparisonReport, link: Link = no_link) -> str:
    """What a pipeline was given, section by section with its quotes, and what was left out."""
    sections = []
    for name in SECTIONS:
        inside = [
            (
                source,
                f"ch. {source.chapter}" if source.chapter else "before ch. 1",
                _sides(source.evidence, report, link) if source.kind == "note" else [],
            )
            for source in given.sources
            if source.section == name
        ]
        sections += [(name, inside)] if inside else []
    left = [(one.label, left_out_words(one.reason), one.tokens) for one in given.context.left_out]
    reasons = Counter(reason for _, reason, _ in left)
    return _html(
        "context",
        f"{given.context.tokens:,} of {given.budget:,} tokens, {given.unused:,} not used",
        sections,
        ", ".join(f"{count} {reason}" for reason, count in sorted(reasons.items())),
        [f"{label} ({reason}, {tokens} tokens)" for label, reason, tokens in left],
    )


def table(label: str, header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table whose rows are named by their first cell."""
    return _html("table", label, header, rows)


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


def set_aside(result: PipelineResult) -> list[tuple[str, str]]:
    """Title and text of each draft that does not count."""
    return [
        (draft_title(result, index), prose(draft.generation.text))
        for index, draft in enumerate(result.drafts)
        if index != result.kept
    ]


def _sides(evidence: Sequence[Evidence], report: ComparisonReport, link: Link) -> list[tuple[str, str, str]]:
    told = [(one, link(one) if one.document_id == report.document_id else "") for one in evidence]
    return [(quote_place(report, one), quote_shown(one).words, address) for one, address in told]
