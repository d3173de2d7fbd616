"""Relations and events as links between two entities, weighed and worded alike."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

from ....core.types import Evidence
from ...model.predicates import PREDICATES
from ...model.types import Relation
from ..views.acts import Act, acts
from ..views.story_view import StoryView


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
    def pair(self) -> tuple[str, str]:
        """The two, in order of id."""
        return min(self.subject, self.object), max(self.subject, self.object)

    def sentence(self, view: StoryView) -> str:
        """``Tom loves Anna (ch. 3)``, without a full stop."""
        return f"{view.worded(self.subject, self.predicate, self.object)} (ch. {self.told})"


def link_of(relation: Relation) -> Link:
    """The relation as a link, with its chapter, confidence and quotes."""
    return Link(
        relation.subject,
        relation.predicate,
        relation.object,
        relation.told,
        relation.confidence,
        relation.evidence,
    )


def links(view: StoryView, *, min_confidence: float, bonds: bool = True) -> Iterator[Link]:
    """All that happened and joins two: relations (unless ``bonds`` is False), what agents do to patients,
    and where people are when something happens (a LOCATED_AT link, on the event's quotes)."""
    for relation in view.relations() if bonds else ():
        if relation.confidence >= min_confidence and PREDICATES[relation.predicate].lasting:
            yield link_of(relation)
    for act in acts(view):
        if act.record.confidence >= min_confidence:
            yield from _links_of_act(act)


def _links_of_act(act: Act) -> Iterator[Link]:
    record = act.record
    people = dict.fromkeys((*act.agents, *act.patients))
    row = PREDICATES.get(act.predicate)
    if row is not None and row.symmetric:
        pairs = list(combinations(people, 2))
    else:
        pairs = [(agent, patient) for agent in act.agents for patient in act.patients if agent != patient]
    for one, other in pairs:
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


def quotes_of(found: Iterable[Link]) -> tuple[Evidence, ...]:
    """The quotes of the links, in order, each once."""
    return tuple(dict.fromkeys(quote for link in found for quote in link.evidence))
