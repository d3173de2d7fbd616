"""Verbs of dying and killing: is a death meant, or only spoken of in a figure?

The verbs are those of Levin (1993), classes 42 and 48.2.
"""

from __future__ import annotations

from ...lexicon.death_words import ALMOST, FEELINGS, FIGURES, GRAVES, NOT_QUITE, ONLY_LIKE
from ..parsing.words import Word

_AWAY = frozenset({"away", "out", "down", "back"})


def is_literal_death(verb: Word) -> bool:
    """Does this verb of dying or killing tell a death: not "nearly died", "died of shame", "the talk died
    down", "was killed with kindness", "was buried in thought"?"""
    lemma = verb.lemma_.lower()
    if any(child.lower_ in ALMOST for child in verb.children):
        return False
    for child in verb.children:
        behind = [noun.lower_ for noun in child.children]
        if child.dep_ == "xcomp" or (
            child.dep_ in ("advmod", "prt") and child.lower_ in _AWAY and lemma != "pass"
        ):
            return False
        if child.dep_ in ("prep", "agent"):
            if lemma == "bury" and child.lower_ in ("in", "under", "beneath", "amid") and behind:
                return not GRAVES.isdisjoint(behind)
            if not FEELINGS.isdisjoint(behind) or not FIGURES.isdisjoint(behind):
                return False
    return True


def is_literally_dead(adjective: Word) -> bool:
    """Is somebody dead by this "dead": not "as good as dead", "half dead", "dead to the world"?"""
    if any(child.lower_ in NOT_QUITE | ALMOST for child in adjective.children):
        return False
    words = adjective.doc.words
    before = words[adjective.i - 1].lower_ if adjective.i else ""
    after = words[adjective.i + 1].lower_ if adjective.i + 1 < len(words) else ""
    return before not in NOT_QUITE and after not in ONLY_LIKE
