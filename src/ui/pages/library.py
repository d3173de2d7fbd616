"""Stories: add one, choose one, remove one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from ...library.library import DEMO, MAX_UPLOAD_MB, Added, Entry
from ...project.indexing import IndexReport
from ..frame import Frame
from ..markup import page as markup
from ..shell import problems_said, start_indexing

_WIDE = 3  # cards in a row


def page(frame: Frame) -> None:
    """A card for each story, and a way to add one."""
    entries, unusable = frame.library.looked_at()
    for problem in unusable.values():
        st.warning(problem)
    if not entries:
        st.html(markup.welcome())
        _add(frame, has_demo=False)
        return
    for start in range(0, len(entries), _WIDE):
        for place, entry in zip(st.columns(_WIDE), entries[start : start + _WIDE], strict=False):
            with place, st.container(border=True):
                _card(frame, entry)
    st.subheader("Add a story", anchor=False)
    _add(frame, has_demo=any(one.name == DEMO for one in entries))


def _card(frame: Frame, entry: Entry) -> None:
    chosen = entry == frame.entry
    st.html(markup.story_card(entry, chosen))
    if st.session_state.get("removing") == entry.name:
        _confirm(frame, entry)
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        if chosen:
            for key in ("read", "ask"):
                st.page_link(frame.links[key])
        elif st.button("Open", key=f"open-{entry.name}", help="Every page then shows this story."):
            st.session_state["just"] = entry.name
            st.rerun()
        with st.popover("Manage"):
            _books(frame, entry)
            if st.button("Remove this story", key=f"remove-{entry.name}"):
                st.session_state["removing"] = entry.name
                st.rerun()


def _books(frame: Frame, entry: Entry) -> None:
    """The books of a series, the one to be taken out, and the next one."""
    shelf = partial(frame.library.bookshelf, entry.name)
    change = partial(_change, frame, entry)
    for number, title in enumerate(entry.books, 1):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.text(f"{number}. {title}")
            out = f"out-{entry.name}-{number}"
            if number > 1 and st.button(f"Move book {number} up", key=f"up-{out}", type="tertiary"):
                change(lambda progress, at=number: shelf(progress=progress).move(at, at - 1))
            if len(entry.books) > 1 and st.button(f"Remove book {number}", key=out, type="tertiary"):
                change(lambda progress, at=number: shelf(progress=progress).remove(at))
    turn = st.session_state.setdefault("uploads", 0)
    uploaded = st.file_uploader(
        "The next book of this series",
        type=_endings(),
        key=f"book-{entry.name}-{turn}",
        help="It shares cast and graph with the books before it. A file with the same name as one of "
        "them replaces that book.",
    )
    if uploaded is not None and st.button("Add it", key=f"in-{entry.name}"):
        change(partial(frame.library.add_book, entry.name, uploaded.name, uploaded.getvalue()))


def _change(frame: Frame, entry: Entry, act: Callable[..., IndexReport]) -> None:
    """Begins what is done to the books of a story."""
    frame.shelf.close_idle()
    _index(frame, lambda progress: Added(entry.name, act(progress=progress)))


def _confirm(frame: Frame, entry: Entry) -> None:
    st.html(markup.note("Remove its index, graph and ratings permanently? The original file is not touched."))
    with st.container(horizontal=True):
        if st.button("Remove it", key=f"really-{entry.name}", type="primary"):
            st.session_state.pop("removing")
            frame.shelf.close_idle()
            frame.library.remove(entry.name)
            st.session_state["said"] = f"{entry.title} was removed."
            st.rerun()
        if st.button("Keep it", key=f"keep-{entry.name}"):
            st.session_state.pop("removing")
            st.rerun()


def _add(frame: Frame, *, has_demo: bool) -> None:
    turn = st.session_state.setdefault("uploads", 0)  # a new key empties the uploader
    if not has_demo and st.button("Index the demo story", type="primary"):
        _index(frame, frame.library.add_demo)
    uploaded = st.file_uploader(
        "Your own text" if has_demo else "Or your own text",
        type=_endings(),
        key=f"upload-{turn}",
        help=f"Up to {MAX_UPLOAD_MB} MB. It stays on this machine. "
        "Uploading a file with the same name again updates its story.",
    )
    if uploaded is not None and st.button("Index this text"):
        _index(frame, partial(frame.library.add, uploaded.name, uploaded.getvalue()))


def _endings() -> Sequence[str]:
    from ...core.documents import SUPPORTED

    return [ending.lstrip(".") for ending in SUPPORTED]


def _index(frame: Frame, add: Callable[..., Added]) -> None:
    """Begins; the sidebar shows how far it is, on every page."""
    with problems_said():
        start_indexing(frame.library, add)
        st.rerun()
