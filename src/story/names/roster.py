"""Entity linking within a story: the persons met so far, by the words of their names, and who of them a name
could mean."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from ..lexicon.words import ANIMALS, CALLINGS, PERSON_NOUNS, ROLE_NOUNS, full_forms
from .lexicon import ARMED, BORNE_ALONE, TITLES
from .person_record import (
    DOMINANT,
    ESTABLISHED,
    HINTS_MIN,
    PRINCELY,
    WIVES,
    KnownPerson,
    PersonName,
    clash,
    contrasted,
    could_be,
    first_name,
    plainly_so,
    preferred,
    same_given,
)

# "the doctor" is whom the story has called Dr. so far, where there is one such about
ROLES = {"the doctor": "dr"} | {f"the {title}": title for title in sorted(BORNE_ALONE)}
FORGOTTEN = 150  # mentions of anybody: who was named but in passing so long ago is not meant by a bare name
IN_PASSING = 2
_ALIKE = 3  # letters that two short forms have in common
_PEERS = frozenset({"lady", "lord", "sir", "dame"})
_OF_KIN = frozenset({"aunt", "uncle"})  # whoever else they are
_INHERITED = frozenset("count prince baron marquis duke earl viscount lord".split())
KEPT_IN_MIND = 10  # times as many mentions of anybody as a person has had: so long nobody is forgotten


@dataclass(slots=True)
class Roster:
    """``persons`` by id; ``bearing`` the ids of who bears a word as (a form of) a name; ``owner`` whose each
    whole name is; ``clock`` counts the names resolved."""

    persons: dict[str, KnownPerson] = field(default_factory=dict)
    bearing: dict[str, list[str]] = field(default_factory=dict)
    owner: dict[str, str] = field(default_factory=dict)
    clock: int = 0

    def gender(self, entity: str) -> str:
        """``"f"``, ``"m"``, or ``""`` where nothing has told it or the id is no person."""
        return self.persons[entity].sex if entity in self.persons else ""

    def contradicts(self, entity: str, name: PersonName, gender: str) -> bool:
        """Is the person known to be of another gender or generation?"""
        person = self.persons[entity]
        return clash(person.gender, gender) or clash(person.generation, name.generation)

    def long_ago(self, person: KnownPerson) -> bool:
        """Has nobody named the person for a long time?"""
        return self.clock - person.last > FORGOTTEN

    def titled(self, title: str) -> list[KnownPerson]:
        """Who bears the title and was named of late; of a princely family, who is mostly called by it."""
        bearers = [p for p in self.persons.values() if title in p.titles]
        if title in PRINCELY:
            bearers = [p for p in bearers if 2 * p.called_by(title) > p.count]
        return [p for p in bearers if not self.long_ago(p)]

    def in_the_role(self, role: str, barred: Collection[str]) -> KnownPerson | None:
        """Who "the captain" is: the one captain, or the one who is named as such far more often than the
        others."""
        title = ROLES[role]
        bearers = [p for p in self.titled(title) if p.id not in barred]
        bearers = [p for p in bearers if p.named_by(title, told=True)] or bearers
        uses = [p.named_by(title) for p in bearers]
        if len(bearers) > 1 and max(uses) >= max(ESTABLISHED, DOMINANT * (sum(uses) - max(uses))):
            return bearers[uses.index(max(uses))]
        return preferred(bearers, role)

    def among(self, name: PersonName) -> list[KnownPerson]:
        """Who bears a word of the name, in order of appearance."""
        given = first_name(name.given or name.bare)
        words = {name.surname, name.bare} | full_forms(given)
        if len(name.given) == 1:
            return list(self.persons.values())
        ids = {entity for word in words if word for entity in self.bearing.get(word, ())}
        return sorted((self.persons[entity] for entity in ids), key=lambda p: p.order)

    def only(self, name: PersonName, gender: str, barred: Collection[str]) -> str | None:
        """The one person who fits, at the first of these degrees at which anybody does."""
        if name.bare in ROLES:
            found = self.in_the_role(name.bare, barred)
            return found.id if found else None
        if name.bare.startswith("the "):
            return self._by_epithet(name.bare, barred)
        if name.bare and name.bare == name.key and f"the {name.bare}" in self.owner:
            called = self.owner[f"the {name.bare}"]
            if called not in barred and not self.bearing.get(name.bare):
                return called
        bearers = self.among(name)
        possible = [p for p in bearers if p.id not in barred and could_be(p, name, gender)]
        if name.surname:
            found = self._by_full_name(name, gender, possible, bearers)
        else:
            others = bearers
            if not name.title:  # a wife may bear his name
                others = [p for p in bearers if p in possible or p.marital != "mrs"]
            possible = [p for p in possible if not self.forgotten(p) or _alone(p, name, others)]
            word = name.given or name.bare
            fits = [p for p in possible if self._answers(p, word) or _alone(p, name, others)]
            if not name.title:  # nobody is told of a Lady Anne in passing and then calls her Anne
                fits = [p for p in fits if p.count > IN_PASSING or _PEERS.isdisjoint(p.titles)]
            so_called = [
                p
                for p in fits
                if (word in (p.given, p.bare) or p.words.get(word, 0) >= ESTABLISHED) and not p.noble
            ]
            if name.husband:  # "Mrs. Peter" is Mrs. Peter Pett
                so_called = [p for p in possible if any(key.startswith(f"{name.key} ") for key in p.keys)]
            found = preferred(so_called or fits, word)
            if name.bare:
                found = self._by_bare(name.bare, possible, found, gender)
        return found.id if found else None

    def _by_epithet(self, role: str, barred: Collection[str]) -> str | None:
        """Who is "the Dodger" is "the Artful Dodger", where the last word is no common word for people; and
        who is called "Dodger" is "the Dodger"."""
        word = role.rpartition(" ")[2]
        if any(word in common for common in (PERSON_NOUNS, ROLE_NOUNS, CALLINGS, ANIMALS, TITLES)):
            return None
        short = f"the {word}"
        keys = [word, short] if role == short else [short]
        if role == short:
            keys += [key for key in self.owner if key.startswith("the ") and key.endswith(f" {word}")]
        found = {self.owner[key] for key in keys if key in self.owner} - set(barred)
        return found.pop() if len(found) == 1 else None

    def _by_full_name(
        self, name: PersonName, gender: str, possible: list[KnownPerson], bearers: list[KnownPerson]
    ) -> KnownPerson | None:
        if name.given:
            named = [p for p in possible if p.bears(name.surname) and same_given(p.given, name.given)]
            alone = [p for p in possible if not p.surnames and self._answers(p, name.given)]
            # who was but once called "Johnny" is no John Trelawney
            alone = [p for p in alone if p.told or p.count > IN_PASSING or name.given in p.words]
            degrees = [
                [p for p in named if p.given == name.given],
                [p for p in alone if p.words.get(name.given, 0) >= ESTABLISHED],
                named,
                alone,
            ]
        else:
            degrees = [
                [
                    p
                    for p in possible
                    if p.bears(name.surname) and name.title in p.titles and not contrasted(p, name)
                    if not (name.title in _INHERITED and p.count <= IN_PASSING)  # it may be the father's
                ]
            ]
        for fits in (*degrees, self._by_surname(possible, bearers, name, gender)):
            if fits:
                least = ESTABLISHED if name.given else 1  # "Mr. Vane" is no sooner who is named more often
                return preferred(fits, name.given or name.surname, least=least)
        return None

    def _by_bare(
        self, word: str, possible: list[KnownPerson], called: KnownPerson | None, gender: str
    ) -> KnownPerson | None:
        """A single word: whom it is the given name of, unless it is far more often somebody's surname. Said
        of a woman ("aunt Vane"), it is a wife's name before it is a daughter's. "Hill" may be Miss Hill."""
        if called is None and gender == "f":
            women = [p for p in possible if word in p.surnames and p.gender == "f"]
            return preferred([p for p in women if p.marital in WIVES] or women, word)
        surnamed = plainly_so([p for p in possible if word in p.surnames], word)
        if called is None and surnamed is None and len(self.bearing.get(word, ())) == 1:
            own = [p for p in possible if word in p.surnames and p.marital not in WIVES]
            surnamed = next((p for p in own if p.count >= ESTABLISHED), None)
        if called is None or surnamed is None:
            return called or surnamed
        return surnamed if surnamed.words.get(word, 0) > called.words.get(word, 0) else called

    def _answers(self, person: KnownPerson, given: str) -> bool:
        """Is the person called so, or by another form of it and about?"""
        if given in (person.given, person.bare):
            return not self.forgotten(person)
        if not person.titles.isdisjoint(_OF_KIN):  # only some may call an Aunt Polly anything else
            return False
        if person.plain.get("mr", 0) >= ESTABLISHED and person.given in full_forms(given):
            return False  # where there is a Mr. Thomas Gradgrind, Tom is somebody else
        away = self.clock - person.last > max(FORGOTTEN, KEPT_IN_MIND * person.count)
        return person.called(given) and not away and not (person.given and self._another_short(person, given))

    @staticmethod
    def _another_short(person: KnownPerson, given: str) -> bool:
        """Is it but another short form of some name that the person is never called by: an Elsie is no
        Bessie?"""
        forms = full_forms(given)
        return not any(
            word in forms
            or given in full_forms(word)
            or word[:_ALIKE] == given[:_ALIKE]
            or forms.isdisjoint(full_forms(word))
            for word in (person.given, *person.words)
            if word not in person.surnames
        )

    def forgotten(self, person: KnownPerson) -> bool:
        """Was the person only named in passing (``IN_PASSING`` times at most), and that long ago?"""
        return person.count <= IN_PASSING and self.long_ago(person)

    def _by_surname(
        self, possible: list[KnownPerson], bearers: list[KnownPerson], name: PersonName, gender: str
    ) -> list[KnownPerson]:
        """Bearers of the surname of whom the rest of the name is not known, or not needed: a wife's name is
        no daughter's, so a Mrs is only who is so titled; a known gender must be the same on both sides
        where more than one person bears the surname."""
        bearers = [p for p in bearers if p.bears(name.surname)]
        fits = [p for p in possible if p in bearers and not (name.given and p.given)]
        fits = [p for p in fits if not contrasted(p, name)]
        wife = name.marital if name.marital in WIVES else ""
        if not (name.title or name.given) and gender == "f":  # "aunt Vane"
            fits = [p for p in fits if p.marital in WIVES] or fits
        elif name.title not in _OF_KIN:
            aunts = [p for p in fits if "aunt" in p.titles or (p.bare and p.gender == "f")]  # "aunt Vane"
            aunts = [p for p in aunts if wife and not p.marital]
            fits = aunts or [p for p in fits if (p.marital if p.marital in WIVES else "") == wife]
        if wife == "mrs" and len(bearers) == 1 and not fits:
            fits = [p for p in possible if p in bearers and p.may_be_wed]
        if len(bearers) > 1:
            fits = [p for p in fits if gender and self.gender(p.id) == gender]
        if name.title in _INHERITED and len(fits) > 1:
            fits = [p for p in fits if p.count > IN_PASSING or not p.given] or fits  # it may be the father's
        if name.title in ("mr", ""):
            fits = plain_men(fits)
        if len(fits) > 1 and not name.given:  # "Miss Lydia Bennet" is not Miss Bennet
            fits = [p for p in fits if name.title not in p.formal] or fits
        return fits

    def take_surname(self, person: KnownPerson, surname: str) -> None:
        """The person bears the surname from now on, as the newest where it is new, and is found by it."""
        if surname not in person.surnames:
            person.surnames.append(surname)
        self.index(surname, person.id)

    def index(self, word: str, entity: str) -> None:
        """Has the entity found by this word from now on."""
        bearers = self.bearing.setdefault(word, [])
        if entity not in bearers:
            bearers.append(entity)

    # --- learning ----------------------------------------------------------------------------------

    def learn(self, person: KnownPerson, name: PersonName, gender: str) -> None:
        """The person is called so: one more use, its words, title and gender; the name is theirs if it is
        nobody's."""
        self.clock += 1
        person.count, person.last = person.count + 1, self.clock
        person.gender = person.gender or gender
        person.generation = person.generation or name.generation
        self._learn_words(person, name)
        if name.title:
            if name.title in ARMED and name.title not in person.titles:
                person.hints["m"] = person.hints.get("m", 0) + HINTS_MIN
            person.titles.add(name.title)
            if name.full:
                person.formal.add(name.title)
                plainly = f"{name.title} {name.surname}"
                owner = self.persons.get(self.owner.get(plainly, ""), person)
                known = name.title in owner.formal or owner.plain.get(name.title, 0) >= ESTABLISHED
                if name.title == "mr" and not known:  # Mr. John Hale is Mr. Hale
                    self.owner[plainly] = person.id
            elif name.surname:
                person.plain[name.title] = person.plain.get(name.title, 0) + 1
        if name.marital and (not person.marital or name.marital in WIVES):
            person.marital = name.marital
        person.keys[name.key] = person.keys.get(name.key, 0) + 1
        self.owner.setdefault(name.key, person.id)
        if name.epithet and name.full:  # "Long John Silver" is Long John
            self.owner.setdefault(f"{name.epithet} {name.given}", person.id)

    def _learn_words(self, person: KnownPerson, name: PersonName) -> None:
        for word in (name.given, name.surname, name.bare):
            if word:
                person.words[word] = person.words.get(word, 0) + 1
                for form in full_forms(first_name(word)):
                    self.index(form, person.id)
        if " " in name.given and " " not in person.given and same_given(person.given, name.given):
            person.given = name.given  # and now his father's name
        if name.full:
            person.given = person.given or ("" if name.husband else name.given)
            self.take_surname(person, name.surname)
            person.bare = ""
        elif name.open or name.bare:
            word = name.bare or name.given or name.surname
            if not person.given and not person.surnames:
                person.bare = person.bare or word
        elif name.given:
            person.given = person.given or ("" if name.given in person.surnames else name.given)
            if person.bare and person.bare == person.given:
                person.bare = ""
        elif len(name.surname) > 1 and not (name.either and person.called(name.surname)):
            self.take_surname(person, name.surname)
        if person.bare in person.surnames:
            person.bare = ""


def plain_men(fits: list[KnownPerson]) -> list[KnownPerson]:
    """Of several, those called Mr, if any: a general is called one."""
    return ([p for p in fits if "mr" in p.titles] or fits) if len(fits) > 1 else fits


def _alone(person: KnownPerson, name: PersonName, bearers: Collection[KnownPerson]) -> bool:
    """Was nobody else ever called by this given name, so that whoever was named in full but once, long ago,
    is meant? Not a peer: Lady Anne is not called Anne by those who know her in passing."""
    word = name.given or name.bare
    own = bool(word) and person.given == word and bool(person.surnames)
    return own and len(bearers) == 1 and _PEERS.isdisjoint(person.titles)
