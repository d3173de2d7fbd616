"""A weighty act out of nowhere: nothing told before it could have moved anyone to it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from ...graph_rag.views.story_view import StoryView
from ...graph_rag.views.timeline import acts
from ...model.findings import Violation
from ...model.predicates import PREDICATES
from ...model.types import EntityKind, EventTold, Modality
from .rule import Record, counts, finding, in_document

WEIGHTY: Mapping[str, str] = MappingProxyType(
    {
        "KILLS": "killing",
        "DIES": "death",
        "ATTACKS": "attack",
        "BETRAYS": "betrayal",
        "STEALS_FROM": "theft",
        "MARRIES": "marriage",
    }
)
"""Events that a reader expects to have been led up to, and the noun for each."""

_HARM = frozenset({"KILLS", "ATTACKS", "BETRAYS", "STEALS_FROM"})
_REASON = re.compile(
    r"\b(?:because|so that|in order to|out of (?:\w+ )?\w+|revenge|to (?:punish|avenge)|for having|"
    r"die[ds]? (?:\w+ ){0,2}(?:of|from|in)|in (?:self-defence|self-defense))\b",
    re.IGNORECASE,
)
_TAKING = frozenset("take get have receive draw fetch".split())  # "took the parcel from" is no theft
_SURE = 0.45


def orphaned_event(view: StoryView, draft: str | None = None) -> Iterator[Record | Violation]:
    """A weighty event (``WEIGHTY``) after chapter 1 with no earlier record that could motivate it, between
    people whom an earlier chapter has shown.

    What accounts for one: a cause told in its own sentence; any earlier relation, event or goal of theirs
    that could lead to it. Harm is accounted for only by something hostile between the two, or by harm to a
    third who is dear to one of them; a death also by a low feeling, or by anything done to the one who dies.

    Cannot see motives that are only implied, so it is the least sure of the rules.
    """

    for event, people in _weighty(view, draft):
        yield event
        if _REASON.search(event.evidence[0].quote) or _led_up_to(view, event, people):
            continue
        noun, names = WEIGHTY[event.predicate], " and ".join(map(view.name, people))
        met = [entity.evidence[0] for who in people if (entity := view.entity(who)) is not None]
        yield finding(
            "orphaned_event",
            f"The {noun} in chapter {event.told} ({names}) has no preparation in the text before.",
            people,
            sorted([*met, event.evidence[0]], key=view.place),
            confidence=min(_SURE, event.confidence),
            suggestion=f"Prepare the {noun}: give a motive, a quarrel, a plan or a cause before it.",
            unless="the text gives a cause, or an earlier relation, event or goal that could lead to it",
        )


def _weighty(view: StoryView, document: str | None) -> Iterator[tuple[EventTold, list[str]]]:
    for event in view.events():
        if event.predicate not in WEIGHTY or event.modality is not Modality.FACT or event.told < 2:
            continue
        if not counts(event) or not in_document(event, document):
            continue
        if event.predicate == "STEALS_FROM" and event.verb in _TAKING:
            continue
        people = list(dict.fromkeys(who for role, who in event.participants if role != "place"))
        known = [view.entity(who) for who in people]
        established = all(
            one is not None and one.kind is EntityKind.CHARACTER and one.first_appearance < event.told
            for one in known
        )
        if established and (len(people) > 1 or (people and event.predicate == "DIES")):
            yield event, people


def _led_up_to(view: StoryView, event: EventTold, people: list[str]) -> bool:
    harm, before = event.predicate in _HARM, view.place(event)
    for who in people:
        for relation in view.relations(who, happened=False):
            other = relation.object if relation.subject == who else relation.subject
            sign = PREDICATES[relation.predicate].sign
            told = view.place(relation) < before or relation.modality is Modality.FLASHBACK
            if told and ((other in people and sign < 0) if harm else relation.predicate != "KNOWS"):
                return True
        for act in acts(view, who):
            if act.record is event or act.place >= before:
                continue
            row = PREDICATES.get(act.predicate)
            hostile = row is not None and row.sign < 0
            if hostile or (not harm and len({*act.agents, *act.patients} & set(people)) > 1):
                return True
        if harm:
            continue
        if any(goal.valence > 0 and view.place(goal) < before for goal in view.states(who, "goal")):
            return True
        low = (state.valence < 0 and view.place(state) < before for state in view.states(who, "emotion"))
        if event.predicate == "DIES" and any(low):
            return True
    return False
