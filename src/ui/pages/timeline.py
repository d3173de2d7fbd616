"""The page *Timeline*: what happens to whom, chapter by chapter, and where the telling leaves that order."""

from __future__ import annotations

import streamlit as st

from ...views.cards import read_by_model
from ...views.lanes import ages_and_dates, lanes_at, told_back
from ..frame import Frame
from ..markup import cards as markup
from ..markup import page as plain
from ..state import story_views as data
from .bible import unread

_MOST = 12  # lanes


def page(frame: Frame) -> None:
    """Lanes; then what is told out of order; then ages and dates."""
    if not frame.seen(read_by_model):
        unread(frame, "which events turn a chapter, only deaths and a few grave acts")
    _lanes(frame)
    if told := frame.seen(told_back):
        with st.expander(f"Told out of order, in {len({row.chapter for row in told})} chapters"):
            st.html(markup.told_back(told, data.links(frame)))
    rows = frame.seen(ages_and_dates)
    st.subheader("Ages and dates", anchor=False)
    if rows:
        st.html(markup.times(rows, data.links(frame)))
    else:
        st.html(plain.empty("None yet", "No ages or dates are told up to this chapter."))


@st.fragment  # type: ignore[untyped-decorator]
def _lanes(frame: Frame) -> None:
    way = st.segmented_control("Lanes", ["People", "Places"], default="People", key="timeline-by")
    places = way == "Places"
    first = frame.seen(lanes_at, places=places)
    if not first.lanes:
        why = "Where scenes take place was not read." if places else "Nobody is on stage up to this chapter."
        st.html(plain.empty("Nothing to show", why))
        return
    called = dict(first.offered)
    chosen = st.multiselect(
        "Which places" if places else "Whose",
        list(called),
        default=[lane.id for lane in first.lanes],
        format_func=called.__getitem__,
        max_selections=_MOST,
        key=f"timeline-{way}-{frame.story.name}-{frame.as_of}",
    )
    shown = frame.seen(lanes_at, places=places, chosen=tuple(chosen))
    busiest = max(shown.lanes, key=lambda lane: sum(len(cell.events) for cell in lane.cells))
    words = f"{shown.named} key events, most of them {'at' if places else 'with'} {busiest.name}."
    if not shown.named:
        words = "No key event could be named here. The shaded chapters are those in which somebody is there."
    st.html(markup.lead(words))
    st.html(markup.lanes(shown, data.links(frame), "Chapters by place" if places else "Chapters by person"))
    st.caption("Shaded: on stage in that chapter. Point at a cell to see where; click an event to read it.")
