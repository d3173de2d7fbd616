"""A story read, linked and cut into chunks, with what is known of each."""

from dataclasses import dataclass

from tests.stories.reading import linked, reading

from fabula.core.chunks.chunking import chunk_document
from fabula.core.documents import document_from_text
from fabula.core.types import Chunk, Document
from fabula.story.model.chapter_reading import ChapterReading
from fabula.story.model.types import StoryLog
from fabula.story.passages.chunk_facts import chunk_facts


@dataclass(frozen=True)
class Described:
    document: Document
    chunks: list[Chunk]
    readings: list[ChapterReading]
    log: StoryLog

    @property
    def facts(self):
        return chunk_facts(self.document, self.chunks, self.readings, self.log)


def described(text):
    document = document_from_text(text, id="the-bloom-line", title="The Bloom Line")
    readings = [reading(chapter.body.of(text)) for chapter in document.chapters]
    return Described(document, chunk_document(document, size=450, overlap=90), readings, linked(document))
