"""The app's one page so far: choose a story, ask for a scene at a chapter, see three pipelines."""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from ..core.memory_monitor import MemoryMonitor
from ..demo import gold
from ..engine import Project
from ..errors import FabulaError
from ..report import render_json
from ..report_html import render_html
from ..story.comparison_engine import ComparisonEvent
from ..story.comparison_report import ComparisonReport
from ..story.pipelines import PIPELINES
from . import parts
from .library import DEMO, MAX_UPLOAD_MB, Entry, Library

__all__ = ["run"]

_ABOUT = {
    "standard": "passages found by hybrid search",
    "graph": "states, relations and paths from the story graph",
    "fused": "passages under the graph's constraints; revised once if the critic objects",
}


@dataclass(frozen=True, slots=True)
class _Opened:
    """A project that stays open between reruns; ``busy`` lets one comparison run at a time."""

    project: Project
    busy: threading.Lock


@st.cache_resource(max_entries=2, show_spinner="opening the story")
def _opened(folder: str, generation: str) -> _Opened:  # noqa: ARG001 (a new index is a new key)
    return _Opened(Project.open(Path(folder)), threading.Lock())


@st.cache_resource
def _monitor() -> MemoryMonitor:
    return MemoryMonitor().__enter__()


def run() -> None:
    """The whole page; projects live under ``$FABULA_HOME``, by default ``fabula-projects`` here."""
    st.set_page_config(page_title="fabula", page_icon="📖", layout="wide")
    library = Library(Path(os.environ.get("FABULA_HOME", "fabula-projects")))
    st.title("fabula")
    st.caption("One story, one prompt, three pipelines, one critic that cannot see which of them wrote.")
    try:
        with st.sidebar:
            entry = _choose(library)
            _memory()
        if entry is None:
            st.info("Choose the demo story or upload a text to begin.", icon="👈")
            return
        _compare(entry)
    except FabulaError as error:
        st.error(str(error))


def _choose(library: Library) -> Entry | None:
    st.header("Story")
    entries = library.entries()
    if not any(entry.folder.name == DEMO for entry in entries) and st.button(
        "Use the demo story", width="stretch"
    ):
        _index(library, None)
    uploaded = st.file_uploader(
        f"Or a text of yours (.txt, .md, up to {MAX_UPLOAD_MB} MB)", type=["txt", "md"]
    )
    if uploaded is not None and st.button("Index it", width="stretch"):
        _index(library, (uploaded.name, uploaded.getvalue()))
    if not entries:
        return None
    first = next((i for i, e in enumerate(entries) if e.folder.name == st.session_state.get("just")), 0)
    return st.selectbox("Stories", entries, index=first, format_func=lambda entry: entry.title)


def _index(library: Library, upload: tuple[str, bytes] | None) -> None:
    bar = st.progress(0.0, text="reading the text")
    words = {"embed": "embedding for search", "read": "reading for the story graph"}

    def show(stage: str, done: int, total: int) -> None:
        bar.progress(
            done / total if total else 1.0, text=f"{words.get(stage, stage)}: {done} of {total} chapters"
        )

    report = library.add(*upload, progress=show) if upload else library.add_demo(progress=show)
    st.session_state["just"] = DEMO if upload is None else None
    st.session_state["note"] = f"{report.title}: {report.chapters} chapters, {report.words:,} words indexed"
    st.rerun()


def _memory() -> None:
    if note := st.session_state.pop("note", None):
        st.success(note)
    monitor = _monitor()
    parts.memory_gauge(monitor.resident(), monitor.budget, monitor.report.actions)


def _compare(entry: Entry) -> None:
    generation = str((entry.folder / "fabula.db").stat().st_mtime_ns)
    opened = _opened(str(entry.folder), generation)
    project = opened.project
    suggested = gold().default_prompt if entry.folder.name == DEMO else None
    last = len(project.document.chapters)
    with st.form("ask"):
        prompt = st.text_area(
            "What should happen next?",
            value=suggested.prompt if suggested else "",
            placeholder="A scene in a sentence or two: who, where, what happens.",
        )
        chapter = 1
        if last > 1:
            chapter = st.slider(
                "The writer has read up to chapter",
                1,
                last,
                value=suggested.chapter if suggested else last,
                help="Nothing told later reaches a pipeline.",
            )
        go = st.form_submit_button("Write and compare", type="primary")
    if go:
        st.session_state["report"] = (entry.folder.name, _live(opened, prompt, chapter))
    held = st.session_state.get("report")
    if held and held[0] == entry.folder.name:
        _results(held[1])


def _live(opened: _Opened, prompt: str, chapter: int) -> ComparisonReport:
    """Runs the comparison in a thread of its own and shows the drafts as they are written."""
    columns = st.columns(len(PIPELINES))
    boxes, texts = {}, {pipeline.name: "" for pipeline in PIPELINES}
    for column, pipeline in zip(columns, PIPELINES, strict=True):
        with column:
            st.subheader(pipeline.name)
            boxes[pipeline.name] = st.empty()
            boxes[pipeline.name].caption("waiting")
    outcome: ComparisonReport | FabulaError | None = None
    for event in _events(opened, prompt, chapter):
        if isinstance(event, ComparisonReport | FabulaError):
            outcome = event
            continue
        if event.stage in ("generate", "revise"):
            texts[event.pipeline] = texts[event.pipeline] + event.text if event.text else ""
            boxes[event.pipeline].html(parts.prose(texts[event.pipeline]))
        elif not texts[event.pipeline]:
            boxes[event.pipeline].caption(event.stage)
    if isinstance(outcome, ComparisonReport):
        st.session_state["fresh"] = True
        st.session_state["report"] = (opened.project.document.id, outcome)
        st.rerun()
    raise (
        outcome if isinstance(outcome, FabulaError) else FabulaError("the comparison ended without a result")
    )


def _events(
    opened: _Opened, prompt: str, chapter: int
) -> Iterator[ComparisonEvent | ComparisonReport | FabulaError]:
    events: queue.Queue[ComparisonEvent | ComparisonReport | FabulaError | None] = queue.Queue()

    def work() -> None:
        try:
            with opened.busy:
                events.put(opened.project.compare(prompt, chapter=chapter, on_event=events.put))
        except FabulaError as error:
            events.put(error)
        finally:
            events.put(None)

    threading.Thread(target=work, name="comparison", daemon=True).start()
    while (event := events.get()) is not None:
        yield event


def _results(report: ComparisonReport) -> None:
    if report.caveat:
        st.warning(f"{report.model}: {report.caveat}.")
    for column, result in zip(st.columns(len(report.results)), report.results, strict=True):
        with column:
            st.subheader(result.pipeline)
            st.caption(_ABOUT.get(result.pipeline, ""))
            parts.draft(result)
            with st.expander("What it was given"):
                parts.context(result)
    st.subheader("Measured")
    parts.metrics(report)
    peak = _monitor().report
    left, right = st.columns(2)
    left.download_button("Report (HTML)", render_html(report, memory=peak), "report.html", "text/html")
    right.download_button(
        "Report (JSON)", render_json(report, memory=peak), "report.json", "application/json"
    )
