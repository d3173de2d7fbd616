"""The story bible on the page *World*: what is laid down of one, with its quotes, and all of it as a file."""

from __future__ import annotations

from functools import partial

import streamlit as st

from ...views.bible import FORMATS, MEDIA, BibleShown, packed
from ..frame import Frame
from ..markup import story as markup
from ..state import story_views as data

_SAVED = {
    "markdown": "Markdown",
    "docx": "Word",
    "vault": "Obsidian vault",
    "world-info": "World Info (SillyTavern)",
}


@st.fragment  # type: ignore[untyped-decorator]
def bible(frame: Frame) -> None:
    """An entry that is chosen by its name, and the buttons that save the whole."""
    with st.expander("Bible: what the story has established"):
        shown = data.bible(frame)
        if not shown.entries:
            st.html(markup.empty("Nothing is established yet", "Read on, or add something to the codex."))
            return
        labels = [f"{one.section}: {one.name}" for one in shown.entries]
        number = st.selectbox(
            "Whose entry",
            range(len(labels)),
            format_func=labels.__getitem__,
            key=f"world-bible-{frame.story.name}-{frame.as_of}",
            help="Type a name to find it.",
        )
        st.html(markup.bible_entry(shown.entries[number]))
        _save(shown)


def _save(shown: BibleShown) -> None:
    with st.container(horizontal=True):
        for format in FORMATS:
            name, kind = MEDIA[format]
            made = partial(packed, shown, format)  # when it is asked for
            st.download_button(
                _SAVED[format], made, name, kind, key=f"world-bible-{format}", on_click="ignore"
            )
