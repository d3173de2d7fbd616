"""Which names are one person's, as a reader would say who has read so far and no further."""

from __future__ import annotations

import copy
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from .known_person import ESTABLISHED, WIVES, KnownPerson, clash, could_be, preferred
from .person_names import ARMED, PRINCELY, PersonName, first_name, same_given
from .roster import HINTS_MIN, ROLES, Roster, plain_men
from .short_forms import full_forms

__all__ = ["AliasBook", "Found"]


OWN_VOICE = 0.4
WELL_KNOWN = 10  # times as often named as the wife so far
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

    _roster: Roster = field(default_factory=Roster)
    _owner: dict[str, str] = field(default_factory=dict)
    _apart: dict[str, set[str]] = field(default_factory=dict)
    _chapters: int = 0
    _own_voice: int = 0

    def knows(self, surface: str) -> bool:
        """Is somebody called exactly so?"""
        return PersonName.parse(surface).key in self._owner

    def has(self, entity: str) -> bool:
        """Is this id a person, and not merged into another?"""
        return entity in self._roster.persons

    def gender(self, entity: str) -> str:
        """``"f"``, ``"m"``, or ``""`` where nothing has told it or the id is no person: by title or given
        name, failing that by the pronouns that stand for the person (three or more, four of five alike)."""
        return self._roster.gender(entity)

    def hint(self, entity: str, gender: str) -> None:
        """A pronoun spoke of the person as ``"f"`` or ``"m"``."""
        person = self._roster.persons.get(entity)
        if person is not None:
            person.hints[gender] = person.hints.get(gender, 0) + 1

    def narrate(self, entity: str) -> None:
        """The narration (not somebody's speech) named the person."""
        if entity in self._roster.persons:
            self._roster.persons[entity].narrated += 1

    def narrated(self, entity: str) -> int:
        """How often the narration has named the person so far."""
        person = self._roster.persons.get(entity)
        return person.narrated if person is not None else 0

    def named(self, entity: str) -> bool:
        """Has the person a name, and not only a role?"""
        person = self._roster.persons.get(entity)
        return person is not None and bool(person.given or person.surnames)

    def own_voice(self, *, said: bool) -> bool:
        """A chapter is told, in which the narration says "I" or not: is the story one told by a narrator, in
        at least four chapters of ten so far? A letter in a chapter of its own makes none."""
        self._chapters += 1
        self._own_voice += said
        return said and self._own_voice >= OWN_VOICE * self._chapters

    def bears(self, entity: str, surface: str) -> bool:
        """Are the given name and the surname known to be the person's?"""
        name, person = PersonName.parse(surface), self._roster.persons.get(entity)
        return person is not None and name.full and name.given == person.given and person.bears(name.surname)

    def find(self, surface: str, gender: str) -> str | None:
        """Who is meant, without making anybody up; changes nothing."""
        name = PersonName.parse(surface)
        return self._meant(name, gender or name.gender, _NOBODY)

    def resolve(
        self, surface: str, gender: str, *, fresh_id: str, beside: Mapping[str, str] = _NOBODY
    ) -> Found:
        """Who is meant; somebody new gets ``fresh_id``. The person learns the name, its title and gender.
        ``beside`` gives the ids of whom the text names as others in the same breath, and as what."""
        name = PersonName.parse(surface)
        gender = gender or name.gender
        self._tell_apart(name, beside)
        known = self._meant(name, gender, beside)
        if known is None:
            known = fresh_id
            self._roster.persons[known] = KnownPerson(known, len(self._roster.persons))
        person = self._roster.persons[known]
        knew = person.order if person.given and person.surnames else -1
        bride = self._bride(person, name)
        new_title = bool(name.title) and name.title not in person.titles
        self._learn(person, name, gender)
        same = bride or (self._nameless(person, name.title) if new_title else None)
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

    def join(self, entity: str, into: str) -> bool:
        """From now on the names of ``entity`` mean ``into``. False, and nothing done, where the two cannot
        be one (unknown, the same already, or of different gender)."""
        one, other = self._roster.persons.get(entity), self._roster.persons.get(into)
        if one is None or other is None or one is other or clash(one.gender, other.gender):
            return False
        for key, owner in self._owner.items():
            if owner == entity:
                self._owner[key] = into
        other.gender = other.gender or one.gender
        other.given = other.given or one.given
        other.marital = one.marital if one.marital in WIVES else other.marital or one.marital
        other.titles |= one.titles
        for surname in one.surnames:
            self._roster.take_surname(other, surname)
        counters = ((other.keys, one.keys), (other.words, one.words), (other.plain, one.plain))
        for mine, theirs in (*counters, (other.hints, one.hints)):
            for key, count in theirs.items():
                mine[key] = mine.get(key, 0) + count
        other.count, other.last = other.count + one.count, max(other.last, one.last)
        other.young, other.narrated = other.young + one.young, other.narrated + one.narrated
        other.formal |= one.formal
        for bearers in self._roster.bearing.values():
            if entity in bearers:
                bearers.remove(entity)
                if into not in bearers:
                    bearers.append(into)
        del self._roster.persons[entity]
        return True

    def marry(self, one: str, other: str) -> tuple[str, str] | None:
        """The two are married: she may go by his surname from now on. Where a Mrs of that name has been
        told of whose given name nobody said, the two are one: (younger, elder) id, joined."""
        pair = [p for entity in (one, other) if (p := self._roster.persons.get(entity)) is not None]
        wife = next((p for p in pair if self._roster.gender(p.id) == "f"), None)
        husband = next((p for p in pair if p is not wife and self._roster.gender(p.id) == "m"), None)
        if wife is None or husband is None or not husband.surname or wife.bears(husband.surname):
            return None
        namesake = self._roster.persons.get(self._owner.get(f"mrs {husband.surname}", ""))
        wife.marital = "mrs"
        if namesake is None:
            self._roster.take_surname(wife, husband.surname)
            return None
        if namesake.given or namesake is wife or self._are_apart(namesake, wife):
            return None
        elder, younger = self.older(wife.id, namesake.id)
        return (younger, elder) if self.join(younger, elder) else None

    def one_couple(self, husband: str, wife: str, surface: str) -> bool:
        """Are the two known persons, to whom "Mr. and Mrs. Hale" leads, the couple? ``surface`` is what he is
        called there. Not where a man of a given name is meant by his surname alone and more than the two
        bear it: he may be the son."""
        one, name = self._roster.persons.get(husband), PersonName.parse(surface)
        if one is None or name.full or not one.given:
            return True
        others = [p for p in self._roster.among(name) if p.id not in (husband, wife)]
        return not any(p.bears(name.surname) for p in others)

    def nameless(self, entity: str) -> bool:
        """Is the person only ever called by a role, and not who tells the story?"""
        person = self._roster.persons.get(entity)
        if person is None or "the narrator" in person.keys:
            return False
        return all(key.startswith("the ") for key in person.keys)

    def may_be_one(self, one: str, other: str, *, roles: bool = False) -> bool:
        """Does nothing that is known of the two speak against their being one person? Without ``roles``,
        whoever is but "the captain" is nobody else: he may be several."""
        pair = [p for entity in (one, other) if (p := self._roster.persons.get(entity)) is not None]
        if len(pair) != 2 or clash(self._roster.gender(one), self._roster.gender(other)):
            return False
        first, second = pair
        if first.given and second.given and not same_given(first.given, second.given):
            return False
        if not roles and any(key.startswith("the ") for person in pair for key in person.keys):
            return False
        wed = "mrs" in (first.marital, second.marital) and first.marital != second.marital
        kin = not first.surnames or not second.surnames or any(map(first.bears, second.surnames))
        return (kin or wed) and not self._are_apart(first, second)

    def older(self, one: str, other: str) -> tuple[str, str]:
        """The two ids, the one met first in front."""
        first, second = sorted((one, other), key=lambda entity: self._roster.persons[entity].order)
        return first, second

    def bind(self, role: str, entity: str) -> None:
        """From now on ``role`` ("the beadle") means ``entity``."""
        if entity in self._roster.persons:
            self._owner[PersonName.parse(role).key] = entity

    def copy(self) -> AliasBook:
        return copy.deepcopy(self)

    # --- fitting -----------------------------------------------------------------------------------

    def _meant(self, name: PersonName, gender: str, beside: Collection[str]) -> str | None:
        owned = self._owned(name, gender)
        if owned is not None:
            return owned
        barred = {*beside, *self._apart.get(name.key, ())}
        found = self._roster.only(name, gender, barred)
        if found is None and name.either:
            found = self._roster.only(name.other, gender, barred)
        return found

    def _owned(self, name: PersonName, gender: str) -> str | None:
        """Whose name it is: for a given name alone (or a word that may be one) not who was named by it but
        in passing, long ago, where somebody else of that name has come up since."""
        owner = self._owner.get(name.key)
        if owner is None or clash(self._roster.persons[owner].gender, gender):
            return None
        if name.bare in ROLES:
            return self._of_role(name, owner)
        if name.title == "miss" and not name.given and self._roster.persons[owner].young:
            owner = self._eldest(name, owner)
        word = name.given or name.bare
        if (
            name.key == word
            and len(self._roster.bearing.get(word, ())) > 1
            and self._roster.forgotten(self._roster.persons[owner])
        ):
            found = self._roster.only(name, gender, {owner})
            if found is not None:
                self._owner[name.key] = found
                return found
        return owner

    def _of_role(self, name: PersonName, owner: str) -> str:
        """The captain of long ago gives way to the one who is about."""
        if self._roster.long_ago(self._roster.persons[owner]):
            found = preferred([p for p in self._roster.titled(ROLES[name.bare]) if p.id != owner], name.bare)
            if found is not None:
                self._owner[name.key] = found.id
        return self._owner[name.key]

    def _eldest(self, name: PersonName, owner: str) -> str:
        """Miss Bennet is not who is called Miss Elizabeth, once a sister is known by name who is not."""
        women = [
            p for p in self._roster.among(name) if p.given and name.surname in p.surnames and p.gender == "f"
        ]
        elder = [p for p in women if not p.young and p.marital not in WIVES and "miss" not in p.formal]
        if len(elder) == 1 and elder[0].id != owner:
            self._owner[name.key] = elder[0].id
        return self._owner[name.key]

    # --- learning ----------------------------------------------------------------------------------

    def _tell_apart(self, name: PersonName, beside: Mapping[str, str]) -> None:
        """Who stands beside the name is not its bearer. Where both names were one person's, the one less
        used was wrongly so."""
        for other, surface in beside.items():
            person, key = self._roster.persons.get(other), PersonName.parse(surface).key
            if person is None or key == name.key:
                continue
            if self._owner.get(name.key) != other:
                self._apart.setdefault(name.key, set()).add(other)
                continue
            wrong = min((name.key, key), key=lambda each: (person.keys.get(each, 0), each))
            self._apart.setdefault(wrong, set()).add(other)
            self._owner.pop(wrong, None)

    def _learn(self, person: KnownPerson, name: PersonName, gender: str) -> None:
        self._roster.clock += 1
        person.count, person.last = person.count + 1, self._roster.clock
        person.gender = person.gender or gender
        self._learn_words(person, name)
        if name.title:
            if name.title in ARMED and name.title not in person.titles:
                person.hints["m"] = person.hints.get("m", 0) + HINTS_MIN
            person.titles.add(name.title)
            if name.full:
                person.formal.add(name.title)
            elif name.surname:
                person.plain[name.title] = person.plain.get(name.title, 0) + 1
            person.young += name.title == "miss" and bool(name.given) and not name.surname
        if name.marital and (not person.marital or name.marital in WIVES):
            person.marital = name.marital
        person.keys[name.key] = person.keys.get(name.key, 0) + 1
        self._owner.setdefault(name.key, person.id)

    def _learn_words(self, person: KnownPerson, name: PersonName) -> None:
        if len(name.surname) == 1 and person.surnames:
            return  # "Mr. E."
        for word in (name.given, name.surname, name.bare):
            if word:
                person.words[word] = person.words.get(word, 0) + 1
                for form in full_forms(first_name(word)):
                    self._roster.index(form, person.id)
        if " " in name.given and " " not in person.given and same_given(person.given, name.given):
            person.given = name.given  # and now his father's name
        if name.full:
            person.given = person.given or name.given
            self._roster.take_surname(person, name.surname)
            person.bare = ""
        elif name.open or name.bare:
            word = name.bare or name.given or name.surname
            if not person.given and not person.surnames:
                person.bare = person.bare or word
        elif name.given:
            person.given = person.given or ("" if name.given in person.surnames else name.given)
            if person.bare and person.bare == person.given:
                person.bare = ""
        elif name.surname and not (name.either and person.called(name.surname)):
            self._roster.take_surname(person, name.surname)
        if person.bare in person.surnames:
            person.bare = ""

    def _twin(self, person: KnownPerson, name: PersonName) -> KnownPerson | None:
        """A full name joins one known by given name alone with one known by the bare surname, where nobody
        else of that surname could be meant."""
        gender = self._roster.gender(person.id)
        others = [
            p for p in self._roster.among(name) if p is not person and p.bears(name.surname) and not p.given
        ]
        others = [p for p in others if not clash(self._roster.gender(p.id), gender)]
        others = [p for p in others if could_be(p, name, gender) and not self._roster.contrasted(p, name)]
        others = [p for p in others if (p.marital in WIVES) == (person.marital in WIVES)]
        others = [p for p in others if not self._are_apart(person, p)]
        if "miss" in person.formal:
            others = [p for p in others if p.plain.get("miss", 0) < ESTABLISHED]
        others = plain_men(others) if gender != "f" else others
        if len(others) != 1:
            return None
        (other,) = others
        if other.surnames and other.marital != "miss" and not (gender and other.gender == gender):
            return None  # a Mr of that surname may be a father
        return other

    def _bride(self, person: KnownPerson, name: PersonName) -> KnownPerson | None:
        """A Mrs. Wickham who came up when Lydia was long known, who now is called Lydia Wickham."""
        wife = self._roster.persons.get(self._owner.get(f"mrs {name.surname}", ""))
        if not name.full or wife is None or wife is person or wife.given or wife.order < person.order:
            return None
        known = person.count >= WELL_KNOWN * wife.count and self._roster.gender(person.id) == "f"
        return wife if known and name.surname not in person.surnames else None

    def _nameless(self, person: KnownPerson, title: str) -> KnownPerson | None:
        """Who was but "the president" of late, where the one about who is so titled now gets a name."""
        if title in PRINCELY:
            return None  # whole families are princes
        role = next((role for role, borne in ROLES.items() if borne == title), "")
        other = self._roster.persons.get(self._owner.get(role, ""))
        if other is None or other is person or set(other.keys) != {role}:
            return None
        if self._roster.long_ago(other) or self._roster.titled(title) != [person]:
            return None
        return None if self._are_apart(person, other) else other

    def _are_apart(self, one: KnownPerson, other: KnownPerson) -> bool:
        return any(
            two.id in self._apart.get(key, ())
            for own, two in ((one, other), (other, one))
            for key in own.keys
        )
