"""World memory: the rules of a codex, and what it says of whom and what, at a horizon."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from ...core.text.sentences import sentences
from ...core.types import Horizon, Note
from ..codex.codex import Codex
from ..graph_rag.views.story_view import StoryView
from ..graph_rag.views.timeline import standing
from ..model.aspects import fact_words
from ..model.predicates import PREDICATES
from ..model.types import CODEX_ID, EntityKind, Modality
from ..writing.context import PlacedNote
from .memory import Memory

__all__ = ["described", "world_memories"]


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
    described = []
    for entity, words, quote in codex.descriptions:
        shown = view.entity(entity)
        if shown is None or not at.admits(quote.chapter):
            continue
        for sentence in sentences(words):
            text = f"{shown.name}: {sentence.of(words).rstrip('.')}."
            described.append(Memory("description", shown.id, shown.name, text, (quote,)))
    return (*rules, *described, *_facts(view))


def _facts(view: StoryView) -> Iterator[Memory]:
    """What the codex lays down of two, and of one, as far as it is not over."""
    pairs = {(one.subject, one.object): None for one in view.relations() if one.origin == CODEX_ID}
    for subject, other in pairs:
        for one in standing(view, subject, other):
            if one.origin == CODEX_ID and (one.subject, one.object) == (subject, other):
                text = f"{view.name(subject)} {PREDICATES[one.predicate].phrase} {view.name(other)}."
                yield Memory("fact", f"{subject}:{other}", view.name(subject), text, one.evidence)
    for fact in view.facts():
        if fact.origin == CODEX_ID and fact.modality is Modality.FACT:
            name = view.name(fact.entity)
            text = f"{name} {fact_words(fact)}."
            yield Memory("fact", f"{fact.entity}:{fact.aspect}", name, text, fact.evidence)


def described(codex: Codex, view: StoryView, entities: Collection[str]) -> tuple[PlacedNote, ...]:
    """What the codex says of these, where it is valid at the view's horizon: characters as [Character Info],
    everything else as [World]."""
    found = []
    for entity, words, quote in codex.descriptions:
        shown = view.entity(entity)
        if shown is None or shown.id not in entities or not view.horizon.admits(quote.chapter):
            continue
        section = "Character Info" if shown.kind is EntityKind.CHARACTER else "World"
        note = Note("character", f"{shown.name}: {words.rstrip('.')}.", (shown.id,), (quote,))
        found.append(PlacedNote(section, note))
    return tuple(found)
