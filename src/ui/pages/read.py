"""The page *Read*: the text itself, chapter by chapter, with who and what is named and found in it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from ...core.types import Span
from ...views.chapter import ChapterShown
from ...views.findings_shown import FindingShown
from ..frame import Frame
from ..markup import cards
from ..markup import reading as markup
from ..shell import printed_page, problems_said
from ..state import continuity_desk as desks
from ..state import story_views as data

_SCROLL = """<script>/* {} */ requestAnimationFrame(
  () => document.querySelector(".f-at")?.scrollIntoView({{ block: "center" }}));</script>"""


def page(frame: Frame) -> None:
    """A chapter up to the horizon; an address may name one, and a place in it."""
    titles = data.chapters(frame)
    key = f"read-{frame.story.name}"
    asked = (st.query_params.get("read", ""), st.query_params.get("at", ""))
    if asked[0].isdigit() and int(asked[0]) in titles and st.session_state.get("read-asked") != asked:
        st.session_state[key] = int(asked[0])
    elif st.session_state.get(key) not in titles:
        st.session_state[key] = frame.as_of
    st.session_state["read-asked"] = asked
    number = st.session_state[key]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        back, on = number <= 1, number >= frame.as_of
        st.button("Previous", key="read-back", disabled=back, on_click=_turn, args=(key, -1), shortcut="Left")
        st.selectbox("Chapter", list(titles), format_func=titles.__getitem__, key=key)
        st.button("Next", key="read-on", disabled=on, on_click=_turn, args=(key, 1), shortcut="Right")
    _chapter(frame, data.chapter(frame, st.session_state[key]))


def _turn(key: str, by: int) -> None:
    st.session_state[key] += by
    st.query_params.pop("at", None)
    st.query_params.pop("read", None)


def _chapter(frame: Frame, shown: ChapterShown) -> None:
    start, _, end = st.query_params.get("at", "").partition("-")
    at = shown.within(int(start), int(end)) if start.isdigit() and end.isdigit() else None
    text, beside = st.columns([5, 2], gap="large")
    with text:
        _printed(frame, shown, at)
        place = st.empty()
        place.html(markup.chapter(shown, at))
    with beside:
        margin = st.empty()
        margin.html(markup.margin(shown, _cards(frame, shown), (), findings=""))
    if at is not None:
        st.html(_SCROLL.format(f"{at.start}-{at.end}"), unsafe_allow_javascript=True)
    with problems_said():
        slips = _slips(shown, desks.check(frame).shown.findings, frame)
        if slips:
            place.html(markup.chapter(shown, at, slips))
            findings = data.address(frame, "continuity")
            margin.html(markup.margin(shown, _cards(frame, shown), slips, findings=findings))


def _printed(frame: Frame, shown: ChapterShown, at: Span | None) -> None:
    """The page of a PDF with the place highlighted, drawn when it is asked for."""
    with frame.project() as project:
        if project.printed is None or not shown.text:
            return
    here = at or Span(0, min(len(shown.text), 80))
    span = Span(shown.start + here.start, shown.start + here.end)
    printed_page(frame, span, label="Show the printed page", key=f"read-page-{shown.number}")


def _cards(frame: Frame, shown: ChapterShown) -> dict[str, str]:
    """Who and what is named in the chapter, as far as has been read."""
    named = {one.entity for one in shown.named}
    link, pairs = data.links(frame), data.pairs(frame)
    return {
        one.id: cards.card(one, link, pairs, data.address(frame, "bible", who=one.id))
        for one in data.cards(frame).cards
        if one.id in named
    }


def _slips(shown: ChapterShown, found: Sequence[FindingShown], frame: Frame) -> list[markup.Slip]:
    """The findings with a quote in the chapter."""
    slips: list[markup.Slip] = []
    link = data.links(frame)
    for finding in found:
        quotes = [side.quote for side in finding.sides]
        here = [shown.within(one.start, one.end) for one in quotes if one.chapter == shown.number]
        if marks := tuple(one for one in here if one is not None):
            sides = tuple((one.words, one.place, link(one)) for one in quotes)
            slips.append(markup.Slip(len(slips) + 1, finding, marks, sides))
    return slips
