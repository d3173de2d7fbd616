"""Story so far: what happened in each chapter, with quotes, and which threads are still open."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, cast

import streamlit as st

from ...engine import Project
from ...project.asking import recap
from ...story.writing.prompts import Length
from ...views.text.so_far import LedgerShown, RecapShown, ledger_shown, recap_shown, so_far_markdown
from .. import parts
from ..frame import Frame
from ..markup import ask as ask_markup
from ..markup import page as markup
from ..state import story_views as data
from ..state.live import Running, jobs

_CALLED = {"short": "Short", "medium": "A line a chapter", "long": "In detail"}


def page(frame: Frame) -> None:
    """The recap in the book's own words at once; in a model's where one was asked for it."""
    model = parts.model_used(frame)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        length = cast(Length, parts.choice("Length", _CALLED, key="so-far-length", default="medium"))
        job = f"so-far-{frame.story.folder}-{frame.story.stamp}-{frame.as_of}-{length}-{model}"
        if model and st.button("Let the model tell it", help="One request. Each sentence is checked."):
            jobs().start(job, partial(_recap, frame, length, model=True))
    if not model:
        parts.without_model(frame, "These are sentences of the book: chosen by rules, not a summary.")
    told, ledger = _told(frame, job, length), _ledger(frame)
    titles = data.chapters(frame)
    for notice in told.notices:
        st.html(markup.note(notice))
    st.html(ask_markup.so_far(told, titles, data.links(frame)))
    _threads(frame, ledger, model)
    st.download_button(
        "Save as Markdown",
        so_far_markdown(told, ledger, title=frame.story.title, titles=titles),
        f"{frame.story.name}-so-far-ch{frame.as_of}.md",
        "text/markdown",
        on_click="ignore",
    )


def _told(frame: Frame, job: str, length: Length) -> RecapShown:
    """A model's account where it was asked for one, which goes on when the page is closed; else the book's
    own words."""
    running = jobs().get(job)
    if running is not None:
        parts.watch(frame, running)
        found: RecapShown = running.result()
        return found

    def made(_: Project) -> RecapShown:
        with Running(partial(_recap, frame, length, model=False)) as own:
            parts.watch(frame, own)
            return own.result()

    return frame.cached("so far", made, length)


def _recap(frame: Frame, length: Length, on_event: Callable[[Any], None], *, model: bool) -> RecapShown:
    with frame.at_work() if model else frame.project() as project:
        found = recap(
            project,
            length=length,
            as_of=frame.as_of,
            model=model,
            on_chapter=lambda *done: on_event(("Chapter", *done)),
        )
    return recap_shown(found)


@data.kept
def _ledger(frame: Frame, project: Project) -> LedgerShown:
    return ledger_shown(project.threads(frame.as_of), as_of=frame.as_of)


def _threads(frame: Frame, ledger: LedgerShown, model: str) -> None:
    for heading, threads in ledger.parts.items():
        if threads:
            st.subheader(heading, anchor=False)
            st.html(ask_markup.threads(threads, data.links(frame)))
    if ledger.threads:
        return
    st.subheader("Still open", anchor=False)
    if model:
        st.html(markup.soft("No threads yet. The model finds them when it reads the story."))
        st.page_link(frame.links["model"], label="Let the model read this story")
    else:
        st.html(markup.soft("Threads are found by a language model when it reads the story."))
