"""What is done with particular things: who uses, loses, destroys, gives away, sells or gets back what.

A thing is told apart by its noun, by what is said of it ("silver locket", "father's watch") and by whose it
is. "A letter" is any letter and none to remember: only definite things are read, and those with an owner;
what is indefinite counts where somebody comes by it, for then he has one again.

``act`` is one of ``ACTS``. A thing that is only mentioned is not read.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ..reading import Handling
from ..types import EntityKind, Modality
from .arguments import Arguments, is_passive
from .modality import modality_of
from .parsed import ParsedChapter, ParsedParagraph
from .pronouns import Reference
from .teller import Teller
from .thing_words import (
    AWAY,
    DESTROYED_IN,
    FRESH,
    GENERIC,
    LOST_IN,
    PARTICLES,
    STREAMS,
    THINGS,
    THROWING,
    UNTOUCHED,
    USED_WITH,
    VERBS,
    VESSELS,
)

__all__ = ["ACTS", "read_handlings"]

ACTS = frozenset("loses destroys breaks gives sells steals regains uses".split())

_PEOPLE = frozenset({EntityKind.CHARACTER, EntityKind.GROUP})
_NOUNS = ("NOUN", "PROPN")
_BY_ITSELF = {"shatter": "destroys", "burn": "destroys", "sink": "loses", "vanish": "loses",
              "disappear": "loses", "break": "breaks", "snap": "breaks", "melt": "destroys"}  # fmt: skip
_UTTERLY = frozenset(
    """pieces fragments splinters shards ashes bits smithereens atoms two half dust cinders shreds
    ribbons rags tatters""".split()
)
_HELD = frozenset(
    "hand hands fist palm fingers neck finger belt pocket shoulder lap knees breast arm wrist".split()
)
_TAKING = frozenset("take snatch seize grab".split())
_ROUND = frozenset("round around".split())  # taken for verbs in "wore the medal round her neck"
_INTO = frozenset("into in to on onto upon down beneath".split())
_WITH = frozenset("with in into on onto through upon".split())
_SWALLOWING = frozenset("take swallow consume devour claim carry sweep engulf wash burn destroy".split())
_SUNK = frozenset("lose sink be".split())
_GONE = frozenset("gone lost destroyed".split())
_IT = frozenset({"it", "them"})
_MEANT = 0.85  # of "it", how surely it is the thing last spoken of
_OWNERS_KIN = 40  # characters of a modifier such as "grandfather's"


@dataclass(frozen=True, slots=True)
class _Thing:
    """A thing as a noun phrase names it. ``definite``: with "the", a demonstrative or an owner."""

    name: str
    owner: Reference | None
    definite: bool
    fresh: bool
    factor: float = 1.0


def read_handlings(chapter: ParsedChapter, arguments: Arguments, teller: Teller) -> Iterator[Handling]:
    """In order of the text. Costs a look at each token, more at the nouns of ``thing_words``."""
    for paragraph in chapter.paragraphs:
        last: _Thing | None = None
        for token in paragraph.doc:
            word = token.lower_
            if word in _IT:
                thing = _again(last) if last is not None else None
            elif (
                token.is_lower and token.pos_ in _NOUNS and (word in THINGS or token.lemma_.lower() in THINGS)
            ):
                last = thing = _thing(paragraph, token, arguments)
            else:
                continue
            if thing is not None:
                yield from _handled(paragraph, token, thing, arguments, teller)


def _again(thing: _Thing) -> _Thing:
    return _Thing(thing.name, thing.owner, thing.definite, thing.fresh, thing.factor * _MEANT)


def _thing(paragraph: ParsedParagraph, noun: Any, arguments: Arguments) -> _Thing:
    words, owner, definite, fresh = [], None, False, False
    for child in noun.children:
        word = child.lower_
        if child.dep_ == "det":
            definite = definite or word in ("the", "this", "that", "those", "these")
            fresh = fresh or word in FRESH
        elif child.dep_ == "poss":
            definite = True
            kin, owner = _owner(paragraph, child, arguments)
            words += kin
        elif child.dep_ in ("amod", "compound", "nmod") and child.i < noun.i:
            fresh = fresh or word in FRESH
            if word not in GENERIC and word not in FRESH and child.is_alpha | ("-" in word):
                words.append(word)
    return _Thing(" ".join((*sorted(words), noun.lower_)), owner, definite, fresh)


def _owner(paragraph: ParsedParagraph, poss: Any, arguments: Arguments) -> tuple[list[str], Reference | None]:
    """Whose it is; of "his father's watch" the father tells the thing from others, and it is his."""
    meant = arguments.single(paragraph, poss)
    if poss.pos_ == "NOUN" and poss.i not in paragraph.mention_of:
        inner = [child for child in poss.children if child.dep_ == "poss"]
        owner = arguments.single(paragraph, inner[0]) if inner else None
        return [f"{poss.lower_}'s"], owner
    return [], meant


def _handled(
    paragraph: ParsedParagraph, token: Any, thing: _Thing, arguments: Arguments, teller: Teller
) -> Iterator[Handling]:
    found = _act(token)
    if found is None:
        return
    act, sure, verb = found
    if act == "loses" and token.lower_ in VESSELS and verb.lemma_.lower() not in _SUNK:
        return  # afloat, not lost
    if thing.fresh:
        act = "regains"
    if not thing.definite and act != "regains":
        return
    modality = modality_of(teller.chapter, paragraph, verb)
    if modality is None or (modality is not Modality.FACT and act == "uses"):
        return
    doers, others = _parties(paragraph, verb, act, arguments)
    doer, other = _one(doers), _one(others)
    if act == "uses" and verb.lemma_.lower() in _TAKING and _from_owner(arguments, thing.owner, doer, verb):
        act, sure, other = "steals", 0.7, thing.owner
    factor = thing.factor * (doer.factor if doer is not None else 1.0)
    if thing.owner is not None and not _same(arguments, thing.owner, doer):
        factor *= thing.owner.factor
    people = (doer, other, thing.owner)
    yield Handling(
        thing.name,
        thing.owner.mention if thing.owner is not None else None,
        act,
        doer.mention if doer is not None else None,
        arguments.support(paragraph, token, *people),
        modality,
        round(sure * factor, 3),
        other.mention if other is not None else None,
        tuple((one.mention, one.gender) for one in people if one is not None and one.gender),
    )


def _same(arguments: Arguments, one: Reference, other: Reference | None) -> bool:
    """Are both one, by name? Then a "his" beside him is as good as his name."""
    return other is not None and arguments.name(one) == arguments.name(other)


def _from_owner(arguments: Arguments, owner: Reference | None, doer: Reference | None, verb: Any) -> bool:
    """Does somebody else than the owner take it?"""
    acting = any(child.dep_ == "nsubj" and child.tag_ != "PRP" for child in verb.children)
    return owner is not None and acting and not _same(arguments, owner, doer)


def _one(references: list[Reference]) -> Reference | None:
    return references[0] if len(references) == 1 else None


def _parties(
    paragraph: ParsedParagraph, verb: Any, act: str, arguments: Arguments
) -> tuple[list[Reference], list[Reference]]:
    """Who does it, and to or from whom."""
    doers = arguments.agents(paragraph, verb) if is_passive(verb) else arguments.subjects(paragraph, verb)
    if act == "gives":
        others = arguments.slot(paragraph, verb, "dative") or arguments.slot(paragraph, verb, "prep:to")
    else:
        others = arguments.slot(paragraph, verb, "prep:from")
    return _people(arguments, doers), _people(arguments, others)


def _people(arguments: Arguments, references: list[Reference]) -> list[Reference]:
    return [one for one in references if arguments.kind(one) in _PEOPLE]


# --- what is done with it --------------------------------------------------------------------------------


def _act(token: Any) -> tuple[str, float, Any] | None:  # noqa: PLR0911 (a place in the clause a line)
    """What the clause does with the thing at ``token``, how surely, and its verb; None for nothing told."""
    dep, head = token.dep_, token.head
    if dep == "compound" and head.lower_ in AWAY:  # "lost the revolver overboard"
        dep, head = head.dep_, head.head
        return ("loses", 0.85, head) if dep == "dobj" else None
    if dep == "conj" and head.dep_ in ("dobj", "nsubjpass"):
        dep, head = head.dep_, head.head
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


def _done(verb: Any, lemma: str) -> tuple[str, float] | None:
    for child in verb.children:
        if child.dep_ in ("prt", "advmod") and (lemma, child.lower_) in PARTICLES:
            return PARTICLES[(lemma, child.lower_)]
    taken = _taken(verb, lemma)
    if taken is not None:
        return taken
    if _utterly(verb):
        return "destroys", 0.85
    if lemma in THROWING:
        return _thrown(verb, away=True)
    if lemma in VERBS:
        return VERBS[lemma]
    return None if lemma in UNTOUCHED else ("uses", 0.7)


def _taken(verb: Any, lemma: str) -> tuple[str, float] | None:
    """Like "the flames took the map", "the sea swallowed the key"."""
    if lemma not in _SWALLOWING:
        return None
    by = {child.lower_ for child in verb.children if child.dep_ == "nsubj"}
    by |= {c.lower_ for child in verb.children if child.dep_ == "agent" for c in child.children}
    if by & DESTROYED_IN:
        return "destroys", 0.85
    return ("loses", 0.85) if by & LOST_IN else None


def _thrown(verb: Any, *, away: bool) -> tuple[str, float] | None:
    """Into the fire, or into the sea."""
    for child in verb.subtree:
        if child.head == verb and (child.lower_ == "overboard" or (away and child.lower_ in AWAY)):
            return "loses", 0.85
        if child.pos_ != "ADP" or child.lower_ not in _INTO:
            continue
        down = child.lower_ == "down"  # "dropped down the river"
        for noun in child.children:
            if noun.dep_ == "pobj" and noun.lower_ in DESTROYED_IN:
                return "destroys", 0.85
            if noun.dep_ == "pobj" and noun.lower_ in LOST_IN and not (down and noun.lower_ in STREAMS):
                return "loses", 0.85
    return None


def _by_itself(verb: Any, lemma: str) -> tuple[str, float] | None:
    """Like "the vase shattered", "his sword broke in two", "the ring fell into the sea"."""
    if lemma in ("go", "sink") and any(child.lower_ in ("down", "overboard") for child in verb.children):
        return "loses", 0.75
    if lemma in ("fall", "slip", "drop", "roll", "slide", "go", "tumble") or lemma in THROWING:
        return _thrown(verb, away=False)
    if lemma == "be":
        gone = any(child.dep_ in ("acomp", "oprd") and child.lower_ in _GONE for child in verb.children)
        return ("loses", 0.65) if gone else None
    act = _BY_ITSELF.get(lemma)
    if act is None or any(child.dep_ == "dobj" for child in verb.children):
        return None
    if act == "breaks" and _utterly(verb):
        act = "destroys"
    return act, 0.8


def _utterly(verb: Any) -> bool:
    return any(
        noun.lower_ in _UTTERLY for child in verb.children if child.dep_ == "prep" for noun in child.children
    )


def _behind(preposition: Any) -> tuple[str, float, Any] | None:
    """Like "looked at his watch", "opened it with the brass key", "stood with the lamp in his hand"."""
    verb, word = preposition.head, preposition.lower_
    if verb.dep_ == "dobj":  # "put the roses in the vase", taken for roses that are in it
        verb = verb.head
    if verb.pos_ != "VERB":
        return None
    lemma = verb.lemma_.lower()
    if (lemma, word) in USED_WITH:
        return "uses", 0.8, verb
    if lemma == "part" and word == "with":
        return "gives", 0.8, verb
    if lemma in ("make", "run") and word == "with" and any(c.lower_ == "off" for c in verb.children):
        return "steals", 0.8, verb
    return ("uses", 0.7, verb) if word in _WITH and lemma not in UNTOUCHED else None
