"""What else speaks of a passage: the places to look at before it is changed.

Two ways, side by side: what the story model knows to be the same fact (somebody's eyes, the bond of two, a
thing), and the sentences that are nearest by words and vectors.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..core.text.sentences import sentences
from ..core.types import Evidence, Span
from ..errors import UsageError
from ..story.continuity.suspects.suspects import Embed, near_before
from ..story.evidence.quote_finder import QuoteFinder
from ..story.graph_rag.views.story_view import StoryView
from ..story.model.predicates import PREDICATES

if TYPE_CHECKING:
    from .parts import OpenProject


@dataclass(frozen=True, slots=True)
class Touched:
    """``why`` names the fact that both places tell; it is empty where they only speak of the same."""

    evidence: Evidence
    why: str = ""


def same_facts(view: StoryView, passage: Evidence) -> tuple[Touched, ...]:
    """The other quotes, up to the view's horizon, of facts that rest on the passage, in order of telling."""
    found: dict[Evidence, Touched] = {}
    for why, group in _facts(view):
        quotes = list(dict.fromkeys(group))
        if any(quote.overlaps(passage) for quote in quotes):
            for quote in quotes:
                if not quote.overlaps(passage):
                    found.setdefault(quote, Touched(quote, why))
    return tuple(sorted(found.values(), key=lambda one: view.place(one.evidence)))


def speak_of_it(
    passage: Evidence, sentences: Sequence[Evidence], *, embed: Embed, limit: int
) -> tuple[Touched, ...]:
    """The ``limit`` sentences that speak most of the same as the passage, the nearest first."""
    texts = [*(one.quote for one in sentences), passage.quote]
    if len(texts) < 2:
        return ()
    near = near_before(texts, [len(sentences)], embed(texts), count=limit)
    return tuple(Touched(sentences[at]) for at, _ in near)


def _facts(view: StoryView) -> Iterator[tuple[str, list[Evidence]]]:
    groups: dict[str, list[Evidence]] = {}

    def tell(why: str, evidence: Iterable[Evidence]) -> None:
        groups.setdefault(why, []).extend(list(evidence)[:1])

    for fact in view.facts():
        tell(f"{view.name(fact.entity)}: {fact.aspect.replace('_', ' ')}", fact.evidence)
    for relation in view.relations(happened=False):
        if PREDICATES[relation.predicate].lasting:
            pair = sorted((view.name(relation.subject), view.name(relation.object)))
            tell(f"{pair[0]} and {pair[1]}: what they are to each other", relation.evidence)
    for event in view.events(happened=False):
        row = PREDICATES.get(event.predicate)
        if row is not None and (row.permanent or row.turning):
            cast = sorted(view.name(who) for role, who in event.participants if role != "place")
            tell(f"{' and '.join(cast)}: {event.predicate.replace('_', ' ').lower()}", event.evidence)
    yield from groups.items()


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
    project: OpenProject, words: str, *, chapter: int | None = None, as_of: int | None = None, limit: int = 7
) -> Impact:
    """Where else, up to ``as_of``, the story speaks of what these words say (first, or in ``chapter``): at
    most ``limit`` places. Raises UsageError where they do not stand; MemoryBudgetError."""
    passage = _passage(project, words, chapter, as_of)
    facts = same_facts(project.view(as_of), passage)
    with project.monitor.work():
        others = list(_candidates(project, passage, as_of))
        near = speak_of_it(passage, others, embed=project.sentence_vectors.of, limit=limit + len(facts))
    new = [one for one in near if not any(one.evidence.overlaps(fact.evidence) for fact in facts)]
    return Impact(passage, (*facts, *new)[:limit])


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
