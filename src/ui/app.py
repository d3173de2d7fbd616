"""The app: pages round one story and one horizon."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st

from ..config import load_config
from ..engine import make_monitor
from ..errors import FabulaError
from ..library.library import Library
from ..library.shelf import Shelf
from ..project.trust import user_settings
from . import navigation, shell
from .frame import Frame, ViewCache
from .markup import STYLE
from .markup import page as markup
from .navigation import PageInfo
from .parts import memory_gauge

_log = logging.getLogger(__name__)
_FAILED = "Something went wrong. The app's log has the details; try again."


@st.cache_resource(show_spinner=False)  # type: ignore[untyped-decorator]
def _views(home: str) -> ViewCache:  # noqa: ARG001 (the key of the cache)
    return ViewCache()


@st.cache_resource(  # type: ignore[untyped-decorator]
    show_spinner=False, max_entries=1, on_release=lambda shelf: shelf.close()
)
def _shelf(home: str, settings: str) -> Shelf:  # noqa: ARG001 (changed settings make a new shelf)
    tables = Library(Path(home)).settings
    shelf = Shelf(make_monitor(load_config(*user_settings(), *tables)), settings=tables)
    shelf.monitor.add_evictor("dropped the kept views", _views(home).drop, cost=0.2)
    return shelf


def run() -> None:
    """The whole app; projects live under ``$FABULA_HOME``, by default ``fabula-projects`` here."""
    st.set_page_config(page_title="fabula", page_icon=shell.ICON, layout="wide")
    st.html(STYLE)
    st.logo(shell.LOGO, size="large")
    _guarded(lambda: _app(_library()))


def open_ahead() -> None:
    """Opens the story that a visitor sees first, and draws its graph, while nobody waits for it. Where that
    fails, the visit says why."""
    from .pages.bible_changes import corrections
    from .state.story_views import Asked, names, world

    library = _library()
    home = str(library.root)
    try:
        for entry in library.entries()[:1]:
            shelf = _shelf(home, _stamp(library))
            frame = Frame(library, shelf, entry, shell.first_horizon(entry), views=_views(home))
            names(frame)
            world(frame, Asked())
            corrections(frame)
    except FabulaError as error:
        _log.info("nothing was opened ahead: %s", error)


def _library() -> Library:
    return Library(Path(os.environ.get("FABULA_HOME", "fabula-projects")).absolute())


def _app(library: Library) -> None:
    home = str(library.root)
    frames: list[Frame] = []  # the page is drawn when story and horizon are known, and named before that
    pages = {info.key: _page(info, frames) for info in navigation.PAGES}
    page = st.navigation(list(pages.values()), position="hidden")
    shell.take_indexed(library, show=page is pages[navigation.HOME])
    entries = library.entries()
    shell.take_address(entries)
    shelf = _shelf(home, _stamp(library))
    entry, as_of = None, 0
    with st.sidebar:
        if entries:
            entry = shell.choose_story(entries)
            as_of = shell.choose_horizon(entry)
            shell.keep_address(entry, as_of)
        shell.watch(library)
        navigation.menu(pages)
        gauge = st.empty()
    repaint = partial(memory_gauge, gauge, shelf.monitor)
    repaint()
    frames.append(Frame(library, shelf, entry, as_of, views=_views(home), repaint=repaint, links=pages))
    page.run()


def _page(info: PageInfo, frames: Sequence[Frame]) -> Any:
    def drawn() -> None:
        frame = frames[0]
        entry = frame.entry if info.needs_story else None
        st.html(markup.header(info.title, info.lead, entry, frame.as_of))
        if said := st.session_state.pop("said", None):
            st.html(markup.note(said))
        if problem := st.session_state.pop("problem", None):
            st.html(markup.alert(problem))
        if frame.entry is None and info.needs_story:
            st.html(
                markup.note("There is no story yet. Add your own text or the demo story, then come back.")
            )
            st.page_link(frame.links[navigation.HOME], label="Go to the library")
            return
        _guarded(lambda: _drawn(info, frame))

    return st.Page(
        drawn, title=info.title, icon=info.icon, url_path=info.key, default=info.key == navigation.HOME
    )


def _drawn(info: PageInfo, frame: Frame) -> None:
    shell.ask_for_trust(frame, story=info.needs_story)
    navigation.load(info)(frame)


def _guarded(draw: Callable[[], None]) -> None:
    """The outermost edge: what went wrong is said on the page, without a trace."""
    try:
        draw()
    except FabulaError as error:
        st.html(markup.alert(str(error)))
    except Exception:  # noqa: BLE001
        _log.exception("the page failed")
        st.html(markup.alert(_FAILED))


def _stamp(library: Library) -> str:
    """Differs whenever the settings that all stories share do."""
    return repr((user_settings(), library.settings))
