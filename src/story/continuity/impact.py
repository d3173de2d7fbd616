"""Where else a story speaks of what one passage tells: what its author looks at before changing it.

Two ways, side by side: what the story model knows to be the same fact (somebody's eyes, the bond of two, a
thing), and the sentences that are nearest by words and vectors.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ...core.interfaces import Embedder
from ...core.types import Evidence
from ..graph_rag.views.story_view import StoryView
from ..model.predicates import PREDICATES
from .suspects.suspects import near_before


@dataclass(frozen=True, slots=True)
class Touched:
    """A place, and why it is one: ``why`` names the fact that both tell, or is empty where they only speak of
    the same."""

    evidence: Evidence
    why: str = ""


def same_facts(view: StoryView, passage: Evidence) -> tuple[Touched, ...]:
    """The other quotes, told up to the view's horizon, of the facts that rest on the passage, in order of
    telling, each once."""
    found: dict[Evidence, Touched] = {}
    for why, group in _facts(view):
        quotes = list(dict.fromkeys(group))
        if any(quote.overlaps(passage) for quote in quotes):
            for quote in quotes:
                if not quote.overlaps(passage):
                    found.setdefault(quote, Touched(quote, why))
    return tuple(sorted(found.values(), key=lambda one: view.place(one.evidence)))


def speak_of_it(
    passage: Evidence, sentences: Sequence[Evidence], *, embedder: Embedder, limit: int
) -> tuple[Touched, ...]:
    """The ``limit`` sentences that speak most of the same as the passage, the nearest first."""
    texts = [*(one.quote for one in sentences), passage.quote]
    if len(texts) < 2:
        return ()
    near = near_before(texts, [len(sentences)], embedder.embed_documents(texts), count=limit)
    return tuple(Touched(sentences[at]) for at, _ in near)


def _facts(view: StoryView) -> Iterator[tuple[str, list[Evidence]]]:
    """Each fact in words, with the first quote of every telling of it."""
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
