"""Checks a text that is not part of the story against what the story has told so far."""

from __future__ import annotations

from typing import Protocol

from ...core.runtime.garbage import collection_put_off
from ...core.types import Chapter, Document, Horizon, Span
from ..graph_rag.story_graph import StoryKnowledgeGraph, StoryView
from ..linking.linker import Linker
from ..model.chapter_reading import ChapterReading, ToldBefore
from ..model.findings import CheckReport
from ..model.types import StoryLog
from .critic import ContinuityCritic

DRAFT_ID = "draft"
_VIEWS_KEPT = 8


class Reader(Protocol):
    """Text to reading; see StoryReader."""

    def read(self, text: str, before: ToldBefore, /) -> ChapterReading: ...


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
        self._views: dict[str, StoryView] = {}

    @property
    def chapter(self) -> int:
        """The chapter that a draft is read as: the one after the horizon."""
        return self._next

    @property
    def log(self) -> StoryLog:
        """All told up to the horizon; costs one copy of its lists."""
        return self._linker.log

    def check(self, text: str, /) -> CheckReport:
        """Reads the text as the chapter after the horizon. An empty text has nothing to check."""
        draft = draft_document(text, chapter=self._next)
        return self._critic.check(self.told(text), words=len(text.split()), draft=draft)

    def grown(self, document: Document, /) -> StoryKnowledgeGraph:
        """The story's graph with the chapter after the horizon, which ``document`` holds, appended for good:
        the same as that of all its chapters read one after the other. Raises HorizonError where the document
        has no such chapter."""
        return self._appended(document, document.chapter(self._next))

    def told(self, text: str, /) -> StoryView:
        """The story at the horizon with the text told on top. The views of the texts asked for last are
        kept, so that asking again costs nothing."""
        view = self._views.pop(text, None)
        if view is None:
            draft = draft_document(text, chapter=self._next)
            view = self._appended(draft, draft.chapters[0]).as_of(Horizon(self._next))
        self._views[text] = view
        while len(self._views) > _VIEWS_KEPT:
            del self._views[next(iter(self._views))]
        return view

    def _appended(self, document: Document, chapter: Chapter) -> StoryKnowledgeGraph:
        """Somebody waits for it: garbage is left lying until it is there."""
        with collection_put_off():
            linker = self._linker.copy()
            body = chapter.body.of(document.text)
            linker.add(document, chapter, self._reader.read(body, linker.told_before()))
            return StoryKnowledgeGraph.from_log(linker.log)
