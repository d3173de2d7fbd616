"""What the story graph says about a prompt: whom it is about, and notes with quotes, best first.

The notes are worded from the graph alone. Each carries the quotes it stands on; what has none is not said.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from ...core.types import Evidence, Note, Span
from ..graph_rag.arc_tracker import DynamicArcTracker
from ..graph_rag.relationship_discovery import MultiHopDiscoveryEngine
from ..graph_rag.views.story_view import Place, StoryView
from ..graph_rag.views.timeline import Clocks, acts, is_over
from ..lexicon.emotions import TONE_MOODS
from ..lexicon.words import CLAUSE_WORDS
from ..model.predicates import PREDICATES, SURE_ENOUGH
from ..model.types import CharacterState, EntityKind, EventTold, Open, Relation, StateTold, StoryEntity
from .context import PlacedNote

_WORD = re.compile(r"[^\W\d_](?:[\w.'’-]*\w)?\.?")
_LONGEST = 4
# Words that open sentences or are titles alone: a name may start with them, but is never one of them.
_NOT_NAMES = CLAUSE_WORDS.listed("opens_sentence")


@dataclass(frozen=True, slots=True)
class Cast:
    """``characters`` and ``places`` are entity ids in order of importance to the prompt.

    ``named`` says whether the prompt itself named the characters; else they are those most present in the
    last two chapters.
    """

    characters: tuple[str, ...]
    places: tuple[str, ...] = ()
    named: bool = True


def cast_of(prompt: str, *, view: StoryView, chapter: int, limit: int = 4) -> Cast:
    """The first ``limit`` characters that the prompt names, in its order, and the places it names.

    Every run of one to four words that starts with a capital is looked up with ``view.find``, the longest
    first. Where that finds nobody, whole names are looked for whatever their case. Where that finds nobody
    either, the characters mentioned in the two chapters up to ``chapter`` are taken: those in both first,
    then the most mentioned in the story so far, ties by id.
    """
    found = dict.fromkeys(entity for _, entity in _named(prompt, view, exact=False))
    if all(e.kind is not EntityKind.CHARACTER for e in found):
        found |= dict.fromkeys(entity for _, entity in _named(prompt, view, exact=True))
    places = tuple(e.id for e in found if e.kind is EntityKind.LOCATION)[:limit]
    people = tuple(e.id for e in found if e.kind is EntityKind.CHARACTER)[:limit]
    if people:
        return Cast(people, places)
    counts: dict[str, int] = {}
    for number in range(max(1, chapter - 1), chapter + 1):
        for who in view.presence(number):
            counts[who] = counts.get(who, 0) + 1
    present = [e for e in view.entities() if e.kind is EntityKind.CHARACTER and e.id in counts]
    present.sort(key=lambda e: (-counts[e.id], -e.mentions, e.id))
    return Cast(tuple(e.id for e in present[:limit]), places, named=False)


def names_in(prompt: str, view: StoryView) -> list[tuple[Span, StoryEntity]]:
    """Where the prompt names whom or what, in its order, as :func:`cast_of` looks for them: names with a
    capital, or, where there are none, whole names in any case."""
    return _named(prompt, view, exact=False) or _named(prompt, view, exact=True)


def _named(prompt: str, view: StoryView, *, exact: bool) -> list[tuple[Span, StoryEntity]]:
    words = list(_WORD.finditer(prompt))
    found: list[tuple[Span, StoryEntity]] = []
    index = 0
    while index < len(words):
        size, name, entity = _longest(prompt, words[index : index + _LONGEST], view, exact=exact)
        if entity is not None:
            start = words[index].start()
            found.append((Span(start, start + len(name)), entity))
        index += size
    return found


def _longest(
    prompt: str, words: Sequence[re.Match[str]], view: StoryView, *, exact: bool
) -> tuple[int, str, StoryEntity | None]:
    """How many words the longest name at this place has (1 where there is none), the name as it is written,
    and who bears it."""
    first = words[0][0]
    if not exact and not first[0].isupper():
        return 1, "", None
    for size in range(len(words), 0, -1):
        run = prompt[words[0].start() : words[size - 1].end()]
        for name in dict.fromkeys((run, run.rstrip("."), re.sub(r"['’]s?$", "", run))):
            if size == 1 and name.casefold() in _NOT_NAMES:
                continue
            entity = view.find(name)
            names = () if entity is None else (entity.name, *entity.aliases)
            if names and (not exact or name.casefold() in map(str.casefold, names)):
                return size, name, entity
    return 1, "", None


_PATHS = 2
_OTHERS = 4
_COURSE = 30
_QUOTES = 6
_OTHER_DEATHS = 6
_ROLES = ("agent", "patient", "place")
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
    cast: Cast, *, view: StoryView, chapter: int, canon: Sequence[Note] = (), lines: Sequence[PlacedNote] = ()
) -> tuple[PlacedNote, ...]:
    """Notes for a cast at the end of ``chapter``, best first.

    Constraints (deaths, distrust, enmity, and ``canon``, the rules of the world) come first; then the state
    of the living, ``lines`` (what the story bible has of the cast), what is implied or hidden, and the state
    of others who are present in ``chapter``.
    """
    tracker = DynamicArcTracker(view)
    dead = _deaths(view)
    living = [who for who in cast.characters if who not in dead]
    others = [who for who in _present(view, chapter) if who not in (*cast.characters, *dead)]
    constraints = [*_death_notes(dead, cast, view), *_barrier_notes(cast, view), *canon]
    more = [*_implied(cast, view), *_state_notes(others, tracker, chapter, view)]
    placed = [
        *(PlacedNote("Constraints", note) for note in constraints),
        *(PlacedNote("Character Info", note) for note in _state_notes(living, tracker, chapter, view)),
        *lines,
        *(PlacedNote("Character Info", note) for note in more),
    ]
    return tuple(one for one in placed if one.note.evidence)


def _present(view: StoryView, chapter: int) -> list[str]:
    """Up to four characters of the chapter, the most mentioned first, ties by id."""
    there = set(view.presence(chapter))
    return [one.id for one in view.entities(EntityKind.CHARACTER) if one.id in there][:_OTHERS]


def _state_notes(
    who: Sequence[str], tracker: DynamicArcTracker, chapter: int, view: StoryView
) -> Iterable[Note]:
    for one in who if chapter > 0 else ():
        state = tracker.state(one, chapter)
        parts = state_words(state, view)
        if parts:
            text = f"{view.name(one)}, end of ch. {chapter}: {'; '.join(parts)}."
            yield Note("state", text, (one,), latest_quotes(state.evidence))


def state_words(state: CharacterState, view: StoryView) -> list[str]:
    """A character's mood, aims and whereabouts as far as they are told."""
    parts = []
    if state.emotional_state and state.emotional_state not in TONE_MOODS:
        parts.append(f"feels {state.emotional_state}")
    if state.active_goals:
        parts.append("wants: " + ", ".join(state.active_goals[:3]))
    if state.location is not None and view.entity(state.location):
        parts.append(f"is at {view.name(state.location)}")
    return parts


