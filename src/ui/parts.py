"""Pieces of the page. What is not the page's own words reaches it through :mod:`.markup.page`, escaped."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from ..config import Config, load_config
from ..core.runtime.memory_monitor import GIB, MemoryMonitor, MemoryReport
from ..errors import FabulaError
from ..project.trust import user_settings
from ..story.comparison.report import ComparisonReport, PipelineResult
from ..views.comparison_page import render_html
from ..views.text.comparison import ONE_PROMPT, draft_title, render_json, revision_words, verdict
from ..views.text.render import counted
from ..views.word_diff import word_diff
from .frame import Frame
from .markup import Link
from .markup import page as markup
from .state.live import Running

_RATED = "Saved: later searches take it into account."
_NO_VERDICT = "The critic could not compare these drafts with the story: read them, and judge for yourself."


def settings_here(frame: Frame) -> Config:
    """Those of the story that is open, else of the library."""
    if frame.entry is None:
        return load_config(*user_settings(), *frame.library.settings)
    with frame.project() as project:
        return project.config


def model_used(frame: Frame) -> str:
    """The language model of the settings, by its name; empty where none is connected."""
    told = settings_here(frame).generator
    return "" if told.is_packaged else told.model or told.provider


def without_model(frame: Frame, words: str) -> None:
    """Says that no model is connected, what that means here, and where to connect one."""
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="left"):
        st.html(markup.soft(f"No language model is connected. {words}"), width="content")
        st.page_link(frame.links["model"], label="Connect a model")


def choice(label: str, called: Mapping[str, str], *, key: str, default: str = "") -> str:
    """One of a few, by what each is called, kept while the session lasts; the first where none is named."""
    chosen: str | None = st.segmented_control(
        label,
        list(called),
        default=default or next(iter(called)),
        required=True,
        format_func=called.__getitem__,
        key=key,
        persist_state="session",
    )
    return chosen or next(iter(called))


def thumbs(key: str, rate: Callable[[float], bool]) -> None:
    """A thumb up or down, by which later searches weigh; ``rate`` says whether it could be kept."""

    def keep() -> None:
        given = st.session_state.get(key)
        if given is None:
            return
        try:
            kept = rate(float(given))
        except FabulaError as error:
            st.session_state["said"] = str(error)
        else:
            st.toast(_RATED if kept else "Not saved: the search no longer finds what the answer quotes.")

    st.feedback("thumbs", key=key, on_change=keep)


def watch(frame: Frame, running: Running[tuple[str, int, int], Any]) -> None:
    """A bar until the work is over: its events are what is done, how much of it, and of how much."""
    place = st.empty()
    for beat, batch in enumerate(running.batches(every=0.5)):
        for what, done, total in batch[-1:]:
            words = f"{what}{f': {done} of {total}' if total else ''}. You can leave this page."
            place.progress(min(1.0, done / max(1, total)), words)
        if beat % 2 == 0:  # about once a second
            frame.repaint()
    place.empty()


def results(
    reports: Sequence[ComparisonReport],
    *,
    memory: MemoryReport,
    link: Link,
    offer: Callable[[str, str], None] = lambda *_: None,
) -> None:
    """A finished comparison, one report a seed; ``memory`` is what the guard saw while it ran. ``offer`` is
    called under each draft with its text and a name for it, to offer what can be done with it; ``link``
    gives the address of a quote."""
    report = reports[0]
    if len(reports) > 1:
        turn = st.selectbox(
            "Draft shown",
            range(len(reports)),
            format_func=lambda one: (
                f"{one + 1} of {len(reports)}, seed {reports[one].settings.sampling.seed}"
            ),
            key="draft-shown",
        )
        report = reports[turn]
    st.html(markup.answer(verdict(report) or _one_judged(report)))
    st.html(markup.asked(report))
    if report.caveat:
        st.html(markup.note(f"Drafts {report.caveat}."))
    for place, result in zip(st.columns(len(report.results), gap="medium"), report.results, strict=True):
        with place:
            column(result, report, link)
            if result.draft is not None:
                offer(result.draft.generation.text, f"{result.pipeline}-{report.settings.sampling.seed}")
    for notice in report.notices:
        st.html(markup.soft(notice))
    with st.expander("The numbers"):
        st.html(markup.metric_table(report))
        st.html(markup.note(f"{ONE_PROMPT} {revision_words(report)}".strip()))
        downloads(report, memory=memory)


def _one_judged(report: ComparisonReport) -> str:
    """What there is to say where no two drafts could be judged."""
    for one in report.results:
        if one.check and (one.check.facts_checked or one.violations):
            found = counted(len(one.violations), "finding") if one.violations else "no contradiction found"
            return f"Only the {one.pipeline} draft could be compared with the story: {found}."
    return _NO_VERDICT


def column(result: PipelineResult, report: ComparisonReport, link: Link) -> None:
    """One pipeline: the draft that counts, what the critic found, what it was given."""
    st.html(markup.head(result.pipeline))
    if result.error:
        st.html(markup.alert(result.error))
    if result.draft is not None:
        st.html(markup.checked(result))
        st.html(markup.prose(result.draft.generation.text))
    if result.notice:
        st.html(markup.note(result.notice))
    for violation in result.violations:
        st.html(markup.finding(violation, report, link))
    if len(result.drafts) > 1:
        with st.expander("What the revision changed"):
            first, second = (draft.generation.text for draft in result.drafts[:2])
            st.html(markup.diff(word_diff(first, second)))
    for index, draft in enumerate(result.drafts):
        if index != result.kept:
            with st.expander(draft_title(result, index)):
                st.html(markup.prose(draft.generation.text))
    if result.context is not None:
        with st.expander("Context it received"):
            st.html(markup.context(result.context, report, link))


def downloads(report: ComparisonReport, *, memory: MemoryReport) -> None:
    """Buttons that give the report as one HTML page and as JSON, named for the story and the horizon."""
    name = f"fabula-{report.document_id}"
    if report.horizon.chapter is not None:
        name += f"-ch{report.horizon.chapter}"
    with st.container(horizontal=True):
        for form, render in (("text/html", render_html), ("application/json", render_json)):
            kind, made = form.partition("/")[2], render(report, memory=memory)
            st.download_button(f"Report as {kind.upper()}", made, f"{name}.{kind}", form, on_click="ignore")


def memory_gauge(place: Any, monitor: MemoryMonitor) -> None:
    """Resident memory of this process against the guard's budget, and what the guard last did."""
    used, budget = monitor.resident(), monitor.budget
    state = monitor.report
    words = f"Memory: {used / GIB:.1f} of {budget / GIB:.1f} GB, peak {state.peak / GIB:.1f}"
    with place.container():
        st.progress(min(1.0, used / budget), text=words)
        for action in state.actions[-3:]:
            st.html(markup.note(action))
