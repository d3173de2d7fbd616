"""Portraits and maps on the page *World*."""

from __future__ import annotations

import streamlit as st

from ...core.formats.converting import MOST_BYTES
from ...project.pictures import (
    LONGEST_CAPTION,
    Hung,
    add_picture,
    picture_data,
    pictures_at,
    remove_picture,
)
from ..frame import Frame
from ..markup import page as common
from ..shell import problems_said
from ..state.story_views import horizon

_KINDS = ["png", "jpg", "jpeg", "webp", "gif"]


def portraits(frame: Frame, entity: str, name: str) -> None:
    """Those of one character, place or thing, and a place to put one in."""
    _hang(frame, entity)
    with st.popover("Add a picture …", key=f"world-hang-{entity}"):
        _put_in(frame, entity, name)


def maps(frame: Frame) -> None:
    """Those of the story as a whole."""
    with st.expander("Maps and other pictures of the story"):
        _hang(frame, "")
        _put_in(frame, "", "")


def _hang(frame: Frame, entity: str) -> None:
    hung: list[tuple[Hung, bytes]] = []
    with problems_said(), frame.project() as project:
        as_of = horizon(frame)
        found = pictures_at(project, as_of)
        mine = [one for one in found if (entity in one.entities if entity else not one.entities)]
        hung = [(one, picture_data(project, one.picture.id, as_of)[1]) for one in mine]
    columns = st.columns(3) if hung else []
    for number, (one, data) in enumerate(hung):
        with columns[number % len(columns)]:
            st.image(data, width="stretch")
            st.html(common.note(_said(one)))
            if st.button("Remove it", key=f"world-out-{entity}-{one.picture.id}", type="tertiary"):
                remove_picture(frame.story.folder, one.picture.id)
                st.rerun()


def _said(one: Hung) -> str:
    since = f" (from chapter {one.picture.from_chapter})" if one.picture.from_chapter else ""
    return f"{one.picture.caption or ', '.join(one.names)}{since}"


def _put_in(frame: Frame, entity: str, name: str) -> None:
    turn = st.session_state.setdefault("pictures", 0)  # a new key empties the uploader
    key = f"{frame.story.name}-{entity}-{turn}"
    uploaded = st.file_uploader(
        "A picture",
        type=_KINDS,
        key=f"world-picture-{key}",
        help=f"Up to {MOST_BYTES // 1_000_000} MB. A copy is kept with the story, without camera metadata.",
    )
    caption = st.text_input("Caption", key=f"world-caption-{key}", max_chars=LONGEST_CAPTION)
    since = st.number_input(
        "Visible from chapter",
        1,
        frame.as_of,
        value=None,
        key=f"world-from-{key}",
        placeholder="once the reader knows everybody in it" if entity else "the first",
        help="Readers at earlier chapters see neither the picture nor its caption.",
    )
    if uploaded is not None and st.button("Keep it", key=f"world-keep-{key}", type="primary"):
        of = (name,) if entity else ()
        with problems_said():
            with frame.project() as project:
                add_picture(
                    project,
                    uploaded.getvalue(),
                    uploaded.name,
                    of=of,
                    caption=caption,
                    from_chapter=since or 0,
                )
            st.session_state["pictures"] = turn + 1
            st.rerun()
