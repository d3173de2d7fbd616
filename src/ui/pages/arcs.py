"""The page *Arcs*: how each character fares from chapter to chapter."""

from __future__ import annotations

import streamlit as st

from ...views.arc_lines import ArcShown, ArcsShown
from .. import charts
from ..frame import Frame
from ..markup import story as markup
from ..state import story_views as data

_MOST = 4
_LONG_LIST = 8


def page(frame: Frame) -> None:
    """One to four characters, side by side."""
    _explore(frame)


@st.fragment  # type: ignore[untyped-decorator]
def _explore(frame: Frame) -> None:
    called = dict(data.characters(frame))
    if not called:
        st.html(markup.empty("Nobody yet", "No character is named up to this chapter."))
        return
    chosen = st.multiselect(
        "Characters",
        list(called),
        default=list(called)[:2],
        format_func=lambda one: called.get(one, one),
        max_selections=_MOST,
        key=f"arcs-who-{frame.story.name}-{frame.as_of}",
        help="Up to four, to compare them. Type a name to find it.",
    )
    if not chosen:
        st.html(markup.empty("Choose a character", "Their mood, goals and bonds are drawn by chapter."))
        return
    with st.spinner("Following them from chapter to chapter"):
        shown = data.arcs(frame, chosen)
    if not any(arc.points for arc in shown.arcs):
        st.html(
            markup.empty(
                "Nothing yet", "These characters are only mentioned; the story says nothing about them."
            )
        )
        return
    way = st.segmented_control(
        "Show as", ["Chart", "Table"], default="Chart", key="arcs-way", label_visibility="collapsed"
    )
    if way == "Table":
        st.dataframe(charts.mood_rows(shown.arcs), hide_index=True, height=420, column_order=data.ARC_COLUMNS)
        picked = None
    else:
        picked = _charts(frame, shown)
    _point(frame, shown, picked)
    for place, arc in zip(st.columns(min(2, len(shown.arcs)), gap="large"), shown.arcs[:2], strict=False):
        with place:
            _arc(frame, arc)
    for place, arc in zip(st.columns(2, gap="large"), shown.arcs[2:], strict=False):
        with place:
            _arc(frame, arc)


def _charts(frame: Frame, shown: ArcsShown) -> dict[str, object] | None:
    st.caption(
        "Mood by chapter: valence (-1 to 1) above, arousal (0 to 1) below. Diamonds are turning points."
    )
    spec = charts.mood_chart(shown, what="valence", last=frame.as_of)
    picked = charts.chosen(st.vega_lite_chart(spec, on_select="rerun", key="arcs-valence"))
    st.vega_lite_chart(charts.mood_chart(shown, what="arousal", last=frame.as_of), key="arcs-arousal")
    return picked


def _point(frame: Frame, shown: ArcsShown, picked: dict[str, object] | None) -> None:
    found = data.point_of(shown, picked)
    if found is None:
        st.caption("Click a point to read its evidence.")
        return
    arc, point = found
    st.html(markup.about_point(arc.name, point, data.contexts(frame, point.quotes)))


def _arc(frame: Frame, arc: ArcShown) -> None:
    st.html(markup.arc_head(arc))
    if any(point.bonds for point in arc.points):
        st.vega_lite_chart(charts.bond_chart(arc, last=frame.as_of), key=f"arcs-bonds-{arc.id}")
    else:
        st.caption("No feelings towards anyone so far.")
    if arc.turns:
        st.html(markup.titled("Turning points", markup.turns_list(arc.turns)))
    if arc.goals:
        with st.expander(markup.goals_counted(arc.goals)), st.container(height=_height(len(arc.goals))):
            st.html(markup.goals_list(arc.goals))
    quotes = [quote for turn in arc.turns for quote in turn.quotes]
    quotes += [quote for goal in arc.goals for quote in goal.quotes]
    if quotes:
        with st.expander("Quotes for turning points and goals"):
            st.html(markup.quotes_in_context(data.contexts(frame, tuple(dict.fromkeys(quotes)))))


def _height(rows: int) -> int | str:
    """A list that is long scrolls in its own frame."""
    return 380 if rows > _LONG_LIST else "content"
