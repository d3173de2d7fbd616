"""What puts an end to the use of a thing, by classes of words and the few places in which they stand to it:
"had relieved him of the box", "the ring had gone for nine pounds", "the vase was a heap of splinters"."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...lexicon.object_words import STREAMS
from ..parsing.words import Word
from .end_words import (
    APART,
    BELOW,
    BREAKING,
    BUYERS,
    BY_ITSELF,
    CASTING,
    COMMON_GROUND,
    CONVEYANCES,
    DESTROYED,
    DOWN,
    DREADED,
    EDGES,
    ENDS,
    GIVEN,
    GOING,
    GRAVES,
    HEAPS,
    HELPERS,
    LAYING,
    LIGHT,
    LOST,
    MAKING_OFF,
    OTHERS,
    OWNERS,
    PASSIVE,
    PATIENT,
    POSTURES,
    PRICES,
    PRIVATION,
    REMAINS,
    RESULTS,
    SEEING,
    SINKING,
    SOLD,
    STATES,
    STOLEN,
    TAKERS,
    TAKING,
    TOMBS,
)

__all__ = ["ended", "whose_now"]

_SUBJECTS = ("nsubj", "nsubjpass")
_CLAUSES = ("VERB", "AUX")
_FAR = 9  # words from a verb to its "of"
_SURE, _SURER = 0.7, 0.8
_Told = tuple[str, float, Word]


def ended(noun: Word) -> _Told | None:
    """(act, how surely, the word that tells it) where the sentence puts an end to the use of the thing at
    ``noun``; None where it does not. Whether that is so or only thought is for the caller to ask."""
    told = _deprived(noun) or _gone_off_with(noun) or _behind_of(noun) or _owned_end(noun)
    if told is not None:
        return told
    for verb, patient in _clauses(noun):
        told = _as_patient(verb) if patient else _as_subject(verb)
        if told is not None:
            return told
    return _said_next(noun)


def _said_next(noun: Word) -> _Told | None:
    """What the words right behind the noun say ("had gone astray"), wherever the parser hangs them."""
    doc, i = noun.doc, noun.i + 1
    while i < len(doc) and doc[i].lower_ in HELPERS:
        i += 1
    if i - noun.i < 2 or i >= len(doc) or i >= noun.sent.end:
        return None
    word = doc[i]
    lemma = word.lemma_.lower()
    if lemma == "go" and (told := _goes(word)) is not None:
        return told
    if word.lower_ in STATES and word.lower_ not in ("gone", "lost", "missing"):
        return STATES[word.lower_], _SURE, word
    helped = {doc[k].lower_ for k in range(noun.i + 1, i)}
    if lemma in PATIENT and word.tag_ == "VBN" and helped & PASSIVE:
        return PATIENT[lemma], _SURE, word
    return None


def _deprived(noun: Word) -> _Told | None:
    """Like "had relieved him of the box", whatever the "of" is hung on."""
    doc, first = noun.doc, noun.left_edge.i
    if first < 2 or doc[first - 1].lower_ != "of":
        return None
    for i in range(first - 2, max(noun.sent.start - 1, first - _FAR), -1):
        word = doc[i]
        if word.pos_ == "VERB":
            return (STOLEN, _SURER, word) if word.lemma_.lower() in PRIVATION else None
    return None


def _gone_off_with(noun: Word) -> _Told | None:
    """Like "went off in the night with his cloak"."""
    doc, first = noun.doc, noun.left_edge.i
    if first < 2 or doc[first - 1].lower_ != "with":
        return None
    for i in range(first - 2, max(noun.sent.start, first - _FAR), -1):
        if doc[i].lower_ in ("off", "away") and doc[i - 1].pos_ == "VERB":
            verb = doc[i - 1]
            return (STOLEN, _SURE, verb) if verb.lemma_.lower() in MAKING_OFF else None
    return None


def _clauses(noun: Word) -> Iterator[tuple[Any, bool]]:
    """The verbs that have the thing as their patient (True) or acting subject (False)."""
    head, dep = noun.head, noun.dep_
    if dep == "conj" and head.dep_ in ("dobj", *_SUBJECTS):
        head, dep = head.head, head.dep_
    if head.pos_ in _CLAUSES:
        if dep == "dobj":
            yield head, True
        elif dep in _SUBJECTS:
            yield from _joined(head, passive=dep == "nsubjpass")
    for child in noun.children:
        if child.dep_ == "acl" and child.tag_ == "VBN":
            yield child, True
        elif child.dep_ == "relcl":
            yield child, not any(c.dep_ == "nsubj" and c.lower_ in ("that", "which") for c in child.children)


def _joined(verb: Word, *, passive: bool) -> Iterator[tuple[Any, bool]]:
    """The verb of a subject, and those joined to it that have none of their own."""
    yield verb, passive
    for other in verb.children:
        if other.dep_ == "conj" and other.pos_ in _CLAUSES:
            if any(child.dep_ in _SUBJECTS for child in other.children):
                continue
            yield (
                other,
                any(child.dep_ == "auxpass" for child in other.children) or (passive and other.tag_ == "VBN"),
            )


# --- the thing is done something to ---------------------------------------------------------------


def _as_patient(verb: Word) -> _Told | None:  # noqa: PLR0911 (a class of verbs a line)
    lemma = verb.lemma_.lower()
    act = PATIENT.get(lemma)
    if act is not None:
        return act, _SURER, verb
    if lemma in BREAKING and (_resulting(verb) or _apart(verb)):
        return DESTROYED, _SURER, verb
    if lemma in TAKING and (taker := _taker(verb)) is not None:
        return taker, _SURER, verb
    if lemma in CASTING and _to_a_grave(verb):
        return LOST, _SURER, verb
    if lemma in ("forget", "leave") and _left_in(verb):
        return LOST, _SURE, verb
    if lemma in LAYING and _interred(verb):
        return LOST, _SURE, verb
    if lemma in CASTING and any(child.lower_ == "overboard" for child in verb.children):
        return LOST, _SURER, verb
    small = next((c for c in verb.children if c.dep_ in ("ccomp", "xcomp") and c.pos_ == "VERB"), None)
    if lemma in SEEING and small is not None:
        return _let(small)
    return None


def _left_in(verb: Word) -> bool:
    """Like "forgotten in the train"."""
    return any(
        noun.lower_ in CONVEYANCES
        for child in verb.children
        if child.dep_ == "prep" and child.lower_ in ("in", "on")
        for noun in child.children
    )


def _interred(verb: Word) -> bool:
    """Like "laid in her mother's coffin"."""
    return any(
        noun.lower_ in TOMBS for child in verb.children if child.dep_ == "prep" for noun in child.children
    )


def _let(verb: Word) -> _Told | None:
    """Like "let it fall into the well", "had it stolen", "saw it go down"."""
    lemma = verb.lemma_.lower()
    if lemma in SINKING and (
        _to_a_grave(verb) or any(c.lower_ in ("down", "overboard") for c in verb.children)
    ):
        return LOST, _SURER, verb
    if verb.tag_ == "VBN" and lemma in PATIENT:
        return PATIENT[lemma], _SURER, verb
    return (BY_ITSELF[lemma], _SURE, verb) if lemma in BY_ITSELF else None


def _apart(verb: Word) -> bool:
    return any(child.lower_ in APART and child.dep_ in ("advmod", "prt", "prep") for child in verb.children)


def _resulting(verb: Word) -> bool:
    """Like "to pieces", "in two", "into a thousand splinters"."""
    return any(
        child.lower_ in ("to", "into", "in") and any(noun.lower_ in RESULTS for noun in child.children)
        for child in verb.children
        if child.dep_ == "prep"
    )


def _taker(verb: Word) -> str | None:
    for child in verb.children:
        nouns = [child] if child.dep_ == "nsubj" else list(child.children) if child.dep_ == "agent" else []
        for noun in nouns:
            if noun.lower_ in TAKERS:
                return TAKERS[noun.lower_]
    return None


def _to_a_grave(verb: Word) -> bool:
    """Like "through the grating of the drain", "under six feet of snow"."""
    for child in verb.children:
        if child.dep_ not in ("prep", "prt", "advmod") or child.lower_ not in DOWN:
            continue
        for noun in child.children:
            if noun.dep_ == "pobj" and _reaches(child, noun) and _buries(noun, below=child.lower_ in BELOW):
                return True
            if noun.dep_ == "pobj" and child.lower_ in ("off", "over") and _overhangs(noun):
                return True
    return False


def _reaches(preposition: Word, noun: Word) -> bool:
    """One carries a thing to a lake, and a boat drops down the river: neither is in it."""
    word = preposition.lower_
    if word == "to":
        return noun.lower_ in ("bottom", "depths", "grave") or _sunken(noun)
    return word not in ("down", "beyond") or noun.lower_ not in STREAMS


def _overhangs(noun: Word) -> bool:
    """Like "over the side", "off the edge of the cliff"."""
    if noun.lower_ in EDGES:
        return noun.lower_ != "side" or not any(child.lower_ == "of" for child in noun.children)
    return noun.lower_ in ("edge", "brink", "side", "lip") and any(
        under.lower_ in EDGES for child in noun.children for under in child.children
    )


def _buries(noun: Word, *, below: bool) -> bool:
    if noun.lemma_.lower() in GRAVES or noun.lower_ in GRAVES:
        return noun.lemma_.lower() not in COMMON_GROUND or below or _sunken(noun)
    return _sunken(noun)


def _sunken(noun: Word) -> bool:
    """Like "the bottom of the sea", "six feet of snow"."""
    return any(
        deep.lower_ in GRAVES - COMMON_GROUND
        for child in noun.children
        if child.dep_ == "prep" and child.lower_ in ("of", "in")
        for deep in child.children
    )


# --- the thing is, becomes or goes ---------------------------------------------------------------


def _as_subject(verb: Word) -> _Told | None:  # noqa: PLR0911 (a construction a line)
    lemma = verb.lemma_.lower()
    moved = any(child.dep_ in ("dobj", "attr") for child in verb.children)
    if lemma in BY_ITSELF and not moved:
        return BY_ITSELF[lemma], _SURE, verb
    if lemma in BREAKING and not moved and (_resulting(verb) or _apart(verb)):
        return DESTROYED, _SURER, verb
    if lemma in ("be", "lie", "come", "go", "fall", "fly", "burst", "lay") and _resulting(verb):
        return DESTROYED, _SURER, verb
    if lemma in ("be", "become", "remain") and (told := _being(verb)) is not None:
        return told
    if lemma in POSTURES | SINKING and _to_a_grave(verb):
        return LOST, _SURE, verb
    if lemma in GOING and (told := _goes(verb)) is not None:
        return told
    if lemma == "belong" and any(c.lower_ == "to" and _another(c) for c in verb.children):
        return GIVEN, _SURE, verb
    return None


def _being(verb: Word) -> _Told | None:
    """Like "was gone", "was a heap of splinters", "was Lucy's now"."""
    now = any(child.lower_ in ("now", "henceforth") for child in verb.children)
    for child in verb.children:
        if child.dep_ in ("acomp", "oprd", "attr") and child.lower_ in STATES:
            settled = child.lower_ not in ("gone", "missing", "lost")
            return STATES[child.lower_], _SURE if settled else 0.65, verb
        if child.dep_ == "attr" and child.lower_ in HEAPS | REMAINS and _of_bits(child):
            return DESTROYED, _SURER, verb
        named = child.dep_ in ("attr", "acomp") and now and child.pos_ == "PROPN"
        if named and any(mark.tag_ == "POS" for mark in child.children):
            return GIVEN, _SURE, verb
    return None


def whose_now(verb: Word) -> Word | None:
    """The word for whose it is by now, of "was Lucy's now"."""
    return next((c for c in verb.children if c.dep_ in ("attr", "acomp") and c.pos_ == "PROPN"), None)


def _of_bits(noun: Word) -> bool:
    return noun.lower_ in REMAINS or any(
        bits.lower_ in REMAINS for child in noun.children if child.dep_ == "prep" for bits in child.children
    )


def _goes(verb: Word) -> _Told | None:  # noqa: PLR0911 (a construction a line)
    """Like "had gone to the broker", "went for nine pounds", "had gone astray", "found another owner"."""
    for child in verb.children:
        if child.lower_ == "astray":
            return LOST, _SURER, verb
        if child.dep_ == "dobj" and child.lower_ in OWNERS and _of_another(child):
            return SOLD, _SURE, verb
        if child.dep_ != "prep":
            continue
        for noun in child.children:
            if child.lower_ in ("to", "under", "into") and (noun.lower_ in BUYERS or _shop(noun)):
                return SOLD, _SURER, verb
            if child.lower_ in ("for", "to") and noun.dep_ in ("pobj", "pcomp") and _paid(noun):
                return SOLD, _SURE, verb
            if child.lower_ in ("to", "into") and noun.lower_ in OWNERS and _of_another(noun):
                return GIVEN, _SURE, verb
            if child.lower_ == "to" and noun.lower_ in ("grief", "nothing", "wrack", "pot", "ruin", "bits"):
                return DESTROYED, _SURE, verb
    return None


def _paid(noun: Word) -> bool:
    return noun.lower_ in PRICES or any(c.lower_ in PRICES for c in noun.children if c.dep_ == "dobj")


def _shop(noun: Word) -> bool:
    """Like "the pawnbroker's"."""
    return noun.tag_ == "POS" or any(
        c.dep_ in ("poss", "compound") and c.lower_ in BUYERS for c in noun.children
    )


def _of_another(noun: Word) -> bool:
    return any(child.lower_ in OTHERS for child in noun.subtree)


def _another(to: Any) -> bool:
    return any(noun.dep_ == "pobj" and noun.lower_ in OTHERS | {"others"} for noun in to.children)


# --- the thing behind "of" ------------------------------------------------------------------------


def _behind_of(noun: Word) -> _Told | None:
    """Like "robbed him of the ring", "the loss of the ring", "the ashes of the map"."""
    of = noun.head
    if noun.dep_ != "pobj" or of.lower_ != "of" or of.dep_ not in ("prep", "dative"):
        return None
    over = of.head
    if over.pos_ not in ("NOUN", "PROPN"):
        return None
    if over.lower_ in REMAINS:
        return DESTROYED, _SURE, over
    if over.lower_ in ENDS and over.lower_ not in ("end", "sacrifice", "surrender"):
        act = ENDS[over.lower_]
        if over.head.lemma_.lower() in DREADED:
            return None
        light = over.head.lemma_.lower() in LIGHT if over.dep_ == "dobj" else True
        return (act, _SURE, over) if light or act in (LOST, STOLEN) else None
    return None


def _owned_end(noun: Word) -> _Told | None:
    """Like "the ring's loss"."""
    over = noun.head
    if noun.dep_ == "poss" and over.lower_ in ENDS and over.lower_ not in ("end", "present"):
        return ENDS[over.lower_], _SURE, over
    return None
