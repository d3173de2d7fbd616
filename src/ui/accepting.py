"""The button under a draft that makes it the next chapter of the book."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from ..core.store.accepted import accepted_in
from ..engine import Project
from ..project.accepting import MAX_TITLE, Accepted, Desk
from ..project.storage.opening import open_store
from ..story.model.findings import Violation
from .frame import Frame
from .shell import go_to_chapter, problems_said


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
        st.caption("The draft becomes part of the book, its index and its graph. It can be taken back.")
        if st.button("Accept it", type="primary", key=f"do-accept-{story.name}-{key}"):
            _changed(
                frame, lambda desk: desk.accept(draft, title=title, after=after), "Accepted", draft=draft
            )


def offer_to_take_back(frame: Frame) -> None:
    """Where the book's last chapter was accepted and the reader has come to it: a way to take it out."""
    if frame.as_of != frame.story.chapters or not frame.cached("accepted", _is_accepted):
        return
    with st.expander(f"Chapter {frame.story.chapters} was accepted from a draft"):
        st.caption("Taken back, the book is as it was before.")
        if st.button("Take it back", key=f"take-back-{frame.story.name}"):
            _changed(frame, lambda desk: desk.take_back(), "Taken back")


def _is_accepted(project: Project) -> bool:
    with open_store(project.folder) as store:
        kept = accepted_in(store, project.document)
    return bool(kept) and kept[-1].span.contains(project.document.chapters[-1].body)


def _found_in(frame: Frame, draft: str) -> Sequence[Violation]:
    with frame.project() as project:
        return project.check(draft=draft).counted


def _changed(frame: Frame, act: Callable[[Desk], Accepted], said: str, *, draft: str = "") -> None:
    desk = Desk(frame.story.folder, settings=frame.library.settings, monitor=frame.shelf.monitor)
    with problems_said():
        with st.spinner("The chapter is read"):
            found = _found_in(frame, draft) if draft else ()
            done = act(desk)
        go_to_chapter(frame.story, done.report.chapters)
        told = [f"{said}: {done.title}, {done.words:,} words. Nothing else was read again."]
        if found:
            told.append(f"The critic finds {len(found)} in it, see Continuity: {found[0].message}")
        st.session_state["said"] = " ".join(told)
        st.rerun()
