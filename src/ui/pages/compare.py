"""Write: one prompt, three pipelines side by side, one blind critic; what was written is kept."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from ...demo import default_prompt
from ...errors import FabulaError, UsageError
from ...library.library import DEMO
from ...story.comparison.engine import ComparisonEvent
from ...story.writing.pipelines import PIPELINES
from .. import parts
from ..accepting import offer_chapter, offer_suggestions, offer_to_take_back
from ..frame import Frame
from ..markup import page as markup
from ..shell import go_to_chapter, problems_said
from ..state import comparisons
from ..state.live import LiveDraft, Running, jobs
from ..state.story_views import links

_LONGEST_PROMPT = 2000  # characters
_MOST_SEEDS = 5
_Told = tuple[int, ComparisonEvent]
"""Which draft of each pipeline it is, from 0, and what happened."""


def page(frame: Frame) -> None:
    """Asks for a prompt, shows the drafts as they come, and then those that are kept of the story. What was
    written from later chapters is not shown."""
    model = parts.model_used(frame)
    if not model:
        parts.without_model(frame, "The small packaged one writes: it shows how this works, not how well.")
    _where(frame)
    asked = _ask(frame)
    if model:
        offer_suggestions(frame, lambda text: _write_prompt(frame, text))
    offer_to_take_back(frame)
    job = f"compare-{frame.story.folder}-{frame.as_of}"
    if asked is not None:
        _begin(frame, job, *asked)
    running = jobs().get(job)
    if running is not None:
        _watch(frame, job, running)
        return
    _offer_to_go_on(frame, job)
    _results(frame)


def _where(frame: Frame) -> None:
    """Only what follows the last chapter can become the next one."""
    last = frame.story.chapters
    if frame.as_of == last:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        said = f"The drafts will follow chapter {frame.as_of}. To add one to the book, write after its end."
        st.html(markup.soft(said), width="content")
        st.button(
            f"Go to chapter {last}",
            type="tertiary",
            on_click=go_to_chapter,
            args=(frame.story, last),
            help="You have then read the whole book.",
        )


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
            help="Each has its own seed. At temperature 0 (see Settings) all seeds give the same text.",
            persist_state="session",
        )
        return (prompt, drafts or 1) if st.form_submit_button("Write and compare", type="primary") else None


def _begin(frame: Frame, job: str, prompt: str, drafts: int) -> None:
    """Starts the comparison; it goes on, and is kept, when the page is closed."""
    if not prompt.strip():
        raise UsageError("Write a sentence or two about what should happen next, then compare.")

    def work(on_event: Callable[[_Told], None]) -> str:
        as_of = frame.as_of
        with frame.at_work() as project, comparisons.begun(project, prompt, drafts, as_of) as generator:
            reports = tuple(
                project.compare(
                    prompt,
                    chapter=as_of,
                    seed=project.config.comparison.seed + turn,
                    generator=generator,
                    on_event=lambda event, turn=turn: on_event((turn, event)),  # type: ignore[misc]
                )
                for turn in range(drafts)
            )
            document, memory = project.document, frame.shelf.monitor.report
            return comparisons.keep(project.folder, document, as_of, reports, memory)

    jobs().start(job, work)


def _offer_to_go_on(frame: Frame, job: str) -> None:
    """Of a comparison that did not come to its end."""
    with frame.project() as project:
        left = comparisons.unfinished(project.folder, project.document, frame.as_of)
    if left is None:
        return
    words = "This comparison was interrupted. The answers of the model are kept, and are not paid for again."
    st.html(markup.note(f"{words} The prompt: {left[0]}"))
    with st.container(horizontal=True):
        if st.button("Go on with it", type="primary"):
            _begin(frame, job, left[0][:_LONGEST_PROMPT], min(left[1], _MOST_SEEDS))
            st.rerun()
        if st.button("Delete it", type="tertiary"):
            comparisons.give_up(frame.story.folder, frame.as_of)
            st.rerun()


def _watch(frame: Frame, job: str, running: Running[_Told, str]) -> None:
    """The drafts as they are written, by whoever looks; then what came of it."""
    names = [pipeline.name for pipeline in PIPELINES]
    live, boxes, turn = dict.fromkeys(names, LiveDraft()), {}, 0
    head = st.empty()
    for place, name in zip(st.columns(len(names), gap="medium"), names, strict=True):
        with place:
            st.html(markup.head(name))
            boxes[name] = st.empty()
            boxes[name].html(markup.live(live[name]))
    st.html(markup.soft("You can leave this page: the drafts are kept when they are done."))
    for beat, batch in enumerate(running.batches()):
        for told in sorted({told for told, _ in batch}):
            if told != turn:
                turn, live = told, dict.fromkeys(names, LiveDraft())
                head.html(markup.note(f"Draft {turn + 1} of each."))
            events = [event for number, event in batch if number == told]
            for event in events:
                live[event.pipeline] = live[event.pipeline].after(event)
            for name in {event.pipeline for event in events}:
                boxes[name].html(markup.live(live[name]))
        if beat % 10 == 0:  # about once a second
            frame.repaint()
    done = jobs().take(job)
    try:
        if done is not None:
            st.session_state[f"shown-{frame.story.name}"] = done.result()
    except FabulaError as error:
        st.session_state["problem"] = str(error)
    st.rerun()


def _results(frame: Frame) -> None:
    """One of the kept comparisons, the latest unless another is chosen."""
    with frame.project() as project:
        kept, others = comparisons.kept(project.folder, project.document, frame.as_of)
    if others:
        words = "1 more comparison was" if others == 1 else f"{others} more comparisons were"
        st.html(markup.soft(f"{words} made after a later chapter, or of another version of the text."))
    if not kept:
        return
    key = f"shown-{frame.story.name}"
    if st.session_state.get(key) not in kept:
        st.session_state[key] = next(iter(kept))
    name = st.selectbox(
        f"Kept comparisons: {len(kept)}", list(kept), format_func=lambda one: kept[one].label, key=key
    )
    shown = kept[name]

    def offer(draft: str, seed: str) -> None:
        if shown.as_of == frame.story.chapters:
            offer_chapter(frame, draft, after=shown.as_of, key=f"{name}-{seed}")

    parts.results(shown.reports, memory=shown.memory, link=links(frame), offer=offer)
    with st.container(horizontal=True):
        if st.button("Measure this prompt on Bench", help="With more prompts, stories and drafts."):
            st.session_state["bench-new"] = (frame.story.name, shown.as_of, shown.reports[0].prompt)
            st.switch_page(frame.links["bench"])
        if st.button("Delete this comparison", type="tertiary"):
            with problems_said():
                comparisons.delete(frame.story.folder, name)
                st.rerun()
