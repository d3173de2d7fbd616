"""Runs of capitalised words that are more than a name: "Remembering Hale", "with Mrs. Allan Anne talked".

A run of such words is cut where the chapter knows its rest by itself: behind a word that opened a sentence (a
verb, an adverb, a day), and between the names of two people that only stand side by side.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from ...lexicon.inflection import base_form
from ...lexicon.verb_rules import VERBS
from ...lexicon.verbs_and_nouns import HUMAN_VERBS
from ...names.lexicon import CALENDAR, GIVEN, TITLES

__all__ = ["loose_runs", "opening_words"]

Key = tuple[str, ...]
SELDOM = 2  # times that the whole run stands in the chapter
KNOWN = 2  # times that its rest stands there by itself
_OPENING_TAGS = frozenset("VB VBD VBG VBN VBP VBZ RB RBR RBS IN CC UH MD PRP WDT WP WRB".split())
# what mostly opens a sentence, and is capitalised for that alone
_OPENERS = frozenset(
    """whereupon thereupon hereupon hitherto whilst whenever wherever whereas today to-day tomorrow to-morrow
    yesterday tonight to-night twice thrice beside besides presently formerly latterly sometimes""".split()
)


class _Uses(Protocol):
    """How a run of words is used in the chapter (see ``mentions.name_census``)."""

    person: int
    titled: int
    inside: int
    opened: int
    stood_in: int
    place: int


def opening_words(docs: Iterable[Any]) -> frozenset[str]:
    """The words that the chapter writes small, as verbs, adverbs, prepositions and the like."""
    told: dict[str, int] = {}
    for doc in docs:
        for token in doc:
            if token.is_lower:
                told[token.text] = told.get(token.text, 0) + (1 if token.tag_ in _OPENING_TAGS else -1)
    return frozenset(word for word, votes in told.items() if votes > 0)


def loose_runs(votes: Mapping[Key, _Uses], small: frozenset[str]) -> frozenset[Key]:
    """The runs of ``votes`` that are no names; ``small`` are the chapter's ``opening_words``."""
    return frozenset(
        key
        for key, uses in votes.items()
        if len(key) > 1 and uses.inside <= SELDOM and (_opened(key, uses, votes, small) or _two(key, votes))
    )


def _opened(key: Key, uses: _Uses, votes: Mapping[Key, _Uses], small: frozenset[str]) -> bool:
    """Does the run stand only where any word is capitalised, behind a word that is mostly written small?"""
    first = key[0].lower()
    if not _known(key[1:], votes) or first in TITLES:
        return False
    if first in CALENDAR and first.endswith("day"):  # "on the last Sunday Elena wrote"
        return True
    if uses.opened < uses.inside or uses.stood_in:
        return False
    if first in CALENDAR or first in _OPENERS:
        return True
    return first not in GIVEN and (first in small or _is_verb(first))


def _is_verb(word: str) -> bool:
    lemma = base_form(word)
    known = lemma in HUMAN_VERBS or lemma in VERBS
    return known or (word.endswith("ing") and len(word) > len("bring") + 1)


def _two(key: Key, votes: Mapping[Key, _Uses]) -> bool:
    """Like "Allan Anne" where there is a Mrs. Allan and an Anne, "Mary of Ralph": the end of the one name is
    no given name, the beginning of the other is."""
    for cut in range(1, len(key)):
        left, right = key[:cut], key[cut:]
        of = right[0] == "of" and len(right) > 1
        right = right[1:] if of else right
        genders = GIVEN.get(left[-1].lower(), ""), GIVEN.get(right[0].lower(), "")
        titled = left in votes and votes[left].titled > 0
        apart = of or not genders[0] or (titled and genders == ("m", "f"))
        second = genders[1] == "f" or (titled and genders[1]) or (of and _nobody_else(right, votes))
        second = second and not (right in votes and votes[right].titled)  # "Orrin Ross", who is Mr. Ross
        if apart and second and _known(left, votes) and _known(right, votes):
            return True
    return False


def _nobody_else(key: Key, votes: Mapping[Key, _Uses]) -> bool:
    """Was the name never taken for a place's?"""
    return key in votes and votes[key].person >= KNOWN and not votes[key].place


def _known(key: Key, votes: Mapping[Key, _Uses]) -> bool:
    """Does the chapter use the words by themselves, as somebody's name?"""
    uses = votes.get(key)
    if uses is None and len(key) > 1:  # "Maria Bertram", of whom the chapter says "Maria"
        uses = votes.get(key[:1]) if key[0].lower() in GIVEN else None
    if uses is None or uses.place > uses.person + uses.titled:
        return False
    return uses.inside + uses.titled >= KNOWN or uses.person >= KNOWN
