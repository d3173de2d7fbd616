"""Bench: runs planned, started and watched here; what they have shown; blind rating of their drafts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from ...bench.grid import ran
from ...bench.planning import planned, require_own
from ...bench.rating import RatingDesk, RatingPair
from ...bench.results import PLAN, Run, runs_in
from ...config import load_config
from ...errors import FabulaError
from ...library.library import Library
from ...project.trust import user_settings
from .. import parts
from ..frame import Frame
from ..markup import html
from ..markup import page as markup
from ..shell import known_horizon, problems_said
from ..state.live import jobs
from .bench_plan import plan_run
from .bench_results import show_results

_VIEWS = {"results": "Results", "rate": "Rate blind", "preferred": "What raters prefer"}
_CHOICES = {"a": "A is better", "tie": "No difference", "b": "B is better"}
_LONGEST_COMMENT = 500  # characters


def page(frame: Frame) -> None:
    """The runs of the library, and one of them: its progress, results, blind rating, or preferences."""
    asked = st.session_state.pop("bench-new", None)
    latest = sorted(runs_in(frame.library.root), key=lambda run: (run.folder.stat().st_mtime, run.name))
    runs = {run.name: run for run in reversed(latest)}
    if asked is not None or not runs:
        st.session_state["bench-planning"] = True
    if frame.entry is not None:
        if st.session_state.get("bench-planning"):
            folder = plan_run(frame, asked)
            if folder is not None:
                _start(Run(folder))
                st.session_state.update({"bench-planning": False, "bench-run": folder.name})
                st.rerun()
        elif st.button("Plan a new run", type="primary"):
            st.session_state["bench-planning"] = True
            st.rerun()
    if not runs:
        return
    run = runs[st.selectbox("Run", list(runs), key="bench-run", persist_state="session")]
    if later := _later(frame, run):
        st.html(markup.note(f"This run has scenes after {later}: read up to there to see it."))
        return
    if run.result is None and run.is_planned:
        _progress(run)
        return
    view = parts.choice("Show", _VIEWS, key="bench-view")
    if view == "rate":
        _rate(run)
    elif view == "preferred":
        st.html(markup.note("This reveals who wrote what: rate first, look later."))
        if st.toggle("Show it", key="bench-reveal"):
            st.html(html("bench", "preferred", run.rating().tally()))
    else:
        show_results(run)


def _later(frame: Frame, run: Run) -> str:
    """What somebody has to have read to see the run; empty where they have."""
    known = {str(one.folder): one for one in frame.library.entries()}
    plan = planned(run.folder)
    for story in plan.stories if plan is not None else ():
        entry, last = known.get(story.project), max(one.chapter for one in story.prompts)
        if entry is not None and last > known_horizon(entry):
            return f"chapter {last} of {entry.title}"
    return ""


def _start(run: Run) -> None:
    """It goes on when the page is closed, and is taken up again where the app was."""

    def work(on_event: Callable[[Any], None]) -> None:
        ran(run.folder / PLAN, run.folder, progress=lambda _, done, total: on_event((done, total)))

    jobs().start(f"bench-{run.name}", work)


@st.fragment(run_every=1.0)  # type: ignore[untyped-decorator]
def _progress(run: Run) -> None:
    """How far it has come; the rest of the page stays usable."""
    key, failed = f"bench-{run.name}", f"bench-failed-{run.name}"
    job = jobs().get(key)
    if job is not None and not job.is_over:
        done, total = job.last or (0, 1)
        words = f"{done} of {total} comparisons. You can leave this page or close it: the run goes on."
        st.progress(done / max(1, total), words)
        if st.button("Stop", type="tertiary", help="What is done is kept, and you can go on later."):
            job.stop()
        return
    over = jobs().take(key)
    if over is not None and not over.is_stopped:
        try:
            over.result()
            st.rerun()
        except FabulaError as error:
            st.session_state[failed] = str(error)
    if failed in st.session_state:
        st.html(markup.alert(st.session_state[failed]))
    done = len(run.reports)
    st.html(markup.note(f"This run is not finished: it has {done} comparisons so far, which are kept."))
    if st.button("Go on with it", type="primary"):
        st.session_state.pop(failed, None)
        with problems_said():
            require_own(run.folder, load_config(*user_settings(), *Library(run.folder.parents[1]).settings))
            _start(run)
            st.rerun()


def _rate(run: Run) -> None:
    desk = run.rating()
    rater = st.text_input(
        "Your name",
        max_chars=80,
        key="bench-rater",
        help="So that you can continue later.",
        persist_state="session",
    )
    if not rater.strip():
        st.html(markup.note("Enter a name; any name will do. Nobody sees who wrote a draft."))
        return
    pair, done = desk.following(rater), len(desk.chosen(rater))
    st.progress(done / len(desk.pairs), text=f"{done} of {len(desk.pairs)} pairs judged")
    if pair is None:
        st.html(markup.note("You have judged every pair. Thank you."))
        return
    _pair(desk, rater, pair)


def _pair(desk: RatingDesk, rater: str, pair: RatingPair) -> None:
    st.html(markup.prose(pair.prompt))
    for column, letter, text in zip(st.columns(2, gap="medium"), "AB", (pair.a, pair.b), strict=True):
        with column:
            st.html(markup.head(letter))
            st.html(markup.prose(text))
    comment = st.text_input("Why? (optional)", max_chars=_LONGEST_COMMENT, key=f"bench-why-{pair.name}")
    for column, (choice, label) in zip(st.columns(3), _CHOICES.items(), strict=True):
        with column:
            if st.button(label, key=f"bench-{choice}-{pair.name}", width="stretch"):
                desk.choose(rater, pair.name, choice, comment=comment)
                st.rerun()
