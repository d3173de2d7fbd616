"""What stands round every page: the story, how far it was read, and the memory that all of it takes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import streamlit as st

from ..demo import default_prompt
from ..errors import FabulaError
from ..library.library import DEMO, Entry, labels
from ..library.shelf import Shelf
from ..project.creating import confirm_all
from ..project.trust import folder_settings
from . import parts
from .frame import Frame
from .markup import page as markup
from .navigation import PageInfo

# An emoji here would be fetched from another machine.
ICON = (
    '<svg viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#3c5f86"/>'
    '<path d="M8 9h16M8 16h16M8 23h10" stroke="#faf9f6" stroke-width="3" stroke-linecap="round"/></svg>'
)

LOGO = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 124 32" width="124" height="32" role="img" '
    'aria-label="fabula"><rect width="32" height="32" rx="7" fill="#3c5f86"/>'
    '<path d="M8 9h16M8 16h16M8 23h10" stroke="#faf9f6" stroke-width="3" stroke-linecap="round"/>'
    '<text x="42" y="24" fill="#5780ad" font-family="Palatino, Charter, Georgia, serif" font-size="25">'
    "fabula</text></svg>"
)
_STORY, _CHAPTER = "story", "chapter"  # in the address, too


def take_address(entries: Sequence[Entry]) -> None:
    """At a session's start: the story and the chapter that the address names. A page that is loaded anew must
    not show more of a story than before."""
    if "address" in st.session_state:
        return
    st.session_state["address"] = True
    named = next((one for one in entries if one.name == st.query_params.get(_STORY)), None)
    if named is None:
        return
    st.session_state[_STORY] = named.name
    chapter = st.query_params.get(_CHAPTER, "")
    if chapter.isascii() and chapter.isdigit() and 1 <= int(chapter) <= named.chapters:
        _read()[named.name] = int(chapter)


def keep_address(entry: Entry, as_of: int) -> None:
    """Story and chapter in the address of the page."""
    for name, value in ((_STORY, entry.name), (_CHAPTER, str(as_of))):
        if st.query_params.get(name) != value:
            st.query_params[name] = value


def choose_story(entries: Sequence[Entry]) -> Entry:
    """The story that the reader chose; the first one where the one chosen has gone."""
    known = {entry.name: entry for entry in entries}
    just = st.session_state.pop("just", None)
    if just in known:
        st.session_state[_STORY] = just
    elif st.session_state.get(_STORY) not in known:
        st.session_state.pop(_STORY, None)
    called = labels(entries)
    name = st.selectbox(
        "Story",
        list(known),
        key=_STORY,
        format_func=lambda one: called.get(one, one),
        persist_state="session",
    )
    return known[name]


def first_horizon(entry: Entry) -> int:
    """The chapter up to which a reader who says nothing has read: the last, but in the demo story."""
    return min(default_prompt().chapter, entry.chapters) if entry.name == DEMO else entry.chapters


def choose_horizon(entry: Entry) -> int:
    """The chapter up to which the reader has read."""
    if entry.chapters == 1:
        return 1
    start = _read().get(entry.name)
    if start is None or start > entry.chapters:
        start = first_horizon(entry)
        _read()[entry.name] = start
    chosen: int = st.slider(
        "You have read up to chapter",
        1,
        entry.chapters,
        value=start,
        key=_slider(entry),
        help="Nothing from later chapters is shown, searched, or given to a model, on any page.",
        persist_state="session",
    )
    return chosen


def known_horizon(entry: Entry) -> int:
    """The chapter up to which the reader has read a story, whether or not it is the one on show."""
    begun = _read().get(entry.name) or first_horizon(entry)
    return min(entry.chapters, st.session_state.get(_slider(entry)) or begun)


def _slider(entry: Entry) -> str:
    return f"{_CHAPTER}-{entry.name}-{entry.chapters}-{_moved().get(entry.name, 0)}"


def go_to_chapter(entry: Entry, chapter: int) -> None:
    """Where the slider of a story stands from the next run on."""
    _read()[entry.name] = chapter
    _moved()[entry.name] = _moved().get(entry.name, 0) + 1


@contextmanager
def problems_said() -> Iterator[None]:
    """What is wrong is said on the page, which goes on below the block."""
    try:
        yield
    except FabulaError as error:
        st.html(markup.alert(str(error)))


def link_anew(act: Callable[[], str]) -> None:
    """Does what links the story anew and runs the page again, which says what ``act`` gave; an error is said
    here."""
    with problems_said():
        with st.spinner("Linking the names of the story again"):
            st.session_state["said"] = act()
        st.rerun()


def gauge(place: Any, shelf: Shelf) -> None:
    """The memory in use against the guard's budget."""
    with place.container():
        parts.memory_gauge(shelf.monitor)


def header(info: PageInfo, entry: Entry | None, as_of: int) -> None:
    """The page's title and what it is for, with the story and the horizon where it needs one."""
    st.html(markup.header(info.title, info.lead, entry if info.needs_story else None, as_of))


def _read() -> dict[str, int]:
    """Where the slider of each story began in this session."""
    begun: dict[str, int] = st.session_state.setdefault("begun", {})
    return begun


def _moved() -> dict[str, int]:
    """How often the slider of each story was moved for its reader: each time it is a new one."""
    moved: dict[str, int] = st.session_state.setdefault("moved", {})
    return moved


def ask_for_trust(frame: Frame, *, story: bool) -> None:
    """What a folder asks for that nobody confirmed is said, with a button to confirm it: of the folder of all
    stories, and with ``story`` of the one chosen."""
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
        st.session_state["said"] = f"The settings of {folder.name} are confirmed."
        st.rerun()
