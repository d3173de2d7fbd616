"""Ask: answers that stand on quotes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from secrets import token_hex

import streamlit as st

from ...errors import UsageError
from ...project.asking import rate_answer
from ...story.writing.prompts import LENGTHS
from ...views.text.so_far import recap_shown
from ..accepting import offer_chapter
from ..frame import Frame
from ..markup import ask as ask_markup
from ..markup import page as markup
from ..state.conversation import Turn, answer, told_by
from ..state.live import Running
from ..state.story_views import names_offered

_LONGEST_QUESTION = 1000  # characters
_THE_STORY = "the story"
_MOST_LISTED = 50


def page(frame: Frame) -> None:
    """A question, its answer, and those before it at this horizon, latest first."""
    turns: list[Turn] = st.session_state.setdefault(f"talk-{frame.story.name}", [])
    before = told_by(turns, stamp=frame.story.stamp, as_of=frame.as_of)
    with frame.project() as project:
        model_answers = project.config.model_answers
    asked = _ask(frame, model_answers)
    if asked is not None:
        turn = _answered(frame, *asked, before)
        turns.append(turn)
        before = (*before, turn)
    for place, turn in enumerate(reversed(before)):
        _show(turn, latest=place == 0)
        if place == 0 and turn.cited:
            _rate(frame, turn)
        if turn.answered.is_scene:
            offer_chapter(frame, turn.answered.text, after=turn.as_of, key=f"turn-{len(before) - place}")
    if before and st.button("Begin anew", type="tertiary", help="Clears the questions above."):
        st.session_state[f"talk-{frame.story.name}"] = [turn for turn in turns if turn not in before]
        st.session_state.pop(f"conversation-{frame.story.name}", None)
        st.rerun()
    _earlier(frame)
    _recap(frame, model_answers)


def _recap(frame: Frame, model_answers: bool) -> None:
    """The story so far, told when it is wanted: it reads the whole book."""
    from ...project.asking import recap

    with st.expander("The story so far"):
        with st.container(horizontal=True, vertical_alignment="center"):
            length = st.segmented_control(
                "Length", LENGTHS, default="short", key="recap-length", label_visibility="collapsed"
            )
            wanted = st.button("Tell it", help="What happened in each chapter, with quotes.")
        place = (frame.story.stamp, frame.as_of, length)
        if wanted and length is not None:
            bar = st.progress(0.0, "reading")
            with frame.at_work() if model_answers else frame.project() as project:
                found = recap(
                    project,
                    length=length,
                    as_of=frame.as_of,
                    on_chapter=lambda done, total: bar.progress(done / total, "reading"),
                )
            bar.empty()
            st.session_state["recap"] = (place, recap_shown(found))
        kept_for, shown = st.session_state.get("recap", (None, None))
        if shown is not None and kept_for == place:
            for notice in shown.notices:
                st.html(markup.note(notice))
            st.html(ask_markup.recap(shown))


def _ask(frame: Frame, model_answers: bool) -> tuple[str, bool, str] | None:
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
        with st.container(horizontal=True, vertical_alignment="center"):
            sent = st.form_submit_button("Ask", type="primary")
            model = st.toggle(
                "Let the language model write",
                key="model-writes",
                help="Each of its sentences is checked before it is shown. Otherwise you get the "
                "story's own sentences that answer best: quick, and nothing is invented.",
                persist_state="session",
            )
            who = st.selectbox(
                "Asked of",
                [_THE_STORY, *names_offered(frame)],
                key=f"asked-of-{frame.story.name}-{frame.as_of}",
                help="Answers only from what this character could witness.",
                label_visibility="collapsed",
                width=220,
            )
    return (question, model, "" if who in (None, _THE_STORY) else who) if sent else None


def _answered(frame: Frame, question: str, model: bool, known_to: str, before: Sequence[Turn]) -> Turn:
    """Asks beside this thread and shows the answer as it is written."""
    if not question.strip():
        raise UsageError("Ask something about the story.")
    box = st.empty()
    box.html(ask_markup.streamed(""))
    conversation = _conversation(frame)

    def work(on_text: Callable[[str], None]) -> Turn:
        with frame.at_work() if model else frame.project() as project:
            return answer(
                project,
                question,
                stamp=frame.story.stamp,
                as_of=frame.as_of,
                before=before,
                model=model,
                known_to=known_to,
                conversation=conversation,
                on_text=on_text,
            )

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
    """The id under which the project keeps what is asked of this story in this session of a browser."""
    found: str = st.session_state.setdefault(f"conversation-{frame.story.name}", f"app-{token_hex(4)}")
    return found


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
    key = f"rate-answer-{turn.as_of}-{hash((turn.stamp, turn.answered.question))}"

    def keep() -> None:
        given = st.session_state.get(key)
        if given is None:
            return
        with frame.project() as project:
            kept = rate_answer(project, turn.answered, float(given), as_of=turn.as_of)
        st.toast(
            "Saved: later searches take it into account."
            if kept
            else "Not saved: the search no longer finds what the answer quotes."
        )

    st.feedback("thumbs", key=key, on_change=keep)


def _show(turn: Turn, *, latest: bool) -> None:
    answered = turn.answered
    with st.container(border=not latest):
        st.html(ask_markup.question(turn))
        st.html(ask_markup.answer(turn))
        for notice in answered.notices:
            st.html(markup.note(notice))
        st.html(ask_markup.verdict(turn))
        if turn.cited:
            st.html(ask_markup.citations(turn))
        if answered.sources:
            with st.expander("Sources of this answer" if answered.told else "Closest passages"):
                st.html(ask_markup.sources(answered))
