"""Who is meant by the names of a text."""

from __future__ import annotations

from fabula.core.types import Chapter, Document, Span
from fabula.story.extraction.reader import StoryReader
from fabula.story.linking.linker import Linker


def who(reader: StoryReader, *bodies: str) -> dict[str | int, str]:
    """Surface, and place in the text, → the entity (last) meant by it, merges applied; a chapter a body."""
    text, chapters = "", []
    for number, body in enumerate(bodies, 1):
        start = len(text)
        chapters.append(Chapter(number, "", Span(start, start), Span(start, start + len(body))))
        text += body + "\n\n"
    story, linker = Document("tale", "tale", text, tuple(chapters)), Linker()
    for chapter in chapters:
        linker.add(story, chapter, reader.read(chapter.body.of(text)))
    into = {merge.entity: merge.into for merge in linker.log.merges}
    found: dict[str | int, str] = {}
    for mention in linker.log.mentions:
        root = mention.entity
        while root in into:
            root = into[root]
        found[mention.surface] = found[mention.evidence.span.start] = root
    return found
