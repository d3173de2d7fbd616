"""What happened at one time, whether the log tells it as an event or as a relation that does not last."""

from __future__ import annotations

from dataclasses import dataclass

from ...model.predicates import PREDICATES
from ...model.types import EventTold, Modality, Relation
from .story_view import Place, StoryView


@dataclass(frozen=True, slots=True)
class Act:
    """A thing that happened at one time, whether told as an event or as a relation that does not last.

    ``record`` is what told it; ``place`` where it is told.
    """

    predicate: str
    agents: tuple[str, ...]
    patients: tuple[str, ...]
    places: tuple[str, ...]
    place: Place
    record: EventTold | Relation

    @property
    def flashback(self) -> bool:
        """Is it told in a flashback, so that it happened before the chapter that tells it?"""
        return self.record.modality is Modality.FLASHBACK

    @property
    def dead(self) -> tuple[str, ...]:
        """Who is dead after it."""
        if self.predicate == "KILLS":
            return self.patients
        if self.predicate == "DIES":
            return self.patients if isinstance(self.record, EventTold) and self.patients else self.agents
        return ()

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Each agent with each patient, nobody with themselves."""
        return tuple((one, other) for one in self.agents for other in self.patients if one != other)

    def between(self, one: str, other: str) -> bool:
        """Do both take part, as agents or patients?"""
        people = (*self.agents, *self.patients)
        return one in people and other in people


def act_of(view: StoryView, record: EventTold | Relation) -> Act:
    """``record`` is an event, or a relation whose predicate does not last."""
    if isinstance(record, Relation):
        return Act(record.predicate, (record.subject,), (record.object,), (), view.place(record), record)
    roles: dict[str, list[str]] = {"agent": [], "patient": [], "place": []}
    for role, entity in record.participants:
        roles.setdefault(role, []).append(entity)
    agents, patients, places = (tuple(roles[role]) for role in ("agent", "patient", "place"))
    return Act(record.predicate, agents, patients, places, view.place(record), record)


def acts(view: StoryView, entity: str | None = None) -> tuple[Act, ...]:
    """Everything that happened (to the entity), in order of telling, ties by predicate and people."""
    told = [act_of(view, event) for event in view.events(entity)]
    told += [
        act_of(view, relation)
        for relation in view.relations(entity)
        if not PREDICATES[relation.predicate].lasting
    ]
    return tuple(sorted(told, key=lambda act: (act.place, act.predicate, act.agents, act.patients)))


def of_one_sentence(act: Act, relation: Relation) -> bool:
    """Are the act and the bond told by one sentence? Then the one does not turn the other."""
    pairs = ((mine, its) for mine in act.record.evidence[:1] for its in relation.evidence[:1])
    return any(mine.overlaps(its) for mine, its in pairs)
