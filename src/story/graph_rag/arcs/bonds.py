"""How strongly a character stands to others at the end of a chapter, and how well they act by others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ....core.types import Evidence
from ...model.predicates import PREDICATES
from ...model.types import Relation, RelationshipStrength
from ..views.acts import Act
from ..views.story_view import Place, StoryView
from ..views.timeline import closing, holds_when_told
from .measures import BOND_HALF_LIFE, faded, strength_of

ACT_WEIGHT = 0.6


@dataclass(frozen=True, slots=True)
class Standing:
    """A strength and the quotes of the telling that counts most in it."""

    strength: RelationshipStrength
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class _Weight:
    other: str
    signed: float
    predicate: str
    place: Place
    evidence: tuple[Evidence, ...]


def strengths(
    view: StoryView, entity: str, *, bonds: Sequence[Relation], happened: Sequence[Act], chapter: int
) -> tuple[Standing, ...]:
    """Strongest first, whatever the sign, ties by id; only those to whom some sign is told.

    Each telling of a signed bond that still holds weighs its confidence, each signed act between the
    two 0.6 of it, halved every ten chapters since it was told (see ``strength_of``). Bonds count from
    the subject's side, or from both where symmetric; acts for both sides. ``bonds`` and ``happened``
    are what is told of the entity up to the chapter. Grief is no end: the dead keep their strength.
    """
    weights: dict[str, list[_Weight]] = {}
    for weight in (*_of_bonds(view, entity, bonds, happened, chapter), *_of_acts(entity, happened, chapter)):
        weights.setdefault(weight.other, []).append(weight)
    found = [_standing(other, told) for other, told in weights.items()]
    return tuple(sorted(found, key=lambda one: (-abs(one.strength.strength), one.strength.entity)))


def _standing(other: str, told: Sequence[_Weight]) -> Standing:
    total = strength_of(weight.signed for weight in told)
    behind = max(told, key=lambda weight: (weight.signed * total > 0, abs(weight.signed), weight.place))
    return Standing(RelationshipStrength(other, total, behind.predicate), behind.evidence)


def _of_bonds(
    view: StoryView, entity: str, bonds: Sequence[Relation], happened: Sequence[Act], chapter: int
) -> Iterator[_Weight]:
    by_other: dict[str, list[Relation]] = {}
    for bond in bonds:
        other = bond.object if bond.subject == entity else bond.subject
        by_other.setdefault(other, []).append(bond)
    between: dict[str, list[Act]] = {}
    for act in happened:
        for person in {*act.agents, *act.patients}:
            between.setdefault(person, []).append(act)
    for other, told in by_other.items():
        for bond in told:
            row = PREDICATES[bond.predicate]
            outward = bond.subject == entity or row.symmetric
            if not (row.sign and outward and holds_when_told(bond)):
                continue
            if closing(view, bond, told, between.get(other, ())) is None:
                weight = _aged(row.sign * bond.confidence, bond.told, chapter)
                yield _Weight(other, weight, row.name, view.place(bond), bond.evidence)


def _of_acts(entity: str, happened: Sequence[Act], chapter: int) -> Iterator[_Weight]:
    for act in happened:
        row = PREDICATES.get(act.predicate)
        if row is None or not row.sign:
            continue
        others = act.patients if entity in act.agents else act.agents
        for other in others:
            if other != entity:
                weight = _aged(ACT_WEIGHT * row.sign * act.record.confidence, act.record.told, chapter)
                yield _Weight(other, weight, row.name, act.place, act.record.evidence)


def _aged(weight: float, told: int, chapter: int) -> float:
    return faded(weight, chapters=chapter - told, half_life=BOND_HALF_LIFE)


def deed_change(entity: str, happened: Iterable[Act], *, since: int) -> float:
    """-1 to 1: half of how much better the entity's own deeds are after chapter ``since`` than those up to
    it; 0 where it does neither good nor harm after it.

    Each side is ``strength_of`` the signs weighed by confidence, so one deed is no character: a first
    killing gives ``-1 / 1.5 / 2``. What a flashback tells is left out.
    """
    before: list[float] = []
    after: list[float] = []
    for act in happened:
        row = PREDICATES.get(act.predicate)
        sign = row.moral if row is not None else 0
        if sign and entity in act.agents and not act.flashback:
            (before if act.record.told <= since else after).append(sign * act.record.confidence)
    return (strength_of(after) - strength_of(before)) / 2 if after else 0.0
