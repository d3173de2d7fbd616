"""The page *Read*: the text itself, chapter by chapter, with who and what is named in it."""

from __future__ import annotations

import streamlit as st

from ...views.chapter import ChapterShown
from ..frame import Frame
from ..markup import reading as markup
from ..markup import story as cards
from ..state import story_views as data

_NOBODY = "Choose a name"


def page(frame: Frame) -> None:
    """A chapter up to the horizon; an address may name one, and a place in it."""
    titles = {number: markup.chapter_words(number, title) for number, title in data.chapters(frame)}
    key = f"read-{frame.story.name}"
    asked = st.query_params.get("read", "")
    if asked.isdigit() and int(asked) in titles and key not in st.session_state:
        st.session_state[key] = int(asked)
    elif st.session_state.get(key) not in titles:
        st.session_state[key] = frame.as_of
    number = st.session_state[key]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.button("Previous", key="read-back", disabled=number <= 1, on_click=_turn, args=(key, -1))
        st.selectbox("Chapter", list(titles), format_func=titles.__getitem__, key=key)
        st.button("Next", key="read-on", disabled=number >= frame.as_of, on_click=_turn, args=(key, 1))
    _chapter(frame, data.chapter(frame, st.session_state[key]))


def _turn(key: str, by: int) -> None:
    st.session_state[key] += by
    st.query_params.pop("at", None)


def _chapter(frame: Frame, shown: ChapterShown) -> None:
    text, beside = st.columns([5, 2], gap="large")
    with text:
        st.html(markup.chapter(shown, _asked_for(shown)))
    with beside:
        _beside(frame, shown)


def _asked_for(shown: ChapterShown) -> tuple[int, int] | None:
    """The place that the address names, in offsets of the chapter's text."""
    start, _, end = st.query_params.get("at", "").partition("-")
    if not (start.isdigit() and end.isdigit()):
        return None
    found = shown.within(int(start), int(end))
    return (found.start, found.end) if found is not None else None


@st.fragment  # type: ignore[untyped-decorator]
def _beside(frame: Frame, shown: ChapterShown) -> None:
    """Who or what somebody is, as far as has been read."""
    called = dict.fromkeys(one.name for one in shown.named)
    if not called:
        return
    chosen = st.selectbox(
        "Who or what is", [_NOBODY, *called], key=f"read-who-{shown.number}-{frame.as_of}", help="So far."
    )
    if chosen == _NOBODY:
        return
    entries = [one for one in data.bible(frame).entries if one.name == chosen]
    for entry in entries[:1]:
        st.html(cards.bible_entry(entry))
    if not entries:
        st.html(cards.empty(chosen, "The story has said nothing more so far."))
