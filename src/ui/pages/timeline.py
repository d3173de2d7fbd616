"""The page *Timeline*: story time against telling time."""

from __future__ import annotations

import streamlit as st

from ...project.asking import told_ledger
from ...views.text.so_far import LedgerShown, ledger_shown
from ...views.times import EventShown, TimesShown
from .. import charts
from ..frame import Frame
from ..markup import story as markup
from ..state import story_views as data
from ..state.story_views import EVERYBODY


def page(frame: Frame) -> None:
    """What happens in which order, and where the telling leaves it."""
    st.html(markup.STORY_STYLE)
    _explore(frame)
    _threads(frame)


def _threads(frame: Frame) -> None:
    """The plot ledger: as it was read with the chapters, else read when it is wanted by a language model that
    is asked once a chapter."""
    with st.expander("Plot threads: what is planted, and what has come of it"):
        with frame.project() as project:
            told, known = project.config.generator, told_ledger(project, frame.as_of)
        if known is not None:
            _show(ledger_shown(known))
            return
        if told.is_packaged:
            st.caption(
                "A language model reads these, and the one that comes with fabula is too small: choose "
                "another under Settings, generator."
            )
            return
        st.caption(
            f"{told.model or told.provider} is asked once a chapter, and its answers are kept; what it may "
            "cost is limited by the setting generator.max_cost."
        )
        place = (frame.story.stamp, frame.as_of)
        if st.button("Read them"):
            bar = st.progress(0.0, "reading")
            with frame.at_work() as project:
                found = project.ledger(
                    as_of=frame.as_of,
                    on_chapter=lambda done, total: bar.progress(done / total, "reading"),
                )
            bar.empty()
            st.session_state["ledger"] = (place, ledger_shown(found))
        kept_for, shown = st.session_state.get("ledger", (None, None))
        if shown is not None and kept_for == place:
            _show(shown)


def _show(shown: LedgerShown) -> None:
    if shown.threads:
        st.vega_lite_chart(charts.thread_chart(shown.threads, shown.as_of))
    st.html(markup.ledger(shown))


@st.fragment  # type: ignore[untyped-decorator]
def _explore(frame: Frame) -> None:
    called = dict(data.characters(frame))
    chosen = st.selectbox(
        "Whose",
        [EVERYBODY, *called],
        format_func=lambda one: called.get(one, one),
        key=f"timeline-who-{frame.story.name}",
        help="Type a name to find it.",
    )
    shown = data.times(frame, None if chosen == EVERYBODY else chosen)
    if not shown.events:
        st.html(
            markup.empty(
                "Nothing has happened yet", "No event involving the people chosen is told up to this chapter."
            )
        )
        return
    way = st.segmented_control(
        "Show as", ["Chart", "Table"], default="Chart", key="timeline-way", label_visibility="collapsed"
    )
    event = _table(shown) if way == "Table" else _chart(shown)
    _count(shown)
    if event is not None:
        st.html(markup.about_event(event, data.contexts(frame, [event.quote] if event.quote else [])))
    _out_of_order(shown)
    _dates(frame, shown)


def _chart(shown: TimesShown) -> EventShown | None:
    spec = charts.time_chart(shown.events, (back.event for back in shown.anachronies))
    picked = charts.chosen(st.vega_lite_chart(spec, on_select="rerun", key="timeline-chart"))
    return data.event_called(shown, picked.get("id") if picked else None)


def _table(shown: TimesShown) -> EventShown | None:
    event = st.dataframe(
        data.event_rows(shown),
        hide_index=True,
        on_select="rerun",
        selection_mode="single-row",
        key="timeline-table",
        height=420,
    )
    rows = event.selection.rows
    return shown.events[rows[0]] if rows and rows[0] < len(shown.events) else None


def _count(shown: TimesShown) -> None:
    words = f"{len(shown.events)} events"
    if shown.left_out:
        words += (
            f" of {len(shown.events) + shown.left_out}: the most serious, the flashbacks and the dated ones"
        )
    st.caption(
        f"{words}. What lies on the rising line is told as it happened; what lies below it happened before "
        "something that was told earlier. Click an event to read it."
    )


def _out_of_order(shown: TimesShown) -> None:
    if shown.anachronies:
        with st.expander(f"Told out of order: {len(shown.anachronies)}"):
            st.html(markup.sentences([back.sentence for back in shown.anachronies]))


def _dates(frame: Frame, shown: TimesShown) -> None:
    st.subheader("Dates and ages told", anchor=False)
    rows = data.time_rows(shown)
    if not rows:
        st.html(markup.empty("None yet", "No date, age or stretch of time is told up to this chapter."))
        return
    event = st.dataframe(
        rows,
        hide_index=True,
        on_select="rerun",
        selection_mode="single-row",
        key="timeline-dates",
        height=min(390, 38 + 35 * len(rows)),
    )
    chosen = event.selection.rows
    if chosen and chosen[0] < len(shown.times):
        st.html(markup.quotes_in_context(data.contexts(frame, [shown.times[chosen[0]].quote])))
