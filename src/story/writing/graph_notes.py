"""What the story graph says about a prompt: whom it is about, and notes with quotes, best first.

The notes are worded from the graph alone. Each carries the quotes it stands on; what has none is not said.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from ...core.types import Evidence, Note
from ..graph_rag.arc_tracker import DynamicArcTracker
from ..graph_rag.relationship_discovery import MultiHopDiscoveryEngine
from ..graph_rag.views.acts import acts
from ..graph_rag.views.story_view import StoryView
from ..lexicon.emotions import TONE_MOODS
from ..model.calibration import SURE_ENOUGH
from ..model.predicates import PREDICATES, opposed
from ..model.types import CharacterState, EntityKind, EventTold, Open, Relation, StoryEntity
from .cast import Cast
from .context import PlacedNote

_PATHS = 2
_OTHERS = 4
_QUOTES = 6
_OTHER_DEATHS = 6
_BARRIERS = {
    "DISTRUSTS": "{a} does not trust {b}",
    "HATES": "{a} hates {b}",
    "ENEMY_OF": "{a} and {b} are enemies",
    "FEARS": "{a} fears {b}",
}
SURE = 0.5
"""What was extracted with less confidence is not said to a model."""

_Death = EventTold | Relation


def graph_notes(
    cast: Cast,
    *,
    view: StoryView,
    tracker: DynamicArcTracker,
    discovery: MultiHopDiscoveryEngine,
    chapter: int,
    canon: Sequence[Note] = (),
    lines: Sequence[PlacedNote] = (),
) -> tuple[PlacedNote, ...]:
    """Notes for a cast at the end of ``chapter``, best first.

    Constraints (deaths, distrust, enmity, and ``canon``, the rules of the world) come first; then the state
    of the living, ``lines`` (what the story bible has of the cast), what is implied or hidden, and the state
    of others who are present in ``chapter``.
    """
    people = {entity.id: entity for entity in view.entities()}
    names = {who: entity.name for who, entity in people.items()}
    dead = _deaths(view)
    bonds = _bonds(cast, view, names)
    living = [who for who in cast.characters if who not in dead]
    others = [who for who in _present(view, people, chapter) if who not in (*cast.characters, *dead)]
    constraints = [*_death_notes(dead, cast, names), *_barrier_notes(bonds, names), *canon]
    more = [*_implied(cast, view, discovery, names), *_state_notes(others, tracker, chapter, names)]
    placed = [
        *(PlacedNote("Constraints", note) for note in constraints),
        *(PlacedNote("Character Info", note) for note in _state_notes(living, tracker, chapter, names)),
        *lines,
        *(PlacedNote("Character Info", note) for note in more),
    ]
    return tuple(one for one in placed if one.note.evidence)


def _present(view: StoryView, people: Mapping[str, StoryEntity], chapter: int) -> list[str]:
    """Up to four characters of the chapter, the most mentioned first, ties by id."""
    known = [people[who] for who in view.presence(chapter) if who in people]
    characters = [one for one in known if one.kind is EntityKind.CHARACTER]
    return [one.id for one in sorted(characters, key=lambda e: (-e.mentions, e.id))[:_OTHERS]]


def _state_notes(
    who: Sequence[str], tracker: DynamicArcTracker, chapter: int, names: Mapping[str, str]
) -> Iterable[Note]:
    for one in who if chapter > 0 else ():
        state = tracker.state(one, chapter)
        parts = state_words(state, names)
        if parts:
            text = f"{names.get(one, one)}, end of ch. {chapter}: {'; '.join(parts)}."
            yield Note("state", text, (one,), latest_quotes(state.evidence))


def state_words(state: CharacterState, names: Mapping[str, str]) -> list[str]:
    """A character's mood, aims and whereabouts as far as they are told; ``names`` are those known, by id."""
    parts = []
    if state.emotional_state and state.emotional_state not in TONE_MOODS:
        parts.append(f"feels {state.emotional_state}")
    if state.active_goals:
        parts.append("wants: " + ", ".join(state.active_goals[:3]))
    if state.location is not None and state.location in names:
        parts.append(f"is at {names[state.location]}")
    return parts


