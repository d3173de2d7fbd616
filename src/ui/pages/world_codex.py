"""The codex on the page *World*: what its author lays down, to be written and added to."""

from __future__ import annotations

from functools import partial

import streamlit as st

from ...project.codex_editing import LONGEST_CODEX, CodexDesk, codex_text, with_entry
from ...views.world import NodeShown
from ..frame import Frame
from ..markup import page as common
from ..shell import link_anew

_HEIGHT = 420  # pixels
_TABLES = {"character": "characters", "location": "places", "group": "groups", "object": "things"}


def codex(frame: Frame) -> None:
    """The whole text, folded away: it speaks of later chapters too."""
    with st.expander("Codex: your own facts and rules"):
        st.html(
            common.note(
                "Characters, places, rules and facts in YAML. You see all of it, including "
                "entries for later chapters. An invalid codex is not saved, and the message names "
                "the line."
            )
        )
        before = _text(frame)
        key = f"world-codex-{frame.story.name}-{frame.story.stamp}"
        new = st.text_area(
            "Codex", before, key=key, height=_HEIGHT, max_chars=LONGEST_CODEX, label_visibility="collapsed"
        )
        if st.button("Save the codex", key=f"{key}-save", type="primary", disabled=new == before):
            link_anew(partial(_save, frame, new, instead_of=before))


def lay_down(frame: Frame, node: NodeShown) -> None:
    """A new entry of the codex for whoever was clicked."""
    with st.popover("Add to the codex …", key=f"world-lay-{node.id}"):
        said = st.text_area(
            f"What the codex says about {node.name}", key=f"world-says-{node.id}", max_chars=4000
        )
        if st.button("Add it to the codex", key=f"world-laid-{node.id}", type="primary"):
            link_anew(partial(_add, frame, node, said))


def _text(frame: Frame) -> str:
    with frame.project() as project:
        return codex_text(project)


def _save(frame: Frame, new: str, *, instead_of: str) -> str:
    """Makes it the codex, which takes a few seconds; what was done, in words."""
    desk = CodexDesk(frame.story.folder, settings=frame.library.settings, monitor=frame.shelf.monitor)
    made = desk.save(new, instead_of=instead_of)
    names = len({one.entity for one in made.log.mentions})
    return f"The codex was saved: {names} names, {len(made.rules)} rules. The story was linked again with it."


def _add(frame: Frame, node: NodeShown, said: str) -> str:
    """Adds an entry of that name to the table of its kind."""
    before = _text(frame)
    made = with_entry(before, _TABLES.get(node.kind, "things"), node.name, said)
    return _save(frame, made, instead_of=before)
