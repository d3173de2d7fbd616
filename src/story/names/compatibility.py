"""Which two of the known could be one person, as far as is known of them."""

from __future__ import annotations

from ..lexicon.short_forms import SHORT_FORMS
from .lexicon import GIVEN, TITLES
from .person_name import PersonName, first_name, same_given
from .person_record import ESTABLISHED, WIVES, clash, could_be
from .roster import Roster

__all__ = [
    "familiar",
    "may_answer",
    "may_be_one",
    "nameless",
    "of_the_family",
]

SELDOM = 0.4  # of the uses of a name
PET_STEM = 3  # letters that a pet name and the given name have in common


def may_be_one(roster: Roster, one: str, other: str, *, roles: bool = False) -> bool:
    """Does nothing that is known of the two speak against their being one person? Without ``roles``,
    whoever is but "the captain" is nobody else: he may be several."""
    pair = [p for entity in (one, other) if (p := roster.persons.get(entity)) is not None]
    if len(pair) != 2 or clash(roster.gender(one), roster.gender(other)):
        return False
    first, second = pair
    if first.given and second.given and not same_given(first.given, second.given):
        return False
    if not roles and any(key.startswith("the ") for person in pair for key in person.keys):
        return False
    wed = "mrs" in (first.marital, second.marital) and first.marital != second.marital
    kin = not first.surnames or not second.surnames or any(map(first.bears, second.surnames))
    return (kin or wed) and not roster.are_apart(first, second)


def nameless(roster: Roster, entity: str) -> bool:
    """Is the person only ever called by a role, and not who tells the story?"""
    person = roster.persons.get(entity)
    if person is None or "the narrator" in person.keys:
        return False
    return all(key.startswith("the ") for key in person.keys)


def familiar(roster: Roster, entity: str) -> bool:
    """Is the person called by a given name alone, three times or more, and mostly by those who speak or as
    an aunt or uncle?"""
    person = roster.persons.get(entity)
    if person is None or person.surnames or person.count < ESTABLISHED:
        return False
    word = first_name(person.given or person.bare)
    known = word in GIVEN or word in SHORT_FORMS
    return known and (person.narrated <= SELDOM * person.count or person.of_somebodys_kin)


def may_answer(roster: Roster, entity: str, surface: str) -> bool:
    """May the person, known by given name and surname, be spoken to so?"""
    person, name = roster.persons[entity], PersonName.parse(surface)
    fits = bool(person.given) and name.surname in person.surnames and person.marital not in WIVES
    apart = roster.apart.get(name.key, ())
    return fits and entity not in apart and could_be(person, name, name.gender or TITLES[name.title])


def of_the_family(roster: Roster, surface: str) -> bool:
    """Does a name of two words or more hold one that somebody bears?"""
    name = PersonName.parse(surface)
    return name.full and bool(roster.among(name))
