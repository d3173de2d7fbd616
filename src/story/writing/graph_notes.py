"""What the story graph says about a prompt: whom it is about, and notes with quotes, best first.

The notes are worded from the graph alone. Each carries the quotes it stands on; what has none is not said.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any, Protocol

from ...core.types import Evidence, Horizon, Note
from ..lexicon.emotions import TONE_MOODS
from ..model.calibration import SURE_ENOUGH
from ..model.predicates import PREDICATES
from ..model.types import CharacterState, EntityKind, EventTold, Relation, StoryEntity
from .cast import Cast
from .constraints import barrier_notes, death_notes, deaths
from .context import PlacedNote
from .note_wording import SURE, clocks, is_over, latest_quotes

__all__ = ["Discovery", "Finding", "Tracker", "View", "graph_notes"]

_PATHS = 2
_OTHERS = 4
_EVENTS = 8
_FIRST = 2
_ROLES = ("agent", "patient", "place")
_PLACES = frozenset({"LOCATED_AT", "LIVES_IN", "COMES_FROM", "OWNS"})


class View(Protocol):
    """The story graph as a reader at ``horizon`` knows it."""

    @property
    def horizon(self) -> Horizon:
        """Nothing told after it is known to the view."""
        ...

    def entities(self) -> Sequence[StoryEntity]:
        """All who are known."""
        ...

    def find(self, name: str, /) -> StoryEntity | None:
        """Who goes by that name, else None."""
        ...

    def relations(
        self, entity: str | None = None, /, *, happened: bool = True, distinct: bool = False
    ) -> Sequence[Relation]:
        """Relations of the entity, either way round, or all. ``happened`` leaves out what is planned, denied,
        imagined or only reported; ``distinct`` groups repeated tellings."""
        ...

    def events(self, entity: str | None = None, /, *, happened: bool = True) -> Sequence[EventTold]:
        """Events that the entity takes part in, or all; ``happened`` as for relations."""
        ...

    def presence(self, chapter: int, /) -> Collection[str]:
        """Ids of those whom that chapter mentions."""
        ...


class Tracker(Protocol):
    """A character's state at the end of a chapter."""

    def state(self, entity: str, chapter: int, /) -> CharacterState:
        """The entity's state at the end of ``chapter``; empty where nothing is told by then."""
        ...


class Finding(Protocol):
    """Something implied by the graph, with a sentence for it and its quotes."""

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """The quotes that it stands on."""
        ...

    def sentence(self, view: Any, /) -> str:
        """The finding in words, with the names that ``view`` knows people by."""
        ...


class Discovery(Protocol):
    """What follows from several relations together."""

    def conflict_triangles(self) -> Sequence[Finding]:
        """Two at odds, and a third who is warm to both; the surest first."""
        ...

    def implied_hostilities(self) -> Sequence[Finding]:
        """Those who may turn on an enemy of somebody they are warm to; the surest first."""
        ...

    def hidden_connections(self, a: str, b: str, /, *, max_hops: int = 3) -> Sequence[Finding]:
        """Paths of 2 to ``max_hops`` links from ``a`` to ``b`` (ids), the most surprising first."""
        ...


def graph_notes(
    cast: Cast,
    *,
    view: View,
    tracker: Tracker,
    discovery: Discovery,
    chapter: int,
    canon: Sequence[Note] = (),
) -> tuple[PlacedNote, ...]:
    """Notes for a cast at the end of ``chapter``, best first.

    Constraints (deaths, distrust, enmity, and ``canon``, the rules of the world) come first; then who each of
    the cast is, the state of the living, bonds inside the cast, places and possessions, what is implied or
    hidden, what the cast lately did, the state of others who are present in ``chapter``, and the cast's bonds
    to others.
    """
    people = {entity.id: entity for entity in view.entities()}
    names = {who: entity.name for who, entity in people.items()}
    events = view.events(happened=True)
    dead = deaths(events, view.relations(happened=True))
    bonds = _bonds(cast, view, names)
    worded = [(relation, _relation_note(relation, bonds, names)) for relation in bonds]
    inner = [note for r, note in worded if _inside(r, cast) and r.predicate not in _PLACES]
    outer = [note for r, note in worded if not _inside(r, cast) and r.predicate not in _PLACES]
    living = [who for who in cast.characters if who not in dead]
    others = [who for who in _present(view, people, chapter) if who not in (*cast.characters, *dead)]
    info: list[Note] = [
        *(_person_note(people[who]) for who in cast.characters if who in people),
        *_state_notes(living, tracker, chapter, names),
        *inner,
    ]
    more: list[Note] = [
        *_implied(cast, view, discovery, names),
        *_event_notes(cast, events, names),
        *_state_notes(others, tracker, chapter, names),
        *outer,
    ]
    placed = [
        *(PlacedNote("Constraints", note) for note in death_notes(dead, cast, names)),
        *(PlacedNote("Constraints", note) for note in barrier_notes(bonds, names)),
        *(PlacedNote("Constraints", note) for note in canon),
        *(PlacedNote("Character Info", note) for note in info),
        *(PlacedNote("World", note) for r, note in worded if r.predicate in _PLACES),
        *(PlacedNote("Character Info", note) for note in more),
    ]
    return tuple(one for one in placed if one.note.evidence)


