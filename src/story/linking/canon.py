"""What an author laid down, at the chapter from which it is valid: names that win over what the text
suggests, and records that enter the story's log as they are."""

from __future__ import annotations

from collections.abc import Iterable

from ..model.types import EntityKind, EntityMention, EntityMerge
from .state import KnownSoFar, thing_key

AUTHORED_VOTES = 1_000_000  # no text mentions anything so often as another kind


def adopt(state: KnownSoFar, names: Iterable[EntityMention]) -> list[EntityMerge]:
    """From now on these names mean whom the author says, and who is so named is of the author's kind.

    Gives the merges that follow: somebody the text has called exactly so turns out to be the author's.
    """
    merges: list[EntityMerge] = []
    for name in names:
        other = _called(state, name)
        if other is not None and state.root(other) != name.entity and other not in state.authored:
            state.into[state.root(other)] = name.entity
            merges.append(EntityMerge(other, name.entity, name.told, name.evidence))
        state.given[name.surface.casefold()] = name.entity
        votes = state.kinds.setdefault(name.entity, {})
        votes[name.kind] = votes.get(name.kind, 0) + AUTHORED_VOTES
        if name.kind is EntityKind.CHARACTER:
            _introduce(state, name, other)
        else:
            state.things[thing_key(name.surface)] = name.entity
    return merges


def _called(state: KnownSoFar, name: EntityMention) -> str | None:
    """Whom the story has called exactly so."""
    if name.kind is not EntityKind.CHARACTER:
        return state.things.get(thing_key(name.surface))
    if not state.book.knows(name.surface):
        return None
    return state.book.find(name.surface, name.gender) or state.book.find(name.surface, "")


def _introduce(state: KnownSoFar, name: EntityMention, other: str | None) -> None:
    """Makes the person known to the book, so that other forms of the name find them too."""
    book = state.book
    if other is not None:
        book.join(other, name.entity, sure=True)
    elif not book.has(name.entity):
        book.resolve(name.surface, name.gender, fresh_id=name.entity)
    elif book.find(name.surface, name.gender) is None:
        other = f"{name.entity}--{len(state.given)}"
        book.resolve(name.surface, name.gender, fresh_id=other)
        if not book.join(other, name.entity, sure=True):
            state.kinds[other] = {name.kind: 1}
