"""Fills a wording: names, pronouns and values in their slots, the tense chosen."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from .prose import Manner

__all__ = ["Person", "filled"]

_SLOT = re.compile(r"\{([A-Za-z])(['’]s)?(?:\.([A-Za-z]+))?\}")
_TENSE = re.compile(r"\[([^|\]]*)\|([^\]]*)\]")
_FORMS = {
    "m": {"he": "he", "him": "him", "his": "his", "hers": "his", "himself": "himself", "man": "man"},
    "f": {"he": "she", "him": "her", "his": "her", "hers": "hers", "himself": "herself", "man": "woman"},
    "I": {"he": "I", "him": "me", "his": "my", "hers": "mine", "himself": "myself", "man": "person"},
}


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody a wording speaks of: ``name`` as narration uses it; ``gender`` ``"f"``, ``"m"``, or ``"I"``
    for the narrator. ``parts`` are further forms of the name (``full``, ``given``, ``sur``, ``other``)."""

    id: str
    name: str
    gender: str
    parts: Mapping[str, str] = field(default_factory=dict)

    def form(self, name: str) -> str:
        """A form of the name or a pronoun; with a capital where the form is asked for with one."""
        if name in self.parts:
            return self.parts[name]
        word = _FORMS[self.gender][name.lower()]
        return word[0].upper() + word[1:] if name[0].isupper() else word

    def possessive(self) -> str:
        """``my`` for the narrator, else the name with an apostrophe and s."""
        return "my" if self.gender == "I" else f"{self.name}’s"


def filled(text: str, persons: Mapping[str, Person], values: Mapping[str, str], manner: Manner) -> str:
    """The wording as it goes into the book, on one line. Values may hold slots of persons themselves."""

    def slot(match: re.Match[str]) -> str:
        key, possessive, form = match.groups()
        if key in persons:
            person = persons[key]
            if possessive:
                return person.possessive()
            return person.form(form) if form else person.name
        value = _SLOT.sub(slot, values[key])
        return value[0].upper() + value[1:] if form == "C" else value

    told = _SLOT.sub(slot, text)
    told = _TENSE.sub(lambda match: match[1] if manner.past else match[2], told)
    at = 1 if told.startswith("“") else 0
    told = told[:at] + told[at].upper() + told[at + 1 :]
    told = re.sub(r"\ba (?=[aeio])", "an ", told)
    return manner.dress(told)
