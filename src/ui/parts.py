"""Pieces of a page. Story text is untrusted: it reaches the page escaped, never as Markdown."""

from __future__ import annotations

import html
from collections.abc import Sequence

import streamlit as st

from ..core.types import Evidence
from ..report import draft_title, metric_rows
from ..story.comparison_report import ComparisonReport, PipelineResult
from ..story.types import Violation

__all__ = ["context", "draft", "finding", "memory_gauge", "metrics", "prose", "quotes"]

_PROSE = "font-family:Georgia,serif;line-height:1.55;white-space:pre-wrap;overflow-wrap:anywhere"


def prose(text: str) -> str:
    """HTML of a text to be read, safe for ``st.html``."""
    return f'<div style="{_PROSE}">{html.escape(text)}</div>'


def draft(result: PipelineResult) -> None:
    """The text that counts, what the critic found in it, and the draft that was set aside."""
    if result.error:
        st.error(result.error)
    if result.draft is None:
        return
    st.html(prose(result.draft.generation.text))
    if result.violations:
        st.caption(f"{len(result.violations)} findings")
        for violation in result.violations:
            finding(violation)
    elif result.check is not None:
        checked, of = result.check.facts_checked, result.check.facts_checkable
        st.caption(f"No contradiction found; {checked} of {of} facts could be checked.")
    for index, other in enumerate(result.drafts):
        if index != result.kept:
            with st.expander(draft_title(result, index)):
                st.html(prose(other.generation.text))


def finding(violation: Violation) -> None:
    """One finding with the quotes of both sides."""
    label = f"**{violation.severity.value}** · {violation.rule.replace('_', ' ')}"
    with st.container(border=True):
        st.markdown(label)
        st.html(prose(violation.message))
        quotes(violation.evidence)
        if violation.suggestion:
            st.html(prose(f"To mend: {violation.suggestion}"))


def quotes(evidence: Sequence[Evidence]) -> None:
    for quote in evidence:
        place = f"chapter {quote.chapter}, characters {quote.span.start} to {quote.span.end}"
        if quote.document_id == "draft":
            place = "the draft"
        st.html(
            f'<blockquote style="margin:.2rem 0 .6rem;padding-left:.8rem;border-left:3px solid #8a8a8a">'
            f'{prose(quote.quote)}<small style="opacity:.7">{html.escape(place)}</small></blockquote>'
        )


def context(result: PipelineResult) -> None:
    """What a pipeline was given, source by source, and what was left out."""
    given = result.context
    if given is None:
        st.caption("nothing was assembled")
        return
    st.caption(f"{given.context.tokens} of {given.budget} tokens")
    for source in given.sources:
        st.markdown(f"**{source.section}** · {source.tokens} tokens")
        st.html(prose(source.text))
        if source.kind == "note":
            quotes(source.evidence)
    for left in given.context.left_out:
        st.caption(f"left out ({left.reason}): {left.tokens} tokens")


def metrics(report: ComparisonReport) -> None:
    """The metrics of all pipelines, side by side."""
    names = [result.pipeline for result in report.results]
    rows = [{"metric": row.label, **dict(zip(names, row.cells, strict=True))} for row in metric_rows(report)]
    st.dataframe(rows, hide_index=True, width="stretch")


def memory_gauge(used: int, budget: int, actions: Sequence[str]) -> None:
    """Resident memory against the guard's budget."""
    share = min(1.0, used / budget)
    st.progress(share, text=f"memory {used / 1e9:.1f} of {budget / 1e9:.0f} GB")
    for action in actions[-3:]:
        st.caption(action)
