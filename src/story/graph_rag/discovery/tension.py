"""Who is warm and who is cold to whom at a horizon."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ...model.predicates import PREDICATES
from ...model.types import EntityKind, Relation
from ..views.acts import Act, acts
from ..views.story_view import StoryView
from ..views.timeline import closing, holds_when_told
from .links import Link, link_of

Pair = tuple[str, str]

COLD_BONDS = frozenset({"HATES", "ENEMY_OF", "DISTRUSTS"})
COLD_ACTS = frozenset({"ATTACKS", "BETRAYS", "STEALS_FROM"})
_KIN = frozenset({"PARENT_OF", "CHILD_OF", "SIBLING_OF", "KIN_OF", "MARRIED_TO"})


@dataclass(frozen=True, slots=True)
class Tension:
    """``warm`` maps pairs in order of id to their surest warm link (a standing bond of sign +1),
    ``cold`` to their surest cold one (standing hatred, enmity or distrust, or an unforgiven attack,
    betrayal or theft). ``warm_to`` lists, for each, those to whom it is warm itself. ``settled`` holds
    the pairs of which anything signed, or kinship, was ever told."""

    warm: Mapping[Pair, Link]
    cold: Mapping[Pair, Link]
    warm_to: Mapping[str, tuple[str, ...]]
    settled: frozenset[Pair]


def tension(view: StoryView, *, min_confidence: float) -> Tension:
    """Between living characters and groups. Costs one pass over the view."""
    bonds, happened = _bonds(view, min_confidence), _acts(view, min_confidence)
    alive = _living(view)
    warm: dict[Pair, Link] = {}
    cold: dict[Pair, Link] = {}
    warm_to: dict[str, set[str]] = {}
    settled: set[Pair] = set()
    for pair in sorted(bonds.keys() | happened.keys()):
        told, between = bonds.get(pair, []), happened.get(pair, [])
        if any(PREDICATES[bond.predicate].sign or bond.predicate in _KIN for bond in told) or any(
            _sign(act) for act in between
        ):
            settled.add(pair)
        if not (pair[0] in alive and pair[1] in alive):
            continue
        for bond in told:
            if not holds_when_told(bond) or closing(view, bond, told, between) is not None:
                continue
            if PREDICATES[bond.predicate].sign > 0:
                _keep(warm, pair, link_of(bond))
                for one, other in _outward(bond):
                    warm_to.setdefault(one, set()).add(other)
            elif bond.predicate in COLD_BONDS:
                _keep(cold, pair, link_of(bond))
        for link in _unforgiven(between):
            _keep(cold, pair, link)
    return Tension(warm, cold, {one: tuple(sorted(to)) for one, to in warm_to.items()}, frozenset(settled))


def _bonds(view: StoryView, min_confidence: float) -> dict[Pair, list[Relation]]:
    found: dict[Pair, list[Relation]] = {}
    for relation in view.relations():
        if PREDICATES[relation.predicate].lasting and relation.confidence >= min_confidence:
            found.setdefault(link_of(relation).pair, []).append(relation)
    return found


def _acts(view: StoryView, min_confidence: float) -> dict[Pair, list[Act]]:
    found: dict[Pair, list[Act]] = {}
    for act in acts(view):
        if act.record.confidence >= min_confidence:
            pairs = {
                (min(agent, patient), max(agent, patient))
                for agent in act.agents
                for patient in act.patients
                if agent != patient
            }
            for pair in sorted(pairs):
                found.setdefault(pair, []).append(act)
    return found


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


def _outward(bond: Relation) -> tuple[Pair, ...]:
    forth = (bond.subject, bond.object)
    return (forth, forth[::-1]) if PREDICATES[bond.predicate].symmetric else (forth,)


def _sign(act: Act) -> int:
    row = PREDICATES.get(act.predicate)
    return row.sign if row else 0


def _keep(best: dict[Pair, Link], pair: Pair, link: Link) -> None:
    """The surest link of a pair; of equals the last told, since it is nearest to now."""
    known = best.get(pair)
    if known is None or (link.confidence, link.told) > (known.confidence, known.told):
        best[pair] = link
