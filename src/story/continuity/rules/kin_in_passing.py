"""Two words of kinship that cannot both be somebody's who is named in passing: an aunt who was a cousin."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from ....core.types import Evidence
from ...graph_rag.views.story_view import StoryView
from ...model.trait_values import KIN_HINT, KIN_KINDS
from ...model.types import EntityKind

__all__ = ["HintedKin", "hinted_clashes"]

PASSING = 6  # so often named in the whole text at most


@dataclass(frozen=True, slots=True)
class HintedKin:
    """``who`` stands beside the word ``term``, with ``beside`` (entity ids) there too."""

    who: str
    term: str
    beside: frozenset[str]
    quote: Evidence


def hinted_clashes(view: StoryView, *, passing: int = PASSING) -> Iterator[tuple[HintedKin, HintedKin, str]]:
    """(earlier, later, whose kin it is) where somebody named ``passing`` times or less stands beside two
    kinds of kinship, and the same person there both times.

    Left out are a quote in which two so seldom named stand, and whoever stands beside three kinds. At most
    one a person, the first pair in order of telling.
    """
    rare = [hint for hint in _hints(view) if _in_passing(view, hint.who, passing)]
    at = Counter(hint.quote for hint in {(hint.who, hint.quote): hint for hint in rare}.values())
    told: dict[str, list[HintedKin]] = {}
    for hint in rare:
        if at[hint.quote] == 1:  # else either may be meant
            told.setdefault(hint.who, []).append(hint)
    for hints in told.values():
        yield from _first_clash(hints)


def _in_passing(view: StoryView, who: str, passing: int) -> bool:
    entity = view.entity(who)
    return entity is not None and entity.mentions <= passing


def _first_clash(hints: list[HintedKin]) -> Iterator[tuple[HintedKin, HintedKin, str]]:
    kinds = {KIN_KINDS[hint.term][0] for hint in hints}
    if len(kinds) != 2:
        return
    for i, later in enumerate(hints):
        for earlier in hints[:i]:
            shared = sorted(earlier.beside & later.beside)
            if shared and KIN_KINDS[earlier.term][0] != KIN_KINDS[later.term][0]:
                yield earlier, later, shared[0]
                return


def _hints(view: StoryView) -> Iterator[HintedKin]:
    traits = [trait for trait in view.traits() if trait.aspect == KIN_HINT]
    if not traits:
        return
    people = _people(view)
    for trait in sorted(traits, key=lambda one: (view.place(one), one.entity, one.value)):
        quote = trait.evidence[0]
        yield HintedKin(trait.entity, trait.value, _beside(people, quote) - {trait.entity}, quote)


def _people(view: StoryView) -> dict[str, list[tuple[int, str]]]:
    """By document, where each person is named, in order of the text."""
    found: dict[str, list[tuple[int, str]]] = {}
    for mention in view.log.mentions:
        if mention.kind is EntityKind.CHARACTER:
            at = mention.evidence
            found.setdefault(at.document_id, []).append((at.span.start, view.resolve(mention.entity)))
    for places in found.values():
        places.sort()
    return found


def _beside(people: dict[str, list[tuple[int, str]]], quote: Evidence) -> frozenset[str]:
    places = people.get(quote.document_id, [])
    low = bisect_left(places, (quote.span.start, ""))
    high = bisect_left(places, (quote.span.end, ""))
    return frozenset(entity for _, entity in places[low:high])
