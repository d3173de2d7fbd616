"""What a clause does with a thing: uses, loses, destroys, gives away, sells, steals or gets it back."""

from __future__ import annotations

from typing import Any

from ...lexicon.object_words import (
    AWAY,
    CLOTHING,
    DESTROYED_IN,
    LOST_IN,
    PARTICLES,
    RUBBISH,
    STREAMS,
    THIEVES,
    THROWING,
    UNTOUCHED,
    USED_WITH,
    VERBS,
    WORN,
)
from ..parsing.words import Word

__all__ = ["SUNK", "TAKING", "act_of", "by_thieves", "worn_on"]

TAKING = frozenset("take snatch seize grab".split())
_BY_ITSELF = {"shatter": "destroys", "burn": "destroys", "sink": "loses", "vanish": "loses",
              "disappear": "loses", "break": "breaks", "snap": "breaks", "melt": "destroys",
              "perish": "destroys", "explode": "destroys"}  # fmt: skip
_UTTERLY = frozenset(
    """pieces fragments splinters shards ashes bits smithereens atoms two half dust cinders shreds
    ribbons rags tatters powder matchwood pulp""".split()
)
_HELD = frozenset(
    """hand hands fist palm fingers neck finger belt pocket shoulder lap knees breast arm wrist throat waist
    ear ears hair side""".split()
)
_ROUND = frozenset("round around".split())  # taken for verbs in "wore the medal round her neck"
_SPOILT = frozenset("flat beyond irreparably utterly".split())
_UPON = frozenset("him her me them himself herself myself".split())
_CARRIED = frozenset("in on at with about round around upon from before against to".split())
_NOTHING = frozenset("nothing little".split())
_TOUCHED = frozenset("to on upon over round around".split())
_HANDS = frozenset("hand hands finger fingers".split())
_HEAPS = frozenset("heap bin pit".split())
_WASTE = frozenset("dust rubbish scrap ash dung refuse".split())
_INTO = frozenset("into in to on onto upon down beneath".split())
_FLUNG = frozenset("throw fling toss sling".split())  # with nowhere to be lost in: about one, on a chair
_WITH = frozenset("with in into on onto through upon".split())
_SWALLOWING = frozenset("take swallow consume devour claim carry sweep engulf wash burn destroy".split())
SUNK = frozenset("lose sink be".split())
_GONE = frozenset("gone lost destroyed".split())


def act_of(token: Word) -> tuple[str, float, Word] | None:  # noqa: PLR0911 (a place in the clause a line)
    """What the clause does with the thing at ``token``, how surely, and its verb; None for nothing told."""
    dep, head = token.dep_, token.head
    if dep == "compound" and head.lower_ in AWAY:  # "lost the revolver overboard"
        dep, head = head.dep_, head.head
        return ("loses", 0.85, head) if dep == "dobj" else None
    if dep == "conj" and head.dep_ in ("dobj", "nsubjpass"):
        dep, head = head.dep_, head.head
    ruined = next((c for c in token.children if c.dep_ == "acl" and c.tag_ == "VBN" and _ruins(c)), None)
    if ruined is not None:
        return "destroys", 0.8, ruined
    if dep in ("dobj", "nsubjpass") and head.pos_ == "VERB":
        told = _done(head, head.lemma_.lower())
        return (*told, head) if told is not None else None
    if dep == "nsubj" and head.dep_ == "ccomp" and head.lower_ in _ROUND:
        dep, head = "dobj", head.head
        told = _done(head, head.lemma_.lower())
        return (*told, head) if told is not None else None
    if dep == "nsubj" and head.pos_ in ("VERB", "AUX"):
        for verb in (head, *(each for each in head.conjuncts if each.pos_ == "VERB")):
            told = _by_itself(verb, verb.lemma_.lower())
            if told is not None:
                return (*told, verb)
        return None
    if dep == "pobj" and head.dep_ == "prep":
        return _behind(head)
    return None


def _done(verb: Word, lemma: str) -> tuple[str, float] | None:  # noqa: PLR0911 (a case a line)
    for child in verb.children:
        if child.dep_ in ("prt", "advmod") and (lemma, child.lower_) in PARTICLES:
            return PARTICLES[(lemma, child.lower_)]
    taken = _taken(verb, lemma)
    if taken is not None:
        return taken
    if _utterly(verb):
        return "destroys", 0.85
    if (lemma == "find" and _kept(verb)) or (lemma in ("have", "keep") and _upon(verb)):
        return "uses", 0.75
    if lemma == "bury" and any(child.lower_ == "with" for child in verb.children):
        return "loses", 0.75
    if lemma in THROWING:
        return _thrown(verb, away=True) or (("uses", 0.65) if lemma in _FLUNG else None)
    if lemma in VERBS:
        return VERBS[lemma]
    return None if lemma in UNTOUCHED else ("uses", 0.7)


def _taken(verb: Word, lemma: str) -> tuple[str, float] | None:
    """Like "the flames took the map", "the sea swallowed the key"."""
    if lemma not in _SWALLOWING:
        return None
    by = {child.lower_ for child in verb.children if child.dep_ == "nsubj"}
    by |= {c.lower_ for child in verb.children if child.dep_ == "agent" for c in child.children}
    if by & DESTROYED_IN:
        return "destroys", 0.85
    return ("loses", 0.85) if by & LOST_IN else None


