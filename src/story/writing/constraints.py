"""What a draft must not go against: who is dead, and who stands between whom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...core.types import Note
from ..model.types import EventTold, Relation
from .cast import Cast
from .note_wording import SURE, clocks, is_over, latest_quotes

__all__ = ["barrier_notes", "death_notes", "deaths"]

Death = EventTold | Relation

_OTHER_DEATHS = 6
_BARRIERS = {
    "DISTRUSTS": "{a} does not trust {b}",
    "HATES": "{a} hates {b}",
    "ENEMY_OF": "{a} and {b} are enemies",
    "FEARS": "{a} fears {b}",
}


def deaths(events: Sequence[EventTold], relations: Sequence[Relation]) -> dict[str, Death]:
    """Who is dead, and the first telling of it."""
    first: dict[str, Death] = {}
    told: list[Death] = [*events, *relations]
    for record in sorted((r for r in told if r.predicate in ("DIES", "KILLS")), key=_telling):
        for who in _victims(record) if record.confidence >= SURE else ():
            first.setdefault(who, record)
    return first


def _victims(record: Death) -> tuple[str, ...]:
    if isinstance(record, Relation):
        return (record.object if record.predicate == "KILLS" else record.subject,)
    patients = tuple(who for role, who in record.participants if role == "patient")
    if patients or record.predicate == "KILLS":
        return patients
    return tuple(who for role, who in record.participants if role == "agent")


def death_notes(dead: Mapping[str, Death], cast: Cast, names: Mapping[str, str]) -> list[Note]:
    """The dead of the cast first, then at most six others, the most lately told."""
    ranked = sorted(dead.items(), key=lambda item: (item[0] not in cast.characters, -item[1].told, item[0]))
    inside = [who for who in dead if who in cast.characters]
    return [
        Note("constraint", f"{names[who]} is dead ({clocks(record.told, record.holds)}).", (who,), quotes)
        for who, record in ranked[: len(inside) + _OTHER_DEATHS]
        if who in names and (quotes := latest_quotes(record.evidence))
    ]


def barrier_notes(bonds: Sequence[Relation], names: Mapping[str, str]) -> list[Note]:
    """Distrust, hate, enmity and fear that stand at the horizon."""
    return [
        Note(
            "constraint",
            _BARRIERS[r.predicate].format(a=names[r.subject], b=names[r.object])
            + f" ({clocks(r.told, r.holds)}).",
            (r.subject, r.object),
            latest_quotes(r.evidence),
        )
        for r in bonds
        if r.predicate in _BARRIERS and not is_over(r, bonds)
    ]


def _telling(record: Death) -> tuple[int, int, str]:
    first = min((quote.span.start for quote in record.evidence), default=0)
    return record.told, first, record.id if isinstance(record, EventTold) else record.subject
