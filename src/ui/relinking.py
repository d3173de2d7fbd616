"""What links a story anew: done with a spinner, and what became of it said on the page after."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from ..errors import FabulaError
from .markup import page as markup


def link_anew(act: Callable[[], str]) -> None:
    """Does it and runs the page again, which says what ``act`` gave; an error is said here."""
    try:
        with st.spinner("The names of the story are linked anew"):
            said = act()
    except FabulaError as error:
        st.html(markup.alert(str(error)))
        return
    st.session_state["said"] = said
    st.rerun()