def _thrown(verb: Word, *, away: bool) -> tuple[str, float] | None:
    """Into the fire, or into the sea."""
    for child in verb.subtree:
        if child.head == verb and (child.lower_ == "overboard" or (away and child.lower_ in AWAY)):
            return "loses", 0.85
        if child.pos_ not in ("ADP", "SCONJ") or child.lower_ not in _INTO:
            continue
        down = child.lower_ == "down"  # "dropped down the river"
        for noun in child.children:
            if noun.dep_ == "pobj" and noun.lower_ in DESTROYED_IN:
                return "destroys", 0.85
            if noun.dep_ == "pobj" and _is_rubbish(noun):
                return "loses", 0.85
            if noun.dep_ == "pobj" and noun.lower_ in LOST_IN and not (down and noun.lower_ in STREAMS):
                return "loses", 0.85
    return None


def _by_itself(verb: Word, lemma: str) -> tuple[str, float] | None:
    """Like "the vase shattered", "his sword broke in two", "the ring fell into the sea"."""
    if lemma in ("go", "sink") and any(child.lower_ in ("down", "overboard") for child in verb.children):
        return "loses", 0.75
    if lemma in ("fall", "slip", "drop", "roll", "slide", "go", "tumble") or lemma in THROWING:
        return _thrown(verb, away=False)
    if lemma == "be" and any(c.dep_ in ("acomp", "oprd") and c.lower_ in _GONE for c in verb.children):
        return "loses", 0.65
    if lemma in WORN and worn_on(verb) is not None:
        return "uses", 0.75
    act = _BY_ITSELF.get(lemma)
    if act is None or any(child.dep_ == "dobj" for child in verb.children):
        return None
    if act == "breaks" and _utterly(verb):
        act = "destroys"
    return act, 0.8


def _utterly(verb: Word) -> bool:
    return any(
        noun.lower_ in _UTTERLY for child in verb.children if child.dep_ == "prep" for noun in child.children
    )


def _ruins(participle: Any) -> bool:
    """Like "crushed flat by a wheel", "burnt to ashes" behind a noun."""
    told = _done(participle, participle.lemma_.lower())
    return told is not None and (
        told[0] == "destroys"
        or (told[0] == "breaks" and any(child.lower_ in _SPOILT for child in participle.children))
    )


def _is_rubbish(noun: Word) -> bool:
    """Like "the dust-heap", however the hyphen is parted."""
    parts = {child.lower_ for child in noun.children if child.dep_ == "compound"}
    return noun.lower_ in RUBBISH or (noun.lower_ in _HEAPS and bool(parts & _WASTE))


def _kept(verb: Word) -> bool:
    """Is it found where its owner keeps it: "felt in his pocket and found it"?"""
    return any(
        noun.lower_ in CLOTHING and any(child.dep_ == "poss" for child in noun.children)
        for noun in verb.sent
        if noun.dep_ == "pobj"
    )


def _upon(verb: Word) -> bool:
    """Like "had it in her hand", "kept it about him"."""
    for child in verb.subtree:
        if child.dep_ == "prep" and child.lower_ in _CARRIED:
            for noun in child.children:
                own = any(each.dep_ == "poss" for each in noun.children)
                if noun.lower_ in _UPON or (own and noun.lower_ in _HELD | CLOTHING):
                    return True
    return False


def worn_on(verb: Word) -> Word | None:
    """Whose it is, as a word, of "glittered on Elena's finger", "lay in her lap"."""
    for child in verb.children:
        if child.dep_ != "prep" or child.lower_ not in _CARRIED:
            continue
        for noun in child.children:
            owner = next((each for each in noun.children if each.dep_ == "poss"), None)
            if owner is not None and noun.lower_ in _HELD | CLOTHING:
                return owner
    return None


def by_thieves(verb: Word) -> bool:
    """Like "a thief had taken it", "was carried away by burglars"."""
    if verb.lemma_.lower() not in TAKING:
        return False
    by = [child for child in verb.children if child.dep_ == "nsubj"]
    by += [noun for child in verb.children if child.dep_ == "agent" for noun in child.children]
    return any(noun.lower_ in THIEVES for noun in by)


def _presented(preposition: Word, lemma: str) -> bool:
    """Like "made a present of it"."""
    return lemma == "make" and preposition.head.lower_ in ("present", "gift")


def _behind(preposition: Word) -> tuple[str, float, Word] | None:  # noqa: PLR0911 (a case a line)
    """Like "looked at his watch", "opened it with the brass key", "stood with the lamp in his hand"."""
    verb, word = preposition.head, preposition.lower_
    if verb.dep_ == "dobj":  # "put the roses in the vase", taken for roses that are in it
        verb = verb.head
    if verb.pos_ != "VERB":
        return None
    lemma = verb.lemma_.lower()
    if (lemma, word) in USED_WITH:
        return "uses", 0.8, verb
    if (lemma == "part" and word == "with") or (word == "of" and _presented(preposition, lemma)):
        return "gives", 0.8, verb
    if word == "of" and (lemma == "dispose" or preposition.head.lower_ == "rid"):
        return "sells", 0.75, verb
    nothing = preposition.head.lower_ in _NOTHING or any(
        child.dep_ in ("nsubj", "nsubjpass") and child.lower_ in _NOTHING for child in verb.children
    )
    if word == "of" and lemma in ("leave", "remain", "be") and nothing:
        return "destroys", 0.75, verb
    if word in _TOUCHED and any(c.dep_ == "dobj" and c.lower_ in _HANDS for c in verb.children):
        return "uses", 0.7, verb
    if word == "without" and lemma in ("go", "stir", "travel", "walk", "see"):
        return "uses", 0.7, verb
    if lemma in ("make", "run") and word == "with" and any(c.lower_ == "off" for c in verb.children):
        return "steals", 0.8, verb
    return ("uses", 0.7, verb) if word in _WITH and lemma not in UNTOUCHED else None
