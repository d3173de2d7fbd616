"""The page's own HTML. Story text, drafts and titles are untrusted: here they are escaped, every one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from html import escape

from ...core.text.sentences import in_marks
from ...core.types import Evidence
from ...library.library import Entry
from ...project.suggesting import Suggestion
from ...story.comparison.report import ComparisonReport, PipelineResult
from ...story.model.findings import Violation
from ...story.writing.context import SECTIONS, Source, StoryContext
from ...views.quotes import quote_shown
from ...views.text.comparison import draft_title, horizon_words, left_out_words, metric_rows, quote_place
from ..state.live import STAGE_WORDS, LiveDraft
from ..wording import DEFINITIONS, GROUPS, USES


def prose(text: str) -> str:
    """A text to be read, its line breaks kept."""
    return f'<div class="f-prose">{escape(text.strip())}</div>'


def note(text: str) -> str:
    """Something to know, quietly."""
    return f'<div class="f-note" role="note">{escape(text)}</div>'


def alert(text: str) -> str:
    """Something that went wrong, and what to do."""
    return f'<div class="f-alert" role="alert">{escape(text)}</div>'


def header(title: str, lead: str, entry: Entry | None, as_of: int) -> str:
    """A page's head: what it is for, and of which story up to where."""
    where = ""
    if entry is not None:
        read = f"read up to chapter {as_of} of {entry.chapters}" if entry.chapters > 1 else "one chapter"
        where = f'<p class="f-where"><b dir="auto">{escape(_short(entry.title))}</b> {read}</p>'
    return f'<header class="f-mast">{where}<h1>{escape(title)}</h1><p>{escape(lead)}</p></header>'


def welcome() -> str:
    """What an empty library shows before the choice of a story."""
    steps = (
        ("Read", "A story is indexed for search and read into a graph of who, where, what and when."),
        ("Ask", "You say how far you have read. Nothing told later reaches a page, or a model."),
        ("Compare", "Three pipelines write a scene; one critic checks each draft and shows both quotes."),
    )
    items = "".join(f"<li><b>{name}</b>{text}</li>" for name, text in steps)
    return f'<ol class="f-steps">{items}</ol>'


def nothing_yet() -> str:
    """What a page about a story shows while there is none."""
    return note("There is no story yet. Add your own text or the demo story, then come back.")


def story_card(entry: Entry, *, chosen: bool) -> str:
    """One story of the library."""
    mark = ' <span class="f-badge">open</span>' if chosen else ""
    when = f"{entry.indexed:%d %b %Y, %H:%M}"
    return (
        f'<div class="f-story"><h2 dir="auto">{escape(_short(entry.title))}{mark}</h2>'
        f'<p class="f-soft">{size(entry.chapters, entry.words)}</p><p class="f-soft">Indexed {when}</p></div>'
    )


def size(chapters: int, words: int) -> str:
    """A book's size in words."""
    return f"{chapters} chapter{'' if chapters == 1 else 's'}, {words:,} words"


def head(pipeline: str) -> str:
    """A pipeline's name and what it uses."""
    uses = USES.get(pipeline, "")
    return f'<div class="f-head"><h3>{escape(pipeline)}</h3><p>{escape(uses)}</p></div>'


def live(draft: LiveDraft) -> str:
    """A draft while it is written."""
    if draft.stage == "error":
        return alert(draft.error) + (prose(draft.text) if draft.text else "")
    status = f'<p class="f-status">{escape(STAGE_WORDS.get(draft.stage, draft.stage))}</p>'
    return status + (prose(draft.text) if draft.text else "")


def asked(report: ComparisonReport) -> str:
    """What the results answer: the form may have changed since."""
    how = "named in the prompt" if report.cast.named else "most present recently"
    cast = f"{', '.join(report.cast_names)} ({how})" if report.cast_names else "nobody"
    rows = (("Horizon", horizon_words(report)), ("About", cast), ("Model", report.model))
    listed = "".join(f"<div><dt>{name}</dt><dd>{escape(value)}</dd></div>" for name, value in rows)
    return f'<div class="f-asked"><p>{escape(report.prompt.strip())}</p><dl>{listed}</dl></div>'


def strip(result: PipelineResult) -> str:
    """The four numbers that are looked at first."""
    cells = (
        ("consistency", _value(result, "consistency", "{:.2f}")),
        ("coverage", _value(result, "coverage", "{:.0%}")),
        ("context tokens", _value(result, "context_tokens", "{:,.0f}")),
        ("seconds", _seconds(result)),
    )
    shown = "".join(f"<div><dt>{name}</dt><dd>{value}</dd></div>" for name, value in cells)
    return f'<dl class="f-strip">{shown}</dl>'


def checked(result: PipelineResult) -> str:
    """What the critic had to go on, and how much it found."""
    if result.draft is None:
        return ""
    check = result.check
    if check is None:
        return '<p class="f-verdict">Not checked.</p>'
    count = len(check.violations)
    facts = f"{check.facts_checked} of {check.facts_checkable} facts could be checked"
    if not check.facts_checkable:
        facts = "the critic read no fact in the draft"
    found = "No contradiction found" if check.facts_checked else "Nothing to judge"
    if count:
        found = f"{count} finding{'' if count == 1 else 's'}"
    cut = ""
    if result.generation is not None and result.generation.finish_reason == "length":
        cut = " The draft was cut at the token limit."
    return f'<p class="f-verdict"><b>{found}</b>; {facts}.{cut}</p>'


