"""A story read by the language model that is connected: its price first, then the reading."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import streamlit as st

from ...core.runtime.model_requests import ModelPlan
from ...engine import Project
from ...project.checking import left_out, read_by_model
from ...project.creating import Reindexing
from ...project.indexing import Progress
from ...views.text.render import cost_words, counted
from .. import parts
from ..frame import Frame
from ..markup import page as markup
from ..shell import problems_said
from ..state.live import jobs

PRICE = "reading-price"
_STAGES = {"read": "Reading by rules", "ask model": "The model is reading", "embed": "Embedding"}


def short_name(name: str) -> str:
    """A model's name without the address of its server."""
    return name.partition("@")[0]


def price_words(plan: ModelPlan) -> str:
    """What a model is to be asked, and the most that it costs."""
    requests = counted(plan.requests, "request")
    return f"{requests}, some {plan.prompt_tokens:,} tokens in; {cost_words(plan.cost)}."


def offer_reading(frame: Frame, name: str, *, is_fit: bool) -> None:
    """The price first, then the reading, which goes on when the page is closed."""
    job = f"read-{frame.story.folder}"
    running = jobs().get(job)
    if running is not None:
        parts.watch(frame, running)
        with problems_said():
            if (done := jobs().take(job)) is not None:
                done.result()
                st.session_state["said"] = f"{frame.story.title} has been read by the model."
            st.rerun()
        return
    with problems_said(), frame.project() as project:
        read = read_by_model(project)
        if read == frame.story.chapters:
            st.html(markup.soft(f"{short_name(name)} has read all {read} chapters."))
            _left_out(frame, project)
            return
        of = f"{read} of {frame.story.chapters} chapters"
        words = f"Rules have read this story; {short_name(name)} has read {of}."
        st.html(markup.soft(f"{words} A model finds far more: relations, threads, contradictions."))
    if not is_fit:
        st.html(
            markup.note("It failed the test for reading: what it finds in a story will be little or wrong.")
        )
    key, plan = st.session_state.get(PRICE, ("", None))
    if key != f"{job}-{name}":
        if st.button("What would it cost?", help="Counts the requests; nothing is sent."):
            with problems_said(), st.spinner("Counting"):
                plan = _at_work(frame).price()
                st.session_state[PRICE] = (f"{job}-{name}", plan)
                st.rerun()
        return
    st.html(markup.answer(price_words(plan) if plan else "Every answer is there already: it costs nothing."))
    if st.button("Read this story with the model", type="primary"):
        jobs().start(job, partial(_read, frame))
        st.session_state.pop(PRICE)
        st.rerun()


def _at_work(frame: Frame, progress: Progress = lambda *_: None) -> Reindexing:
    monitor = frame.shelf.monitor
    return Reindexing(frame.story.folder, frame.library.settings, monitor=monitor, progress=progress)


def _read(frame: Frame, on_event: Callable[[Any], None]) -> None:
    _at_work(frame, lambda stage, *done: on_event((_STAGES.get(stage, stage), *done))).link_again()


def _left_out(frame: Frame, project: Project) -> None:
    with st.expander("What it said that was not kept"):
        if st.button("Show it", help="Each has its reason: mostly a quote that does not stand in the text."):
            told = [(number, one) for number, one in left_out(project) if number <= frame.as_of]
            rows = [(f"{number}", one.reason, f"{one.part} {one.said}") for number, one in told]
            head = ("chapter", "reason", "what it said")
            st.html(
                markup.table("Not kept", head, rows[:500]) if rows else markup.soft("All of it was kept.")
            )
