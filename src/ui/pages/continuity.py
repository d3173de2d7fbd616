"""The page *Continuity*: what the critic cannot reconcile, with the quotes of both sides."""

from __future__ import annotations

import math
from functools import partial

import streamlit as st

from ...project.checking import AT_ONCE, FEW_SUSPECTS, suspects
from ...views.findings_shown import FindingShown
from ...views.text.check import power_line
from ...views.text.places import SuspectsShown, suspects_shown
from ...views.text.render import plan_text
from .. import parts
from ..frame import Frame
from ..markup import findings as markup
from ..shell import problems_said
from ..state import continuity_desk as desks
from ..state import story_views as data
from ..state.continuity_desk import EXPORTS, LONGEST_DRAFT, OPEN, Choice, Desk

_SHOWN_AT_ONCE = 20
_STATES = {OPEN: "To check", "later": "Later", "fixed": "Fixed", "meant": "Intended"}
_EVERYBODY = "Everybody"


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
    with problems_said():
        model = _by_model(frame)
        place = st.empty()
        bar = place.progress(0.0, "The critic reads the story so far")
        desk = desks.check(
            frame,
            model=model,
            on_answer=lambda done, total: bar.progress(done / total, f"{done} of {total} answers"),
        )
        place.empty()
        _findings(frame, desk)
        _suspects(frame, None, at_once=not model)
        _below(frame, desk)


def _by_model(frame: Frame) -> bool:
    """Is the connected model to check too? What that takes is said before it is asked."""
    plan = desks.model_plan(frame)
    if plan is None:
        parts.without_model(
            frame, "Rules alone check the story, and miss most mistakes. A model finds far more."
        )
        return False
    if not plan.requests:
        return True  # all is answered already
    wanted = f"continuity-model-{frame.story.name}-{frame.as_of}"
    if not st.session_state.get(wanted):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(f"Checked by rules so far. If asked, {plan_text(plan)}.")
            st.button(f"Check with {plan.model} too", on_click=partial(_set, wanted, True))
    return bool(st.session_state.get(wanted))


def _set(key: str, value: object) -> None:
    st.session_state[key] = value


def _suspects(frame: Frame, draft: str | None, *, at_once: bool = True) -> None:
    """Sentences to read side by side: a few where they are found soon, more when they are wanted."""
    place = (frame.story.stamp, frame.as_of, draft)

    def find(limit: int | None, most_work: float) -> SuspectsShown:
        bar = st.progress(0.0, "comparing sentences")
        with frame.project() as project:
            found = suspects(
                project,
                as_of=frame.as_of,
                draft=draft,
                limit=limit,
                most_work=most_work,
                on_done=lambda done, total: bar.progress(done / total, "comparing sentences"),
            )
        bar.empty()
        st.session_state["suspects"] = (place, suspects_shown(found, frame.as_of))
        return suspects_shown(found, frame.as_of)

    kept_for, shown = st.session_state.get("suspects", (None, None))
    if kept_for != place:
        shown = find(None, AT_ONCE if at_once else 0)
    with st.expander("Worth reading side by side", expanded=bool(shown.pairs)):
        st.caption(
            "Sentences that may contradict something earlier, the likeliest first, each with "
            "three earlier ones. This is a list to read: most pairs agree."
        )
        if len(shown.pairs) <= FEW_SUSPECTS and st.button(
            "Find more" if shown.pairs else "Find them", key=f"suspects-{draft is not None}"
        ):
            shown = find(20, math.inf)
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
            desk = desks.check(frame, st.session_state[key], model=None)
        _findings(frame, desk)
        _suspects(frame, st.session_state[key])
        _below(frame, desk)


