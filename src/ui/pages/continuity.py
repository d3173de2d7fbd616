"""The page *Continuity*: what the critic cannot reconcile, with the quotes of both sides."""

from __future__ import annotations

from functools import partial

import streamlit as st

from ...views.findings_shown import FindingShown
from ...views.text.places import suspects_shown
from ..frame import Frame
from ..markup import story as markup
from ..shell import problems_said
from ..state import continuity_desk as desks
from ..state.continuity_desk import EXPORTS, LONGEST_DRAFT, Choice, Desk

_SHOWN_AT_ONCE = 20
_SEVERITIES = {"error": "Errors", "warning": "Warnings", "info": "Hints"}


def page(frame: Frame) -> None:
    """The story against itself, or a draft against the story."""
    what = st.segmented_control(
        "What to check",
        ["The story so far", "A draft"],
        default="The story so far",
        key="continuity-what",
        label_visibility="collapsed",
    )
    if what == "A draft":
        _draft(frame)
    else:
        _book(frame)


def _book(frame: Frame) -> None:
    with frame.project() as project:
        connected = project.generator.name if project.config.model_reads else ""
    model = bool(connected) and st.toggle(
        f"{connected} checks too",
        key="continuity-model",
        help="One request per chapter, and two more if it finds something. Its answers are kept.",
    )
    with problems_said():
        with st.spinner("The critic reads the story so far"):
            desk = desks.check_book(frame, model=model)
        _findings(frame, desk)
        _suspects(frame, None)


def _suspects(frame: Frame, draft: str | None) -> None:
    """Sentences to read side by side, when they are wanted: each is compared with ten before it."""
    from ...project.checking import suspects

    with st.expander("Worth reading side by side"):
        st.caption(
            "Sentences that may contradict something earlier, the likeliest first, each with "
            "three earlier ones. This is a list to read: most pairs agree."
        )
        place = (frame.story.stamp, frame.as_of, draft)
        if st.button("Find them", key=f"suspects-{draft is not None}"):
            bar = st.progress(0.0, "comparing")
            with frame.project() as project:
                found = suspects(
                    project,
                    as_of=frame.as_of,
                    draft=draft,
                    on_done=lambda done, total: bar.progress(done / total, "comparing"),
                )
            bar.empty()
            st.session_state["suspects"] = (place, suspects_shown(found, frame.as_of))
        kept_for, shown = st.session_state.get("suspects", (None, None))
        if shown is not None and kept_for == place:
            st.html(markup.suspects(shown))


def _draft(frame: Frame) -> None:
    st.caption(
        f"The draft is read as the text after chapter {frame.as_of}; it is not compared with later chapters."
    )
    with st.form("continuity-draft-form", border=False):
        text = st.text_area(
            "The draft",
            height=220,
            max_chars=LONGEST_DRAFT,
            key="continuity-draft",
            placeholder="Paste a scene.",
        )
        sent = st.form_submit_button("Check it", type="primary")
    key = f"continuity-sent-{frame.story.name}"
    if sent:
        st.session_state[key] = text
    if key not in st.session_state:
        return
    with problems_said():
        with st.spinner("The critic reads the draft"):
            desk = desks.check_draft(frame, st.session_state[key])
        _findings(frame, desk)
        _suspects(frame, st.session_state[key])


@st.fragment  # type: ignore[untyped-decorator]
def _findings(frame: Frame, desk: Desk) -> None:
    st.html(markup.summary_line(desk.shown))
    if not desk.shown.findings:
        what = "the draft" if desk.draft is not None else "the story so far"
        st.html(markup.empty("No contradiction found", f"The critic found no contradiction in {what}."))
    else:
        kept = _choose(frame, desk)
        st.caption(f"{len(kept)} of {len(desk.shown.findings)} findings")
        for finding in kept[: _more()]:
            _finding(frame, desk, finding)
        if len(kept) > _more():
            st.button("Show more", on_click=_show_more, key="continuity-more")
    _below(frame, desk)


def _choose(frame: Frame, desk: Desk) -> tuple[FindingShown, ...]:
    first, second = st.columns([2, 3], gap="medium")
    there = {one.severity for one in desk.shown.findings}
    offered = [one for one in _SEVERITIES if one in there]
    with first:
        severities = st.pills(
            "Severity",
            offered,
            default=offered,
            selection_mode="multi",
            format_func=lambda one: _SEVERITIES.get(one, one),
            key=f"continuity-severity-{'-'.join(offered)}",
        )
    with second:
        rules = st.multiselect(
            "Rules",
            sorted({one.rule for one in desk.shown.findings}),
            format_func=lambda one: one.replace("_", " "),
            key="continuity-rules",
            placeholder="All rules",
        )
    span = (1, None)
    if desk.draft is None and frame.as_of > 1:
        low, high = st.slider(
            "In chapters", 1, frame.as_of, (1, frame.as_of), key=f"continuity-chapters-{frame.as_of}"
        )
        span = (low, high)
    return Choice(severities, rules, *span).of(desk.shown.findings)


def _finding(frame: Frame, desk: Desk, finding: FindingShown) -> None:
    st.html(markup.finding_card(finding))
    if any(not side.quote.draft for side in finding.sides):
        with st.popover("Other mentions", key=f"continuity-impact-{finding.fingerprint}"):
            if st.button("Look", key=f"continuity-look-{finding.fingerprint}"):
                st.html(markup.places(desks.speaks_of_it(frame, finding)))
    with st.popover("This is intended …", key=f"continuity-meant-{finding.fingerprint}"):
        reason = st.text_input(
            "Why it is intended",
            key=f"continuity-reason-{finding.fingerprint}",
            placeholder="She lies about her age here.",
            max_chars=300,
        )
        if st.button("Suppress it", key=f"continuity-suppress-{finding.fingerprint}"):
            with problems_said():
                desks.mean_it(frame, desk, finding.fingerprint, reason)
                st.rerun()


def _below(frame: Frame, desk: Desk) -> None:
    if desk.shown.suppressed:
        with st.expander(f"Suppressed: {len(desk.shown.suppressed)}"):
            for finding in desk.shown.suppressed:
                st.html(markup.finding_card(finding))
    with st.expander("What each rule looks for, assumes, and how often it was right"):
        for rule in desk.rules:
            st.html(markup.rule_help(rule))
    with st.container(horizontal=True):
        for form, (suffix, media) in EXPORTS.items():
            st.download_button(
                f"Findings as {form}",
                partial(desks.export, frame, desk, form),
                f"fabula-check-{frame.story.name}-ch{frame.as_of}.{suffix}",
                media,
                on_click="ignore",
                key=f"continuity-as-{form}",
            )


def _more() -> int:
    shown: int = st.session_state.setdefault("continuity-shown", _SHOWN_AT_ONCE)
    return shown


def _show_more() -> None:
    st.session_state["continuity-shown"] = _more() + _SHOWN_AT_ONCE
