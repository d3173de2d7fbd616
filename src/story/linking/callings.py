"""Callings: the words for somebody's trade, age or kind that speech tags use in place of a name."""

from __future__ import annotations

from ..lexicon.person_nouns import CALLINGS, PERSON_NOUNS
from ..lexicon.verbs_and_nouns import KIN
from ..names.lexicon import TITLES
from ..names.roster import ROLES

__all__ = ["is_calling", "of_anybody"]

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


def is_calling(phrase: str) -> bool:
    """Does it end on a word for somebody's trade, age or kind?"""
    noun = phrase.rpartition(" ")[2]
    return noun in PERSON_NOUNS or noun in CALLINGS or noun in _MORE


def of_anybody(phrase: str) -> bool:
    """Is the noun at the end what anybody may be called, or is it kin or a title?"""
    noun = phrase.rpartition(" ")[2]
    return noun in _ANYBODY or noun in KIN or noun in TITLES or f"the {noun}" in ROLES
