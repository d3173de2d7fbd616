"""What else speaks of a passage: the places to look at before it is changed, nearest by words and vectors."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..core.text.sentences import sentences
from ..core.types import Evidence, Span
from ..errors import UsageError
from ..story.continuity.suspects.suspects import near_before
from ..story.evidence.quote_finder import QuoteFinder

if TYPE_CHECKING:
    from .parts import OpenProject

_PASSAGES = 40
_QUERY = 1000  # characters
_LEAST_WORDS = 3


@dataclass(frozen=True, slots=True)
class Impact:
    """``passage`` is the whole of the sentences that were asked about; ``places`` speak most of the same, the
    nearest first."""

    passage: Evidence
    places: tuple[Evidence, ...]


def impact_of(
    project: OpenProject, words: str, *, chapter: int | None = None, as_of: int | None = None, limit: int = 7
) -> Impact:
    """Where else, up to ``as_of``, the story speaks of what these words say (first, or in ``chapter``): at
    most ``limit`` places. Raises UsageError where they do not stand; MemoryBudgetError."""
    passage = _passage(project, words, chapter, as_of)
    with project.monitor.work():
        others = list(_candidates(project, passage, as_of))
        texts = [*(one.quote for one in others), passage.quote]
        vectors = project.sentence_vectors.of(texts)
        near = near_before(texts, [len(others)], vectors, count=limit)
    return Impact(passage, tuple(others[at] for at, _ in near))


def _passage(project: OpenProject, words: str, chapter: int | None, as_of: int | None) -> Evidence:
    horizon, text = project.horizon(as_of), project.document.text
    finder = QuoteFinder(text)
    for each in project.document.chapters:
        if horizon.admits(each.number) and chapter in (None, each.number):
            place = finder.find(words, within=each.body)
            if place is not None:
                touched = [span for span in _sentences(text, each.body) if span.overlaps(place)]
                whole = Span(touched[0].start, touched[-1].end) if touched else place
                return Evidence.of(project.document, each.number, whole)
    where = f"chapter {chapter}" if chapter else f"chapters 1 to {as_of}" if as_of else "the story"
    raise UsageError(f"these words are not in {where}: copy some of them exactly, word for word")


def _candidates(project: OpenProject, passage: Evidence, as_of: int | None) -> Iterator[Evidence]:
    """The sentences of the passages that search finds for it, in order of telling, but for its own."""
    found = project.searcher(project.question(passage.quote[:_QUERY], _PASSAGES, as_of=as_of)).passages
    text = project.document.text
    seen: set[Span] = set()
    for chunk in sorted((one.chunk for one in found), key=lambda chunk: chunk.span.start):
        for span in _sentences(text, chunk.span):
            if span not in seen and not span.overlaps(passage.span):
                seen.add(span)
                yield Evidence.of(project.document, chunk.chapter, span)


def _sentences(text: str, inside: Span) -> Iterator[Span]:
    for span in sentences(inside.of(text)):
        if len(span.of(inside.of(text)).split()) >= _LEAST_WORDS:
            yield span.moved(inside.start)
