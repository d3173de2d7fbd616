"""What people do, and what is done to them alone: signs that a name is somebody's."""

from __future__ import annotations

from ...lexicon.verb_rules import VERBS
from ...lexicon.verbs_and_nouns import HUMAN_VERBS, KIN
from ..parsing.words import Word

_SLOTS = frozenset("dobj dative prep:to prep:with".split())
_OF_PLACES = frozenset("KNOWS MEETS LEAVES".split())  # one knows, visits and leaves towns as well
_MET = frozenset(
    (lemma, rule.slot)
    for lemma, rules in VERBS.items()
    for rule in rules
    if rule.target == "person" and rule.slot in _SLOTS and rule.predicate not in _OF_PLACES
) | {(word, "prep:to") for word in ("marry", "married", "engaged")}
_NOBODY = frozenset("NORP LANGUAGE GPE LOC FAC".split())


def is_who(token: Word) -> bool:
    """Like "it was Marcus who rang": only people are "who"."""
    return any(
        child.dep_ == "relcl" and any(c.dep_ == "nsubj" and c.lower_ == "who" for c in child.children)
        for child in token.children
    )


def does_deeds(token: Word) -> bool:
    """Is it the subject of a verb that people are subjects of?"""
    head = token.head
    return (
        token.dep_ == "nsubj" and head.pos_ == "VERB" and (head.lemma_ in HUMAN_VERBS or head.lemma_ in VERBS)
    )


def is_met(token: Word) -> bool:
    """Like "Anna loved Dorian", "was married to Dorian", "Dorian's sister": what verbs do to people, and
    whose kin somebody is."""
    head, slot = token.head, token.dep_
    if token.ent_type_ in _NOBODY:
        return False
    if slot == "poss":
        return head.lower_ in KIN
    if slot == "pobj":
        head, slot = head.head, f"prep:{head.lower_}"
    return (head.lemma_, slot) in _MET