def _bonds(cast: Cast, view: StoryView, names: Mapping[str, str]) -> list[Relation]:
    """Lasting relations of the cast, the latest told first, each once."""
    found = {
        (relation.predicate, relation.subject, relation.object, relation.told): relation
        for who in cast.characters
        for relation in view.relations(who, happened=True, distinct=True)
        if PREDICATES[relation.predicate].lasting and relation.confidence >= SURE_ENOUGH
        if relation.subject in names and relation.object in names
    }
    return sorted(found.values(), key=lambda r: (-r.told, -r.confidence, r.subject, r.predicate, r.object))


def _implied(
    cast: Cast, view: StoryView, discovery: MultiHopDiscoveryEngine, names: Mapping[str, str]
) -> list[Note]:
    """Triangles and hostilities that name someone of the cast, and the most surprising paths inside it."""
    called = [names[who] for who in cast.characters if who in names]
    told = [(one.sentence(view), one.evidence) for one in discovery.conflict_triangles()]
    told += [(one.sentence(view), one.evidence) for one in discovery.implied_hostilities()]
    notes: dict[str, Note] = {}
    for text, evidence in told:
        if any(name in text for name in called):
            notes.setdefault(text, Note("path", text, (), latest_quotes(evidence)))
    for a, b in combinations(cast.characters, 2):
        for path in discovery.hidden_connections(a, b, max_hops=3)[:_PATHS]:
            text = path.sentence(view)
            notes.setdefault(text, Note("path", text, (a, b), latest_quotes(path.evidence)))
    return list(notes.values())


# --- what a draft must not go against --------------------------------------------------------------------


def _deaths(view: StoryView) -> dict[str, _Death]:
    """Who is dead, and the first telling of it."""
    first: dict[str, _Death] = {}
    for act in acts(view):
        for who in act.dead if act.record.confidence >= SURE else ():
            first.setdefault(who, act.record)
    return first


def _death_notes(dead: Mapping[str, _Death], cast: Cast, names: Mapping[str, str]) -> list[Note]:
    """The dead of the cast first, then at most six others, the most lately told."""
    ranked = sorted(dead.items(), key=lambda item: (item[0] not in cast.characters, -item[1].told, item[0]))
    most = sum(who in cast.characters for who in dead) + _OTHER_DEATHS
    return [
        _note("constraint", f"{names[who]} is dead", record, (who,))
        for who, record in ranked[:most]
        if who in names
    ]


def _barrier_notes(bonds: Sequence[Relation], names: Mapping[str, str]) -> list[Note]:
    """Distrust, hate, enmity and fear that stand at the horizon."""
    return [
        _note(
            "constraint",
            _BARRIERS[one.predicate].format(a=names[one.subject], b=names[one.object]),
            one,
            (one.subject, one.object),
        )
        for one in bonds
        if one.predicate in _BARRIERS and not is_over(one, bonds)
    ]


# --- wording ----------------------------------------------------------------------------------------------


def _note(kind: str, said: str, record: _Death, entities: tuple[str, ...]) -> Note:
    """With both clocks in words: when the reader learnt it, and since when (until when) it is so."""
    told, holds = f"told in ch. {record.told}", record.holds
    if isinstance(holds.start, int):
        told += (
            f", happened in ch. {holds.start}" if holds.start == holds.end else f", since ch. {holds.start}"
        )
    if isinstance(holds.end, int) and holds.start != holds.end:
        told += f", until ch. {holds.end}"
    elif holds.end is Open.UNBOUNDED:
        told += ", for good"
    return Note(kind, f"{said} ({told}).", entities, latest_quotes(record.evidence))


def latest_quotes(evidence: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """At most six quotes, the latest ones, in order of telling."""
    ranked = sorted(set(evidence), key=lambda q: (q.chapter, q.document_id, q.span))
    return tuple(ranked[-_QUOTES:])


def is_over(relation: Relation, bonds: Sequence[Relation]) -> bool:
    """Did it end, or was its opposite told later between the same two? What was told several times counts
    from its last telling."""
    if isinstance(relation.holds.end, int):
        return True
    pair = (relation.subject, relation.object)
    for other in bonds:
        symmetric = PREDICATES[other.predicate].symmetric or PREDICATES[relation.predicate].symmetric
        ways = ((other.subject, other.object), (other.object, other.subject))
        later = _last(other) > _last(relation)
        if later and opposed(relation.predicate, other.predicate) and pair in ways[: 1 + symmetric]:
            return True
    return False


def _last(relation: Relation) -> int:
    return max(relation.told, *(quote.chapter for quote in relation.evidence), 0)
