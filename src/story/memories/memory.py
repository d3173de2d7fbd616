"""Semantic memories: character profiles, and what a codex lays down of the world, at a horizon.

Both are lines of the story bible, so that nothing told later can be in them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, get_args

from ...core.text.sentences import sentences
from ...core.types import Evidence
from ..bible import AUTHOR, Bible, Line, said
from ..codex.codex import Codex
from ..graph_rag.arc_tracker import DynamicArcTracker
from ..graph_rag.views.story_view import StoryView
from ..model.types import CODEX_ID, WORLD, EntityKind, StoryEntity
from ..writing.graph_notes import latest_quotes, state_words

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
_LASTING = ("description", "fact", "relation", "event")


def profiles(view: StoryView, bible: Bible) -> tuple[Memory, ...]:
    """A profile of each of the 80 most mentioned characters, those first: names, what the codex says, facts,
    up to 8 bonds and what turned their story. Characters of whom nothing but a name is known have one too."""
    return tuple(profile_of(entity, bible) for entity in view.entities(EntityKind.CHARACTER)[:_MOST])


def profile_of(entity: StoryEntity, bible: Bible) -> Memory:
    """The profile of one."""
    entry = bible.entry(entity.id)
    lines = [one for one in entry.lines if one.kind in _LASTING and not one.over] if entry else []
    late = [one for one in lines if one.kind == "relation"][_BONDS:]
    kept = [one for one in lines if one not in late]
    also = [alias for alias in entity.aliases if alias != entity.name]
    called = f"{entity.name} (also {', '.join(also)})." if also else f"{entity.name}."
    quotes = (*entity.evidence[:1], *(quote for one in kept for quote in one.evidence[:2]))
    text = " ".join((called, *map(said, kept)))
    return Memory("profile", entity.id, entity.name, text, tuple(dict.fromkeys(quotes)))


def with_state(profile: Memory, tracker: DynamicArcTracker, view: StoryView, *, chapter: int) -> Memory:
    """The profile with how the character is at the end of ``chapter``: mood, aims and whereabouts."""
    state = tracker.state(profile.key, chapter)
    parts = state_words(state, view)
    if not parts:
        return profile
    now = f"At the end of chapter {chapter}: {'; '.join(parts)}."
    quotes = tuple(dict.fromkeys((*profile.evidence, *latest_quotes(state.evidence))))
    return Memory(profile.kind, profile.key, profile.name, profile.text, quotes, now)


def world_memories(codex: Codex, bible: Bible) -> tuple[Memory, ...]:
    """What the author lays down that holds at the bible's horizon: rules, then descriptions sentence by
    sentence, then ties and facts; each with the place in the codex where it is written."""
    numbers = {rule.evidence: number for number, rule in enumerate(codex.rules, 1)}
    found: dict[str, list[Memory]] = {"rule": [], "description": [], "fact": []}
    for entry in bible.entries:
        for line in entry.lines:
            if line.says == AUTHOR and not line.over and entry.id in (WORLD, *line.about[:1]):
                for memory in _laid_down(line, entry.id, entry.name, numbers):
                    found[memory.kind].append(memory)
    return tuple(memory for kind in found.values() for memory in kind)


def _laid_down(line: Line, id: str, name: str, numbers: dict[Evidence, int]) -> Iterator[Memory]:
    quotes = tuple(one for one in line.evidence if one.document_id == CODEX_ID)
    if id == WORLD:
        yield Memory("rule", f"rule:{numbers[quotes[0]]}", "rule", f"{line.text}.", quotes)
    elif line.kind == "description":
        words = line.text.removeprefix(f"{name}: ")
        for sentence in sentences(words):
            text = f"{name}: {sentence.of(words).rstrip('.')}."
            yield Memory("description", id, name, text, quotes)
    else:
        yield Memory("fact", ":".join(line.about), name, f"{line.text}.", quotes)
