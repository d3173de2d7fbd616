"""Ways to go on, suggested by the language model: each can be taken as the prompt of a scene."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from ..project.suggesting import Suggestions
from ..story.writing.prompts import FORMS, Form
from .frame import Frame
from .markup import page as markup
from .shell import problems_said

_LONGEST_WISH = 500  # characters
_CALLED = {"line": "A sentence", "outline": "Its beats", "scene": "The passage"}


def offer_suggestions(frame: Frame, take: Callable[[str], None]) -> None:
    """Asks the model for ways to go on after the horizon, when that is wanted; ``take`` is called with the
    text of the one that is chosen, before the page is drawn again."""
    with st.expander("What could happen? Ask for suggestions"):
        wish = st.text_input("What you would like, if anything", max_chars=_LONGEST_WISH, key="wish")
        with st.container(horizontal=True, vertical_alignment="bottom"):
            count = st.slider("How many", 1, 10, 3, key="suggestions", width=220)
            form: Form | None = st.segmented_control(
                "Each is", FORMS, default="line", required=True, format_func=_CALLED.__getitem__, key="form"
            )
            wanted = st.button("Suggest")
        place = (frame.story.stamp, frame.as_of)
        if wanted:
            with problems_said(), st.spinner("The model thinks of some"), frame.at_work() as project:
                found = project.suggest(wish, count=count, form=form or "line", as_of=frame.as_of)
                st.session_state["suggested"] = (place, found)
        kept_for, kept = st.session_state.get("suggested", (None, None))
        if kept is not None and kept_for == place:
            _show(kept, take)


def _show(found: Suggestions, take: Callable[[str], None]) -> None:
    for notice in found.notices:
        st.html(markup.note(notice))
    for number, one in enumerate(found.items, 1):
        st.html(markup.suggestion(one))
        st.button(f"Use suggestion {number}", type="tertiary", on_click=partial(take, one.text))
