"""Character arcs in words: feelings told, turns, goals won and lost, each with its quote and no number."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..story.graph_rag.arc_moves import goal_fates
from ..story.graph_rag.views.story_view import StoryView
from ..story.graph_rag.views.ties import ORIGIN
from ..story.graph_rag.views.timeline import act_of, deaths_of, holds_when_told
from ..story.lexicon.emotions import TONE_MOODS
from ..story.model.predicates import FAMILY, PREDICATES, SURE_ENOUGH
from .cards import read_by_model
from .found import found_entity
from .quotes import ToldShown, quotes_shown, told_quotes
from .times import event_told
from .world import bond_words

_NAMED = 0.7  # how sure a feeling is, at least: less than a bond, as a pronoun mostly has it
_MOST_TURNS = 12
_GRAVE = 0.5
_DEATH, _TURNED = 3.0, 1.2  # beside what turns a chapter, at most 2
_PLACES = frozenset({"LOCATED_AT", "LIVES_IN", "COMES_FROM", "OWNS", "KNOWS", "APPEARS_WITH"})


@dataclass(frozen=True, slots=True)
class LifeShown:
    """One character up to the chapter ``last``. ``begins`` and ``ends`` say who they are at first and at the
    horizon, where a language model has read it. Feelings are ``"glad"`` or ``"low"``, what changes for them
    is an ``"event"``, a ``"bond"`` or a ``"death"``, goals are ``"open"``, ``"reached"`` or ``"lost"``."""

    id: str
    name: str
    last: int
    begins: str
    ends: str
    feelings: tuple[ToldShown, ...]
    turns: tuple[ToldShown, ...]
    goals: tuple[ToldShown, ...]


def life_of(view: StoryView, name: str, *, last: int) -> LifeShown:
    """The arc of a character (by name or id) up to ``last``, the chapter of the horizon. Raises UsageError
    where nobody has that name."""
    entity = found_entity(view, name)
    roles = [one.value for one in view.facts(entity.id) if one.aspect == "role" and "model" in one.origin]
    goals = view.states(entity.id, "goal") if read_by_model(view) else ()
    told = sorted((one for one in goals if one.confidence >= SURE_ENOUGH), key=view.place)
    return LifeShown(
        *(entity.id, entity.name, last),
        *((roles[0], roles[-1]) if roles else ("", "")),
        tuple(_feelings(view, entity.id)),
        _turns(view, entity.id),
        tuple(
            ToldShown(turns[0].told, fate.name, turns[0].value, quotes_shown(one.evidence for one in turns))
            for fate in goal_fates(told)
            if (turns := [one for one in (fate.adopted, fate.ended) if one is not None])
        ),
    )


def _feelings(view: StoryView, entity: str) -> Iterator[ToldShown]:
    """Once a chapter and feeling, what is sure enough and named, not the tone of a sentence."""
    seen: set[tuple[int, str]] = set()
    for one in view.states(entity, "emotion"):
        sure = one.confidence >= _NAMED and one.value not in TONE_MOODS
        if sure and (one.told, one.value) not in seen:
            seen.add((one.told, one.value))
            kind = "glad" if one.valence > 0 else "low"
            yield ToldShown(one.told, kind, one.value, quotes_shown([one.evidence]))


def _turns(view: StoryView, entity: str) -> tuple[ToldShown, ...]:
    """At most two a chapter, the weightiest in all, in order of telling."""
    weighed = [*_event_turns(view, entity), *_death_turns(view, entity), *_bond_turns(view, entity)]
    weighed.sort(key=lambda each: (-each[0], each[1]))
    kept: list[tuple[tuple[int, int, int], ToldShown]] = []
    for _, place, turn in weighed:
        beside = sum(one.chapter == turn.chapter for _, one in kept)
        if beside < 2 and len(kept) < _MOST_TURNS:
            kept.append((place, turn))
    return tuple(turn for _, turn in sorted(kept, key=lambda each: each[0]))


_Weighed = tuple[float, tuple[int, int, int], ToldShown]


def _event_turns(view: StoryView, entity: str) -> Iterator[_Weighed]:
    for event in view.events(entity, untyped=True):
        row = PREDICATES[event.predicate]
        mine = any(who == entity and role != "place" for role, who in event.participants)
        grave = event.key or (row.gravity >= _GRAVE and "model" in event.origin)
        if mine and grave and event.confidence >= SURE_ENOUGH and not act_of(view, event).dead:
            yield event.key + row.gravity, view.place(event), event_told(view, event, "event")


def _death_turns(view: StoryView, entity: str) -> Iterator[_Weighed]:
    """One's own death, and that of family, though the sentence does not name who is left."""
    kin = {
        end
        for one in view.relations(entity)
        if one.predicate in FAMILY and one.confidence >= SURE_ENOUGH
        for end in (one.subject, one.object)
    } - {entity}
    for who, event in deaths_of(view).items():
        if who == entity or who in kin:
            yield _DEATH, view.place(event), event_told(view, event, "death")


def _bond_turns(view: StoryView, entity: str) -> Iterator[_Weighed]:
    """A bond that turns round what stood between the two."""
    signs: dict[str, int] = {}
    for bond in sorted(view.relations(entity, distinct=True), key=view.place):
        row = PREDICATES[bond.predicate]
        sure = bond.confidence >= SURE_ENOUGH and bond.origin != ORIGIN and holds_when_told(bond)
        if not row.lasting or bond.predicate in _PLACES or not sure:
            continue
        other = bond.object if bond.subject == entity else bond.subject
        before = signs.get(other, 0)
        signs[other] = row.sign or before
        if before and row.sign and row.sign != before:
            quotes = quotes_shown(told_quotes(bond), most=2)
            yield _TURNED, view.place(bond), ToldShown(bond.told, "bond", bond_words(view, bond), quotes)
