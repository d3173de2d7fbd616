"""Knowledge: packs of tagged pieces of text, looked through and asked by themselves."""

from __future__ import annotations

import re
from dataclasses import dataclass

import streamlit as st

from ...config import load_config
from ...engine import make_embedder
from ...library.library import Library
from ...packs.asking import ask, suggest
from ...packs.items import Entry, Wanted
from ...packs.pack import PackReport
from ...packs.shelf import ENDINGS, MAX_PACK_MB, PackShelf, PackSummary
from ...project.trust import user_settings
from ...sections import Wishes
from ...views.text.so_far import how_sure
from .. import parts
from ..frame import Frame
from ..markup import html
from ..markup import page as markup
from ..shell import problems_said

_LONGEST = 500  # characters
_WAYS = {"search": "Items", "ask": "An answer", "suggest": "What to say next"}


@dataclass(frozen=True, slots=True)
class _Wish:
    query: str
    way: str
    wanted: Wanted
    wishes: Wishes


def page(frame: Frame) -> None:
    """One pack at a time, and a place to put one in."""
    shelf = _packs(frame)
    names = shelf.names()
    if names:
        name = st.selectbox("Pack", names, key="pack")
        _look(shelf, name)
    else:
        st.html(
            markup.note(
                "No packs yet. A pack is a JSON file of tagged texts: a manual, session notes, a "
                "textbook in parts."
            )
        )
    with st.expander("Add a pack", expanded=not names):
        _put_in(shelf)


def _look(shelf: PackShelf, name: str) -> None:
    summary = shelf.summary(name)
    st.html(html("packs", "summary", summary))
    wish = _ask(summary, with_model=shelf.model_answers)
    if wish is not None and wish.query.strip():
        if wish.way == "search":
            found = shelf.open(name).search(wish.query, 10, wanted=wish.wanted)
            hits = [_item(number, one.entry) for number, one in enumerate(found, 1)]
            st.html("".join(hits) or markup.note("Nothing found. Try other words, or fewer filters."))
        else:
            with st.spinner("Reading"):
                _answer(shelf, name, wish)
    _take_out(shelf, name)


def _item(number: int, entry: Entry) -> str:
    where = ", ".join([*entry.where, *([] if entry.active else ["not active"])])
    return html("packs", "item", number, entry, where)


def _answer(shelf: PackShelf, name: str, wish: _Wish) -> None:
    """Goes on with what was asked of the pack in this session; the same again is a look at what was said."""
    talk: list[tuple[str, str]] = st.session_state.setdefault(f"pack-talk-{name}", [])
    asked = [question for question, _ in talk]
    before = talk[: asked.index(wish.query)] if wish.query in asked else list(talk)
    pack, said = shelf.open(name), ""
    if wish.way == "suggest":
        writer = shelf.writer(name, suggests=True)
        found = suggest(pack, wish.query, writer, wishes=wish.wishes, wanted=wish.wanted, history=before)
        st.html(html("packs", "suggestions", found))
    else:
        model = shelf.writer(name) if shelf.model_answers else None
        answered = ask(pack, wish.query, wanted=wish.wanted, history=before, generator=model)
        said = answered.text
        shown = said if answered.model and not answered.extractive else answered.short
        notes = " ".join((how_sure(answered), *answered.notices)).strip()
        st.html(html("packs", "answer", answered, shown, notes))
    if wish.query not in asked:
        talk.append((wish.query, said))


def _ask(summary: PackSummary, *, with_model: bool) -> _Wish | None:
    key = summary.name
    with st.form(f"pack-{key}", border=False):
        query = st.text_input("Look for", max_chars=_LONGEST, key=f"pack-query-{key}")
        left, right = st.columns([3, 1], vertical_alignment="bottom")
        with left:
            ways = {way: words for way, words in _WAYS.items() if with_model or way != "suggest"}
            way = parts.choice("As", ways, key=f"way-{key}")
        with right:
            go = st.form_submit_button("Look", type="primary", width="stretch")
        with st.expander("Only some"):
            pairs = [f"{tag}={value}" for tag, values in summary.tags.items() for value in values]
            tags = st.multiselect("Tags (all must match)", pairs, key=f"tags-{key}")
            language = st.selectbox("Language", ["", *summary.languages], key=f"language-{key}")
            section = st.selectbox("Section", ["", *summary.sections], key=f"section-{key}")
            inactive = st.toggle("Include inactive items", key=f"inactive-{key}")
        wishes = ["", "", ""]
        if with_model:
            with st.expander("Style"):
                named = ("Style", "Twist", "Language")
                wishes = [st.text_input(one, max_chars=100, key=f"{one}-{key}") for one in named]
    if not go and not query:
        return None
    chosen = tuple((name, value) for name, _, value in (one.partition("=") for one in tags))
    wished = Wishes(style=wishes[0], twist=wishes[1], language=wishes[2])
    return _Wish(query, way, Wanted(chosen, language, section, inactive), wished)


def _take_out(shelf: PackShelf, name: str) -> None:
    with st.popover("Delete this pack …"):
        st.html(markup.note("This deletes the pack and its index. The original file is not touched."))
        if st.button("Delete it", key=f"pack-delete-{name}"):
            shelf.remove(name)
            st.session_state["said"] = f"The pack {name} was deleted."
            st.rerun()


def _put_in(shelf: PackShelf) -> None:
    turn = st.session_state.setdefault("packs", 0)  # a new key empties the uploader
    uploaded = st.file_uploader(
        "A pack",
        type=[ending[1:] for ending in ENDINGS],
        key=f"pack-upload-{turn}",
        help=f"Up to {MAX_PACK_MB} MB. Uploading a file with the same name again updates its pack.",
    )
    if uploaded is None or not st.button("Index it", key="pack-index", type="primary"):
        return
    name = re.sub(r"[^a-z0-9]+", "-", uploaded.name.rpartition(".")[0].lower()).strip("-")[:80] or "pack"
    bar = st.progress(0.0, "Reading")
    report = None
    with problems_said():
        report = shelf.index(
            name,
            uploaded.name,
            uploaded.getvalue(),
            progress=lambda _, done, total: bar.progress(done / max(1, total), "Embedding"),
        )
    bar.empty()
    if report is not None:
        st.session_state["packs"] = turn + 1
        st.session_state["said"] = _said(name, report)
        st.rerun()


def _said(name: str, report: PackReport) -> str:
    said = f"{name}: {report.items:,} items, {report.embedded:,} texts newly embedded"
    if not report.skipped:
        return f"{said}."
    first = "; ".join(f"{one.id}: {one.reason}" for one in report.skipped[:5])
    return f"{said}; {len(report.skipped):,} left out ({first})."


def _packs(frame: Frame) -> PackShelf:
    """The packs beside the stories; one for all sessions, made anew where the settings changed."""
    library = frame.library
    found: PackShelf = _kept(str(library.root), repr((user_settings(), library.settings)), library)
    return found


@st.cache_resource(  # type: ignore[untyped-decorator]
    show_spinner=False, max_entries=1, on_release=lambda shelf: shelf.close()
)
def _kept(home: str, settings: str, _library: Library) -> PackShelf:  # noqa: ARG001 (the key of the cache)
    config = load_config(*user_settings(), *_library.settings)
    return PackShelf(_library.root, lambda: make_embedder(config), config)
