"""What else speaks of a passage: the places to look at before it is changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..core.text.sentences import sentences
from ..core.types import Chapter, Evidence, Span
from ..errors import UsageError
from ..story.continuity.impact import Touched, same_facts, speak_of_it
from ..story.evidence.quote_finder import QuoteFinder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .parts import OpenProject

_PASSAGES = 40
_QUERY = 1000  # characters
_LEAST_WORDS = 3


@dataclass(frozen=True, slots=True)
class Impact:
    """``passage`` is the whole of the sentences that were asked about; ``places`` are where the story tells
    the same facts, in order of telling, then where it speaks of the same, the nearest first."""

    passage: Evidence
    places: tuple[Touched, ...]


def impact_of(
    project: OpenProject, words: str, *, chapter: int | None, as_of: int | None, limit: int
) -> Impact:
    """See ``Project.impact``."""
    passage = _passage(project, words, chapter, as_of)
    facts = same_facts(project.view(as_of), passage)
    near = [
        one
        for one in speak_of_it(
            passage,
            list(_candidates(project, passage, as_of)),
            embedder=project.sentence_embedder,
            limit=limit + len(facts),
        )
        if not any(one.evidence.overlaps(fact.evidence) for fact in facts)
    ]
    return Impact(passage, (*facts, *near)[:limit])


def _passage(project: OpenProject, words: str, chapter: int | None, as_of: int | None) -> Evidence:
    """The whole sentences in which the words first stand."""
    horizon, text = project.horizon(as_of), project.document.text
    finder = QuoteFinder(text)
    for each in project.document.chapters:
        if horizon.admits(each.number) and chapter in (None, each.number):
            place = finder.find(words, within=each.body)
            if place is not None:
                return Evidence.of(project.document, each.number, _whole(each, text, place))
    where = f"chapter {chapter}" if chapter else f"chapters 1 to {as_of}" if as_of else "the story"
    raise UsageError(f"these words do not stand in {where}: copy some of them exactly, word for word")


def _whole(chapter: Chapter, text: str, place: Span) -> Span:
    touched = [span for span in _sentences(text, chapter.body) if span.overlaps(place)]
    return Span(touched[0].start, touched[-1].end) if touched else place


def _candidates(project: OpenProject, passage: Evidence, as_of: int | None) -> Iterator[Evidence]:
    """The sentences of the passages that search finds for it, in order of telling, but for its own."""
    found = project.searcher.search(project.question(passage.quote[:_QUERY], _PASSAGES, as_of=as_of)).passages
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
            yield Span(inside.start + span.start, inside.start + span.end)
