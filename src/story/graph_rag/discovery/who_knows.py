"""Who could know of an event: those who took part, were there, came to know it, and whomever those told.

The closure respects time: only what passes after one could know it can carry it on.
"""

from __future__ import annotations

import bisect
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from ....core.types import Evidence
from ....errors import UsageError
from ...model.types import EntityKind, EventTold
from ..views.acts import act_of
from ..views.story_view import Place, StoryView

__all__ = ["Knower", "who_could_know"]

TOOK_PART, WAS_THERE, IS_TOLD, HEARS, HEARS_OF_THEM = 1.0, 0.8, 0.6, 0.3, 0.6
LEAST = 0.05
LETTERS = 3
_PEOPLE = frozenset({EntityKind.CHARACTER, EntityKind.GROUP})
_WORD = re.compile(r"\w+")
_WAYS = {
    "took part": "took part in it",
    "was there": "was there",
    "learned it": "learns of it",
    "was told": "could have it from {via}",
    "spoke with": "could have heard it from {via}",
}


@dataclass(frozen=True, slots=True)
class Knower:
    """``entity`` could know from chapter ``since`` on, with ``certainty`` 0 to 1 (a product along the way it
    took). ``way`` is ``"took part"``, ``"was there"``, ``"learned it"``, ``"was told"`` or ``"spoke with"``;
    ``via`` is who told them, if anybody; ``hops`` counts those who passed it on. The evidence is of the last
    step."""

    entity: str
    since: int
    certainty: float
    way: str
    via: str | None
    hops: int
    evidence: tuple[Evidence, ...]

    @property
    def surprise(self) -> float:
        """In nats: ``-log(certainty)``."""
        return -math.log(self.certainty)

    def sentence(self, view: StoryView) -> str:
        """How they could know, in words, with the names of ``view``."""
        said = _WAYS[self.way].format(via=view.name(self.via) if self.via else "somebody")
        return f"{view.name(self.entity)} {said} (ch. {self.since}, certainty {self.certainty:.2f})."


@dataclass(frozen=True, slots=True)
class _Contact:
    """``source`` may have passed something to ``entity`` at ``place``; no source: it came to know it."""

    place: Place
    entity: str
    source: str | None
    factor: float
    way: str
    evidence: tuple[Evidence, ...]


def who_could_know(view: StoryView, event_id: str) -> tuple[Knower, ...]:
    """Everybody who could know of the event at the view's horizon, the surest first, ties by chapter and id.

    Certainty: 1 for those who take part and outlive it, 0.8 for those on stage in its scene, the telling's
    own confidence for those said to learn it. It goes on by what is told to somebody (0.6 of the source's),
    by talk (0.3, or 0.6 where the words name one who took part) and by what somebody learns from them (0.6);
    below 0.05 it is dropped. Of two ways the surer is given. Raises UsageError where no such event is told
    up to the horizon. Costs one pass over all talk.
    """
    event = next((one for one in view.events(happened=False, untyped=True) if one.id == event_id), None)
    if event is None:
        raise UsageError(f"no event {event_id!r} is told here: view.events() lists those that are")
    act = act_of(view, event)
    gone = frozenset(act.dead)
    people = frozenset(one.id for one in view.entities() if one.kind in _PEOPLE)
    known: dict[str, Knower] = {}
    for entity in dict.fromkeys((*act.agents, *act.patients)):
        if entity in people and entity not in gone:
            known[entity] = Knower(entity, event.told, TOOK_PART, "took part", None, 0, event.evidence)
    if not act.flashback:
        for entity, evidence in _present(view, event, act.place):
            if entity in people and entity not in gone and entity not in known:
                known[entity] = Knower(entity, event.told, WAS_THERE, "was there", None, 0, evidence)
    for contact in sorted(_contacts(view, event), key=_order):
        if contact.entity in people and contact.entity not in gone:
            _pass_on(known, contact, act.place)
    return tuple(sorted(known.values(), key=lambda one: (-one.certainty, one.since, one.entity)))


def _order(contact: _Contact) -> tuple[object, ...]:
    return contact.place, contact.source or "", contact.entity, contact.way


def _pass_on(known: dict[str, Knower], contact: _Contact, since: Place) -> None:
    if contact.source is None:
        certainty, hops = contact.factor, 0
    elif contact.source in known and contact.place >= since:
        teller = known[contact.source]
        certainty, hops = teller.certainty * contact.factor, teller.hops + 1
    else:
        return
    before = known.get(contact.entity)
    if certainty >= LEAST and (before is None or certainty > before.certainty):
        known[contact.entity] = Knower(
            contact.entity, contact.place[0], certainty, contact.way, contact.source, hops, contact.evidence
        )


def _present(view: StoryView, event: EventTold, place: Place) -> Iterator[tuple[str, tuple[Evidence, ...]]]:
    """Who is on stage in the event's scene: the last one of its chapter of which there is a sign by then."""
    stage = view.on_stage(event.told)
    first: dict[int, int] = {}
    for presence in stage:
        start = presence.evidence.span.start
        first[presence.scene] = min(first.get(presence.scene, start), start)
    if not first:
        return
    scenes = sorted(first, key=lambda scene: (first[scene], scene))
    at = bisect.bisect_right([first[scene] for scene in scenes], place[2]) - 1
    here = scenes[max(0, at)]
    for presence in stage:
        if presence.scene == here:
            yield presence.entity, (presence.evidence,)


def _contacts(view: StoryView, event: EventTold) -> Iterator[_Contact]:
    for told in view.events():
        if told.predicate == "TELLS":
            act = act_of(view, told)
            for one in act.agents:
                for other in act.patients:
                    yield _Contact(
                        act.place, other, one, IS_TOLD * told.confidence, "was told", told.evidence
                    )
    cast = {entity for role, entity in event.participants if role != "place"}
    names = _names(view, cast)
    for quotation in view.quotations():
        if quotation.speaker is None or not quotation.hearers:
            continue
        said = " ".join(evidence.quote for evidence in quotation.evidence[: quotation.pieces])
        words = frozenset(_WORD.findall(said.casefold()))
        named = any(words & names[entity] for entity in cast - {quotation.speaker})
        factor = (HEARS_OF_THEM if named else HEARS) * quotation.confidence
        for hearer in quotation.hearers:
            if hearer != quotation.speaker:
                place = view.place(quotation)
                yield _Contact(place, hearer, quotation.speaker, factor, "spoke with", quotation.evidence)
    yield from _learnings(view, event)


def _learnings(view: StoryView, event: EventTold) -> Iterator[_Contact]:
    for person in dict.fromkeys(view.resolve(item.entity) for item in view.log.knowledge):
        for item in view.knowledge(person):
            if not item.modality.happened or not item.evidence:
                continue
            place = view.place(item.evidence[0])
            if item.event == event.id:
                yield _Contact(place, person, None, item.confidence, "learned it", item.evidence)
            elif item.source is not None and item.event is None and item.source != person:
                factor = IS_TOLD * item.confidence
                yield _Contact(place, person, item.source, factor, "was told", item.evidence)


def _names(view: StoryView, cast: Iterable[str]) -> Mapping[str, frozenset[str]]:
    """The words of each one's names, in small letters, that are not titles and such: longer than three."""
    found: dict[str, frozenset[str]] = {}
    for one in cast:
        entity = view.entity(one)
        surfaces = (entity.name, *entity.aliases) if entity else ()
        found[one] = frozenset(
            word for surface in surfaces for word in _WORD.findall(surface.casefold()) if len(word) > LETTERS
        )
    return found