def _present(view: View, people: Mapping[str, StoryEntity], chapter: int) -> list[str]:
    """Up to four characters of the chapter, the most mentioned first, ties by id."""
    known = [people[who] for who in view.presence(chapter) if who in people]
    characters = [one for one in known if one.kind is EntityKind.CHARACTER]
    return [one.id for one in sorted(characters, key=lambda e: (-e.mentions, e.id))[:_OTHERS]]


def _person_note(entity: StoryEntity) -> Note:
    also = [alias for alias in entity.aliases if alias != entity.name]
    called = f" (also {', '.join(also)})" if also else ""
    text = f"{entity.name}{called}: known since ch. {entity.first_appearance}."
    return Note("character", text, (entity.id,), entity.evidence[:_FIRST])


def _state_notes(
    who: Sequence[str], tracker: Tracker, chapter: int, names: Mapping[str, str]
) -> Iterable[Note]:
    for one in who if chapter > 0 else ():
        state = tracker.state(one, chapter)
        parts = []
        if state.emotional_state and state.emotional_state not in TONE_MOODS:
            parts.append(f"feels {state.emotional_state}")
        if state.active_goals:
            parts.append("wants: " + ", ".join(state.active_goals[:3]))
        if state.location is not None and state.location in names:
            parts.append(f"is at {names[state.location]}")
        if parts:
            text = f"{names.get(one, one)}, end of ch. {chapter}: {'; '.join(parts)}."
            yield Note("state", text, (one,), latest_quotes(state.evidence))


def _event_notes(cast: Cast, events: Sequence[EventTold], names: Mapping[str, str]) -> list[Note]:
    """What the cast did or suffered, the latest told first; deaths are constraints already."""
    found = []
    for event in events:
        who = [one for _, one in event.participants]
        if event.predicate == "DIES" or event.confidence < SURE or not set(who) & set(cast.characters):
            continue
        by_role = {
            role: [names[n] for r, n in event.participants if r == role and n in names] for role in _ROLES
        }
        agent, patient, place = (", ".join(by_role[role]) for role in _ROLES)
        said = " ".join(part for part in (agent, PREDICATES[event.predicate].phrase, patient) if part)
        where = f" at {place}" if place else ""
        if agent:
            text = f"{said}{where} ({clocks(event.told, event.holds)})."
            found.append(
                (-event.told, event.id, Note("relation", text, tuple(who), latest_quotes(event.evidence)))
            )
    return [note for _, _, note in sorted(found, key=lambda one: one[:2])[:_EVENTS]]


def _bonds(cast: Cast, view: View, names: Mapping[str, str]) -> list[Relation]:
    """Lasting relations of the cast: inside the cast first, then the latest told."""
    found: dict[tuple[str, str, str, int], Relation] = {}
    for who in (*cast.characters, *cast.places):
        for relation in view.relations(who, happened=True, distinct=True):
            row = PREDICATES[relation.predicate]
            known = relation.subject in names and relation.object in names
            if row.lasting and known and relation.confidence >= SURE_ENOUGH:
                a, b = relation.subject, relation.object
                if row.symmetric:
                    a, b = sorted((a, b))
                found.setdefault((relation.predicate, a, b, relation.told), relation)
    return sorted(
        found.values(),
        key=lambda r: (not _inside(r, cast), -r.told, -r.confidence, r.subject, r.predicate, r.object),
    )


def _relation_note(relation: Relation, bonds: Sequence[Relation], names: Mapping[str, str]) -> Note:
    row = PREDICATES[relation.predicate]
    earlier = "Earlier: " if is_over(relation, bonds) else ""
    said = f"{names[relation.subject]} {row.phrase} {names[relation.object]}"
    text = f"{earlier}{said} ({clocks(relation.told, relation.holds)})."
    return Note("relation", text, (relation.subject, relation.object), latest_quotes(relation.evidence))


def _implied(cast: Cast, view: View, discovery: Discovery, names: Mapping[str, str]) -> list[Note]:
    """Triangles and hostilities that name someone of the cast, and the most surprising paths inside it."""
    called = [names[who] for who in cast.characters if who in names]
    notes: dict[str, Note] = {}
    for finding in (*discovery.conflict_triangles(), *discovery.implied_hostilities()):
        text = finding.sentence(view)
        if any(name in text for name in called):
            notes.setdefault(text, Note("path", text, (), latest_quotes(finding.evidence)))
    for a, b in combinations(cast.characters, 2):
        for finding in discovery.hidden_connections(a, b, max_hops=3)[:_PATHS]:
            text = finding.sentence(view)
            notes.setdefault(text, Note("path", text, (a, b), latest_quotes(finding.evidence)))
    return list(notes.values())


def _inside(relation: Relation, cast: Cast) -> bool:
    return relation.subject in cast.characters and relation.object in cast.characters
