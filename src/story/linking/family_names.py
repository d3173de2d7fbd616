"""Sons and brothers of somebody with a surname, who are called by a given name alone: they bear it as well.

And so they are not who is called by that given name and another surname.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..model.chapter_reading import ChapterReading
from ..names.roster import Roster
from .state import KnownSoFar

__all__ = ["learn_families"]

SURE = 0.8
TELLINGS = 2  # all of one surname
_HEIRS = {"SIBLING_OF": ((0, 1), (1, 0)), "CHILD_OF": ((0, 1),), "PARENT_OF": ((1, 0),)}


def learn_families(reading: ChapterReading, ids: Sequence[str | None], state: KnownSoFar) -> None:
    """Counts what the chapter tells of brothers, fathers and sons; who was told ``TELLINGS`` times to be of
    one house, and of no other, bears its name from here on."""
    for statement in reading.statements:
        heirs = _HEIRS.get(statement.predicate)
        if heirs is None or not statement.modality.happened or statement.confidence < SURE:
            continue
        one, other = ids[statement.subject], ids[statement.object]
        if one is None or other is None or not state.agrees(statement.genders, ids):
            continue
        pair = state.root(one), state.root(other)
        for heir, elder in heirs:
            _inherit(state.book.roster, pair[heir], pair[elder])


def _inherit(roster: Roster, heir: str, elder: str) -> None:
    person, bearer = roster.persons.get(heir), roster.persons.get(elder)
    if person is None or bearer is None or not bearer.surname or heir == elder:
        return
    if roster.gender(heir) != "m" or roster.gender(elder) != "m" or roster.are_apart(person, bearer):
        return
    person.house[bearer.surname] = person.house.get(bearer.surname, 0) + 1
    if person.surnames or not person.given or " " in person.given or person.noble:
        return
    if sum(person.house.values()) == person.house[bearer.surname] >= TELLINGS:
        roster.take_surname(person, bearer.surname)
