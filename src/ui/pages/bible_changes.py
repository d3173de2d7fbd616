"""What an author changes on a card of the page *Bible*: names, kinds, the codex and pictures."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from ...core.formats.converting import MOST_BYTES
from ...engine import Project
from ...project.codex_editing import LONGEST_CODEX, CodexDesk, codex_text, with_entry
from ...project.correcting import Corrected, Workshop, corrections_at
from ...project.pictures import (
    LONGEST_CAPTION,
    Hung,
    add_picture,
    picture_data,
    pictures_at,
    remove_picture,
)
from ...story.corrections import RETYPES, Correction
from ...views.cards import CardShown
from ...views.corrections import change_words, doubts
from ..frame import Frame
from ..markup import page as common
from ..shell import link_anew, problems_said
from ..state import story_views as data

_NOBODY_KNOWN = "Somebody not shown yet"
_HEIGHT = 420  # pixels
_TABLES = {"character": "characters", "location": "places", "group": "groups", "object": "things"}
_PICTURES = ["png", "jpg", "jpeg", "webp", "gif"]


def changes(frame: Frame, one: CardShown) -> None:
    """Forms for each way in which a card can be wrong, each with its own button; then codex and picture."""
    others = {id: called for id, called in data.names(frame) if id != one.id}
    _rename(frame, one)
    _merge(frame, one, others)
    _split(frame, one, others)
    _retype(frame, one)
    said = st.text_area(f"Add to your codex about {one.name}", key=f"bible-says-{one.id}", max_chars=4000)
    if st.button("Add it to the codex", key=f"bible-laid-{one.id}"):
        link_anew(partial(_lay_down, frame, one, said))
    _put_in(frame, one.id, one.name)


def _rename(frame: Frame, one: CardShown) -> None:
    name, since = st.columns([3, 2], vertical_alignment="bottom")
    to = name.text_input("The right name", key=f"bible-name-{one.id}", max_chars=200)
    chapter = since.number_input(
        "From chapter",
        1,
        frame.as_of,
        value=min(one.first or 1, frame.as_of),
        key=f"bible-since-{one.id}",
        help="Readers of earlier chapters see the old name.",
    )
    if st.button("Rename", key=f"bible-rename-{one.id}"):
        _do(frame, Correction("rename", (one.id,), (), (), to.strip(), chapter))


def _merge(frame: Frame, one: CardShown, others: dict[str, str]) -> None:
    same, press = st.columns([3, 2], vertical_alignment="bottom")
    into = same.selectbox(
        "It is the same as",
        list(others),
        index=None,
        format_func=others.__getitem__,
        key=f"bible-is-{one.id}",
    )
    if press.button("Merge", key=f"bible-merge-{one.id}", disabled=into is None) and into is not None:
        _do(frame, Correction("merge", (one.id,), (), (into,), "", None))


def _split(frame: Frame, one: CardShown, others: dict[str, str]) -> None:
    borne = [one.name, *one.also]
    if len(borne) < 2:
        return
    names = st.multiselect("Names that are somebody else’s", borne, key=f"bible-names-{one.id}")
    offered = {"": _NOBODY_KNOWN, **others}
    whose, press = st.columns([3, 2], vertical_alignment="bottom")
    into = whose.selectbox(
        "Whose", list(offered), format_func=offered.__getitem__, key=f"bible-whose-{one.id}"
    )
    if press.button("Split", key=f"bible-split-{one.id}", disabled=not names):
        _do(frame, Correction("split", (one.id,), tuple(names), (into,) if into else (), "", None))


def _retype(frame: Frame, one: CardShown) -> None:
    kind, press, hide = st.columns([2, 1, 1], vertical_alignment="bottom")
    to = kind.selectbox("It is a", RETYPES, key=f"bible-kind-{one.id}")
    if press.button("Change", key=f"bible-retype-{one.id}"):
        _do(frame, Correction("retype", (one.id,), (), (), to, None))
    if hide.button("Not a person", key=f"bible-hide-{one.id}", disabled=one.kind != "character"):
        _do(frame, Correction("not_a_character", (one.id,), (), (), "", None))


def _do(frame: Frame, made: Correction) -> None:
    link_anew(lambda: _changed("Corrected", _workshop(frame).add(made)))


def undo(frame: Frame) -> None:
    """The corrections made so far, each to be taken back."""
    made = corrections(frame)
    if not made:
        return
    with st.expander(f"Corrections: {len(made)}"):
        for id, words in made:
            st.html(common.note(words))
            if st.button("Undo", key=f"bible-undo-{id}"):
                link_anew(partial(lambda one: _changed("Undone", _workshop(frame).undo(one)), id))


@data.kept
def corrections(frame: Frame, project: Project) -> tuple[tuple[str, str], ...]:
    """(id, words) of each that speaks of nothing told after the horizon, in the author's order."""
    return tuple((one.id, one.words) for one in corrections_at(project, data.horizon(frame)))


