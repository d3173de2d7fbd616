"""Checks a text that is not part of the story against what the story has told so far."""

from __future__ import annotations

from typing import Protocol

from ..core.types import Chapter, Document, Horizon, Span
from .continuity.critic import ContinuityCritic
from .findings import CheckReport
from .graph_rag.linker import Linker
from .graph_rag.story_graph import StoryKnowledgeGraph
from .reading import ChapterReading

__all__ = ["DRAFT_ID", "SourceChecker", "draft_document"]

DRAFT_ID = "draft"


class Reader(Protocol):
    """Text to reading; see StoryReader."""

    def read(self, text: str, /) -> ChapterReading: ...


def draft_document(text: str, *, chapter: int) -> Document:
    """A draft as a document of one chapter of that number, without a heading."""
    return Document(DRAFT_ID, "draft", text, (Chapter(chapter, "draft", Span(0, 0), Span(0, len(text))),))


class SourceChecker:
    """The critic, bound to a story at a horizon.

    ``linker`` has read the story up to and including chapter ``horizon`` and no further; it is copied for
    each draft, so drafts never see one another. Evidence from the draft names the document
    :data:`DRAFT_ID`, with offsets into the draft's own text.
    """

    def __init__(self, linker: Linker, reader: Reader, critic: ContinuityCritic, *, horizon: int) -> None:
        self._linker = linker
        self._reader = reader
        self._critic = critic
        self._next = horizon + 1

    def check(self, text: str, /) -> CheckReport:
        """Reads the text as the chapter after the horizon. An empty text has nothing to check."""
        draft = draft_document(text, chapter=self._next)
        linker = self._linker.copy()
        linker.add(draft, draft.chapters[0], self._reader.read(text))
        view = StoryKnowledgeGraph.from_log(linker.log).as_of(Horizon(self._next))
        return self._critic.check(view, words=len(text.split()), only_document=DRAFT_ID)
