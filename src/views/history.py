"""Relationship history: how two have stood to each other, step by step, in order of telling."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..story.graph_rag.views.story_view import StoryView
from ..story.graph_rag.views.ties import LIKELY, ORIGIN, shown_relations
from ..story.graph_rag.views.timeline import Clocks, holds_when_told, is_over, outweighed
from ..story.model.predicates import PREDICATES, SURE_ENOUGH
from ..story.model.types import EntityKind, EventTold, Modality, Relation, quotes_of
from .cards import company_of, read_by_model
from .found import found_entity
from .quotes import QuoteShown, ToldShown, quotes_shown, told_quotes
from .times import event_told
from .world import bond_words, is_told

_SLIGHT = frozenset({"KNOWS", "APPEARS_WITH"})
_MOST_EVENTS = 12
_GRAVE = 0.3


@dataclass(frozen=True, slots=True)
class PairShown:
    """Two, and how they have stood. ``now`` says in words what holds at the horizon; ``met`` are places where
    they meet, for two of whom nothing else is known. A step is ``"began"``, ``"turned"``, ``"ended"``,
    ``"past"`` for what was over when it was first told, or ``"then"`` for what neither begins nor ends
    anything."""

    names: tuple[str, str]
    now: tuple[str, ...]
    steps: tuple[ToldShown, ...]
    met: tuple[QuoteShown, ...]


def history_of(view: StoryView, one: str, other: str) -> PairShown:
    """The history of the two (names or ids). Raises UsageError where nobody has such a name. Costs the
    relations of the first once."""
    pair = found_entity(view, one).id, found_entity(view, other).id
    ties, others = shown_relations(view, pair[0], least_confidence=LIKELY)
    likely = [
        r
        for r in (*ties, *others)
        if {r.subject, r.object} == set(pair)
        and PREDICATES[r.predicate].lasting
        and r.predicate not in _SLIGHT
        and is_told(r.predicate, r.origin, r.confidence)
    ]
    bonds = [r for r in likely if r.origin == ORIGIN or r.confidence >= SURE_ENOUGH] or likely
    events = _events(view, pair)
    steps = [*_begun(view, bonds), *_ended(view, bonds)]
    for event in events:
        turning = PREDICATES[event.predicate].turning and event.modality is not Modality.FLASHBACK
        steps.append((view.place(event), event_told(view, event, "turned" if turning else "then")))
    steps.sort(key=lambda each: (each[0], each[1].kind == "ended"))
    holding = [one for one in bonds if not is_over(one)]
    kept = [one for one in holding if not outweighed(view, one, holding)]
    now = [f"{bond_words(view, one)}{_doubt(one)}" for one in kept]
    return PairShown(
        (view.name(pair[0]), view.name(pair[1])),
        tuple(dict.fromkeys(now)),
        tuple(dict.fromkeys(step for _, step in steps)),
        () if steps else _meetings(view, pair),
    )


def _doubt(bond: Relation) -> str:
    if bond.origin == ORIGIN:
        return ", as far as their meetings tell"
    return "" if bond.confidence >= SURE_ENOUGH else ", if that sentence is read rightly"


def closest_pair(view: StoryView, one: str = "") -> tuple[str, str] | None:
    """Ids of ``one`` (else of the most mentioned person) and of whom they have most to do with."""
    people = view.entities(EntityKind.CHARACTER)
    if len(people) < 2:
        return None
    first = one or people[0].id
    weights: Counter[str] = Counter()
    if read_by_model(view):
        for relation in view.relations(first):
            lasting = PREDICATES[relation.predicate].lasting and relation.predicate not in _SLIGHT
            weights.update(dict.fromkeys({relation.subject, relation.object} - {first}, 3 if lasting else 1))
    else:
        weights += company_of(view).get(first, Counter())
    known = next((each for each in people if each.id == first), people[0])
    own = " ".join((known.name, *known.aliases)).casefold()
    # who goes by a part of its names ("Long John" of "Long John Silver") may be the same person
    others = [each for each in people if each.id != first and each.name.casefold() not in own]
    others = others or [each for each in people if each.id != first]
    return first, min(others, key=lambda each: (-weights[each.id], -each.mentions, each.id)).id


_Step = tuple[tuple[int, int, int], ToldShown]


def _begun(view: StoryView, bonds: Sequence[Relation]) -> list[_Step]:
    steps: list[_Step] = []
    sign = 0
    for bond in sorted(filter(holds_when_told, bonds), key=view.place):
        own = PREDICATES[bond.predicate].sign
        turn = "turned" if sign * own < 0 else "began"
        sign = own or sign
        quotes, weighed = quotes_shown(told_quotes(bond), most=3), bond.origin == ORIGIN
        step = ToldShown(bond.told, turn, bond_words(view, bond), quotes, weighed, own)
        steps.append((view.place(bond), step))
    return steps


def _ended(view: StoryView, bonds: Sequence[Relation]) -> Iterator[_Step]:
    """The ends, each with the quote that tells it."""
    clocks = Clocks(view)
    said: set[str] = set()
    for bond in sorted(filter(is_over, bonds), key=view.place):
        words = bond_words(view, bond)
        if words not in said:
            said.add(words)
            told = clocks.ended(bond) or bond
            turn, sign = "ended" if holds_when_told(bond) else "past", PREDICATES[bond.predicate].sign
            quotes = quotes_shown(quotes_of(told), most=2)
            yield view.place(told), ToldShown(told.told, turn, words, quotes, sign=-sign)


def _events(view: StoryView, pair: tuple[str, str]) -> list[EventTold]:
    """The gravest of what happened between the two, in order of telling."""
    both = set(pair)
    found = [
        one
        for one in view.events(pair[0], untyped=True)
        if one.confidence >= SURE_ENOUGH
        and both <= {who for role, who in one.participants if role != "place"}
        and (one.key or PREDICATES[one.predicate].gravity >= _GRAVE or PREDICATES[one.predicate].turning)
    ]
    gravest = sorted(found, key=lambda one: (-one.key, -PREDICATES[one.predicate].gravity, view.place(one)))
    return sorted(gravest[:_MOST_EVENTS], key=view.place)


def _meetings(view: StoryView, pair: tuple[str, str]) -> tuple[QuoteShown, ...]:
    """Where they meet, of all their meetings."""
    both = set(pair)
    told = (one for one in view.log.pairs if {view.resolve(one.one), view.resolve(one.other)} == both)
    return quotes_shown((one.evidence[0] for one in told if one.evidence), most=5)
