"""The page *Bible*: cards of people, places, things, laws and threads, to look up and to correct."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from ...project.pictures import Hung
from ...views.bible_files.formats import MEDIA, Format
from ...views.cards import CardShown, CardsShown
from ...views.text.render import counted
from ..frame import Frame
from ..markup import cards as markup
from ..markup import page as plain
from ..state import story_views as data
from .bible_changes import changes, codex, hang, maps, pictures, undo

_SAVED: dict[Format, str] = {
    "docx": "Word",
    "markdown": "Markdown",
    "wiki": "Wiki without spoilers: a page for each chapter",
    "vault": "Obsidian vault",
    "world-info": "World Info (SillyTavern)",
    "character-card": "Character card (SillyTavern)",
}
_FIRST = 10  # cards that show at once
_LEAST_NAMED = 3  # of somebody of whom nothing else is known, to have a card without being looked for


def page(frame: Frame) -> None:
    """What a writer would pin up, the most important first."""
    shown = data.cards(frame)
    if not shown.cards:
        st.html(plain.empty("Nobody yet", "No name was found up to this chapter. Read on to the next one."))
        return
    st.html(markup.lead(_lead(shown)))
    if not shown.by_model:
        unread(frame, "looks, wants, secrets and plot threads")
    known = pictures(frame)
    _cards(frame, known)
    _save(frame)
    undo(frame)
    maps(frame, known)
    codex(frame)


def unread(frame: Frame, what: str) -> None:
    """Says that no language model has read the story, and where to connect one."""
    st.html(
        plain.note(
            "Read by the offline reader: names, who meets whom, where people are, ages and deaths. Bonds "
            "come from single sentences, or from how two meet: check their quotes. Family ties "
            f"that are only likely are listed by fabula bible alone. It does not read {what}; they need a "
            "language model."
        )
    )
    st.page_link(frame.links["model"], label="Connect a language model")


def _lead(shown: CardsShown) -> str:
    """Who matters, and what is still open."""
    people = [one.name for one in shown.cards if one.section == "People"]
    first, last = people[:2] if len(people) > 2 else people[:1], people[1:3][-1:]
    most = " and ".join((", ".join(first), *last))
    words = f"Most of the story so far is about {most}." if people else "No person is named so far."
    waiting = [one for one in shown.cards if one.section == "Open threads"]
    return f"{words} Still open: {counted(len(waiting), 'plot thread')}." if waiting else words


@st.fragment  # type: ignore[untyped-decorator]
def _cards(frame: Frame, known: Sequence[Hung]) -> None:
    shown = data.cards(frame)
    sections = list(dict.fromkeys(one.section for one in shown.cards))
    key = f"bible-{frame.story.name}"
    asked = st.query_params.get("who", "")
    if asked and f"{key}-asked" not in st.session_state:
        st.session_state[f"{key}-asked"] = True
        st.session_state[f"{key}-find"] = next((one.name for one in shown.cards if one.id == asked), "")
    find = st.text_input("Who or what", key=f"{key}-find", placeholder="A name, or a part of it")
    section = st.pills("Kind", sections, default=sections[0], key=f"{key}-kind", disabled=bool(find))
    found = _found(shown, find.strip().casefold(), section)
    if not found:
        st.html(plain.empty("No card of that name", "Try a part of the name, or another kind."))
        return
    every = len(found) <= _FIRST or st.session_state.get(f"{key}-all-{section}", False)
    columns = st.columns(2, gap="medium") if len(found) > 1 else [st.container()]
    for number, one in enumerate(found if every else found[:_FIRST]):
        with columns[number % len(columns)], st.container(border=True):
            _card(frame, one, [each for each in known if one.id in each.entities])
    if not every:
        st.button(
            f"Show all {len(found)}",
            key=f"{key}-more",
            on_click=lambda: st.session_state.update({f"{key}-all-{section}": True}),
        )


def _found(shown: CardsShown, find: str, section: str | None) -> list[CardShown]:
    """Those of that name, whole names first; else those of the section."""
    if find:
        named = [one for one in shown.cards if find in one.names]
        return sorted(named, key=lambda one: find not in one.names.split("\n"))
    return [
        one
        for one in shown.cards
        if section in (None, one.section) and (one.parts or one.who or one.mentions >= _LEAST_NAMED)
    ]


def _card(frame: Frame, one: CardShown, known: Sequence[Hung]) -> None:
    st.html(markup.card(one, data.links(frame), data.pairs(frame)))
    if not one.mentions:
        return
    hang(frame, known)
    key = f"bible-open-{one.id}"
    st.toggle("Change this card", key=key, help="Correct it, add to your codex, or add a picture.")
    if st.session_state.get(key):
        changes(frame, one)


@st.fragment  # type: ignore[untyped-decorator]
def _save(frame: Frame) -> None:
    with st.expander("Save the bible as a file"):
        format = st.selectbox("As", list(_SAVED), format_func=_SAVED.__getitem__, key="bible-format")
        about = None
        if format == "character-card":
            known = (one for one in data.cards(frame).cards if one.section == "People" and one.parts)
            names = {one.id: one.name for one in known}
            about = st.selectbox("Whose", list(names), format_func=names.__getitem__, key="bible-whose")
        name, kind = MEDIA[format]
        made = _wiki(frame) if format == "wiki" else partial(data.bible_file, frame, format, about)
        idle = made is None or (format == "character-card" and about is None)
        st.download_button(
            "Save", made or b"", name, kind, key="bible-save", on_click="ignore", disabled=idle
        )


def _wiki(frame: Frame) -> bytes | None:
    """The wiki, once it was made: of a long book that takes a minute."""
    place = (frame.story.stamp, frame.as_of)
    if st.button("Make the wiki", key="bible-wiki-make"):
        bar = st.progress(0.0, "making the pages")
        made = data.bible_file(
            frame, "wiki", None, lambda done, total: bar.progress(done / total, "making the pages")
        )
        st.session_state["bible-wiki"] = place, made
        bar.empty()
    made_at, kept = st.session_state.get("bible-wiki", (None, None))
    return kept if made_at == place else None
