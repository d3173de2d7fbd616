"""What accounts for harm done by one person to another: hostility told before it, and its echo around it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...graph_rag.views.acts import Act
from ...graph_rag.views.story_view import Place, StoryView
from ...model.predicates import PREDICATES
from ...model.types import EventTold, Modality, Relation

__all__ = ["HARM", "PLAY", "echoed", "hostile_before"]

HARM = frozenset({"KILLS", "ATTACKS", "BETRAYS", "STEALS_FROM"})
# what a fight or a crime has around it (Levin 1993: 18 hit, 19 poke, 40.8 bodily harm, 42 kill, 51.6 chase)
_ECHOES = frozenset(
    """struggle fight stab shoot wound bleed attack kill grapple wrestle arrest steal rob betray poison
    strangle choke disarm murder avenge""".split()
)
# what goes with much else as well: an echo only between the two themselves
_FAINT_ECHOES = frozenset(
    """strike hit beat faint scream shriek die threaten quarrel accuse confess knock pursue punish revenge
    hate""".split()
)
PLAY = re.compile(
    r"\b(?:laugh\w*|playful\w*|jok\w+|jest\w*|teas\w+|merr(?:il|im)\w+|snowballs?|papers?(?!-)|petals?|"
    r"blossoms?|flowers?|lil(?:y|ies)|roses|daisies|bouquet|kiss\w*|pillows?|mock)\b|"
    r"\bshot (?:back )?at [^.,;]{1,30}, [“\"]",
    re.IGNORECASE,
)
"""Words beside which harm is none: it is done in play."""
_SLIGHT = frozenset({"LEAVES", "INSULTS"})
_GRAVE = HARM | {"HATES", "ENEMY_OF", "HARMS", "QUARRELS_WITH"}
_SURE = 0.6
_LATELY = 3  # chapters in which what was done to a third is still felt


def hostile_before(view: StoryView, act: Act, people: tuple[str, ...]) -> bool:
    """Is anything hostile, or a plan of it, told between two of these people before the act, or told as a
    flashback at any time? What happens all the time (a leave, a harsh word) is none, but in the same chapter
    or the one before. Or has one of them lately had harm from, or done it to, somebody dear to the other?"""
    one, other = people[0], people[-1]
    for record, between in _dealings(view, one):
        if other not in between or record is act.record or not _hostile(record):
            continue
        place = view.place(record)
        if record.predicate in _SLIGHT:
            if act.place[0] - 1 <= place[0] and place < act.place:
                return True
        elif place < act.place or record.modality is Modality.FLASHBACK or record.predicate in HARM:
            return True  # before, or it goes on
    ties, other_ties = _bound(view, one, act.place), _bound(view, other, act.place)
    foes, other_foes = _foes(view, one, act.place), _foes(view, other, act.place)
    return bool(((ties & other_foes) | (other_ties & foes)) - {one, other})


def _hostile(record: Relation | EventTold) -> bool:
    row = PREDICATES.get(record.predicate)
    if row is None or row.sign >= 0 or record.confidence < _SURE:
        return False
    return not (record.predicate == "ATTACKS" and record.evidence and PLAY.search(record.evidence[0].line))


def _bound(view: StoryView, who: str, before: Place) -> set[str]:
    """Those whom ``who`` loves or is kin to."""
    return {
        end
        for relation in view.relations(who)
        if view.place(relation) < before
        and relation.confidence >= _SURE
        and PREDICATES[relation.predicate].lasting
        and (PREDICATES[relation.predicate].sign > 0 or PREDICATES[relation.predicate].permanent)
        for end in (relation.subject, relation.object)
    }


def _foes(view: StoryView, who: str, before: Place) -> set[str]:
    """Those to or from whom ``who`` has had harm or hatred of late."""
    return {
        end
        for record, between in _dealings(view, who)
        if view.place(record) < before
        and record.modality.happened
        and _hostile(record)
        and record.predicate in _GRAVE
        and view.place(record)[0] >= before[0] - _LATELY
        for end in between
    }


def echoed(view: StoryView, act: Act, people: tuple[str, ...], *, around: int) -> bool:
    """Does anything within ``around`` characters, but for the sentence itself and the next to it, have to do
    with harm, with one of these people in it?"""
    for who in people:
        for event in view.events(who, happened=False, untyped=True):
            both = set(people) <= {end for _, end in event.participants}
            hostile = event.verb in _ECHOES or (both and event.verb in _FAINT_ECHOES)
            hostile = hostile or (_hostile(event) and (both or event.predicate not in _SLIGHT))
            if hostile and event is not act.record and _near(view.place(event), act.place, around):
                return True
        for relation in view.relations(who, happened=False):
            if _hostile(relation) and _near(view.place(relation), act.place, around):
                return True
    return False


def _dealings(view: StoryView, who: str) -> Iterator[tuple[Relation | EventTold, tuple[str, ...]]]:
    for relation in view.relations(who, happened=False):
        yield relation, (relation.subject, relation.object)
    for event in view.events(who, happened=False):
        yield event, tuple(entity for _, entity in event.participants)


def _near(one: Place, other: Place, around: int) -> bool:
    """In one chapter and document, so many characters apart at most, and not in the same breath."""
    return one[:2] == other[:2] and _BREATH < abs(one[2] - other[2]) <= around


_BREATH = 160
