"""A conversation with a story: questions, answers, and the quotes that they stand on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ...core.answering.answered import Answered
from ...core.answering.grounding import Citation
from ...core.types import Horizon
from ...story.passages.filter import SearchFilter
from ...views.quotes import Surroundings, surroundings
from ..frame import Frame


@dataclass(frozen=True, slots=True)
class Turn:
    """A question that was answered. ``stamp`` and ``as_of`` say of which story, and up to where; ``known_to``
    who was asked (empty: the story); ``cited`` are the quotes where they stand; ``whole`` that it was asked
    of the whole story."""

    stamp: str
    as_of: int
    answered: Answered
    cited: tuple[tuple[Citation, Surroundings], ...]
    known_to: str = ""
    whole: bool = False


def told_by(turns: Sequence[Turn], *, stamp: str, as_of: int) -> tuple[Turn, ...]:
    """The turns that may be known at the horizon: none that was answered from later chapters."""
    return tuple(turn for turn in turns if turn.stamp == stamp and turn.as_of <= as_of)


def answer(
    frame: Frame,
    question: str,
    on_text: Callable[[str], None],
    *,
    before: Sequence[Turn],
    model: bool,
    known_to: str,
    conversation: str,
) -> Turn:
    """Asks, with the turns before as the conversation, which the project keeps under the id ``conversation``
    where it can be written to; of one character, where ``known_to`` names one. Raises what ``Project.ask``
    does."""
    as_of = frame.as_of
    with frame.at_work() if model else frame.project() as project:
        keep = project.conversations.is_writable
        answered = project.ask(
            question,
            as_of=as_of,
            history=() if keep else tuple((turn.answered.question, turn.answered.text) for turn in before),
            conversation=conversation if keep else None,
            model=model,
            wanted=SearchFilter(known_to=known_to) if known_to else None,
            on_text=on_text,
        )
        document, horizon = project.document, Horizon(as_of)
    cited = tuple(
        (one, surroundings(document, one.span, chapter=one.chapter, horizon=horizon))
        for one in answered.citations
    )
    return Turn(frame.story.stamp, as_of, answered, cited, known_to, as_of >= frame.story.chapters)
