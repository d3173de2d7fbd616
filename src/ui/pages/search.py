"""Search: passages by word and by meaning, and why each was found."""

from __future__ import annotations

from typing import cast

import streamlit as st

from ...core.search import Mode
from ...story.passages.chunk_facts import HIGHEST, LOWEST
from ...story.passages.filter import SearchFilter
from ...story.passages.scenes_and_tones import SceneKind, Tone
from ...views.search import SearchAsked, SearchShown, search_shown
from .. import parts, shell
from ..frame import Frame
from ..markup import page as markup
from ..markup import search as search_markup
from ..state.story_views import names_offered, read_at

_MODES = {"hybrid": "Words and meaning", "lexical": "Words", "semantic": "Meaning"}
_LONGEST_QUERY = 500  # characters


def page(frame: Frame) -> None:
    """A query and its hits. The last search is kept, and made again where the horizon or the index has
    changed."""
    asked = _ask(frame)
    kept: dict[str, tuple[str, SearchShown]] = st.session_state.setdefault("found", {})
    if asked is None and frame.story.name in kept:
        stamp, last = kept[frame.story.name]
        asked = last.asked  # the horizon or the story may have moved since
        if stamp == frame.story.stamp and last.as_of == frame.as_of:
            _show(frame, last)
            return
    if asked is None:
        return
    if not asked.query.strip():
        st.html(markup.note("Enter what to look for: a name, a thing, a line, or an event."))
        return
    with st.spinner("Searching"), frame.project() as project:
        shown = search_shown(project, asked, as_of=frame.as_of)
    kept[frame.story.name] = (frame.story.stamp, shown)
    _show(frame, shown)


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
            mode = parts.choice("Search by", _MODES, key="mode")
        with middle:
            k = st.slider("Passages", 1, 20, 5, key="k", persist_state="session")
        with right:
            sent = st.form_submit_button("Search", type="primary", width="stretch")
        with st.expander("Only passages …"):
            wanted = _filters(frame)
    return SearchAsked(query, k, cast(Mode, mode), wanted) if sent else None


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
    for notice in shown.result.notices:
        st.html(markup.note(notice))
    if not shown.hits:
        st.html(search_markup.nothing_found(shown))
        return
    st.html(search_markup.summary(shown))
    if shown.why:
        st.html(search_markup.why(shown))
    for number, hit in enumerate(shown.hits, start=1):
        chunk = hit.passage.chunk
        link = read_at(frame, chunk.chapter, chunk.span.start, chunk.span.end)
        st.html(search_markup.hit(number, hit, link))
        if hit.printed:
            key = f"page-{chunk.id}-{shown.as_of}"
            shell.printed_page(frame, chunk.span, label="Show the page", key=key)
        if shown.asked.mode == "hybrid":
            _rate(frame, shown, chunk.id)


def _rate(frame: Frame, shown: SearchShown, chunk: str) -> None:
    asked = shown.asked

    def rate(given: float) -> bool:
        with frame.project() as project:
            project.rate(asked.query, chunk, given, k=asked.k, as_of=shown.as_of, wanted=asked.wanted)
        return True

    parts.thumbs(f"rate-{chunk}-{shown.as_of}-{hash(asked.query)}", rate)
