"""Names with a calling in apposition: behind "Mr. Bumble, the beadle" the beadle is Mr. Bumble."""

from __future__ import annotations

import re

from ..lexicon.person_nouns import CALLINGS, PERSON_NOUNS
from ..lexicon.verbs_and_nouns import KIN
from ..model.chapter_reading import ChapterReading, Mention
from ..model.trait_values import INTRODUCTION
from ..model.types import Modality
from ..names.alias_book import AliasBook
from ..names.lexicon import TITLES
from ..names.roster import ROLES

__all__ = ["give_role", "is_calling", "of_anybody", "told_roles"]

# what anybody may be called; of a calling there is mostly one about
_ANYBODY = frozenset(
    """man woman boy girl lad lass lady gentleman child baby infant person people stranger visitor guest
    speaker patient prisoner messenger orphan traveller traveler companion friend youth maid maiden lover
    giant god goddess spirit ghost fellow creature narrator author listener""".split()
)
_MORE = frozenset(
    """undertaker apothecary banker schoolmaster steward attorney solicitor notary surgeon chemist grocer
    draper bailiff curate vicar parson constable turnkey jailer editor publisher maltster brewer saddler
    wheelwright mason joiner plumber ironmonger bookseller hairdresser valet coachman groom gamekeeper
    overseer foreman manager cashier cook butler""".split()
)
_APPOSED = re.compile(
    r",?\s+the\s+(?:[a-z-]+\s+)?([a-z]+)(?=[.;:)!?]|,(?!\s+(?:and|or|the|a|an)\b)|\s+(?:of|who|whom|at|in)\b)"
)


def told_roles(reading: ChapterReading, text: str) -> dict[int, str]:
    """By mention: the calling ("the beadle") that the narration puts behind the name, where it does. ``text``
    is the chapter's body."""
    return {
        trait.character: role
        for trait in reading.traits
        if trait.aspect == INTRODUCTION and trait.modality is Modality.FACT and trait.value.startswith("the ")
        if (role := _role(reading.mentions[trait.character], text))
    }


def give_role(book: AliasBook, role: str, entity: str) -> None:
    """The role means the person from now on, unless it means somebody who is about."""
    person, owner = book.roster.persons.get(entity), book.roster.owner.get(role)
    if person is None or not book.named(entity):
        return
    if owner is None or book.roster.long_ago(book.roster.persons[owner]):
        book.bind(role, entity)


def _role(mention: Mention, text: str) -> str:
    """The calling right behind the name, where nothing goes on that may be a list."""
    found = None if mention.spoken else _APPOSED.match(text, mention.span.end)
    if found is None:
        return ""
    noun, role = found[1], f"the {found[1]}"
    return role if is_calling(noun) and not of_anybody(noun) else ""


def is_calling(phrase: str) -> bool:
    """Does it end on a word for somebody's trade, age or kind?"""
    noun = phrase.rpartition(" ")[2]
    return noun in PERSON_NOUNS or noun in CALLINGS or noun in _MORE


def of_anybody(phrase: str) -> bool:
    """Is the noun at the end what anybody may be called, or is it kin or a title?"""
    noun = phrase.rpartition(" ")[2]
    return noun in _ANYBODY or noun in KIN or noun in TITLES or f"the {noun}" in ROLES