@st.fragment  # type: ignore[untyped-decorator]
def _findings(frame: Frame, desk: Desk) -> None:
    what = "the draft" if desk.draft is not None else "the story so far"
    st.html(markup.lead(Choice().of(desk.shown), what))
    for line in map(power_line, desk.done.powers):
        st.caption(line.capitalize() + ".")
    if desk.shown.findings or desk.shown.suppressed:
        kept = _choose(frame, desk)
        for finding in kept[: _more()]:
            _finding(frame, desk, finding)
        if len(kept) > _more():
            st.button("Show more", on_click=lambda: _set("continuity-shown", _more() + _SHOWN_AT_ONCE))


def _choose(frame: Frame, desk: Desk) -> tuple[FindingShown, ...]:
    every = (*desk.shown.findings, *desk.shown.suppressed)
    counts = {state: len(Choice(state).of(desk.shown)) for state in _STATES}
    offered = [state for state in _STATES if counts[state] or state == OPEN]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        state = st.segmented_control(
            "State",
            offered,
            default=OPEN,
            format_func=lambda one: f"{_STATES[one]} ({counts[one]})",
            key=f"continuity-state-{'-'.join(offered)}",
            label_visibility="collapsed",
        )
        with st.popover("Filter"):
            people = sorted({name for one in every for name in one.entities})
            about = st.selectbox("About", [_EVERYBODY, *people], key="continuity-about")
            kinds = sorted({one.rule for one in every})
            rules = st.multiselect(
                "Kinds",
                kinds,
                format_func=lambda one: one.replace("_", " "),
                key="continuity-rules",
                placeholder="All kinds",
            )
            first, last = 1, None
            if desk.draft is None and frame.as_of > 1:
                key = f"continuity-chapters-{frame.as_of}"
                first, last = st.slider("In chapters", 1, frame.as_of, (1, frame.as_of), key=key)
    about = "" if about == _EVERYBODY else about
    return Choice(state or OPEN, about, rules, first, last).of(desk.shown)


def _finding(frame: Frame, desk: Desk, finding: FindingShown) -> None:
    st.html(markup.card(finding))
    print_ = finding.fingerprint
    with st.container(horizontal=True):
        if finding.state:
            _button("Back to the list", frame, desk, print_, None)
        if finding.state != "meant":
            with st.popover("Intended …", key=f"continuity-meant-{print_}"):
                reason = st.text_input(
                    "Why it is intended",
                    key=f"continuity-reason-{print_}",
                    placeholder="She lies about her age here.",
                    max_chars=300,
                )
                _button("Mark as intended", frame, desk, print_, "meant", reason)
        for state in ("later", "fixed"):
            if finding.state != state:
                _button(_STATES[state], frame, desk, print_, state, finding.reason)
        if any(not side.quote.draft for side in finding.sides):
            with st.popover("Other mentions", key=f"continuity-impact-{print_}"):
                if st.button("Look", key=f"continuity-look-{print_}"):
                    shown = desks.speaks_of_it(frame, finding)
                    st.html(markup.places(shown, data.links(frame)))


def _button(
    label: str, frame: Frame, desk: Desk, fingerprint: str, state: str | None, reason: str = ""
) -> None:
    """Notes a state of the finding, and shows the list again."""
    if st.button(label, key=f"continuity-{state or OPEN}-{fingerprint}-button"):
        with problems_said():
            desks.note(frame, desk, fingerprint, state, reason)
            st.rerun()


def _below(frame: Frame, desk: Desk) -> None:
    with st.expander("How much was checked, and how much this finds"):
        st.html(markup.numbers(desk.shown))
        for rule in desk.rules:
            st.html(markup.rule_help(rule))
    with st.popover("Export"):
        for form, (label, suffix, media) in EXPORTS.items():
            st.download_button(
                label,
                partial(desks.export, frame, desk, form),
                f"fabula-check-{frame.story.name}-ch{frame.as_of}.{suffix}",
                media,
                on_click="ignore",
                key=f"continuity-as-{form}",
                width="stretch",
            )


def _more() -> int:
    shown: int = st.session_state.setdefault("continuity-shown", _SHOWN_AT_ONCE)
    return shown