def suggestion(one: Suggestion) -> str:
    """A way to go on, and what of it does not fit the story."""
    against = "".join(
        f'<p class="s-mend">Against the story: {escape(each.message)}</p>'
        + "".join(f'<blockquote dir="auto">{escape(quote.quote)}</blockquote>' for quote in each.evidence)
        for each in one.findings
    )
    return f'<article class="f-card"><p dir="auto">{escape(one.text)}</p>{against}</article>'


def finding(violation: Violation, report: ComparisonReport) -> str:
    """One finding with the quotes of both sides."""
    rule = violation.rule.replace("_", " ")
    tail = ""
    if violation.suggestion:
        tail += f"<p><i>To mend</i> {escape(violation.suggestion)}</p>"
    if violation.unless:
        tail += f"<p><i>Unless</i> {escape(violation.unless)}</p>"
    return (
        f'<article class="f-card f-{escape(violation.severity.value)}">'
        f'<p class="f-tag">{escape(violation.severity.value)}, {escape(rule)}</p>'
        f"<p><b>{escape(violation.message)}</b></p>{_quotes(violation.evidence, report)}{tail}</article>"
    )


def context(given: StoryContext, report: ComparisonReport) -> str:
    """What a pipeline was given, section by section with its quotes, and what was left out."""
    inner = given.context
    body = [f'<p class="f-tag">{inner.tokens:,} of {given.budget:,} tokens, {given.unused:,} not used</p>']
    for section in SECTIONS:
        inside = [source for source in given.sources if source.section == section]
        if inside:
            body.append(f"<h4>{escape(section)}</h4>")
            body += [_source(source, report) for source in inside]
    return f'<div class="f-context">{"".join(body)}{_left_out(given)}</div>'


def metric_table(report: ComparisonReport) -> str:
    """All metrics of all pipelines, each with what it means."""
    names = "".join(f'<th scope="col">{escape(result.pipeline)}</th>' for result in report.results)
    body, group = [], ""
    for row in metric_rows(report):
        if row.group != group:
            group = row.group
            span = 1 + len(report.results)
            heading = escape(GROUPS.get(group, group))
            body.append(f'<tr class="f-group"><th colspan="{span}" scope="rowgroup">{heading}</th></tr>')
        way = "higher is better" if row.higher_is_better else "lower is better"
        arrow = (
            "" if group == "cost" else f' <span title="{way}">{"↑" if row.higher_is_better else "↓"}</span>'
        )
        means = escape(DEFINITIONS.get(row.label, ""))
        cells = "".join(f"<td>{escape(cell)}</td>" for cell in row.cells)
        body.append(f'<tr><th scope="row">{escape(row.label)}{arrow}<small>{means}</small></th>{cells}</tr>')
    return (
        '<div class="f-scroll" tabindex="0" role="region" aria-label="Metrics">'
        f'<table class="f-table"><thead><tr><th scope="col">Metric</th>{names}</tr></thead>'
        f"<tbody>{''.join(body)}</tbody></table></div>"
        '<p class="f-soft">↑ higher is better, ↓ lower is better, – nothing to judge (which is not zero).</p>'
    )


def set_aside(result: PipelineResult) -> list[tuple[str, str]]:
    """Title and text of each draft that does not count."""
    return [
        (draft_title(result, index), prose(draft.generation.text))
        for index, draft in enumerate(result.drafts)
        if index != result.kept
    ]


def _short(text: str, longest: int = 120) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1].rstrip()}…"


def _value(result: PipelineResult, name: str, form: str) -> str:
    score = result.metrics.score(name)
    return "–" if score is None or score.value is None else form.format(score.value)


def _seconds(result: PipelineResult) -> str:
    total = result.metrics.response_time.value
    return "–" if total is None else f"{total:.1f}"


def _quotes(evidence: Sequence[Evidence], report: ComparisonReport) -> str:
    quoted = "".join(
        f'<blockquote class="f-quote"><cite>{escape(quote_place(report, quote))}</cite>'
        f"{escape(in_marks(quote_shown(quote).words))}</blockquote>"
        for quote in evidence
    )
    return f'<div class="f-quotes">{quoted}</div>' if quoted else ""


def _source(source: Source, report: ComparisonReport) -> str:
    place = f"ch. {source.chapter}" if source.chapter else "before ch. 1"
    quotes = _quotes(source.evidence, report) if source.kind == "note" else ""
    return (
        f'<div class="f-source"><p class="f-tag">{escape(source.kind)}, {place}, {source.tokens} tokens</p>'
        f"{prose(source.text)}{quotes}</div>"
    )


def _left_out(given: StoryContext) -> str:
    left_out = given.context.left_out
    if not left_out:
        return ""
    reasons = Counter(left_out_words(left.reason) for left in left_out)
    counted = ", ".join(f"{count} {reason}" for reason, count in sorted(reasons.items()))
    items = _items(f"{left.label} ({left_out_words(left.reason)}, {left.tokens} tokens)" for left in left_out)
    return f"<details><summary>Left out: {escape(counted)}</summary><ul>{items}</ul></details>"


def _items(texts: Iterable[str]) -> str:
    return "".join(f"<li>{escape(text)}</li>" for text in texts)