def _workshop(frame: Frame) -> Workshop:
    settings, monitor = frame.library.settings, frame.shelf.monitor
    return Workshop(frame.story.folder, settings=settings, monitor=monitor, as_of=data.horizon(frame))


def _changed(said: str, done: Corrected) -> str:
    changes = map(change_words, done.changes)
    told = "; ".join([*changes, *doubts(done)]) or "it changes nothing in the story so far"
    return f"{said}. {told}"


# --- the codex ----------------------------------------------------------------------------------------------


def codex(frame: Frame) -> None:
    """The whole text, folded away: it speaks of later chapters too."""
    with st.expander("Codex: your own facts and rules"):
        st.html(
            common.note(
                "Characters, places, rules and facts in YAML. You see all of it, including "
                "entries for later chapters. An invalid codex is not saved, and the message names "
                "the line."
            )
        )
        with frame.project() as project:
            before = codex_text(project)
        key = f"bible-codex-{frame.story.name}-{frame.story.stamp}"
        new = st.text_area(
            "Codex", before, key=key, height=_HEIGHT, max_chars=LONGEST_CODEX, label_visibility="collapsed"
        )
        if st.button("Save the codex", key=f"{key}-save", type="primary", disabled=new == before):
            link_anew(partial(_keep, frame, new, instead_of=before))


def _keep(frame: Frame, new: str, *, instead_of: str) -> str:
    """Makes it the codex, which takes a few seconds; what was done, in words."""
    desk = CodexDesk(frame.story.folder, settings=frame.library.settings, monitor=frame.shelf.monitor)
    made = desk.save(new, instead_of=instead_of)
    names = len({one.entity for one in made.log.mentions})
    return f"The codex was saved: {names} names, {len(made.rules)} rules. The story was linked again with it."


def _lay_down(frame: Frame, one: CardShown, said: str) -> str:
    """Adds an entry of that name to the table of its kind."""
    with frame.project() as project:
        before = codex_text(project)
    made = with_entry(before, _TABLES.get(one.kind, "things"), one.name, said)
    return _keep(frame, made, instead_of=before)


# --- pictures -----------------------------------------------------------------------------------------------


def pictures(frame: Frame) -> tuple[Hung, ...]:
    """All that a reader at the horizon may see."""
    with problems_said(), frame.project() as project:
        return tuple(pictures_at(project, data.horizon(frame)))
    return ()


def maps(frame: Frame, known: Sequence[Hung]) -> None:
    """Those of the story as a whole."""
    with st.expander("Maps and other pictures of the story"):
        hang(frame, [one for one in known if not one.entities])
        _put_in(frame, "", "")


def hang(frame: Frame, hung: Sequence[Hung]) -> None:
    """Pictures side by side, each with its caption and a button that takes it out."""
    columns = st.columns(3) if hung else []
    for number, one in enumerate(hung):
        with columns[number % len(columns)]:
            with problems_said(), frame.project() as project:
                st.image(picture_data(project, one.picture.id, data.horizon(frame))[1], width="stretch")
            since = f" (from chapter {one.picture.from_chapter})" if one.picture.from_chapter else ""
            st.html(common.note(f"{one.picture.caption or ', '.join(one.names)}{since}"))
            if st.button("Remove it", key=f"bible-out-{number}-{one.picture.id}", type="tertiary"):
                remove_picture(frame.story.folder, one.picture.id)
                st.rerun()


def _put_in(frame: Frame, entity: str, name: str) -> None:
    turn = st.session_state.setdefault("pictures", 0)  # a new key empties the uploader
    key = f"{frame.story.name}-{entity}-{turn}"
    uploaded = st.file_uploader(
        "Add a picture",
        type=_PICTURES,
        key=f"bible-picture-{key}",
        help=f"Up to {MOST_BYTES // 1_000_000} MB. A copy is kept with the story, without camera metadata.",
    )
    if uploaded is None:
        return
    caption = st.text_input("Caption", key=f"bible-caption-{key}", max_chars=LONGEST_CAPTION)
    since = st.number_input(
        "Visible from chapter",
        1,
        frame.as_of,
        value=None,
        key=f"bible-from-{key}",
        placeholder="once the reader knows everybody in it" if entity else "the first",
        help="Readers at earlier chapters see neither the picture nor its caption.",
    )
    if st.button("Keep it", key=f"bible-keep-{key}", type="primary"):
        of = (name,) if entity else ()
        with problems_said():
            with frame.project() as project:
                content = uploaded.getvalue()
                add_picture(project, content, uploaded.name, of=of, caption=caption, from_chapter=since or 0)
            st.session_state["pictures"] = turn + 1
            st.rerun()
