"""What a story told of people before they come up again: what a check needs to see beside a passage."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from functools import cached_property

from ...core.types import Evidence, Span
from ..graph_rag.views.story_view import StoryView
from ..model.predicates import PREDICATES


class ToldBefore:
    """Looks back from passages of one view. Nothing in it goes past the view's horizon."""

    def __init__(self, view: StoryView) -> None:
        self._view = view

    def named_in(self, document: str, span: Span) -> tuple[str, ...]:
        """Ids of who and what is mentioned in that stretch, in order of first mention."""
        starts, ids = self._mentions.get(document, ([], []))
        low, high = bisect_left(starts, span.start), bisect_left(starts, span.end)
        return tuple(dict.fromkeys(ids[low:high]))

    def of(self, document: str, chapter: int, window: Span) -> Iterator[Evidence]:
        """Quotes told before the window about those who are mentioned in it: what lasts first (facts, kin
        and bonds, deaths), the latest first; each once."""
        view = self._view
        here = self._place(document, chapter, window)
        people = set(self.named_in(document, window))
        seen: set[Evidence] = set()
        ranked = sorted(
            ((rank, quote) for who in people for rank, quote in self._facts(who) if view.place(quote) < here),
            key=lambda pair: (pair[0], tuple(-part for part in view.place(pair[1])), pair[1].document_id),
        )
        for _, quote in ranked:
            if quote not in seen:
                seen.add(quote)
                yield quote

    def _facts(self, who: str) -> Iterator[tuple[int, Evidence]]:
        view = self._view
        for fact in view.facts(who):
            yield from ((0, quote) for quote in fact.evidence[:1])
        for relation in view.relations(who):
            yield from (
                (0 if PREDICATES[relation.predicate].lasting else 2, q) for q in relation.evidence[:1]
            )
        for event in view.events(who):
            row = PREDICATES.get(event.predicate)
            grave = row is not None and (row.permanent or row.turning)
            yield from ((1 if grave else 2, quote) for quote in event.evidence[:1])

    def _place(self, document: str, chapter: int, window: Span) -> tuple[int, int, int]:
        return self._view.place(Evidence(document, chapter, window, ""))

    @cached_property
    def _mentions(self) -> dict[str, tuple[list[int], list[str]]]:
        found: dict[str, list[tuple[int, str]]] = {}
        for mention in self._view.log.mentions:
            quote = mention.evidence
            at = quote.quote.find(mention.surface)
            place = quote.span.start + max(0, at)
            found.setdefault(quote.document_id, []).append((place, self._view.resolve(mention.entity)))
        return {
            document: ([start for start, _ in sorted(pairs)], [who for _, who in sorted(pairs)])
            for document, pairs in found.items()
        }
