"""The story so far, as a page or an answer shows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .quotes import QuoteShown, quotes_shown

if TYPE_CHECKING:
    from ..project.recapping import Recap

__all__ = ["RecapLineShown", "RecapShown", "recap_shown"]


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
