"""The codex on the page *World*: what its author lays down, to be written and added to."""

from __future__ import annotations

from functools import partial

import streamlit as st

from ...project.codex_editing import LONGEST_CODEX
from ...views.world import NodeShown
from ..frame import Frame
from ..markup import page as common
from ..relinking import link_anew
from ..state import codex_desk as desk

_HEIGHT = 420  # pixels


def codex(frame: Frame) -> None:
    """The whole text, folded away: it speaks of later chapters too."""
    with st.expander("Codex: what you lay down"):
        st.html(
            common.note(
                "Characters, places, rules and facts in YAML. It is shown whole, with what holds from later "
                "chapters on. What is no codex is not saved, and the line is said."
            )
        )
        before = desk.text(frame)
        key = f"world-codex-{frame.story.name}-{frame.story.stamp}"
        new = st.text_area(
            "Codex", before, key=key, height=_HEIGHT, max_chars=LONGEST_CODEX, label_visibility="collapsed"
        )
        if st.button("Save the codex", key=f"{key}-save", type="primary", disabled=new == before):
            link_anew(partial(desk.save, frame, new, instead_of=before))


def lay_down(frame: Frame, node: NodeShown) -> None:
    """A new entry of the codex for whoever was clicked."""
    with st.popover("Lay down …", key=f"world-lay-{node.id}"):
        said = st.text_area(
            f"What the codex says of {node.name}", key=f"world-says-{node.id}", max_chars=4000
        )
        if st.button("Put it into the codex", key=f"world-laid-{node.id}", type="primary"):
            link_anew(partial(desk.lay_down, frame, node.kind, node.name, said))
