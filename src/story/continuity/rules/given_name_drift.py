"""Giles Hale, later Matthew Hale: the one bearer of a surname called by two given names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from ....core.types import Evidence
from ...graph_rag.views.story_view import StoryView
from ...lexicon.short_forms import full_forms
from ...model.trait_values import FULL_NAME
from ...names.lexicon import GIVEN
from ...names.spelling import alike

__all__ = ["TwiceNamed", "twice_named"]

PASSING = 5  # so often stands the surname at most
GIVEN_MOST = 3  # so often each of the given names: nobody else bears it
APART = 1500  # characters between the two, in one document


@dataclass(frozen=True, slots=True)
class TwiceNamed:
    """One full name; ``entity`` is who the graph takes to bear it."""

    name: str
    entity: str
    quote: Evidence


def twice_named(view: StoryView, *, passing: int = PASSING) -> Iterator[tuple[TwiceNamed, TwiceNamed]]:
    """First uses of the two given names of each surname that stands ``passing`` times at most.

    The given names are two, of one gender, neither a form or spelling of the other, and nobody else's (a
    known Rose who is told to be a Fleming is no slip); the two places are far from each other.
    """
    found: dict[str, list[TwiceNamed]] = {}
    for trait in view.traits():
        if trait.aspect == FULL_NAME:
            surname = trait.value.split()[1]
            found.setdefault(surname, []).append(TwiceNamed(trait.value, trait.entity, trait.evidence[0]))
    uses = _uses(view)
    for surname, told in found.items():
        told.sort(key=lambda one: (view.place(one.quote), one.name))
        names = list(dict.fromkeys(one.name for one in told))
        if len(names) != 2 or uses[surname] > passing or uses[f"{surname}s"]:
            continue
        given = [name.split()[0] for name in names]
        if max(uses[word] for word in given) > GIVEN_MOST or not _another(*given):
            continue
        one = next(each for each in told if each.name == names[0])
        other = next(each for each in told if each.name == names[1])
        if _far(one.quote, other.quote):
            yield one, other


def _uses(view: StoryView) -> Counter[str]:
    """How often each word stands in the names of the story, lower case."""
    return Counter(
        word.strip(".,'’") for mention in view.log.mentions for word in mention.surface.casefold().split()
    )


def _another(one: str, other: str) -> bool:
    return (
        GIVEN.get(one) == GIVEN.get(other)
        and not (full_forms(one) & full_forms(other))
        and not alike(one, other)
    )


def _far(one: Evidence, other: Evidence) -> bool:
    return one.document_id != other.document_id or other.span.start - one.span.end >= APART
