"""What a folder asks for that nobody confirmed: said above every page, with a button to confirm it."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from ..project.confirmation import confirm_all
from ..project.trust import folder_settings
from .frame import Frame
from .markup import page as markup


def ask_for_trust(frame: Frame, *, story: bool) -> None:
    """Of the folder of all stories, and with ``story`` of the one chosen."""
    _asked(frame, frame.library.root, folder_settings(frame.library.root).notices)
    if story and frame.entry is not None:
        with frame.project() as project:
            notices = project.notices
        _asked(frame, frame.entry.folder, notices)


def _asked(frame: Frame, folder: Path, notices: tuple[str, ...]) -> None:
    for notice in notices:
        st.html(markup.note(notice))
    if notices and st.button("Confirm these settings", key=f"trust-{folder.name}"):
        confirm_all(folder)
        frame.shelf.close_idle()
        frame.views.drop()
        st.session_state["said"] = f"What {folder.name} asks for is confirmed."
        st.rerun()
