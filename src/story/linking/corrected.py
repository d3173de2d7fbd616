"""Entity linking by the author's corrections: whom a mention means by the author's word.

Each takes hold where the text first uses a name that it speaks of, and not before: what is linked up to a
chapter depends on no later one.

What an author laid down (the codex) is adopted at the chapter from which it is valid: names that win over
what the text suggests.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Collection, Iterable, Iterator
from copy import copy
from dataclasses import dataclass, field, fields, replace

from ...core.types import Evidence
from ..corrections import Corrections, Pin, surface_key, uses
from ..model.chapter_reading import ChapterReading, Mention
from ..model.types import EntityCorrected, EntityKind, EntityMention, EntityMerge
from .state import KnownSoFar, ToldChapter, thing_key

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


@dataclass(slots=True)
class Corrected:
    """What the corrections have come to so far. ``groups`` are the entities of groups of pinned surfaces,
    ``bound`` the surfaces met of each; ``met`` the names met, ``used`` the names to show that the text has
    used; ``about`` whom each rename or retype is about that is not told yet, and where they were first met
    so, ``due`` those that are; ``kinds`` are kinds by entity."""

    corrections: Corrections = field(default_factory=Corrections)
    groups: dict[int, str] = field(default_factory=dict)
    bound: set[tuple[str, int]] = field(default_factory=set)
    met: set[str] = field(default_factory=set)
    used: set[str] = field(default_factory=set)
    about: dict[tuple[int, str], Evidence] = field(default_factory=dict)
    due: set[tuple[int, str]] = field(default_factory=set)
    kinds: dict[str, EntityKind] = field(default_factory=dict)

    def copy(self) -> Corrected:
        """The same: what the one learns the other does not."""
        return Corrected(self.corrections, *(copy(getattr(self, each.name)) for each in fields(self)[1:]))

    def reading(self, reading: ChapterReading) -> ChapterReading:
        """The reading, in which every name that the author speaks of is one, and a character where she
        says so."""
        return replace(reading, mentions=tuple(map(self._vouched, reading.mentions)))

    def _vouched(self, mention: Mention) -> Mention:
        key = surface_key(mention.surface)
        if key not in self.corrections.named:
            return mention
        kind = EntityKind.CHARACTER if key in self.corrections.people else mention.kind
        return replace(mention, kind=kind, strong=True)

    def drops(self, name: str) -> bool:
        """Is this, a surface or an id, told to be nobody's?"""
        key = surface_key(name)
        self.met |= {key} & self.corrections.dropped
        return key in self.corrections.dropped

    def is_person(self, mention: Mention) -> bool:
        """Does the author say that this name is a character's?"""
        return surface_key(mention.surface) in self.corrections.people

    def pin(self, surface: str, chapter: int) -> Pin | None:
        """Whose the surface is from that chapter on, by the author's word."""
        pins = self.corrections.pins.get(surface_key(surface), ())
        return next((pin for pin in reversed(pins) if pin.since <= chapter), None)

    def whom(
        self,
        mention: Mention,
        pin: Pin,
        state: KnownSoFar,
        *,
        usual: Callable[[Collection[str]], str | None],
        fresh: str,
    ) -> tuple[str, tuple[str, str] | None]:
        """Whom the author says the name means, and (younger, elder) where by this name two turn out to be
        one. Where she says only that two names are one's, or two people's, it is first whom the text says:
        ``usual`` gives that, given the ids of who is certainly not meant. Somebody new gets ``fresh``."""
        surface, group = mention.surface, pin.group
        known, found, merged = self._entity(group, state), None, None
        if not (pin.own or (surface_key(surface), group) in self.bound):
            others = self._others(group, state)
            found = usual(others)
            found = None if found is None or state.root(found) in others else state.root(found)
        if found is None:
            found = known or fresh
            if mention.kind is EntityKind.CHARACTER or state.book.has(found):
                state.book.assign(surface, mention.gender, entity=found, narrated=not mention.spoken)
            else:
                state.things[thing_key(surface)] = found
        elif known is not None and known != found:
            merged = _united(state, found, known)
            found = merged[1]
        self.bound.add((surface_key(surface), group))
        self.groups[group] = found
        for other in sorted(self._others(group, state)):
            state.book.keep_apart(state.root(found), other)
        return found, merged

    def _entity(self, group: int, state: KnownSoFar) -> str | None:
        return state.root(self.groups[group]) if group in self.groups else None

    def _others(self, group: int, state: KnownSoFar) -> frozenset[str]:
        """The entities that are never of the group."""
        apart = {one for pair in self.corrections.apart if group in pair for one in pair if one != group}
        return frozenset(entity for one in apart if (entity := self._entity(one, state)) is not None)

    def see(self, entity: str, surface: str, evidence: Evidence, state: KnownSoFar) -> None:
        """The entity was met by this surface."""
        root = state.root(entity)
        for key in {surface_key(surface), entity, root} & self.corrections.named:
            self.met.add(key)
            for number in self.corrections.shown.get(key, ()):
                if (number, root) not in self.due:
                    self.about.setdefault((number, root), evidence)
                one = self.corrections.entries[number]
                if one.kind == "retype" and root not in self.kinds:
                    self.kinds[root] = kind = EntityKind(one.to)
                    state.kinds.setdefault(root, {})[kind] = AUTHORED_VOTES

    def kind(self, mention: Mention, entity: str, state: KnownSoFar) -> EntityKind:
        """Of which kind a mention of the entity is."""
        root = state.root(entity)
        return next((k for one, k in self.kinds.items() if state.root(one) == root), mention.kind)

    def tell(self, told: ToldChapter) -> Iterator[EntityCorrected]:
        """At a chapter's end: the names and kinds to show from this chapter on."""
        wanted = {one.to for one in self.corrections.entries if one.kind == "rename"} - self.used
        text = " ".join(told.chapter.body.of(told.document.text).split()) if wanted else ""
        self.used |= {name for name in wanted if uses(text, name)}
        for number, entity in list(self.about):
            if self._is_due(number, told):
                one, evidence = self.corrections.entries[number], self.about.pop((number, entity))
                self.due.add((number, entity))
                name, kind = (one.to, None) if one.kind == "rename" else ("", EntityKind(one.to))
                yield EntityCorrected(entity, told.number, evidence, name, kind)

    def _is_due(self, number: int, told: ToldChapter) -> bool:
        one = self.corrections.entries[number]
        if one.kind == "retype":
            return True
        return one.to in self.used if one.from_chapter is None else told.number >= one.from_chapter

    def check(self, surfaces: Collection[str]) -> None:
        """Raises UsageError, with its place, for a correction that speaks of a name that the text, which has
        these surfaces, never uses."""
        for number, one in enumerate(self.corrections.entries):
            for name in one.surfaces:
                if surface_key(name) not in self.met:
                    raise self.corrections.error(number, no_such_name(name, surfaces))
            if one.kind == "rename" and one.from_chapter is None and one.to not in self.used:
                problem = f"the text never uses {one.to!r}: give the chapter from which on it is to be shown"
                raise self.corrections.error(number, f"{problem} (from_chapter = 1)")


def _united(state: KnownSoFar, one: str, other: str) -> tuple[str, str]:
    """The two are one, whatever the text says: (younger, elder), the elder being the one that stays."""
    book = state.book
    if book.has(one) and book.has(other):
        elder, younger = book.older(one, other)
    else:
        elder, younger = (one, other) if book.has(one) else (other, one)
    if younger in state.authored and elder not in state.authored:
        elder, younger = younger, elder
    book.join(younger, elder, sure=True)
    return younger, elder


def no_such_name(name: str, surfaces: Collection[str]) -> str:
    """That nobody is called so, and who is called nearly so."""
    by_key = {surface_key(surface): surface for surface in sorted(surfaces)}
    near = difflib.get_close_matches(surface_key(name), by_key, n=1, cutoff=0.6)
    hint = f"did you mean {by_key[near[0]]!r}?" if near else "write it as the text does, or take it out"
    return f"nobody and nothing in the story is called {name!r}: {hint}"
