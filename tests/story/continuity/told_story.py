"""Reads a small story chapter by chapter, as the package does: the view of one who has read it all."""

from __future__ import annotations

from functools import cache

from fabula.core.types import Chapter, Document, Horizon, Span
from fabula.story.extraction.reader import StoryReader
from fabula.story.graph_rag.story_graph import StoryKnowledgeGraph
from fabula.story.graph_rag.views.story_view import StoryView
from fabula.story.linking.linker import Linker
from fabula.story.model.chapter_reading import ChapterReading

OPENING = (
    "Marcus Hale bowed. Elena Voss smiled at him. “Good morning,” said Elena. Tobias Crane nodded to Marcus. "
    "Mr. Reed coughed, and Mrs. Reed poured the tea."
)
FILLER = (
    "The town was quiet afterwards. The gulls came in over the empty slips, and nobody spoke of it any more. "
    "The brass plates stood in their cases under a sheet. The chandler let the room to a clerk from the "
    "mainland, who complained of the damp and of the noise and left before the spring. Rain fell for a week."
)


@cache
def _reader() -> StoryReader:
    return StoryReader()


@cache
def reading(text: str) -> ChapterReading:
    return _reader().read(text)


def document(*bodies: str, title: str = "tale", first: int = 1) -> Document:
    text, chapters = "", []
    for number, body in enumerate(bodies, first):
        start = len(text)
        text += body + "\n\n"
        chapters.append(Chapter(number, str(number), Span(start, start), Span(start, len(text))))
    return Document(title, title, text, tuple(chapters))


def told(*documents: Document) -> StoryView:
    """The view of all that these documents tell, in order."""
    linker = Linker()
    for each in documents:
        for chapter in each.chapters:
            linker.add(each, chapter, reading(chapter.body.of(each.text)))
    return StoryKnowledgeGraph.from_log(linker.log).as_of(Horizon(None))


def story(*bodies: str) -> StoryView:
    """The opening that introduces everybody, then these chapters."""
    return told(document(OPENING, *bodies))
