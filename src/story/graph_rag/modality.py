"""How the text vouches for a clause: as fact, denied, planned, imagined, reported, or told from before."""

from __future__ import annotations

from typing import Any

from ..types import Modality
from .lexicon import (
    BELIEF_VERBS,
    DREAM_WORDS,
    FACT_GOVERNORS,
    GOAL_VERBS,
    NEGATIVE_GOVERNORS,
    SAY_VERBS,
)
from .parsed import ParsedChapter, ParsedParagraph

__all__ = ["modality_of", "negated"]

_UNREAL_AUX = frozenset("would could might may shall should will must can ought 'll 'd wo ca".split())
_UNREAL_MARKS = frozenset("if unless lest whether though".split())
_NEVER = frozenset("never hardly scarcely neither nor".split())
_STILL = frozenset("always ever long".split())
_JUST = frozenset("just now".split())
_ARRIVALS = frozenset("arrive reach return come go enter".split())
_UP = frozenset({"xcomp", "ccomp", "advcl", "conj", "acl", "relcl", "pcomp", "prep", "parataxis"})
_CLAUSES = ("VERB", "AUX")
_DEPTH = 6


def modality_of(chapter: ParsedChapter, paragraph: ParsedParagraph, verb: Any) -> Modality | None:
    """The modality of the clause that ``verb`` heads; None for questions and commands, which vouch for
    nothing at all, and for what direct speech denies. What it plans or imagines is PLANNED or IMAGINED, all
    else in it REPORTED. Denial counts before plan."""
    if verb.sent.text.rstrip("\"'”’ ").endswith("?"):
        return None
    if paragraph.spoken(verb):
        return _spoken(verb)
    own = _clause(verb)
    if own is None:
        own = _governed(verb)
    if own is None and _shares(verb):
        own = modality_of(chapter, paragraph, verb.head)
    if own is not None:
        return own
    if chapter.scenes[paragraph.prose.scene].flashback or _past_perfect(verb):
        return Modality.FLASHBACK
    return Modality.FACT


def _spoken(verb: Any) -> Modality | None:
    own = _clause(verb) or _governed(verb)
    if own is None and _shares(verb):
        own = _clause(verb.head) or _governed(verb.head)
    if own is Modality.NEGATED:
        return None
    return own if own in (Modality.PLANNED, Modality.IMAGINED) else Modality.REPORTED


def negated(verb: Any) -> bool:
    """Is the clause denied by its own words: not, never, no longer, no object, nobody as subject?"""
    for child in verb.children:
        if child.dep_ == "neg" or (child.dep_ == "advmod" and child.lower_ in _NEVER):
            return True
        if child.dep_ == "advmod" and child.lower_ == "longer":
            return True
        if child.dep_ in ("preconj", "cc") and child.lower_ in ("neither", "nor") and child.i < verb.i:
            return True
        if child.dep_ in ("dobj", "attr", "nsubj", "nsubjpass") and (
            child.lower_ in ("nobody", "none", "neither") or any(c.lower_ == "no" for c in child.children)
        ):
            return True
    return False


def _clause(verb: Any) -> Modality | None:
    """What the clause says by itself: its negation, its auxiliaries, its conjunction."""
    if negated(verb):
        return Modality.NEGATED
    unreal = False
    for child in verb.children:
        word = child.lower_
        if child.dep_ == "aux" and word in _UNREAL_AUX and not (word == "'d" and verb.tag_ == "VBN"):
            unreal = True
        elif (
            child.dep_ == "mark"
            and word in _UNREAL_MARKS
            and not (word == "though" and not _as_before(child))
        ):
            return Modality.IMAGINED
        elif child.dep_ == "advcl" and any(c.dep_ == "mark" and c.lower_ == "if" for c in child.children):
            unreal = unreal or not any(c.lower_ == "as" for c in child.children)
    if unreal:
        return Modality.PLANNED
    if (
        verb.tag_ == "VB"
        and verb.dep_ in ("advcl", "relcl", "acl")
        and any(c.tag_ == "TO" for c in verb.children)
    ):
        return Modality.PLANNED
    return None


def _as_before(mark: Any) -> bool:
    """Like "as though", against a plain "though", which vouches for its clause."""
    return bool(mark.i > 0 and mark.nbor(-1).lower_ == "as")


def _governed(verb: Any) -> Modality | None:
    """What the clauses above say: a verb of saying, believing, dreaming, planning or failing over it."""
    node = verb
    for _ in range(_DEPTH):
        if node.dep_ not in _UP or node.head is node:
            return None
        head, link = node.head, node.dep_
        if link in ("xcomp", "ccomp", "pcomp", "acl") and head.pos_ in (*_CLAUSES, "ADJ", "NOUN", "ADP"):
            found = _over(head, link)
            if found is not None:
                return found
        if link in ("xcomp", "ccomp", "advcl", "relcl") and head.pos_ in _CLAUSES:
            above = _clause(head) if link != "relcl" else None
            if above is not None and link != "advcl":
                return above
            if link == "advcl" and _sets_free(node):
                return None
        node = head
    return None


def _over(head: Any, link: str) -> Modality | None:  # noqa: PLR0911 (a table in words)
    lemma = head.lemma_.lower()
    if lemma == "go" and head.tag_ == "VBG" and link == "xcomp":  # "going to marry"
        return Modality.PLANNED
    if lemma in DREAM_WORDS:
        return Modality.IMAGINED
    if lemma in NEGATIVE_GOVERNORS:
        return Modality.NEGATED if link in ("xcomp", "pcomp") else None
    if link == "ccomp":
        if lemma in SAY_VERBS:
            return Modality.REPORTED
        if lemma in GOAL_VERBS and head.pos_ in _CLAUSES and lemma not in BELIEF_VERBS:
            return Modality.PLANNED
        return Modality.IMAGINED if lemma in BELIEF_VERBS else None
    if link == "xcomp" and lemma not in FACT_GOVERNORS:
        return Modality.PLANNED
    if link == "acl" and head.pos_ == "NOUN":
        return Modality.PLANNED
    if link == "pcomp" and head.lower_ in ("of", "without", "from", "about", "against", "for"):
        return Modality.PLANNED
    return None


def _sets_free(clause: Any) -> bool:
    """An adverbial clause of time or reason is vouched for, whatever is wished in the main clause."""
    return any(
        c.dep_ in ("mark", "advmod") and c.lower_ in ("because", "since", "when", "after", "as", "while")
        for c in clause.children
    )


def _shares(verb: Any) -> bool:
    """Does the second of two joined verbs live by the first one's auxiliaries and governor?"""
    if verb.dep_ != "conj" or verb.head is verb or verb.head.pos_ not in _CLAUSES:
        return False
    if any(child.dep_ in ("nsubj", "nsubjpass") for child in verb.children):
        return False
    if verb.tag_ in ("VBD", "VBZ", "VBP"):
        return False
    return not negated(verb.head) or any(child.lower_ in ("or", "nor") for child in verb.head.children)


def _past_perfect(verb: Any) -> bool:
    """Told as "had killed", but not "had just", "had always", "had been rivals since", which are true now,
    nor an arrival, whose outcome is."""
    if not any(child.dep_ == "aux" and child.lower_ in ("had", "'d") for child in verb.children):
        return False
    adverbs = {child.lower_ for child in verb.children if child.dep_ == "advmod"}
    if adverbs & (_STILL | _JUST) or any(
        child.lower_ == "since" and child.dep_ in ("prep", "mark") for child in verb.children
    ):
        return False
    return verb.lemma_ not in _ARRIVALS
