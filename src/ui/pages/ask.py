"""Ask: answers that stand on quotes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from secrets import token_hex

import streamlit as st

from ...demo import QUESTIONS, default_prompt
from ...errors import UsageError
from ...library.library import DEMO
from ...project.asking import rate_answer
from .. import parts
from ..accepting import offer_chapter
from ..frame import Frame
from ..markup import ask as ask_markup
from ..markup import page as markup
from ..state.conversation import Turn, answer, told_by
from ..state.live import Running
from ..state.story_views import links, names_offered

_LONGEST_QUESTION = 1000  # characters
_THE_STORY = "The story"
_PLAIN = re.compile(r"[\w .'’-]{1,40}")  # what a button can show: its label is read as Markdown
_TALK, _ID = "talk", re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")  # in the address
_MOST_LISTED = 50


def page(frame: Frame) -> None:
    """A question, its answer, and those before it at this horizon, latest first."""
    turns: list[Turn] = st.session_state.setdefault(f"talk-{frame.story.name}", [])
    before = told_by(turns, stamp=frame.story.stamp, as_of=frame.as_of)
    model = parts.model_used(frame)
    with frame.project() as project:
        model_answers = project.config.model_answers
    asked = _ask(frame, model, model_answers)
    if asked is not None:
        turn = _answered(frame, *asked, before)
        turns.append(turn)
        before = (*before, turn)
    for place, turn in enumerate(reversed(before)):
        _show(frame, turn, latest=place == 0)
        if turn.answered.is_scene:
            offer_chapter(frame, turn.answered.text, after=turn.as_of, key=f"turn-{len(before) - place}")
    _gone_on_with(frame, before)
    if before and st.button(
        "New conversation", type="tertiary", help="The questions above stay in the list below."
    ):
        st.session_state[f"talk-{frame.story.name}"] = [turn for turn in turns if turn not in before]
        st.session_state.pop(f"conversation-{frame.story.name}", None)
        st.query_params.pop(_TALK, None)
        st.rerun()
    _earlier(frame)


def _ask(frame: Frame, model: str, model_answers: bool) -> tuple[str, bool, str] | None:
    """The question, whether the model writes, and who is asked; None where nothing is asked."""
    if st.session_state.get("model-answers") != model_answers:  # at first, and where the settings changed
        st.session_state["model-answers"] = st.session_state["model-writes"] = model_answers
    with st.form("ask", border=False, clear_on_submit=False):
        question = st.text_input(
            "Your question",
            placeholder="Who, what, where, when, why … or ask for a scene",
            max_chars=_LONGEST_QUESTION,
            key="question",
            persist_state="session",
        )
        with st.container(horizontal=True, vertical_alignment="bottom"):
            sent = st.form_submit_button("Ask", type="primary")
            who = st.selectbox(
                "Who answers",
                [_THE_STORY, *names_offered(frame)],
                key=f"asked-of-{frame.story.name}-{frame.as_of}",
                help="A character answers only from what they could witness by this chapter.",
                width=240,
            )
            writes = st.toggle(
                "The language model writes the answer",
                key="model-writes",
                help="Each of its sentences is checked before it is shown. Otherwise you get the "
                "story's own sentences that answer best: quick, and nothing is invented.",
                persist_state="session",
            )
    if not model:
        parts.without_model(frame, "The story answers in its own sentences.")
    suggested = _suggested(frame) if not question.strip() and not sent else ""
    if not (sent or suggested):
        return None
    return suggested or question, writes, "" if who in (None, _THE_STORY) else who


def _suggested(frame: Frame) -> str:
    """A question to begin with, where one was chosen."""
    offered = list(QUESTIONS)
    if frame.story.name != DEMO or frame.as_of < default_prompt().chapter:  # those would tell too much
        plain = [name for name in names_offered(frame)[:9] if _PLAIN.fullmatch(name)]
        offered = [f"Who is {name}?" for name in plain[:3]]
    with st.container(horizontal=True):
        chosen = [one for one in offered if st.button(one, type="tertiary", key=f"try-{one}")]
    return chosen[0] if chosen else ""


def _answered(frame: Frame, question: str, model: bool, known_to: str, before: Sequence[Turn]) -> Turn:
    """Asks beside this thread and shows the answer as it is written."""
    if not question.strip():
        raise UsageError("Ask something about the story.")
    box = st.empty()
    box.html(ask_markup.streamed(""))
    asked = partial(answer, frame, question, before=before, model=model)
    work = partial(asked, known_to=known_to, conversation=_conversation(frame))
    text = ""
    with Running(work) as running:
        for beat, batch in enumerate(running.batches()):
            if batch:
                text += "".join(batch)
                box.html(ask_markup.streamed(text))
            if beat % 10 == 0:  # about once a second
                frame.repaint()
        turn = running.result()
    box.empty()
    return turn


def _conversation(frame: Frame) -> str:
    """The id under which the project keeps what is asked; it stands in the address, so that a page that is
    loaded anew goes on with it."""
    key = f"conversation-{frame.story.name}"
    if key not in st.session_state:
        named = st.query_params.get(_TALK, "")
        st.session_state[key] = named if _ID.fullmatch(named) else f"app-{token_hex(4)}"
    found: str = st.session_state[key]
    if st.query_params.get(_TALK) != found:
        st.query_params[_TALK] = found
    return found


def _gone_on_with(frame: Frame, shown: Sequence[Turn]) -> None:
    """What was asked in this conversation before the page was loaded, or was chosen from the list."""
    with frame.project() as project:
        kept = project.conversations.turns(_conversation(frame), horizon=project.horizon(frame.as_of))
    before = kept[: len(kept) - len(shown)]
    if before:
        st.html(markup.soft("Before that, in this conversation:"))
        st.html(ask_markup.kept(before[::-1]))


def _earlier(frame: Frame) -> None:
    """What was asked before, as far as it may be known at the horizon: to be read, gone on with, deleted."""
    with frame.project() as project:
        horizon = project.horizon(frame.as_of)
        kept = [
            one for one in project.conversations.listed(horizon=horizon) if one.id != _conversation(frame)
        ]
        if not kept:
            return
        with st.expander(f"Earlier conversations: {len(kept)}"):
            chosen = st.selectbox(
                "Which",
                kept[:_MOST_LISTED],
                format_func=lambda one: f"{one.opened_with[:80]} ({one.turns})",
                label_visibility="collapsed",
                key=f"earlier-{frame.story.name}-{frame.as_of}",
            )
            if chosen is None:
                return
            st.html(ask_markup.kept(project.conversations.turns(chosen.id, horizon=horizon)))
            if project.conversations.is_writable:
                with st.container(horizontal=True):
                    go_on = st.button("Continue it")
                    delete = st.button("Delete it", type="tertiary", help="It is deleted permanently.")
                if delete:
                    project.conversations.delete(chosen.id)
                if go_on:
                    st.session_state[f"conversation-{frame.story.name}"] = chosen.id
                    st.session_state[f"talk-{frame.story.name}"] = []
                if go_on or delete:
                    st.rerun()


def _rate(frame: Frame, turn: Turn) -> None:
    """A thumb for the answer: it counts for the passages that it quotes."""

    def rate(given: float) -> bool:
        with frame.project() as project:
            return bool(rate_answer(project, turn.answered, given, as_of=turn.as_of))

    parts.thumbs(f"rate-answer-{turn.as_of}-{hash((turn.stamp, turn.answered.question))}", rate)


def _show(frame: Frame, turn: Turn, *, latest: bool) -> None:
    answered = turn.answered
    with st.container(border=not latest):
        st.html(ask_markup.question(turn))
        st.html(ask_markup.answer(turn))
        for notice in answered.notices:
            st.html(markup.note(notice))
        if turn.cited:
            st.html(ask_markup.citations(turn, links(frame)))
        st.html(ask_markup.verdict(turn))
        if latest and turn.cited:
            _rate(frame, turn)
        if answered.sources:
            with st.expander("All that it was made from" if answered.told else "Closest passages"):
                st.html(ask_markup.numbers(turn))
                st.html(ask_markup.sources(answered))
