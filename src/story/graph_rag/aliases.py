"""Which names are one person's, as a reader would say who has read so far and no further."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field

from .person_names import PersonName, same_given

__all__ = ["AliasBook", "Found"]


_WIVES = ("mrs", "lady")
# "the doctor" is whom the story has called Dr. so far, where there is one such
_ROLES = {f"the {role}": title for role, title in (("doctor", "dr"), ("professor", "professor"))} | {
    f"the {title}": title
    for title in "captain colonel general major inspector sergeant admiral judge lieutenant bishop".split()
}


@dataclass(slots=True)
class _Person:
    id: str
    order: int
    gender: str = ""
    given: str = ""
    surname: str = ""
    bare: str = ""
    titles: set[str] = field(default_factory=set)
    marital: str = ""


@dataclass(frozen=True, slots=True)
class Found:
    """Who a name means; ``merged`` holds the id of another person who, by this name, turns out to be the
    same (the younger of the two ids)."""

    id: str
    merged: str = ""


@dataclass(slots=True)
class AliasBook:
    """The persons known so far and the names they go by. ``resolve`` changes it; nothing looks ahead.

    A name that was once given to somebody stays theirs. A new name goes to the one known person who fits it;
    where none or several fit, it is somebody new. Different gender, different given name (short forms
    apart), different surname, or two of Mr, Mrs, Miss and Lady never fit.
    """

    _persons: dict[str, _Person] = field(default_factory=dict)
    _owner: dict[str, str] = field(default_factory=dict)

    def knows(self, surface: str) -> bool:
        """Is somebody called exactly so?"""
        return PersonName.parse(surface).key in self._owner

    def has(self, entity: str) -> bool:
        """Is this id a person, and not merged into another?"""
        return entity in self._persons

    def gender(self, entity: str) -> str:
        """``"f"``, ``"m"``, or ``""`` where nothing has told it or the id is no person."""
        person = self._persons.get(entity)
        return person.gender if person is not None else ""

    def find(self, surface: str, gender: str) -> str | None:
        """Who is meant, without making anybody up; changes nothing."""
        name = PersonName.parse(surface)
        return self._owned(name, gender) or self._only(name, gender)

    def resolve(self, surface: str, gender: str, *, fresh_id: str) -> Found:
        """Who is meant; somebody new gets ``fresh_id``. The person learns the name, its title and gender."""
        name = PersonName.parse(surface)
        known = self._owned(name, gender) or self._only(name, gender)
        if known is None:
            known = fresh_id
            self._persons[known] = _Person(known, len(self._persons))
        new = known == fresh_id
        person = self._persons[known]
        self._learn(person, name, gender)
        twin = None if new else self._twin(person, name)
        if twin is None:
            return Found(person.id)
        elder, younger = self.older(person.id, twin.id)
        return Found(elder, younger) if self.join(younger, elder) else Found(person.id)

    def join(self, entity: str, into: str) -> bool:
        """From now on the names of ``entity`` mean ``into``. False, and nothing done, where the two cannot
        be one (unknown, the same already, or of different gender)."""
        one, other = self._persons.get(entity), self._persons.get(into)
        if (
            one is None
            or other is None
            or one is other
            or (one.gender and other.gender and one.gender != other.gender)
        ):
            return False
        for key, owner in self._owner.items():
            if owner == entity:
                self._owner[key] = into
        other.gender = other.gender or one.gender
        other.given = other.given or one.given
        other.surname = other.surname or one.surname
        other.titles |= one.titles
        del self._persons[entity]
        return True

    def older(self, one: str, other: str) -> tuple[str, str]:
        """The two ids, the one met first in front."""
        first, second = sorted((one, other), key=lambda entity: self._persons[entity].order)
        return first, second

    def copy(self) -> AliasBook:
        return copy.deepcopy(self)

    # --- fitting -----------------------------------------------------------------------------------

    def _owned(self, name: PersonName, gender: str) -> str | None:
        owner = self._owner.get(name.key)
        if owner is None or self._clash(self._persons[owner].gender, gender):
            return None
        return owner

    @staticmethod
    def _clash(one: str, other: str) -> bool:
        return bool(one and other and one != other)

    def _only(self, name: PersonName, gender: str) -> str | None:
        """The one person who fits, at the first of these degrees at which anybody does."""
        possible = [p for p in self._persons.values() if self._possible(p, name, gender)]
        if name.given and name.surname:
            degrees = [
                [p for p in possible if same_given(p.given, name.given) and p.surname == name.surname],
                [p for p in possible if not p.surname and self._called(p, name.given)],
                self._by_surname(possible, name, gender),
            ]
        elif name.surname:
            degrees = [
                [p for p in possible if p.surname == name.surname and name.title in p.titles],
                self._by_surname(possible, name, gender),
            ]
        elif name.given:
            degrees = [[p for p in possible if self._called(p, name.given)]]
        elif name.bare in _ROLES:
            degrees = [[p for p in possible if _ROLES[name.bare] in p.titles]]
        else:
            surnamed = [p for p in possible if p.surname == name.bare]
            degrees = [
                [p for p in possible if same_given(p.given, name.bare)],
                self._plainly_so(surnamed),
            ]
        for fits in degrees:
            if fits:
                return fits[0].id if len(fits) == 1 else None
        return None

    def _possible(self, person: _Person, name: PersonName, gender: str) -> bool:
        if self._clash(person.gender, gender):
            return False
        if name.marital and person.marital and name.marital != person.marital:
            return False
        if name.surname and person.surname and name.surname != person.surname:
            return False
        if not (name.given and person.given):
            return True
        if "lady" in (name.title, person.marital):  # nobody says Lady Kitty
            return name.given == person.given
        return same_given(name.given, person.given)

    @staticmethod
    def _called(person: _Person, given: str) -> bool:
        return same_given(person.given, given) or (bool(person.bare) and person.bare == given)

    def _by_surname(self, possible: list[_Person], name: PersonName, gender: str) -> list[_Person]:
        """Bearers of the surname of whom the rest of the name is not known, or not needed: a wife's name is
        no daughter's, so a Mrs is only who is so titled; a known gender must be the same on both sides
        where more than one person bears the surname."""
        bearers = [p for p in self._persons.values() if name.surname in (p.surname, p.bare)]
        fits = [p for p in possible if p in bearers and not (name.given and p.given)]
        wife = name.marital if name.marital in _WIVES else ""
        fits = [p for p in fits if (p.marital if p.marital in _WIVES else "") == wife]
        if len(bearers) > 1:
            fits = [p for p in fits if gender and p.gender == gender]
        return fits

    @staticmethod
    def _plainly_so(bearers: list[_Person]) -> list[_Person]:
        """Of several bearers of a surname, who goes by it bare: no Mrs, Miss or Lady, and no woman beside a
        man; of these, then, the one of whom no given name is known."""
        if len(bearers) > 1:
            bearers = [p for p in bearers if p.marital not in ("mrs", "miss", "lady")]
        if any(p.gender == "m" for p in bearers):
            bearers = [p for p in bearers if p.gender != "f"]
        if len(bearers) > 1:
            bearers = [p for p in bearers if not p.given] or bearers
        return bearers

    # --- learning ----------------------------------------------------------------------------------

    def _learn(self, person: _Person, name: PersonName, gender: str) -> None:
        person.gender = person.gender or gender
        if name.given and name.surname and person.bare:
            person.bare = ""
        person.given = person.given or name.given
        person.surname = person.surname or name.surname
        if name.bare and not person.given and not person.surname:
            person.bare = person.bare or name.bare
        if name.title:
            person.titles.add(name.title)
        person.marital = person.marital or name.marital
        self._owner.setdefault(name.key, person.id)
        if person.bare == person.surname and person.surname:
            person.bare = ""

    def _twin(self, person: _Person, name: PersonName) -> _Person | None:
        """A full name joins one known by given name alone with one known by the bare surname, where nobody
        else bears that surname."""
        if not (name.given and name.surname):
            return None
        bearers = [
            p for p in self._persons.values() if p is not person and name.surname in (p.surname, p.bare)
        ]
        if len(bearers) != 1:
            return None
        (other,) = bearers
        if other.given or self._clash(other.gender, person.gender):
            return None
        if other.surname and other.marital != "miss" and not (other.gender and other.gender == person.gender):
            return None  # a Mr of that surname may be a father
        return other if other.marital not in _WIVES else None
