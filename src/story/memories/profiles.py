"""Character profiles: who somebody is to a reader at a horizon, from the graph and the codex.

A profile is made of the view alone, and of descriptions in the codex that are valid by then, so that nothing
told later can be in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from ...core.types import Evidence
from ..codex.codex import Codex
from ..graph_rag.views.story_view import StoryView
from ..lexicon.emotions import TONE_MOODS
from ..model.calibration import SURE_ENOUGH
from ..model.predicates import PREDICATES
from ..model.types import (
    CODEX_ID,
    CharacterState,
    EntityKind,
    FactTold,
    Modality,
    Relation,
    StoryEntity,
)
from ..writing.graph_notes import is_over, latest_quotes
from .memory import Memory

__all__ = ["States", "profiles", "with_state"]

_MOST = 80
_BONDS = 8
_ASPECTS = (
    "trade",
    "age",
    "born",
    "birthplace",
    "home",
    "height",
    "hair",
    "eyes",
    "hand",
    "mark",
    "allergy",
    "cannot",
)


class States(Protocol):
    """Knows how characters are at the end of a chapter."""

    def state(self, entity: str, chapter: int, /) -> CharacterState:
        """Empty where nothing is told by then."""
        ...


def profiles(view: StoryView, codex: Codex | None = None) -> tuple[Memory, ...]:
    """A profile of each of the 80 most mentioned characters, those first: names, what the codex says, facts,
    and up to 8 bonds. Characters of whom nothing but a name is known have one too."""
    laid_down = _descriptions(view, codex)
    return tuple(
        _profile(entity, view, laid_down.get(entity.id, ()))
        for entity in view.entities(EntityKind.CHARACTER)[:_MOST]
    )


def with_state(profile: Memory, states: States, view: StoryView, *, chapter: int) -> Memory:
    """The profile with how the character is at the end of ``chapter``: mood, aims and whereabouts."""
    state = states.state(profile.key, chapter)
    parts = []
    if state.emotional_state and state.emotional_state not in TONE_MOODS:
        parts.append(f"feels {state.emotional_state}")
    if state.active_goals:
        parts.append("wants: " + ", ".join(state.active_goals[:3]))
    if state.location is not None and view.entity(state.location) is not None:
        parts.append(f"is at {view.name(state.location)}")
    if not parts:
        return profile
    now = f"At the end of chapter {chapter}: {'; '.join(parts)}."
    quotes = tuple(dict.fromkeys((*profile.evidence, *latest_quotes(state.evidence))))
    return Memory(profile.kind, profile.key, profile.name, profile.text, quotes, now)


def _descriptions(view: StoryView, codex: Codex | None) -> dict[str, tuple[tuple[str, Evidence], ...]]:
    """What the codex says of each, as far as it is valid at the view's horizon."""
    found: dict[str, tuple[tuple[str, Evidence], ...]] = {}
    for entity, words, quote in codex.descriptions if codex is not None else ():
        if view.horizon.admits(quote.chapter):
            who = view.resolve(entity)
            found[who] = (*found.get(who, ()), (words, quote))
    return found


def _profile(entity: StoryEntity, view: StoryView, described: Sequence[tuple[str, Evidence]]) -> Memory:
    also = [alias for alias in entity.aliases if alias != entity.name]
    parts = [f"{entity.name} (also {', '.join(also)})." if also else f"{entity.name}."]
    quotes = list(entity.evidence[:1])
    for words, quote in described:
        parts.append(words.rstrip(".") + ".")
        quotes.append(quote)
    facts = list(_facts(view, entity.id))
    if facts:
        parts.append("; ".join(f"{one.aspect}: {one.value}" for one in facts).capitalize() + ".")
        quotes += [quote for one in facts for quote in one.evidence[:1]]
    for bond in _bonds(view, entity.id):
        said = f"{view.name(bond.subject)} {PREDICATES[bond.predicate].phrase} {view.name(bond.object)}"
        parts.append(f"{said} (ch. {bond.told}).")
        quotes += bond.evidence[-1:]
    return Memory("profile", entity.id, entity.name, " ".join(parts), tuple(dict.fromkeys(quotes)))


def _facts(view: StoryView, entity: str) -> Iterator[FactTold]:
    """The codex's word on each aspect that lasts, else the latest one of the story."""
    told = [one for one in view.facts(entity) if one.modality is Modality.FACT]
    told.sort(key=lambda one: one.origin == CODEX_ID)  # the rest stays in order of telling
    for aspect in _ASPECTS:
        last = next((one for one in reversed(told) if one.aspect == aspect), None)
        if last is not None and last.confidence >= SURE_ENOUGH:
            yield last


def _bonds(view: StoryView, entity: str) -> list[Relation]:
    """What stands between the character and others, the latest told first."""
    lasting = [
        one
        for one in view.relations(entity, happened=True, distinct=True)
        if PREDICATES[one.predicate].lasting and one.confidence >= SURE_ENOUGH
    ]
    standing = [one for one in lasting if not is_over(one, lasting)]
    return sorted(standing, key=lambda one: (-one.told, -one.confidence, one.subject, one.object))[:_BONDS]
