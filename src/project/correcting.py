"""Corrections by hand: added to a project's file, taken out of it, and what that changes in the story."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import networkx as nx

from ..core.files.atomic import changing, replace_file
from ..core.types import Document, Evidence, Horizon
from ..errors import UsageError
from ..story.corrections import (
    CORRECTIONS_FILE,
    Correction,
    added,
    parse_corrections,
    read_text,
    surface_key,
    uses,
    without,
)
from ..story.graph_rag.story_graph import STORY_FILE, StoryKnowledgeGraph, StoryView
from ..story.linking.corrected import no_such_name
from ..story.model.predicates import PREDICATES
from .creating import Reindexing
from .storage.opening import open_store

if TYPE_CHECKING:
    from .parts import OpenProject

_SELF = "I"  # a surface of whoever tells the story


@dataclass(frozen=True, slots=True)
class Named:
    """An entity as a reader at the horizon knows it: the name shown, its kind, how often it is named."""

    name: str
    kind: str
    mentions: int


@dataclass(frozen=True, slots=True)
class Change:
    """Entities before and after, of the same mentions; one side may be told of no more, or not yet."""

    before: tuple[Named, ...]
    after: tuple[Named, ...]


@dataclass(frozen=True, slots=True)
class Corrected:
    """What was done (the correction that was added or taken out; None where the file was applied as it
    stands), and what it changed up to the horizon, the most mentioned first. ``doubts`` say what speaks
    against it in the story."""

    correction: Correction | None
    changes: tuple[Change, ...]
    doubts: tuple[str, ...] = ()


def corrections_at(project: OpenProject, as_of: int | None = None) -> tuple[Correction, ...]:
    """The corrections that the index was made with, whose names a reader at ``as_of`` all knows."""
    view = project.view(as_of)
    text = _text(project.document, view.horizon)
    lowered = text.casefold()

    def is_known(one: Correction) -> bool:
        if not view.horizon.admits(one.since):
            return False
        if one.kind == "rename" and one.from_chapter is None and not uses(text, one.to):
            return False
        return all(uses(lowered, surface_key(each)) or view.entity(each) is not None for each in one.surfaces)

    return tuple(filter(is_known, project.corrections.entries))


def _text(document: Document, horizon: Horizon) -> str:
    bodies = (one.body for one in document.chapters if horizon.admits(one.number))
    return " ".join(word for body in bodies for word in body.of(document.text).split())


@dataclass(frozen=True, slots=True)
class Workshop(Reindexing):
    """Changes the corrections of the project in a folder. Each change is checked, the story is linked anew,
    and only then the file is replaced: what is refused (UsageError) leaves both as they were. ``as_of`` is
    how far who corrects has read: names are looked for up to there, and changes shown."""

    as_of: int | None = None

    @property
    def path(self) -> Path:
        return self.folder / CORRECTIONS_FILE

    def add(self, correction: Correction) -> Corrected:
        """Adds one at the end; a name may be the shown one or an id, and is kept as the text writes it. All
        but ``rename`` are kept with all names of the entity: a merge joins all of both, and in a split those
        not spoken of stay; a name to show that the text never uses, from chapter 1 on."""
        if problem := correction.problem():
            raise UsageError(problem)
        with open_store(self.folder) as store:
            document = store.document()
        text = _text(document, Horizon(self.as_of)) if document is not None else ""
        before = self._view()
        names = _Names(before)
        written = names.written(correction)
        if written.kind == "rename" and written.from_chapter is None and not uses(text, written.to):
            if self.as_of is not None:
                raise UsageError(
                    f"the text up to chapter {self.as_of} never uses {written.to!r}: give the "
                    f"chapter from which to show it"
                )
            written = replace(written, from_chapter=1)
        doubts = tuple(names.doubts(correction)) if correction.kind == "merge" else ()
        return Corrected(written, self._change(lambda file: added(file, written), before), doubts)

    def undo(self, id: str | None = None) -> Corrected:
        """Takes the correction of that id out, or the last."""
        done: list[Correction] = []

        def change(text: str) -> str:
            found = parse_corrections(text)
            if not found:
                raise UsageError(f"there is nothing to undo: {self.path} holds no correction")
            number = len(found.entries) - 1 if id is None else found.find(id)
            done.append(found.entries[number])
            return without(text, number)

        changes = self._change(change, self._view())
        return Corrected(done[0], changes)

    def apply(self) -> Corrected:
        """Links the story anew with the file as it stands, after it was edited by hand."""
        return Corrected(None, self._change(lambda text: text, self._view()))

    def _change(self, change: Callable[[str], str], before: StoryView) -> tuple[Change, ...]:
        with changing(self.path):
            text = read_text(self.path)
            new = change(text)
            corrections = parse_corrections(new)
            self.link_again(corrections)
            if new != text:
                replace_file(self.path, new)
        return changes_between(before, self._view())

    def _view(self) -> StoryView:
        with open_store(self.folder) as store:
            text = (store.index().files(STORY_FILE) / STORY_FILE).read_text(encoding="utf-8")
        return StoryKnowledgeGraph.from_json(text).as_of(Horizon(self.as_of))


class _Names:
    def __init__(self, view: StoryView) -> None:
        self._view = view
        self._surfaces = defaultdict[str, Counter[str]](Counter)
        self._bearers = defaultdict[str, set[str]](set)
        self._raw = defaultdict[str, set[str]](set)
        for mention in view.log.mentions:
            entity, surface = view.resolve(mention.entity), " ".join(mention.surface.split())
            if surface != _SELF:
                self._surfaces[entity][surface] += 1
                self._bearers[surface_key(surface)].add(entity)
                self._raw[surface].add(mention.entity)

    def written(self, one: Correction) -> Correction:
        """The correction with names as the text writes them."""
        entity = self._entity(one.who[0])
        if one.kind in ("retype", "not_a_character"):
            return replace(one, who=self._own(entity) or (entity,))
        names = tuple(self._borne(entity, name) for name in one.names)
        into = self._entity(one.into[0]) if one.into else ""
        if into == entity and one.kind == "merge":
            raise UsageError(f"{one.who[0]!r} and {one.into[0]!r} are already the same: name another")
        if into == entity:  # a name of the same card: the somebody else is called so
            names, into = tuple(dict.fromkeys((*names, self._surface(entity, one.into[0])))), ""
        who: tuple[str, ...] = (self._surface(entity, one.who[0]),)
        to: tuple[str, ...] = (self._surface(into, one.into[0]),) if into else ()
        if one.kind == "merge":
            who = tuple(dict.fromkeys((*who, *self._own(entity))))
            to = tuple(dict.fromkeys((*to, *self._own(into))))
        if one.kind == "split":
            who = self._others(entity, who[0], names if one.from_chapter is None else ())
        return replace(one, who=who, names=names, into=to)

    def doubts(self, merge: Correction) -> Iterator[str]:
        """What the story tells of two that are to be one, and cannot of one alone."""
        view, pair = self._view, (self._entity(merge.who[0]), self._entity(merge.into[0]))
        for one in view.relations(pair[0]):
            if {one.subject, one.object} == set(pair) and PREDICATES[one.predicate].lasting:
                yield f"{view.worded(one.subject, one.predicate, one.object)} (ch. {one.told})"
        for speaker, hearer in (pair, pair[::-1]):
            if spoken := [one for one in view.quotations(speaker) if hearer in one.hearers]:
                yield f"{view.name(speaker)} speaks to {view.name(hearer)} (ch. {spoken[0].told})"
        if {one.gender for one in map(view.entity, pair) if one} == {"f", "m"}:
            yield "one of the two is a woman, the other a man"

    def _others(self, entity: str, usual: str, names: Sequence[str]) -> tuple[str, ...]:
        """All names of the entity but these, the one that is given first; none by which it is known only
        because the story tells that two are one."""
        own = tuple(dict.fromkeys((usual, *self._own(entity))))
        left = tuple(each for each in own if each not in names)
        raw = self._raw[left[0]] if left else set()
        return tuple(each for each in left if self._raw[each] & raw) or (usual,)

    def _entity(self, name: str) -> str:
        key, view = surface_key(name), self._view
        for called in (lambda e: (e.name,), lambda e: e.aliases, lambda e: (e.id,)):
            for entity in view.entities():
                if key in map(surface_key, called(entity)):
                    return entity.id
        raise UsageError(no_such_name(name, {e for all in self._surfaces.values() for e in all}))

    def _surface(self, entity: str, name: str) -> str:
        """The name, or where the text never uses it of the entity, its most usual; failing that its id."""
        return (self._written(entity, name) or [*self._own(entity), entity])[0]

    def _written(self, entity: str, name: str) -> list[str]:
        return [each for each in self._surfaces[entity] if surface_key(each) == surface_key(name)]

    def _own(self, entity: str) -> tuple[str, ...]:
        """The surfaces that nobody else bears, the most usual first."""
        return tuple(
            each
            for each, _ in self._surfaces[entity].most_common()
            if len(self._bearers[surface_key(each)]) == 1
        )

    def _borne(self, entity: str, name: str) -> str:
        if found := self._written(entity, name):
            return found[0]
        called = ", ".join(sorted(self._surfaces[entity])) or "no name"
        raise UsageError(
            f"{self._view.name(entity)} is not called {name!r}, but {called}: choose one of these"
        )


def changes_between(before: StoryView, after: StoryView) -> tuple[Change, ...]:
    """Which entities are others than they were, each with those that have its mentions now."""
    old, new = _mentions(before), _mentions(after)
    same = set(old.items()) & set(new.items())
    graph = nx.Graph()
    for side, found in (("before", old), ("after", new)):
        for named, mentions in found.items():
            if (named, mentions) not in same:
                graph.add_edges_from(((side, named), mention) for mention in mentions)
    changes = []
    for knot in nx.connected_components(graph):
        sides = {"before": list[Named](), "after": list[Named]()}
        for side, named in (each for each in knot if isinstance(each, tuple)):
            sides[side].append(named)
        changes.append(Change(*(tuple(sorted(each, key=_order)) for each in sides.values())))
    return tuple(sorted(changes, key=lambda one: min(map(_order, (*one.before, *one.after)))))


def _mentions(view: StoryView) -> dict[Named, frozenset[Evidence]]:
    """The places where each entity is named; entities that are shown alike are one."""
    shown = {one.id: Named(one.name, one.kind.value, one.mentions) for one in view.entities()}
    found = defaultdict[Named, set[Evidence]](set)
    for mention in view.log.mentions:
        found[shown[view.resolve(mention.entity)]].add(mention.evidence)
    return {named: frozenset(quotes) for named, quotes in found.items()}


def _order(named: Named) -> tuple[int, str, str]:
    return -named.mentions, named.name, named.kind
