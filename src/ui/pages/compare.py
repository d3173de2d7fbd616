"""One prompt, three pipelines side by side, one blind critic."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from ...core.runtime.memory_monitor import MemoryReport
from ...demo import default_prompt
from ...errors import UsageError
from ...library.library import DEMO
from ...story.comparison.engine import ComparisonEvent
from ...story.comparison.report import ComparisonReport
from ...story.writing.pipelines import PIPELINES
from .. import parts
from ..accepting import offer_chapter, offer_suggestions, offer_to_take_back
from ..frame import Frame
from ..markup import page as markup
from ..state.live import LiveDrafts, Running

_LONGEST_PROMPT = 2000  # characters
_MOST_SEEDS = 5


@dataclass(frozen=True, slots=True)
class _Held:
    """A finished comparison, one report a seed, and what the memory guard had seen by then."""

    reports: tuple[ComparisonReport, ...]
    memory: MemoryReport
    stamp: str
    as_of: int


def page(frame: Frame) -> None:
    """Asks for a prompt, shows the drafts as they come, and keeps the last comparison of each story. What
    reads beyond the horizon is not shown."""
    offer_suggestions(frame, lambda text: _write_prompt(frame, text))
    asked = _ask(frame)
    offer_to_take_back(frame)
    live, shown = st.container(), st.empty()
    if asked is not None:
        with live:
            held = _live(frame, *asked)
        _kept()[frame.story.name] = held
        st.rerun()
    kept = _kept().get(frame.story.name)
    if kept is None or kept.stamp != frame.story.stamp:
        return
    if kept.as_of > frame.as_of:  # it was written from chapters that are not to be known here
        st.html(markup.note(f"The last comparison was made at chapter {kept.as_of}: go there to see it."))
        return
    with shown.container():
        parts.results(
            kept.reports,
            memory=kept.memory,
            offer=lambda draft, name: offer_chapter(frame, draft, after=kept.as_of, key=name),
        )


def _kept() -> dict[str, _Held]:
    """The last comparison of each story in this session."""
    kept: dict[str, _Held] = st.session_state.setdefault("kept", {})
    return kept


def _has_prompt(frame: Frame) -> bool:
    """Is the demo story's own prompt offered here? Before its chapter it would tell too much."""
    return frame.story.name == DEMO and frame.as_of >= default_prompt().chapter


def _write_prompt(frame: Frame, text: str) -> None:
    st.session_state[f"prompt-{frame.story.name}-{_has_prompt(frame)}"] = text[:_LONGEST_PROMPT]


def _ask(frame: Frame) -> tuple[str, int] | None:
    """Prompt and number of seeds, when the form was sent."""
    name, fits = frame.story.name, _has_prompt(frame)
    with st.form(f"compare-{name}"):
        prompt = st.text_area(
            "What should happen next?",
            value=default_prompt().prompt if fits else "",
            placeholder="A scene in a sentence or two: who, where, what happens.",
            max_chars=_LONGEST_PROMPT,
            key=f"prompt-{name}-{fits}",
            persist_state="session",
        )
        drafts = st.segmented_control(
            "Drafts of each pipeline",
            range(1, _MOST_SEEDS + 1),
            default=1,
            required=True,
            key="seeds",
            help="Each has its own seed; with several, every number gets an interval. At temperature 0 "
            "(see Settings) all seeds give the same text.",
            persist_state="session",
        )
        return (prompt, drafts or 1) if st.form_submit_button("Write and compare", type="primary") else None


def _live(frame: Frame, prompt: str, drafts: int) -> _Held:
    """Runs the comparison beside this thread and shows the drafts as they are written."""
    if not prompt.strip():
        raise UsageError("Write a sentence or two about what should happen next, then compare.")
    reports = []
    place = st.empty()
    for turn in range(drafts):
        with place.container():
            if drafts > 1:
                st.html(markup.note(f"Draft {turn + 1} of {drafts}."))
            reports.append(_one(frame, prompt, turn))
    return _Held(tuple(reports), frame.shelf.monitor.report, frame.story.stamp, frame.as_of)


def _one(frame: Frame, prompt: str, turn: int) -> ComparisonReport:
    names = [pipeline.name for pipeline in PIPELINES]
    live, boxes = LiveDrafts(names), {}
    for place, name in zip(st.columns(len(names), gap="medium"), names, strict=True):
        with place:
            st.html(markup.head(name))
            boxes[name] = st.empty()
            boxes[name].html(markup.live(live[name]))

    def work(on_event: Callable[[ComparisonEvent], None]) -> ComparisonReport:
        with frame.at_work() as project:
            seed = project.config.comparison.seed + turn
            return project.compare(prompt, chapter=frame.as_of, seed=seed, on_event=on_event)

    with Running(work) as running:
        for beat, batch in enumerate(running.batches()):
            for name in live.apply(batch):
                boxes[name].html(markup.live(live[name]))
            if beat % 10 == 0:  # about once a second
                frame.repaint()
        return running.result()
