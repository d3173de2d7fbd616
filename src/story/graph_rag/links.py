"""Who and what is joined to whom: relations and events as links, weighed and worded alike; and who is warm
and who is cold to whom at a horizon."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

from ...core.types import Evidence
from ..model.predicates import PREDICATES
from ..model.types import EntityKind, Relation, gathered
from .views.story_view import StoryView
from .views.timeline import Act, acts, closing, holds_when_told

Pair = tuple[str, str]
LEAST = 0.5  # the confidence with which a thing must be told to join two

COLD_BONDS = frozenset({"HATES", "ENEMY_OF", "DISTRUSTS"})
COLD_ACTS = frozenset({"ATTACKS", "BETRAYS", "STEALS_FROM"})
_KIN = frozenset({"PARENT_OF", "CHILD_OF", "SIBLING_OF", "KIN_OF", "MARRIED_TO"})


@dataclass(frozen=True, slots=True)
class Link:
    """One thing told that joins two entities; ``told`` is the chapter that tells it."""

    subject: str
    predicate: str
    object: str
    told: int
    confidence: float
    evidence: tuple[Evidence, ...]

    @property
    def pair(self) -> Pair:
        """The two, in order of id."""
        return min(self.subject, self.object), max(self.subject, self.object)

    def sentence(self, view: StoryView) -> str:
        """``Tom loves Anna (ch. 3)``, without a full stop."""
        return f"{view.worded(self.subject, self.predicate, self.object)} (ch. {self.told})"


def link_of(relation: Relation) -> Link:
    """The relation as a link, with its chapter, confidence and quotes."""
    ends = relation.subject, relation.predicate, relation.object
    return Link(*ends, relation.told, relation.confidence, relation.evidence)


def links(view: StoryView) -> Iterator[Link]:
    """All that happened and joins two: relations, what agents do to patients, and where people are when
    something happens (a LOCATED_AT link, on the event's quotes)."""
    for relation in view.relations():
        if relation.confidence >= LEAST and PREDICATES[relation.predicate].lasting:
            yield link_of(relation)
    for act in acts(view):
        if act.record.confidence >= LEAST:
            yield from _links_of_act(act)


def _links_of_act(act: Act) -> Iterator[Link]:
    record = act.record
    people = dict.fromkeys((*act.agents, *act.patients))
    row = PREDICATES.get(act.predicate)
    for one, other in combinations(people, 2) if row is not None and row.symmetric else act.pairs:
        yield Link(one, act.predicate, other, record.told, record.confidence, record.evidence)
    for person in people:
        for place in act.places:
            if person != place:
                yield Link(person, "LOCATED_AT", place, record.told, record.confidence, record.evidence)


def best_links(found: Iterable[Link]) -> Mapping[str, Mapping[str, Link]]:
    """For each entity its neighbours, for each neighbour the link that says most: a bond before an act,
    the surest, the first told."""
    best: dict[str, dict[str, Link]] = {}
    for link in found:
        known = best.get(link.subject, {}).get(link.object)
        if known is None or _rank(link) < _rank(known):
            best.setdefault(link.subject, {})[link.object] = link
            best.setdefault(link.object, {})[link.subject] = link
    return best


def _rank(link: Link) -> tuple[object, ...]:
    row = PREDICATES.get(link.predicate)
    lasting = row is not None and row.lasting
    return not lasting, -link.confidence, link.told, link.predicate, link.subject, link.object


# --- warm and cold ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Tension:
    """``warm`` maps pairs in order of id to their surest warm link (a standing bond of sign +1),
    ``cold`` to their surest cold one (standing hatred, enmity or distrust, or an unforgiven attack,
    betrayal or theft). ``warm_towards`` lists, for each, those who are warm to it. ``settled`` holds
    the pairs of which anything signed, or kinship, was ever told."""

    warm: Mapping[Pair, Link]
    cold: Mapping[Pair, Link]
    warm_towards: Mapping[str, tuple[str, ...]]
    settled: frozenset[Pair]


def tension(view: StoryView) -> Tension:
    """Between living characters and groups. Costs one pass over the view."""
    bonds, happened = _bonds(view), _acts(view)
    alive = _living(view)
    warm: dict[Pair, Link] = {}
    cold: dict[Pair, Link] = {}
    towards: dict[str, set[str]] = {}
    settled: set[Pair] = set()
    for pair in sorted(bonds.keys() | happened.keys()):
        told, between = bonds.get(pair, []), happened.get(pair, [])
        signed = any(PREDICATES[bond.predicate].sign or bond.predicate in _KIN for bond in told)
        if signed or any(_sign(act) for act in between):
            settled.add(pair)
        if not (pair[0] in alive and pair[1] in alive):
            continue
        for bond in told:
            if not holds_when_told(bond) or closing(view, bond, told, between) is not None:
                continue
            row = PREDICATES[bond.predicate]
            if row.sign > 0:
                _keep(warm, pair, link_of(bond))
                forth = (bond.subject, bond.object)
                for one, other in (forth, forth[::-1]) if row.symmetric else (forth,):
                    towards.setdefault(other, set()).add(one)
            elif bond.predicate in COLD_BONDS:
                _keep(cold, pair, link_of(bond))
        for link in _unforgiven(between):
            _keep(cold, pair, link)
    return Tension(warm, cold, {to: tuple(sorted(ones)) for to, ones in towards.items()}, frozenset(settled))


def _bonds(view: StoryView) -> dict[Pair, list[Relation]]:
    return gathered(
        (link_of(relation).pair, relation)
        for relation in view.relations()
        if PREDICATES[relation.predicate].lasting and relation.confidence >= LEAST
    )


def _acts(view: StoryView) -> dict[Pair, list[Act]]:
    told = (act for act in acts(view) if act.record.confidence >= LEAST)
    return gathered((pair, act) for act in told for pair in {(min(each), max(each)) for each in act.pairs})


def _living(view: StoryView) -> frozenset[str]:
    dead = {who for act in acts(view) for who in act.dead}
    return frozenset(
        entity.id
        for entity in view.entities()
        if entity.kind in (EntityKind.CHARACTER, EntityKind.GROUP) and entity.id not in dead
    )


def _unforgiven(between: list[Act]) -> list[Link]:
    forgiven = max((act.place for act in between if act.predicate == "FORGIVES"), default=None)
    return [
        Link(agent, act.predicate, patient, act.record.told, act.record.confidence, act.record.evidence)
        for act in between
        if act.predicate in COLD_ACTS and (forgiven is None or act.place > forgiven)
        for agent in act.agents
        for patient in act.patients
    ]


def _sign(act: Act) -> int:
    row = PREDICATES.get(act.predicate)
    return row.sign if row else 0


def _keep(best: dict[Pair, Link], pair: Pair, link: Link) -> None:
    """The surest link of a pair; of equals the last told, since it is nearest to now."""
    known = best.get(pair)
    if known is None or (link.confidence, link.told) > (known.confidence, known.told):
        best[pair] = link
