"""The story so far, as data and in words, for every door."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...core.text.sentences import in_marks
from ..quotes import QuoteShown, quotes_shown
from .answer import wrapped

if TYPE_CHECKING:
    from ...story.writing.story_so_far import Recap

__all__ = ["RecapLineShown", "RecapShown", "recap_shown", "recap_text"]


@dataclass(frozen=True, slots=True)
class RecapLineShown:
    """A sentence, and the quotes that it stands on; without a model it is its quote."""

    chapter: int
    text: str
    quotes: tuple[QuoteShown, ...]


@dataclass(frozen=True, slots=True)
class RecapShown:
    """In order of telling, up to the chapter ``as_of``; ``model`` wrote the lines, the story itself where it
    is empty."""

    as_of: int
    length: str
    lines: tuple[RecapLineShown, ...]
    model: str
    notices: tuple[str, ...]


def recap_shown(recap: Recap) -> RecapShown:
    """The recap as plain data."""
    lines = tuple(
        RecapLineShown(line.chapter, " ".join(line.text.split()), quotes_shown(line.evidence))
        for line in recap.lines
    )
    return RecapShown(recap.chapter, recap.length, lines, recap.model, recap.notices)


def recap_text(recap: RecapShown) -> str:
    """A line a sentence, each behind its chapter; where a model wrote them, their quotes below."""
    lines = []
    for line in recap.lines:
        said = line.text if recap.model else in_marks(line.text)
        lines.append(wrapped(f"ch. {line.chapter} {said}"))
        if recap.model:
            lines += [wrapped(in_marks(quote.text), indent="    ") for quote in line.quotes]
    return "\n".join([*(lines or ["Nothing is told yet."]), *map(wrapped, recap.notices)])
