"""The button under a draft that makes it the next chapter; ways to go on, suggested by the language model."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import cast

import streamlit as st

from ..core.store.records import accepted_in
from ..engine import Project
from ..project.accepting import MAX_TITLE, Accepted, Desk, Suggestions
from ..project.storage.opening import open_store
from ..story.writing.prompts import Form
from . import parts
from .frame import Frame
from .markup import page as markup
from .shell import go_to_chapter, problems_said

_LONGEST_WISH = 500  # characters
_CALLED = {"line": "A sentence", "outline": "Its beats", "scene": "The passage"}


def offer_chapter(frame: Frame, draft: str, *, after: int, key: str) -> None:
    """Offers to accept a draft that was written to follow the chapter ``after``: with a title, where that is
    the last chapter of the book; else it says why it cannot be."""
    story = frame.story
    is_last = after == story.chapters
    with st.popover(
        f"Accept as chapter {after + 1}",
        disabled=not is_last or not draft.strip(),
        help=None
        if is_last
        else "Only a draft that follows the last chapter can be accepted: read up to "
        f"chapter {story.chapters} and write it there.",
        key=f"accept-{story.name}-{key}",
    ):
        title = st.text_input("Title (may be empty)", max_chars=MAX_TITLE, key=f"title-{story.name}-{key}")
        st.caption("The draft becomes part of the book, its index and its graph. You can undo this.")
        if st.button("Accept it", type="primary", key=f"do-accept-{story.name}-{key}"):
            _changed(
                frame, lambda desk: desk.accept(draft, title=title, after=after), "Accepted", draft=draft
            )


def offer_to_take_back(frame: Frame) -> None:
    """Where the book's last chapter was accepted and the reader has come to it: a way to take it out."""
    if frame.as_of != frame.story.chapters or not frame.cached("accepted", _is_accepted):
        return
    with st.expander(f"Chapter {frame.story.chapters} was accepted from a draft"):
        st.caption("If you undo it, the book is as it was before.")
        if st.button("Undo", key=f"take-back-{frame.story.name}"):
            _changed(frame, lambda desk: desk.take_back(), "Removed")


def _is_accepted(project: Project) -> bool:
    with open_store(project.folder) as store:
        kept = accepted_in(store, project.document)
    return bool(kept) and kept[-1].span.contains(project.document.chapters[-1].body)


def _changed(frame: Frame, act: Callable[[Desk], Accepted], said: str, *, draft: str = "") -> None:
    desk = Desk(frame.story.folder, settings=frame.library.settings, monitor=frame.shelf.monitor)
    with problems_said():
        with st.spinner("Reading the chapter"):
            with frame.project() as project:
                found = project.check(draft=draft).counted if draft else ()
            done = act(desk)
        go_to_chapter(frame.story, done.report.chapters)
        told = [f"{said}: {done.title}, {done.words:,} words. No other chapter was read again."]
        if found:
            told.append(f"The critic found {len(found)}, see Continuity: {found[0].message}")
        st.session_state["said"] = " ".join(told)
        if draft:
            st.session_state[f"read-{frame.story.name}"] = done.number
            st.switch_page(frame.links["read"])
        st.rerun()


def offer_suggestions(frame: Frame, take: Callable[[str], None]) -> None:
    """Asks the model for ways to go on after the horizon, when that is wanted; ``take`` is called with the
    text of the one that is chosen, before the page is drawn again."""
    from ..project.accepting import suggest

    with st.expander("What could happen? Ask for suggestions"):
        wish = st.text_input("Your wishes (optional)", max_chars=_LONGEST_WISH, key="wish")
        with st.container(horizontal=True, vertical_alignment="bottom"):
            count = st.slider("How many", 1, 10, 3, key="suggestions", width=220)
            form = cast(Form, parts.choice("Each is", _CALLED, key="form"))
            wanted = st.button("Suggest")
        place = (frame.story.stamp, frame.as_of)
        if wanted:
            with problems_said(), st.spinner("Asking the model"), frame.at_work() as project:
                found = suggest(project, wish, count=count, form=form, as_of=frame.as_of)
                st.session_state["suggested"] = (place, found)
        kept_for, kept = st.session_state.get("suggested", (None, None))
        if kept is not None and kept_for == place:
            _show(kept, take)


def _show(found: Suggestions, take: Callable[[str], None]) -> None:
    for notice in found.notices:
        st.html(markup.note(notice))
    for number, one in enumerate(found.items, 1):
        st.html(markup.suggestion(one))
        st.button(f"Use suggestion {number}", type="tertiary", on_click=partial(take, one.text))
