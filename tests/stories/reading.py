"""Small texts read and linked as the package does, all by one reader that keeps what it has parsed."""

from functools import cache

from fabula.core.types import Chapter, Document, Horizon, Span
from fabula.story.extraction.reader import StoryReader
from fabula.story.graph_rag.story_graph import StoryKnowledgeGraph
from fabula.story.linking.linker import Linker

READER = StoryReader(kept_chars=300_000)
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
def reading(text):
    return READER.read(text)


def document(*bodies, title="tale", first=1, heading=""):
    """A chapter a body, without headings."""
    text, chapters = "", []
    for number, body in enumerate(bodies, first):
        above = heading.format(number)
        start = len(text) + len(above)
        span = Span(len(text), max(len(text), start - 2))
        chapters.append(Chapter(number, above.strip() or str(number), span, Span(start, start + len(body))))
        text += above + body + "\n\n"
    return Document(title, title, text, tuple(chapters))


def with_headings(*bodies, name="tale"):
    """A chapter a body, each under its heading."""
    return document(*bodies, title=name, heading="CHAPTER {}\n\n")


def linker_of(*documents, **given):
    """A linker that has been told all of these documents, in order."""
    linker = Linker(**given)
    for each in documents:
        for chapter in each.chapters:
            linker.add(each, chapter, reading(chapter.body.of(each.text)))
    return linker


def linked(*documents):
    return linker_of(*documents).log


def view_at(log, chapter=None):
    """The view of one who has read up to a chapter."""
    return StoryKnowledgeGraph.from_log(log).as_of(Horizon(chapter))


def told(*documents):
    """The view of one who has read these documents."""
    return view_at(linked(*documents))


def log_of(*bodies):
    """The log of a story; a chapter a body."""
    return linked(document(*bodies))


def roots(log):
    """Entity → the entity that it is by the end, merges applied."""
    into = {merge.entity: merge.into for merge in log.merges}

    def root(entity):
        return root(into[entity]) if entity in into else entity

    return root


def who_in(log):
    """Surface → the entity (last) meant by it, merges applied."""
    return {mention.surface: roots(log)(mention.entity) for mention in log.mentions}
