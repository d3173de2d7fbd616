"""The page of a PDF on which words stand, as a picture with the words highlighted."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..core.formats.converting import draw_page
from ..core.types import PagePlace, Span
from ..errors import UsageError

if TYPE_CHECKING:
    from .parts import OpenProject

_CHUNK_ID = re.compile(r"[0-9a-f]{16}")
_LONGEST_QUOTE = 2000  # characters


@dataclass(frozen=True, slots=True)
class PagePicture:
    """``page`` (from 1) as PNG, with ``quote`` highlighted as far as it stands there; ``places`` are its
    pages."""

    page: int
    png: bytes
    quote: str
    places: tuple[PagePlace, ...]


def show_page(
    project: OpenProject, words: str | Span, *, page: int | None = None, as_of: int | None = None
) -> PagePicture:
    """The page with the words of a chunk's id, of a quote (white space may differ), or of a span; of several
    pages the first, or ``page``. What is printed there and told after ``as_of`` is blank.

    Raises UsageError for a book without pages, or words that do not stand up to ``as_of`` or on a page;
    HorizonError for a chapter that is not; MemoryBudgetError; DocumentError where it cannot be drawn."""
    horizon = project.horizon(as_of)
    pdf, printed = project.pdf, project.printed
    if pdf is None or printed is None:
        raise UsageError("the book was not indexed from a PDF, so it has no pages: index the PDF to see them")
    chapters = project.document.chapters
    told = len(project.document.text) if horizon.chapter is None else chapters[horizon.chapter - 1].body.end
    span = words if isinstance(words, Span) else _found(project, words, told)
    project.monitor.admit()
    places = printed.at(span)
    if span.end > told or not places:
        raise UsageError("these words are on no page up to the horizon: give words from the story so far")
    numbers = [place.page for place in places]
    if page is not None and page not in numbers:
        where = ", ".join(map(str, numbers))
        raise UsageError(f"these words are not on page {page}: they are on page {where}")
    number = numbers[0] if page is None else page
    words_there = printed.on_page(number)
    is_read = horizon.chapter is None or all(end <= told for end, _ in words_there)
    png = draw_page(
        pdf,
        project.document.title,
        page=number,
        marked=[box for at, _, box in printed.lines(span) if at == number],
        shown=None if is_read else [box for end, box in words_there if end <= told],
        limits=project.config.documents.limits,
    )
    return PagePicture(number, png, span.of(project.document.text), places)


def _found(project: OpenProject, words: str, told: int) -> Span:
    if _CHUNK_ID.fullmatch(words):
        for chunk in project.chunks:
            if chunk.id == words:
                return chunk.span
    parts = words.split()
    if not parts or len(words) > _LONGEST_QUOTE:
        raise UsageError(f"give a passage's id, or 1 to {_LONGEST_QUOTE:,} characters as the story has them")
    found = re.compile(r"\s+".join(map(re.escape, parts))).search(project.document.text, 0, told)
    if found is None:
        raise UsageError("these words are not in the story up to the horizon: give them as it has them")
    return Span(found.start(), found.end())