def _event_notes(cast: Cast, view: StoryView) -> list[Note]:
    """What the cast did or suffered, the latest told first; deaths are constraints already."""
    found = []
    for event in sorted(view.events(happened=True), key=lambda one: (-one.told, one.id)):
        who = tuple(one for _, one in event.participants)
        agent, patient, place = (
            ", ".join(view.name(n) for r, n in event.participants if r == role and view.entity(n))
            for role in _ROLES
        )
        sure = event.predicate != "DIES" and event.confidence >= SURE
        if agent and sure and set(who) & set(cast.characters):
            said = " ".join(part for part in (agent, PREDICATES[event.predicate].phrase, patient) if part)
            found.append(_note("relation", f"{said} at {place}" if place else said, event, who))
    return found[:_COURSE]


def course_notes(cast: Cast, view: StoryView) -> list[Note]:
    """What each of the cast wanted, felt and did, in order of telling; of more than :data:`_COURSE` every
    second, third … is given, so that no part of the story is left out."""
    found: list[tuple[Place, Note]] = [
        (view.place(state), _told_of(state, view.name(who)))
        for who in cast.characters
        for aspect in ("goal", "emotion")
        for state in view.states(who, aspect)
        if view.entity(who) and state.confidence >= SURE and state.value not in TONE_MOODS
    ]
    did = (note for note in _event_notes(cast, view) if note.evidence)
    found += [(view.place(note.evidence[0]), note) for note in did]
    found.sort(key=lambda one: (one[0], one[1].text))
    return [note for _, note in found][:: len(found) // (_COURSE + 1) + 1]


def _told_of(state: StateTold, name: str) -> Note:
    verb = "felt"
    if state.aspect == "goal":
        verb = "no longer hoped for" if state.valence < 0 else "got" if state.valence >= 2 else "wanted"
    said = f"{name} {verb}: {state.value} (told in ch. {state.told})."
    return Note("state", said, (state.entity,), (state.evidence,))


def _bonds(cast: Cast, view: StoryView) -> list[Relation]:
    """Lasting relations of the cast, the latest told first, each once."""
    found = {
        (relation.predicate, relation.subject, relation.object, relation.told): relation
        for who in cast.characters
        for relation in view.relations(who, happened=True, distinct=True)
        if PREDICATES[relation.predicate].lasting and relation.confidence >= SURE_ENOUGH
        if view.entity(relation.subject) and view.entity(relation.object)
    }
    return sorted(found.values(), key=lambda r: (-r.told, -r.confidence, r.subject, r.predicate, r.object))


def _implied(cast: Cast, view: StoryView) -> list[Note]:
    """Triangles and hostilities that name someone of the cast, and the most surprising paths inside it."""
    discovery = MultiHopDiscoveryEngine(view)
    called = [view.name(who) for who in cast.characters if view.entity(who)]
    notes: dict[str, Note] = {}
    for one in (*discovery.conflict_triangles(), *discovery.implied_hostilities()):
        text = one.sentence(view)
        if any(name in text for name in called):
            notes.setdefault(text, Note("path", text, (), latest_quotes(one.evidence)))
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


def _death_notes(dead: Mapping[str, _Death], cast: Cast, view: StoryView) -> list[Note]:
    """The dead of the cast first, then at most six others, the most lately told."""
    ranked = sorted(dead.items(), key=lambda item: (item[0] not in cast.characters, -item[1].told, item[0]))
    most = sum(who in cast.characters for who in dead) + _OTHER_DEATHS
    return [
        _note("constraint", f"{view.name(who)} is dead", record, (who,))
        for who, record in ranked[:most]
        if view.entity(who)
    ]


def _barrier_notes(cast: Cast, view: StoryView) -> list[Note]:
    """Distrust, hate, enmity and fear that stand at the horizon."""
    notes, clocks = [], Clocks(view)
    for one in _bonds(cast, view):
        if one.predicate in _BARRIERS and not is_over(clocks.closed(one)):
            said = _BARRIERS[one.predicate].format(a=view.name(one.subject), b=view.name(one.object))
            notes.append(_note("constraint", said, one, (one.subject, one.object)))
    return notes


# --- wording ----------------------------------------------------------------------------------------------


def _note(kind: str, said: str, record: _Death, entities: tuple[str, ...]) -> Note:
    """With both clocks in words: when the reader learnt it, and since when (until when) it is so."""
    told, holds = f"told in ch. {record.told}", record.holds
    if isinstance(holds.start, int):
        told += f", {'happened in' if holds.start == holds.end else 'since'} ch. {holds.start}"
    if isinstance(holds.end, int) and holds.start != holds.end:
        told += f", until ch. {holds.end}"
    elif holds.end is Open.UNBOUNDED:
        told += ", for good"
    return Note(kind, f"{said} ({told}).", entities, latest_quotes(record.evidence))


def latest_quotes(evidence: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """At most six quotes, the latest ones, in order of telling."""
    ranked = sorted(set(evidence), key=lambda q: (q.chapter, q.document_id, q.span))
    return tuple(ranked[-_QUOTES:])
