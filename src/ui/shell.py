"""What stands round every page: the story, how far it was read, and the memory that all of it takes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import cast

import streamlit as st

from ..core.types import Span
from ..demo import default_prompt
from ..errors import FabulaError, UsageError
from ..library.library import DEMO, Added, Entry, Library, labels
from ..project.creating import confirm_all
from ..project.trust import folder_settings
from .frame import Frame
from .markup import page as markup
from .state.live import jobs

# An emoji here would be fetched from another machine.
ICON, LOGO = (Path(__file__).with_name(name).read_text("utf-8").strip() for name in ("icon.svg", "logo.svg"))
Stage = tuple[str, int, int]
# Where each stage of indexing stands on the bar, from and to, and what it is called.
_STAGES = {"embed": (0.05, 0.45, "Embedding for search"), "read": (0.45, 1.0, "Reading for the story graph")}
_STORY, _CHAPTER = "story", "chapter"  # in the address, too


def take_address(entries: Sequence[Entry]) -> None:
    """At a session's start: the story and the chapter that the address names. A page that is loaded anew must
    not show more of a story than before."""
    if "address" in st.session_state:
        return
    st.session_state["address"] = True
    named = next((one for one in entries if one.name == st.query_params.get(_STORY)), None)
    if named is None:
        return
    st.session_state[_STORY] = named.name
    chapter = st.query_params.get(_CHAPTER, "")
    if chapter.isascii() and chapter.isdigit() and 1 <= int(chapter) <= named.chapters:
        _of_stories("begun")[named.name] = int(chapter)


def keep_address(entry: Entry, as_of: int) -> None:
    """Story and chapter in the address of the page."""
    for name, value in ((_STORY, entry.name), (_CHAPTER, str(as_of))):
        if st.query_params.get(name) != value:
            st.query_params[name] = value


def choose_story(entries: Sequence[Entry]) -> Entry:
    """The story that the reader chose; the first one where the one chosen has gone."""
    known = {entry.name: entry for entry in entries}
    just = st.session_state.pop("just", None)
    if just in known:
        st.session_state[_STORY] = just
    elif st.session_state.get(_STORY) not in known:
        st.session_state.pop(_STORY, None)
    called = labels(entries)
    name = st.selectbox(
        "Story",
        list(known),
        key=_STORY,
        format_func=lambda one: called.get(one, one),
        persist_state="session",
    )
    return known[name]


def first_horizon(entry: Entry) -> int:
    """The chapter up to which a reader who says nothing has read: the last, but in the demo story."""
    return min(default_prompt().chapter, entry.chapters) if entry.name == DEMO else entry.chapters


def choose_horizon(entry: Entry) -> int:
    """The chapter up to which the reader has read."""
    if entry.chapters == 1:
        return 1
    start = _of_stories("begun").get(entry.name)
    if start is None or start > entry.chapters:
        start = first_horizon(entry)
        _of_stories("begun")[entry.name] = start
    chosen: int = st.slider(
        "You have read up to chapter",
        1,
        entry.chapters,
        value=start,
        key=_slider(entry),
        help="Nothing from later chapters is shown, searched, or given to a model, on any page.",
        persist_state="session",
    )
    return chosen


def known_horizon(entry: Entry) -> int:
    """The chapter up to which the reader has read a story, whether or not it is the one on show."""
    begun = _of_stories("begun").get(entry.name) or first_horizon(entry)
    return min(entry.chapters, st.session_state.get(_slider(entry)) or begun)


def _slider(entry: Entry) -> str:
    moved = _of_stories("moved").get(entry.name, 0)
    return f"{_CHAPTER}-{entry.name}-{entry.chapters}-{moved}"


def go_to_chapter(entry: Entry, chapter: int) -> None:
    """Where the slider of a story stands from the next run on."""
    _of_stories("begun")[entry.name] = chapter
    moved = _of_stories("moved")
    moved[entry.name] = moved.get(entry.name, 0) + 1


@contextmanager
def problems_said() -> Iterator[None]:
    """What is wrong is said on the page, which goes on below the block."""
    try:
        yield
    except FabulaError as error:
        st.html(markup.alert(str(error)))


def printed_page(frame: Frame, span: Span, *, label: str, key: str) -> None:
    """Of a PDF the page with the place highlighted, drawn when it is asked for."""
    from ..project.page_picture import show_page

    if not st.toggle(label, key=key):
        return
    with problems_said():
        with frame.project() as project:
            picture = show_page(project, span, as_of=frame.as_of)
        st.image(picture.png, caption=f"Page {picture.page}")


def link_anew(act: Callable[[], str]) -> None:
    """Does what links the story anew and runs the page again, which says what ``act`` gave; an error is said
    here."""
    with problems_said():
        with st.spinner("Linking the names of the story again"):
            st.session_state["said"] = act()
        st.rerun()


def start_indexing(library: Library, add: Callable[..., Added]) -> None:
    """Begins to index a story in the background, one at a time. Raises UsageError while another is at it."""
    running = jobs().get(_index_job(library))
    if running is not None and not running.is_over:
        raise UsageError("another story is being indexed: wait until it is ready")
    jobs().start(
        _index_job(library), lambda on_event: add(progress=lambda *stage: on_event(cast(Stage, stage)))
    )


def take_indexed(library: Library, *, show: bool) -> None:
    """Says what became of a story that was being indexed; ``show`` makes it the one that is shown."""
    ended = jobs().take(_index_job(library))
    if ended is None:
        return
    try:
        added: Added = ended.result()
    except FabulaError as error:
        st.session_state["problem"] = str(error)
        return
    if show:
        st.session_state["just"] = added.name
    size = markup.size(added.report.chapters, added.report.words)
    st.session_state["said"] = f"{added.report.title} is ready: {size}."
    st.session_state["uploads"] = st.session_state.get("uploads", 0) + 1


def watch(library: Library) -> None:
    """How far the indexing of a story is, on every page."""
    if jobs().get(_index_job(library)) is not None:
        _watch(_index_job(library))


@st.fragment(run_every=1.0)  # type: ignore[untyped-decorator]
def _watch(job: str) -> None:
    running = jobs().get(job)
    if running is None or running.is_over:
        st.rerun()
        return
    stage, done, total = running.last or ("", 0, 0)
    start, end, words = _STAGES.get(stage, (0.0, 0.0, "Loading the models"))
    share = start + (end - start) * (done / total if total else 0.0)
    share = max(share, 0.05 - 0.05 / (1 + running.seconds / 5))  # moves while the models load
    st.progress(share, text=f"{words}: {done} of {total} chapters" if total else words)


def _index_job(library: Library) -> str:
    return f"index {library.root}"


def _of_stories(name: str) -> dict[str, int]:
    """By story, in this session: where its slider has ``"begun"``, and how often it was ``"moved"`` for its
    reader (each time it is a new one)."""
    found: dict[str, int] = st.session_state.setdefault(name, {})
    return found


def ask_for_trust(frame: Frame, *, story: bool) -> None:
    """What a folder asks for that nobody confirmed is said, with a button to confirm it: of the folder of all
    stories, and with ``story`` of the one chosen."""
    _asked(frame, frame.library.root, folder_settings(frame.library.root).notices)
    if story and frame.entry is not None:
        with frame.project() as project:
            notices = project.notices
        _asked(frame, frame.entry.folder, notices)


def _asked(frame: Frame, folder: Path, notices: tuple[str, ...]) -> None:
    for notice in notices:
        st.html(markup.note(notice))
    if notices and st.button("Confirm these settings", key=f"trust-{folder.name}"):
        confirm_all(folder)
        frame.shelf.close_idle()
        frame.views.drop()
        st.session_state["said"] = f"The settings of {folder.name} are confirmed."
        st.rerun()
