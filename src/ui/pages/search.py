"""Search: passages by word and by meaning, and why each was found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import streamlit as st

from ...core.search import Mode
from ...errors import FabulaError
from ...story.passages.chunk_facts import HIGHEST, LOWEST
from ...story.passages.filter import SearchFilter
from ...story.passages.scenes_and_tones import SceneKind, Tone
from ...views.search import HitShown, SearchAsked, SearchShown, search_shown
from ..frame import Frame
from ..markup import page as markup
from ..markup import reading as search_markup
from ..shell import problems_said
from ..state.story_views import names_offered, read_at

_MODES = {"hybrid": "Words and meaning", "lexical": "Words", "semantic": "Meaning"}
_LONGEST_QUERY = 500  # characters


@dataclass(frozen=True, slots=True)
class _Found:
    """The last search of a story in this session, kept while it is looked at."""

    stamp: str
    shown: SearchShown


def page(frame: Frame) -> None:
    """A query and its hits. The last search is kept, and made again where the horizon or the index has
    changed."""
    asked = _ask(frame)
    kept = _kept().get(frame.story.name)
    if asked is None and kept is not None:
        asked = kept.shown.asked  # the horizon or the story may have moved since
        if kept.stamp == frame.story.stamp and kept.shown.as_of == frame.as_of:
            _show(frame, kept.shown)
            return
    if asked is None:
        return
    if not asked.query.strip():
        st.html(markup.note("Enter what to look for: a name, a thing, a line, or an event."))
        return
    with st.spinner("Searching"), frame.project() as project:
        shown = search_shown(project, asked, as_of=frame.as_of)
    _kept()[frame.story.name] = _Found(frame.story.stamp, shown)
    _show(frame, shown)


def _kept() -> dict[str, _Found]:
    found: dict[str, _Found] = st.session_state.setdefault("found", {})
    return found


def _ask(frame: Frame) -> SearchAsked | None:
    with st.form("search", border=False):
        query = st.text_input(
            "Look for",
            placeholder="A name, a thing, a line, or an event",
            max_chars=_LONGEST_QUERY,
            key="query",
            persist_state="session",
        )
        left, middle, right = st.columns([3, 2, 1], vertical_alignment="bottom")
        with left:
            mode = st.segmented_control(
                "Search by",
                list(_MODES),
                default="hybrid",
                required=True,
                format_func=lambda one: _MODES[one],
                key="mode",
                persist_state="session",
            )
        with middle:
            k = st.slider("Passages", 1, 20, 5, key="k", persist_state="session")
        with right:
            sent = st.form_submit_button("Search", type="primary", width="stretch")
        with st.expander("Only passages …"):
            wanted = _filters(frame)
    return SearchAsked(query, k, cast(Mode, mode or "hybrid"), wanted) if sent else None


def _filters(frame: Frame) -> SearchFilter:
    """What is known at the horizon is all that there is to choose from."""
    left, right = st.columns(2)
    at = f"{frame.story.name}-{frame.as_of}"
    with left:
        who = st.multiselect("Mention these characters", names_offered(frame), key=f"who-{at}")
        kinds = st.multiselect("are mostly", [kind.value for kind in SceneKind], key="kinds")
        tones = st.multiselect("sound", [tone.value for tone in Tone], key="tones")
    with right:
        chapters = None
        if frame.as_of > 1:
            first, last = st.slider("In chapters", 1, frame.as_of, (1, frame.as_of), key=f"within-{at}")
            chapters = None if (first, last) == (1, frame.as_of) else (first, last)
        least = st.slider("Importance of at least", LOWEST, HIGHEST, LOWEST, key="least", help="1 to 10.")
    return SearchFilter(
        chapters=chapters,
        characters=tuple(who),
        scene_types=tuple(SceneKind(kind) for kind in kinds),
        tones=tuple(Tone(tone) for tone in tones),
        min_importance=least,
    )


def _show(frame: Frame, shown: SearchShown) -> None:
    for notice in shown.notices:
        st.html(markup.note(notice))
    if not shown.hits:
        st.html(search_markup.nothing_found(shown))
        return
    st.html(search_markup.summary(shown))
    if shown.why:
        st.html(search_markup.why(shown))
    for hit in shown.hits:
        st.html(search_markup.hit(hit, read_at(frame, hit.chapter, hit.span.start, hit.span.end)))
        if hit.printed:
            _page(frame, shown, hit)
        if shown.asked.mode == "hybrid":
            _rate(frame, shown, hit)


def _page(frame: Frame, shown: SearchShown, hit: HitShown) -> None:
    """The printed page with the passage highlighted, drawn when it is asked for."""
    from ...project.page_picture import show_page

    key = f"page-{hit.chunk_id}-{shown.as_of}"
    if not st.toggle("Show the page", key=key):
        return
    with problems_said():
        with frame.project() as project:
            picture = show_page(project, hit.span, as_of=shown.as_of)
        st.image(picture.png, caption=f"Page {picture.page}")


def _rate(frame: Frame, shown: SearchShown, hit: HitShown) -> None:
    """A thumb up or down; later searches weigh by it."""
    key = f"rate-{hit.chunk_id}-{shown.as_of}-{hash(shown.asked.query)}"

    def keep() -> None:
        given = st.session_state.get(key)
        if given is None:
            return
        asked = shown.asked
        try:
            with frame.project() as project:
                project.rate(
                    asked.query, hit.chunk_id, float(given), k=asked.k, as_of=shown.as_of, wanted=asked.wanted
                )
        except FabulaError as error:
            st.session_state["said"] = str(error)
        else:
            st.toast("Saved: later searches take it into account.")

    st.feedback("thumbs", key=key, on_change=keep)
