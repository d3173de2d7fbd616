"""The page *Timeline*: story time against telling time."""

from __future__ import annotations

import streamlit as st

from ...views.text.so_far import ledger_shown
from ...views.times import EventShown, TimesShown
from .. import charts
from ..frame import Frame
from ..markup import story as markup
from ..state import story_views as data
from ..state.story_views import EVERYBODY


def page(frame: Frame) -> None:
    """What happens in which order, and where the telling leaves it."""
    _explore(frame)
    _threads(frame)


def _threads(frame: Frame) -> None:
    """The plot ledger, as it was read with the chapters."""
    with st.expander("Plot threads: what was planted, and what became of it"):
        with frame.project() as project:
            shown = ledger_shown(project.threads(data.horizon(frame)), frame.as_of)
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
        st.html(markup.empty("Nothing has happened yet", "No events with these people up to this chapter."))
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
        f"{words}. Events on the rising line are narrated in order; events below it happened "
        f"before something narrated earlier. Click an event to read it."
    )


def _out_of_order(shown: TimesShown) -> None:
    if shown.anachronies:
        with st.expander(f"Narrated out of order: {len(shown.anachronies)}"):
            st.html(markup.sentences([back.sentence for back in shown.anachronies]))


def _dates(frame: Frame, shown: TimesShown) -> None:
    st.subheader("Dates and ages", anchor=False)
    rows = data.time_rows(shown)
    if not rows:
        st.html(markup.empty("None yet", "No dates, ages or durations up to this chapter."))
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
