"""Alias resolution: which names are one person's, as a reader would say who has read no further."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from .person_record import ESTABLISHED, WIVES, KnownPerson, PersonName, clash, contrasted, could_be
from .roster import IN_PASSING, ROLES, Roster, plain_men

OWN_VOICE = 0.4


@dataclass(frozen=True, slots=True)
class Found:
    """Who a name means; ``merged`` holds the id of another person who, by this name, turns out to be the
    same (the younger of the two ids)."""

    id: str
    merged: str = ""


@dataclass(slots=True)
class AliasBook:
    """The persons known so far and the names they go by. ``resolve`` changes it; nothing looks ahead.

    A name that was once given to somebody stays theirs. A new name goes to the one known person who fits it
    (or to whom it is given far more often than to all others who do); where none or several fit, it is
    somebody new. Different gender, different given name (short forms apart), different surname, or two of
    Mr, Mrs, Miss and Lady never fit.
    """

    roster: Roster = field(default_factory=Roster)
    _chapters: int = 0
    _own_voice: int = 0
    _kept_apart: set[frozenset[str]] = field(default_factory=set)

    def knows(self, surface: str) -> bool:
        """Is somebody called exactly so?"""
        return PersonName.parse(surface).key in self.roster.owner

    def has(self, entity: str) -> bool:
        """Is this id a person, and not merged into another?"""
        return entity in self.roster.persons

    def hint(self, entity: str, gender: str) -> None:
        """A pronoun spoke of the person as ``"f"`` or ``"m"``."""
        person = self.roster.persons.get(entity)
        if person is not None:
            person.hints[gender] = person.hints.get(gender, 0) + 1

    def own_voice(self, *, said: bool) -> bool:
        """A chapter is told, in which the narration says "I" or not: is the story one told by a narrator, in
        at least four chapters of ten so far? A letter in a chapter of its own makes none."""
        self._chapters += 1
        self._own_voice += said
        return said and self._own_voice >= OWN_VOICE * self._chapters

    def of_the_family(self, surface: str) -> bool:
        """Does a name of two words or more hold one that somebody bears?"""
        name = PersonName.parse(surface)
        return name.full and bool(self.roster.among(name))

    def find(self, surface: str, gender: str) -> str | None:
        """Who is meant, without making anybody up; changes nothing."""
        return self._meant(name := PersonName.parse(surface), gender or name.gender, ())

    def resolve(
        self,
        surface: str,
        gender: str,
        *,
        fresh_id: str,
        barred: Collection[str] = (),
        narrated: bool = False,
    ) -> Found:
        """Who is meant; somebody new gets ``fresh_id``. The person learns the name, its title and gender.
        ``barred`` are the ids of who is certainly not meant; ``narrated`` says that the name stands in the
        narration and not in speech."""
        name = PersonName.parse(surface)
        gender = gender or name.gender
        known = self._meant(name, gender, barred)
        if known is None:
            known = fresh_id
            self.roster.persons[known] = KnownPerson(known, len(self.roster.persons))
        person = self.roster.persons[known]
        knew = person.order if person.given and person.surnames else -1
        if narrated:
            person.told[name.key] = person.told.get(name.key, 0) + 1
        self.roster.learn(person, name, gender)
        twin = self._twin(person, name) if name.full else None
        if twin is not None and twin.order < knew and not (name.epithet or name.title == "mrs"):
            twin = None  # there was a Mr. Knightley before John Knightley came, and he was somebody else
        if twin is None:
            return Found(person.id)
        elder, younger = self.older(person.id, twin.id)
        return Found(elder, younger) if self.join(younger, elder) else Found(person.id)

    def assign(self, surface: str, gender: str, *, entity: str, narrated: bool = False) -> None:
        """The name is that of ``entity``, somebody new or known, whatever else it would fit."""
        name = PersonName.parse(surface)
        person = self.roster.persons.get(entity)
        if person is None:
            person = self.roster.persons[entity] = KnownPerson(entity, len(self.roster.persons))
        self.roster.owner[name.key] = entity
        person.told[name.key] = person.told.get(name.key, 0) + narrated
        self.roster.learn(person, name, gender or name.gender)

    def keep_apart(self, one: str, other: str) -> None:
        """From now on nothing makes the two one."""
        self._kept_apart.add(frozenset({one, other}))

    def join(self, entity: str, into: str, *, sure: bool = False) -> bool:
        """From now on the names of ``entity`` mean ``into``. False, and nothing done, where the two cannot
        be one (unknown, the same already, kept apart, or of different gender, unless it is ``sure``)."""
        one, other = self.roster.persons.get(entity), self.roster.persons.get(into)
        if one is None or other is None or one is other or frozenset({entity, into}) in self._kept_apart:
            return False
        if clash(one.gender, other.gender) and not sure:
            return False
        self._kept_apart = {frozenset(into if i == entity else i for i in pair) for pair in self._kept_apart}
        for key, owner in self.roster.owner.items():
            if owner == entity:
                self.roster.owner[key] = into
        other.gender, other.generation = other.gender or one.gender, other.generation or one.generation
        if one.given and (not other.given):
            other.given = one.given
        other.marital = one.marital if one.marital in WIVES else other.marital or one.marital
        other.titles |= one.titles
        for surname in one.surnames:
            self.roster.take_surname(other, surname)
            if one.given:
                self.roster.owner.setdefault(f"{one.given} {surname}", into)
        counters = ((other.keys, one.keys), (other.words, one.words), (other.plain, one.plain))
        for mine, theirs in (*counters, (other.hints, one.hints), (other.told, one.told)):
            for key, count in theirs.items():
                mine[key] = mine.get(key, 0) + count
        other.count, other.last = other.count + one.count, max(other.last, one.last)
        other.formal |= one.formal
        for bearers in self.roster.bearing.values():
            if entity in bearers:
                bearers.remove(entity)
                if into not in bearers:
                    bearers.append(into)
        del self.roster.persons[entity]
        return True

    def older(self, one: str, other: str) -> tuple[str, str]:
        """The two ids, the one met first in front."""
        first, second = sorted((one, other), key=lambda entity: self.roster.persons[entity].order)
        return first, second

    # --- fitting -----------------------------------------------------------------------------------

    def _meant(self, name: PersonName, gender: str, barred: Collection[str]) -> str | None:
        owned = self._owned(name, gender)
        if owned is not None and owned not in barred:
            return owned
        found = self.roster.only(name, gender, barred)
        return self.roster.only(name.other, gender, barred) if found is None and name.either else found

    def _owned(self, name: PersonName, gender: str) -> str | None:
        """Whose name it is: for a given name alone (or a word that may be one) not who was named by it but
        in passing, long ago, where somebody else of that name has come up since."""
        owner = self.roster.owner.get(name.key)
        if owner is None or self.roster.contradicts(owner, name, gender):
            return None
        word = name.given or name.bare
        shared = name.key == word and len(self.roster.bearing.get(word, ())) > 1
        if name.bare in ROLES or (shared and self.roster.forgotten(self.roster.persons[owner])):
            found = self.roster.only(name, gender, () if name.bare in ROLES else {owner})
            if found is not None:
                self.roster.owner[name.key] = found
        return self.roster.owner[name.key]

    def _twin(self, person: KnownPerson, name: PersonName) -> KnownPerson | None:
        """A full name joins one known by given name alone with one known by the bare surname, where nobody
        else of that surname could be meant."""
        gender = self.roster.gender(person.id)
        namesakes = [p for p in self.roster.among(name) if p is not person and p.bears(name.surname)]
        if name.epithet:  # "Long John Silver", and there is a John Silver
            called = self.roster.persons.get(self.roster.owner.get(f"{name.epithet} {name.given}", ""))
            if called is not None and called is not person and not called.surnames:
                namesakes.append(called)
            same = [p for p in namesakes if p.given and could_be(p, name, gender)]
            return same[0] if len(same) == 1 else None
        if len(namesakes) == 1 and not name.title and person.may_be_wed:  # no family: no mother, no daughter
            (only,) = namesakes
            if only.marital == "mrs" and not only.given:
                return only
        others = [p for p in namesakes if not p.given]
        others = [p for p in others if not clash(self.roster.gender(p.id), gender)]
        others = [p for p in others if could_be(p, name, gender) and not contrasted(p, name)]
        wife = person.marital in WIVES
        others = [p for p in others if (p.marital in WIVES) == wife or "madame" in p.titles]
        if "miss" in person.formal:
            others = [p for p in others if p.plain.get("miss", 0) < ESTABLISHED]
        if person.by_given:  # whom the narration calls Tom is not its Mr. Hale as well
            others = [p for p in others if p.named_by("mr", told=True) < ESTABLISHED]
        others = plain_men(others) if gender != "f" else others
        if len(others) > 1:  # "the girl's surname was Baker" tells of nobody else
            others = [p for p in others if not p.bare or p.count > IN_PASSING]
        if len(others) != 1:
            return None
        (other,) = others
        if other.plain.get("mrs", 0) >= ESTABLISHED and not person.called_by("mrs"):
            return None if person.count >= ESTABLISHED else other  # who is wed is not her mother
        if other.surnames and other.marital != "miss" and not (gender and other.gender == gender):
            return None  # a Mr of that surname may be a father
        return other
