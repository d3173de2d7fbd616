"""The app's one page: choose a story, ask for a scene at a chapter, see three pipelines."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st

from ..config import load_config
from ..core.memory_monitor import MemoryReport
from ..demo import gold
from ..engine import make_monitor
from ..errors import FabulaError, UsageError
from ..story.comparison_engine import ComparisonEvent
from ..story.comparison_report import ComparisonReport
from ..story.pipelines import PIPELINES
from . import markup, parts
from .library import DEMO, MAX_UPLOAD_MB, Added, Entry, Library, labels
from .live import LiveDrafts, Running
from .shelf import Shelf
from .style import ICON, STYLE

__all__ = ["run"]

_log = logging.getLogger(__name__)
_LONGEST_PROMPT = 2000  # characters
# Where each stage of indexing stands on the bar, from and to, and what it is called.
_STAGES = {"embed": (0.05, 0.45, "Embedding for search"), "read": (0.45, 1.0, "Reading for the story graph")}


@dataclass(frozen=True, slots=True)
class _Held:
    """A finished comparison, and what the memory guard had seen by then."""

    report: ComparisonReport
    memory: MemoryReport


@st.cache_resource(show_spinner=False)  # type: ignore[untyped-decorator]
def _shelf(home: str) -> Shelf:
    settings = Library(Path(home)).settings
    return Shelf(make_monitor(load_config(*settings)), settings=settings)


def run() -> None:
    """The whole page; projects live under ``$FABULA_HOME``, by default ``fabula-projects`` here."""
    st.set_page_config(page_title="fabula", page_icon=ICON, layout="wide")
    st.html(STYLE)
    st.html(markup.masthead())
    try:
        _page(Library(Path(os.environ.get("FABULA_HOME", "fabula-projects")).absolute()))
    except FabulaError as error:
        st.html(markup.alert(str(error)))
    except Exception:  # noqa: BLE001 (the outermost edge)
        _log.exception("the page failed")
        st.html(markup.alert("Something failed that should not. The app's log has the details; try again."))


def _page(library: Library) -> None:
    shelf = _shelf(str(library.root))
    if said := st.session_state.pop("said", None):
        st.html(markup.note(said))
    entries = library.entries()
    if not entries:
        st.html(markup.welcome())
        _add(library, has_demo=False)
        return
    with st.sidebar:
        entry = _choose(entries)
        with st.expander("Add a story"):
            _add(library, has_demo=any(one.name == DEMO for one in entries))
        gauge = st.empty()
    _gauge(gauge, shelf)
    st.html(markup.story_line(entry))
    asked = _ask(entry)
    live, shown = st.container(), st.empty()
    if asked is not None:
        with live:
            _compare(shelf, entry, *asked, on_turn=partial(_gauge, gauge, shelf))
    if entry.name in _kept():
        kept = _kept()[entry.name]
        with shown.container():
            parts.results(kept.report, memory=kept.memory)


def _kept() -> dict[str, _Held]:
    """The last comparison of each story in this session."""
    kept: dict[str, _Held] = st.session_state.setdefault("kept", {})
    return kept


def _choose(entries: Sequence[Entry]) -> Entry:
    known = {entry.name: entry for entry in entries}
    just = st.session_state.pop("just", None)
    if just in known:
        st.session_state["story"] = just
    elif st.session_state.get("story") not in known:
        st.session_state.pop("story", None)
    called = labels(entries)
    name = st.selectbox("Story", list(known), key="story", format_func=lambda one: called.get(one, one))
    return known[name]


def _add(library: Library, *, has_demo: bool) -> None:
    turn = st.session_state.setdefault("uploads", 0)  # a new key empties the uploader
    if not has_demo and st.button("Index the demo story", type="primary"):
        _index(library.add_demo)
    uploaded = st.file_uploader(
        "A text of yours" if has_demo else "Or a text of yours",
        type=["txt", "md"],
        key=f"upload-{turn}",
        help=f"Plain text or Markdown, up to {MAX_UPLOAD_MB} MB. It stays on this machine. "
        "A file of the same name again brings its story up to date.",
    )
    if uploaded is not None and st.button("Index this text"):
        _index(partial(library.add, uploaded.name, uploaded.getvalue()))


def _index(add: Callable[..., Added]) -> None:
    place = st.empty()
    bar = place.progress(0.0, text="Loading the models")

    def show(stage: str, done: int, total: int) -> None:
        start, end, words = _STAGES.get(stage, (0.0, 1.0, stage))
        share = start + (end - start) * (done / total if total else 1.0)
        bar.progress(min(1.0, share), text=f"{words}: {done} of {total} chapters")

    try:
        added = add(progress=show)
    except FabulaError as error:
        place.html(markup.alert(str(error)))
        return
    place.empty()
    report = added.report
    st.session_state["just"] = added.name
    st.session_state["said"] = f"{report.title} is ready: {markup.size(report.chapters, report.words)}."
    st.session_state["uploads"] += 1
    st.rerun()


def _ask(entry: Entry) -> tuple[str, int] | None:
    """Prompt and chapter, when the form was sent."""
    suggested = gold().default_prompt if entry.name == DEMO else None
    with st.form(f"ask-{entry.name}"):
        prompt = st.text_area(
            "What should happen next?",
            value=suggested.prompt if suggested else "",
            placeholder="A scene in a sentence or two: who, where, what happens.",
            max_chars=_LONGEST_PROMPT,
            key=f"prompt-{entry.name}",
        )
        chapter = 1
        if entry.chapters > 1:
            start = min(suggested.chapter, entry.chapters) if suggested else entry.chapters
            chapter = st.slider(
                "The writer has read up to chapter",
                1,
                entry.chapters,
                value=start,
                help="Nothing told later reaches a pipeline.",
                key=f"chapter-{entry.name}-{entry.chapters}",
            )
        return (prompt, chapter) if st.form_submit_button("Write and compare", type="primary") else None


def _compare(shelf: Shelf, entry: Entry, prompt: str, chapter: int, *, on_turn: Callable[[], None]) -> None:
    """Keeps the comparison and draws the page anew, or says what went wrong below the form."""
    try:
        held = _live(shelf, entry, prompt, chapter, on_turn=on_turn)
    except FabulaError as error:
        st.html(markup.alert(str(error)))
        return
    _kept()[entry.name] = held
    st.rerun()


def _live(shelf: Shelf, entry: Entry, prompt: str, chapter: int, *, on_turn: Callable[[], None]) -> _Held:
    """Runs the comparison beside this thread and shows the drafts as they are written."""
    if not prompt.strip():
        raise UsageError("Say in a sentence or two what should happen next, then compare.")
    names = [pipeline.name for pipeline in PIPELINES]
    drafts, boxes = LiveDrafts(names), {}
    for place, name in zip(st.columns(len(names), gap="medium"), names, strict=True):
        with place:
            st.html(markup.head(name))
            boxes[name] = st.empty()
            boxes[name].html(markup.live(drafts[name]))

    def work(on_event: Callable[[ComparisonEvent], None]) -> ComparisonReport:
        with shelf.use(entry) as project:
            return project.compare(prompt, chapter=chapter, on_event=on_event)

    with Running(work) as running:
        for turn, batch in enumerate(running.batches()):
            for name in drafts.apply(batch):
                boxes[name].html(markup.live(drafts[name]))
            if turn % 10 == 0:  # about once a second
                on_turn()
        return _Held(running.result(), shelf.monitor.report)


def _gauge(place: Any, shelf: Shelf) -> None:
    with place.container():
        parts.memory_gauge(shelf.monitor)
