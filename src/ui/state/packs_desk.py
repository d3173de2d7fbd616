"""What the page *Knowledge* does: packs of the library's folder, one more, one less, one looked through."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from ...config import load_config
from ...engine import make_embedder
from ...library.library import Library
from ...packs.shelf import PackShelf
from ...project.trust import user_settings
from ..frame import Frame


def shelf(frame: Frame) -> PackShelf:
    """The packs beside the stories; one for all sessions, made anew where the settings changed."""
    library = frame.library
    found: PackShelf = _shelf(str(library.root), repr((user_settings(), library.settings)), lambda: library)
    return found


@st.cache_resource(  # type: ignore[untyped-decorator]
    show_spinner=False, max_entries=1, on_release=lambda shelf: shelf.close()
)
def _shelf(home: str, settings: str, _library: Callable[[], Library]) -> PackShelf:  # noqa: ARG001
    library = _library()
    config = load_config(*user_settings(), *library.settings)
    return PackShelf(library.root, lambda: make_embedder(config), config)
