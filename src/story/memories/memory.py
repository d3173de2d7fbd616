"""Semantic memories: character profiles, and what a codex lays down of the world, at a horizon.

A profile says who somebody is to a reader there. It is made of the view alone, and of descriptions in the
codex that are valid by then, so that nothing told later can be in it.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from ...core.text.sentences import sentences
from ...core.types import Evidence, Horizon, Note
from ..codex.codex import Codex
from ..graph_rag.arc_tracker import DynamicArcTracker
from ..graph_rag.views.story_view import StoryView
from ..graph_rag.views.timeline import standing
from ..model.aspects import fact_words
from ..model.predicates import PREDICATES, SURE_ENOUGH
from ..model.types import CODEX_ID, EntityKind, FactTold, Modality, Relation, StoryEntity
from ..writing.context import PlacedNote
from ..writing.graph_notes import is_over, latest_quotes, state_words

Collection = Literal["chapters", "characters", "codex", "pictures"]
"""What is searched: passages of the chapters, profiles of the characters, what the codex lays down, captions
of pictures."""
COLLECTIONS: tuple[Collection, ...] = get_args(Collection)
MemoryKind = Literal["profile", "rule", "description", "fact", "picture"]


@dataclass(frozen=True, slots=True)
class Memory:
    """``text`` is what is searched; ``now``, which changes with every chapter, is only shown beside it.

    ``key`` is the entity's id, for a rule its place in the codex (``"rule:1"``, from 1), for
    a picture its id. ``evidence`` are quotes of the book, or of the codex (see
    :data:`..codex.codex.CODEX_ID`), told up to the horizon that the memory was made at; a picture has none:
    its caption is the author's word.
    """

    kind: MemoryKind
    key: str
    name: str
    text: str
    evidence: tuple[Evidence, ...]
    now: str = ""

    @property
    def words(self) -> str:
        """All of it."""
        return f"{self.text} {self.now}".strip()


_MOST = 80
_BONDS = 8
_ASPECTS = "trade age born birthplace home height hair eyes hand mark allergy cannot".split()


def profiles(view: StoryView, codex: Codex | None = None) -> tuple[Memory, ...]:
    """A profile of each of the 80 most mentioned characters, those first: names, what the codex says, facts,
    and up to 8 bonds. Characters of whom nothing but a name is known have one too."""
    told = list(_descriptions(view, codex))
    return tuple(
        _profile(entity, view, [(words, quote) for one, words, quote in told if one.id == entity.id])
        for entity in view.entities(EntityKind.CHARACTER)[:_MOST]
    )


def with_state(profile: Memory, tracker: DynamicArcTracker, view: StoryView, *, chapter: int) -> Memory:
    """The profile with how the character is at the end of ``chapter``: mood, aims and whereabouts."""
    state = tracker.state(profile.key, chapter)
    parts = state_words(state, {one.id: one.name for one in view.entities()})
    if not parts:
        return profile
    now = f"At the end of chapter {chapter}: {'; '.join(parts)}."
    quotes = tuple(dict.fromkeys((*profile.evidence, *latest_quotes(state.evidence))))
    return Memory(profile.kind, profile.key, profile.name, profile.text, quotes, now)


def _descriptions(
    view: StoryView, codex: Codex | None, at: Horizon | None = None
) -> Iterator[tuple[StoryEntity, str, Evidence]]:
    """What the codex says of whom the view knows, as far as it is valid at the horizon, else the view's."""
    for entity, words, quote in codex.descriptions if codex is not None else ():
        shown = view.entity(entity)
        if shown is not None and (at or view.horizon).admits(quote.chapter):
            yield shown, words, quote


def _profile(entity: StoryEntity, view: StoryView, said_of: Sequence[tuple[str, Evidence]]) -> Memory:
    also = [alias for alias in entity.aliases if alias != entity.name]
    parts = [f"{entity.name} (also {', '.join(also)})." if also else f"{entity.name}."]
    quotes = list(entity.evidence[:1])
    for words, quote in said_of:
        parts.append(words.rstrip(".") + ".")
        quotes.append(quote)
    facts = list(_facts(view, entity.id))
    if facts:
        parts.append("; ".join(f"{one.aspect}: {one.value}" for one in facts).capitalize() + ".")
        quotes += [quote for one in facts for quote in one.evidence[:1]]
    for bond in _bonds(view, entity.id):
        parts.append(f"{view.worded(bond.subject, bond.predicate, bond.object)} (ch. {bond.told}).")
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
    still = [one for one in lasting if not is_over(one, lasting)]
    return sorted(still, key=lambda one: (-one.told, -one.confidence, one.subject, one.object))[:_BONDS]


# --- the world ----------------------------------------------------------------------------------------------


def world_memories(codex: Codex, view: StoryView, *, chapter: int) -> tuple[Memory, ...]:
    """The rules that hold at the end of ``chapter``, descriptions, sentence by sentence, then ties and
    facts; each with the place in the codex where it is written. ``view`` is at that chapter, or the whole
    book's."""
    at = Horizon(chapter)
    known = codex.rules_at(at)
    rules = [
        Memory("rule", f"rule:{number}", "rule", rule.text.rstrip(".") + ".", (rule.evidence,))
        for number, rule in enumerate(codex.rules, 1)
        if rule in known
    ]
    told = [
        Memory("description", one.id, one.name, f"{one.name}: {sentence.of(words).rstrip('.')}.", (quote,))
        for one, words, quote in _descriptions(view, codex, at)
        for sentence in sentences(words)
    ]
    return (*rules, *told, *_laid_down(view))


def _laid_down(view: StoryView) -> Iterator[Memory]:
    """What the codex lays down of two, and of one, as far as it is not over."""
    pairs = {(one.subject, one.object): None for one in view.relations() if one.origin == CODEX_ID}
    for subject, other in pairs:
        for one in standing(view, subject, other):
            if one.origin == CODEX_ID and (one.subject, one.object) == (subject, other):
                text = view.worded(subject, one.predicate, other)
                yield Memory("fact", f"{subject}:{other}", view.name(subject), f"{text}.", one.evidence)
    for fact in view.facts():
        if fact.origin == CODEX_ID and fact.modality is Modality.FACT:
            name = view.name(fact.entity)
            text = f"{name} {fact_words(fact)}."
            yield Memory("fact", f"{fact.entity}:{fact.aspect}", name, text, fact.evidence)


def described(codex: Codex, view: StoryView, entities: Container[str]) -> tuple[PlacedNote, ...]:
    """What the codex says of these, where it is valid at the view's horizon: characters as [Character Info],
    everything else as [World]."""
    return tuple(
        PlacedNote(
            "Character Info" if one.kind is EntityKind.CHARACTER else "World",
            Note("character", f"{one.name}: {words.rstrip('.')}.", (one.id,), (quote,)),
        )
        for one, words, quote in _descriptions(view, codex)
        if one.id in entities
    )
