"""The page *Arcs*: how each character fares, in feelings, turns and goals that the text tells."""

from __future__ import annotations

import streamlit as st

from ...views.cards import read_by_model
from ...views.lives import life_of
from ..frame import Frame
from ..markup import cards as markup
from ..markup import page as plain
from ..state import story_views as data
from .bible import unread

_MOST, _FIRST = 4, 3


def page(frame: Frame) -> None:
    """One to four characters, a picture each."""
    if not frame.seen(read_by_model):
        unread(frame, "turning points and goals; below are only the feelings that a sentence names")
    _explore(frame)


@st.fragment  # type: ignore[untyped-decorator]
def _explore(frame: Frame) -> None:
    called = dict(data.characters(frame))
    if not called:
        st.html(plain.empty("Nobody yet", "No character is named up to this chapter."))
        return
    chosen = st.multiselect(
        "Characters",
        list(called),
        default=list(called)[:_FIRST],
        format_func=lambda one: called.get(one, one),
        max_selections=_MOST,
        key=f"arcs-who-{frame.story.name}-{frame.as_of}",
        help="Up to four. Type a name to find it.",
    )
    if not chosen:
        st.html(plain.empty("Choose a character", "Their feelings, turns and goals are shown by chapter."))
        return
    st.caption("A dot is a feeling that a sentence names; point at it for the quote, click to read it there.")
    for id in chosen:
        st.html(markup.life(frame.seen(life_of, id, last=frame.as_of), data.links(frame)))
