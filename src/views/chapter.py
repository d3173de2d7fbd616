"""A chapter to be read, with the places where people, places and things are named."""

from __future__ import annotations

from dataclasses import dataclass

from ..core.types import Document, Span
from ..errors import HorizonError
from ..story.graph_rag.views.story_view import StoryView


@dataclass(frozen=True, slots=True)
class Named:
    """Somebody or something is named here: half-open offsets into the chapter's text. ``kind`` is the
    entity's (``character``, ``location`` …), ``name`` the one that it is known by."""

    start: int
    end: int
    entity: str
    kind: str
    name: str


@dataclass(frozen=True, slots=True)
class ChapterShown:
    """``start`` is where ``text`` begins in the whole book. ``named`` are in order and do not overlap."""

    number: int
    title: str
    start: int
    text: str
    named: tuple[Named, ...]

    def within(self, start: int, end: int) -> Span | None:
        """The part of the chapter's text at these offsets of the book; None where it lies elsewhere."""
        here = Span(start - self.start, end - self.start) if self.start <= start < end else None
        return here if here is not None and here.end <= len(self.text) else None


def chapter_words(number: int, title: str) -> str:
    """What to call a chapter: its own title, where that says which one it is."""
    flat = " ".join(title.split())
    if not flat or str(number) in flat or flat.casefold().startswith("chapter"):
        return flat or f"Chapter {number}"
    return f"Chapter {number}: {flat}"


def chapter_shown(view: StoryView, document: Document, number: int) -> ChapterShown:
    """The chapter as a reader at the view's horizon knows it. Raises HorizonError for a later one."""
    if not 1 <= number <= len(document.chapters) or not view.horizon.admits(number):
        raise HorizonError(f"chapter {number} has not been read yet: read on to see it")
    chapter = document.chapter(number)
    named: list[Named] = []
    mentions = (one for one in view.log.mentions if one.evidence.document_id == document.id)
    spans = sorted((one.evidence.span.start, -one.evidence.span.end, one.entity) for one in mentions)
    for start, minus_end, id in spans:
        at = Span(start, -minus_end)
        entity = view.entity(id)
        if entity is None or not chapter.body.contains(at):
            continue
        here = start - chapter.body.start
        if not named or named[-1].end <= here:
            end = at.end - chapter.body.start
            named.append(Named(here, end, entity.id, entity.kind.value, entity.name))
    return ChapterShown(
        number, chapter.title, chapter.body.start, chapter.body.of(document.text), tuple(named)
    )
