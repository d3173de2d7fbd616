"""What a name that is used of a person tells of the person."""

from __future__ import annotations

from ..lexicon.short_forms import full_forms
from .lexicon import ARMED
from .person_name import PersonName, first_name, same_given
from .person_record import WIVES, KnownPerson
from .roster import HINTS_MIN, Roster
from .spelling import spelling


def learn_name(roster: Roster, person: KnownPerson, name: PersonName, gender: str) -> None:
    """The person is called so: one more use, its words, title and gender; the name is theirs if nobody's."""
    roster.clock += 1
    person.count, person.last = person.count + 1, roster.clock
    person.gender = person.gender or gender
    person.generation = person.generation or name.generation
    _learn_words(roster, person, name)
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
    roster.owner.setdefault(name.key, person.id)
    if name.epithet and name.full:  # "Long John Silver" is Long John
        roster.owner.setdefault(f"{name.epithet} {name.given}", person.id)


def _learn_words(roster: Roster, person: KnownPerson, name: PersonName) -> None:
    for word in (name.given, name.surname, name.bare):
        if word:
            person.words[word] = person.words.get(word, 0) + 1
            for form in full_forms(first_name(word)) | {f"~{spelling(first_name(word))}"}:
                roster.index(form, person.id)
    if " " in name.given and " " not in person.given and same_given(person.given, name.given):
        person.given = name.given  # and now his father's name
    if name.full:
        person.given = person.given or name.given
        roster.take_surname(person, name.surname)
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
        roster.take_surname(person, name.surname)
    if person.bare in person.surnames:
        person.bare = ""
