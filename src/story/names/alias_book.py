"""Which names are one person's, as a reader would say who has read so far and no further."""

from __future__ import annotations

import copy
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from .person_record import DOMINANT, ESTABLISHED, PRINCELY, WIVES, KnownPerson, PersonName, clash, could_be
from .roster import IN_PASSING, ROLES, Roster, plain_men

OWN_VOICE = 0.4
YOUNGER = frozenset({"young", "little"})  # "young Giles" is no Mr. Giles Vane
_NOBODY: Mapping[str, str] = MappingProxyType({})


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
    Mr, Mrs, Miss and Lady never fit; nor does who is named beside it ("Elizabeth and Miss Bennet").
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

    def gender(self, entity: str) -> str:
        """``"f"``, ``"m"``, or ``""`` where nothing has told it or the id is no person: by title or given
        name, failing that by the pronouns that stand for the person (three or more, four of five alike)."""
        return self.roster.gender(entity)

    def hint(self, entity: str, gender: str) -> None:
        """A pronoun spoke of the person as ``"f"`` or ``"m"``."""
        person = self.roster.persons.get(entity)
        if person is not None:
            person.hints[gender] = person.hints.get(gender, 0) + 1

    def narrate(self, entity: str, *, spoken: bool = False) -> None:
        """The narration named the person, or somebody who speaks did."""
        person = self.roster.persons.get(entity)
        if person is not None:
            person.narrated, person.said = person.narrated + (not spoken), person.said + spoken

    def narrated(self, entity: str) -> int:
        """How often the narration has named the person so far."""
        person = self.roster.persons.get(entity)
        return person.narrated if person is not None else 0

    def named(self, entity: str) -> bool:
        """Has the person a name, and not only a role?"""
        person = self.roster.persons.get(entity)
        return person is not None and bool(person.given or person.surnames)

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
        return self._meant(name := PersonName.parse(surface), gender or name.gender, _NOBODY)

    def resolve(
        self,
        surface: str,
        gender: str,
        *,
        fresh_id: str,
        beside: Mapping[str, str] = _NOBODY,
        narrated: bool = False,
    ) -> Found:
        """Who is meant; somebody new gets ``fresh_id``. The person learns the name, its title and gender.
        ``beside`` gives the ids of whom the text names as others in the same breath, and as what;
        ``narrated`` says that the name stands in the narration and not in speech."""
        name = PersonName.parse(surface)
        gender = gender or name.gender
        self._tell_apart(name, beside)
        known = self._meant(name, gender, beside)
        if known is None:
            known = fresh_id
            self.roster.persons[known] = KnownPerson(known, len(self.roster.persons))
        person = self.roster.persons[known]
        knew = person.order if person.given and person.surnames else -1
        if narrated:
            person.told[name.key] = person.told.get(name.key, 0) + 1
        new_title = bool(name.title) and name.title not in person.titles
        self.roster.learn(person, name, gender)
        same = self._nameless(person, name.title) if new_title else None
        if same is not None:
            elder, younger = self.older(person.id, same.id)
            if self.join(younger, elder):
                return Found(elder, younger)
        twin = self._twin(person, name) if name.full else None
        if twin is not None and twin.order < knew:
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
        if one.given and (not other.given or other.lent):
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
        other.young, other.narrated = other.young + one.young, other.narrated + one.narrated
        other.said += one.said
        other.formal |= one.formal
        for bearers in self.roster.bearing.values():
            if entity in bearers:
                bearers.remove(entity)
                if into not in bearers:
                    bearers.append(into)
        del self.roster.persons[entity]
        return True

    def marry(self, one: str, other: str) -> tuple[str, str] | None:
        """The two are married: she may go by his surname from now on. Where a Mrs. of that name was told of
        whose given name nobody said, the two are joined; gives (younger, elder), else None."""
        pair = [p for entity in (one, other) if (p := self.roster.persons.get(entity)) is not None]
        wife = next((p for p in pair if self.roster.gender(p.id) == "f"), None)
        husband = next((p for p in pair if p is not wife and self.roster.gender(p.id) == "m"), None)
        if wife is None or husband is None or not husband.surname or wife.bears(husband.surname):
            return None
        wife.marital = "mrs"
        namesake = self.roster.persons.get(self.roster.owner.get(f"mrs {husband.surname}", ""))
        if namesake is None:
            self.roster.take_surname(wife, husband.surname)
        if namesake is None or namesake.given or namesake is wife or self.roster.are_apart(namesake, wife):
            return None
        elder, younger = self.older(wife.id, namesake.id)
        return (younger, elder) if self.join(younger, elder) else None

    def older(self, one: str, other: str) -> tuple[str, str]:
        """The two ids, the one met first in front."""
        first, second = sorted((one, other), key=lambda entity: self.roster.persons[entity].order)
        return first, second

    def copy(self) -> AliasBook:
        """The same persons and names: what the one learns the other does not."""
        return copy.deepcopy(self)

    # --- fitting -----------------------------------------------------------------------------------

    def _meant(self, name: PersonName, gender: str, beside: Collection[str]) -> str | None:
        owned = self._owned(name, gender)
        if owned is not None:
            return owned
        titled = self.roster.of_the_same_full_name(name, gender)
        if titled is not None:
            return titled
        barred = {*beside, *self.roster.apart.get(name.key, ())}
        if name.epithet in YOUNGER:
            usual = self._owned(PersonName.parse(name.key.removeprefix(f"{name.epithet} ")), gender)
            barred |= {usual} if usual and self.roster.contradicts(usual, name, gender) else set()
            if usual is not None and usual not in barred and not self.roster.persons[usual].elder:
                return usual
            barred |= {p.id for p in self.roster.among(name) if p.elder}
        found = self.roster.only(name, gender, barred)
        if found is None and name.either:
            found = self.roster.only(name.other, gender, barred)
        return found

    def _owned(self, name: PersonName, gender: str) -> str | None:
        """Whose name it is: for a given name alone (or a word that may be one) not who was named by it but
        in passing, long ago, where somebody else of that name has come up since."""
        owner = self.roster.owner.get(name.key)
        if owner is None or self.roster.contradicts(owner, name, gender):
            return None
        if name.bare in ROLES:
            return self._of_role(name, owner)
        if name.title == "miss" and name.surname and not name.given and self.roster.persons[owner].young:
            owner = self._eldest(name, owner)
        word = name.given or name.bare
        if (
            name.key == word
            and len(self.roster.bearing.get(word, ())) > 1
            and self.roster.forgotten(self.roster.persons[owner])
        ):
            found = self.roster.only(name, gender, {owner})
            if found is not None:
                self.roster.owner[name.key] = found
                return found
        return owner

    def _of_role(self, name: PersonName, owner: str) -> str:
        """The captain of long ago gives way to the one who is about, and who was but once called captain to
        the one who always is."""
        person, title = self.roster.persons[owner], ROLES[name.bare]
        found = self.roster.in_the_role(name.bare, {owner})
        if found is None:
            return owner
        once, always = person.named_by(title), found.named_by(title)
        if self.roster.long_ago(person) or (once and always >= max(ESTABLISHED, DOMINANT * once)):
            self.roster.owner[name.key] = found.id
        return self.roster.owner[name.key]

    def _eldest(self, name: PersonName, owner: str) -> str:
        """Miss Bennet is not who is called Miss Elizabeth, once a sister is known by name who is not."""
        women = [p for p in self.roster.among(name) if p.given and p.gender == "f" and not p.young]
        women = [p for p in women if name.surname in p.surnames and p.marital not in WIVES]
        elder = [p for p in women if "miss" not in p.formal]
        if len(elder) == 1 and elder[0].id != owner:
            self.roster.owner[name.key] = elder[0].id
        return self.roster.owner[name.key]

    # --- learning ----------------------------------------------------------------------------------

    def _tell_apart(self, name: PersonName, beside: Mapping[str, str]) -> None:
        """Who stands beside the name is not its bearer. Where both names were one person's, the one less
        used was wrongly so."""
        for other, surface in beside.items():
            person, key = self.roster.persons.get(other), PersonName.parse(surface).key
            if person is None or key == name.key:
                continue
            if self.roster.owner.get(name.key) != other:
                self.roster.apart.setdefault(name.key, set()).add(other)
                continue
            if _holds(name.key, key) or _holds(key, name.key):
                continue  # "Jane, Jane Fairfax": she and no other
            if self.roster.of_the_same_full_name(name, "") == other:
                continue  # "Hale, or Giles Vane", where he has called himself Mr. Giles Vane
            wrong = min((name.key, key), key=lambda each: (person.keys.get(each, 0), each))
            self.roster.apart.setdefault(wrong, set()).add(other)
            self.roster.owner.pop(wrong, None)

    def _twin(self, person: KnownPerson, name: PersonName) -> KnownPerson | None:
        """A full name joins one known by given name alone with one known by the bare surname, where nobody
        else of that surname could be meant."""
        gender = self.roster.gender(person.id)
        namesakes = [p for p in self.roster.among(name) if p is not person and p.bears(name.surname)]
        if name.epithet and name.epithet not in YOUNGER:  # "Long John Silver", and there is a John Silver
            called = self.roster.persons.get(self.roster.owner.get(f"{name.epithet} {name.given}", ""))
            if called is not None and called is not person and not called.surnames:
                namesakes.append(called)
            same = [p for p in namesakes if p.given and could_be(p, name, gender)]
            return same[0] if len(same) == 1 and not self.roster.are_apart(person, same[0]) else None
        others = [p for p in namesakes if not p.given]
        others = [p for p in others if not clash(self.roster.gender(p.id), gender)]
        others = [p for p in others if could_be(p, name, gender) and not self.roster.contrasted(p, name)]
        wife = person.marital in WIVES
        others = [p for p in others if (p.marital in WIVES) == wife or "madame" in p.titles]
        others = [p for p in others if not self.roster.are_apart(person, p)]
        if "miss" in person.formal:
            others = [p for p in others if p.plain.get("miss", 0) < ESTABLISHED]
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

    def _nameless(self, person: KnownPerson, title: str) -> KnownPerson | None:
        """Who was but "the president" of late, where the one about who is so titled now gets a name."""
        if title in PRINCELY:
            return None  # whole families are princes
        role = next((role for role, borne in ROLES.items() if borne == title), "")
        other = self.roster.persons.get(self.roster.owner.get(role, ""))
        if other is None or other is person or set(other.keys) != {role}:
            return None
        if self.roster.long_ago(other) or self.roster.titled(title) != [person]:
            return None
        return None if self.roster.are_apart(person, other) else other


def _holds(longer: str, name: str) -> bool:
    return set(name.split()) <= set(longer.split())
