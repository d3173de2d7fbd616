"""Harm told by what is done with hands, weapons and goods, where no verb says it alone: "took him by the
throat", "brought the poker down upon her shoulder", "stole his money", "swore away her good name".

Frames after Levin (1993), 18.1 hit, 9.3 funnel, 9.7 spray, 10.5 steal, 33 judgment; the nouns by hand.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from ..types import EntityKind
from .arguments import Arguments, is_passive
from .modality import modality_of
from .parsed import ParsedChapter, ParsedParagraph
from .pronouns import Reference
from .teller import Teller

__all__ = ["read_deeds"]

_GRIP = frozenset("take seize catch grab grip clutch hold have drag haul pull".split())
_GRIPPED = frozenset("throat neck hair windpipe".split())
_BODY = frozenset(
    """head face shoulder shoulders back skull cheek chest breast throat arm hand neck side jaw mouth ear
    temple ears""".split()
)
_BLOWS = frozenset("blow cut kick cuff stroke thrashing beating clout stab punch buffet drubbing".split())
_DEALING = frozenset("deal fetch hit land strike aim catch plant".split())
_HOUNDS = frozenset("dog dogs hound hounds mastiff".split())
_HANDS = frozenset("hand hands finger fingers".split())
_CLOSING = frozenset("close clasp fasten lock tighten put lay".split())
_CELLS = frozenset("cellar vault dungeon cupboard loft tower coal-hole closet pit".split())
_VALUABLES = frozenset(
    """purse money savings jewels wallet pocket-book pocketbook pearls diamonds necklace gold silver
    sovereigns banknotes notes""".split()
)
_LAUNCHED = frozenset("throw fling hurl launch cast".split())
_REFLEXIVE = frozenset("himself herself myself themselves".split())
_BLOW = frozenset("bring lay break smash crash swing send aim".split())
_PIERCE = frozenset("drive plunge stick thrust run bury put send jab fire".split())
_BLADES = frozenset(
    """knife dagger sword blade bullet ball bayonet spear penknife paper-knife scissors sabre rapier cutlass
    fork lance stiletto arrow shot hatchet axe needle""".split()
)
_HURT = frozenset(
    """strike hit slap punch smack box cuff cane cut slash stab wound scratch bite kick beat break
    lash""".split()
)
_THROW = frozenset("push throw fling hurl shove pitch thrust tip".split())
_DOWN = frozenset(
    """stairs staircase steps river window cliff water well pond fire ditch sea lake wall canal bank
    balcony""".split()
)
_ROUND = ("round", "around", "about", "on", "upon")
_INTO = ("in", "into", "through")
_FALLING = ("down", "into", "in", "off", "over", "from", "of", "out")
_BREAKING = frozenset("break force rifle ransack empty".split())
_HURLED = frozenset("throw fling hurl shy swing toss level".split())
_POURED = frozenset("put pour drop slip mix stir sprinkle".split())
_POISONS = frozenset("poison arsenic strychnine laudanum prussic antimony".split())
_GIVEN_UP = frozenset("give hand deliver sell turn surrender".split())
_LAW = frozenset(
    """police constable constables magistrate magistrates sheriff bailiffs soldiers enemy enemies
    gendarmes guard guards warder warders jailer gaoler hangman authorities""".split()
)
_BOXES = frozenset(
    "desk drawer box strong-box strongbox safe trunk chest till purse bureau writing-desk".split()
)
_STEAL = frozenset("steal pilfer filch purloin pocket pick embezzle".split())
_NAME = frozenset("name character reputation honour honor".split())
_BLACKEN = frozenset("swear blacken take ruin slander destroy forge sign besmirch".split())
_AGAINST = frozenset("inform witness testify swear depose plot conspire".split())
_POISONED = frozenset("tea coffee wine cup glass food dog horse well soup drink milk cattle".split())
_BURNT = frozenset("house barn stack ricks rick cottage home mill shop bed stable hayrick warehouse".split())
_PEOPLE = frozenset({EntityKind.CHARACTER, EntityKind.GROUP})
_Deed = tuple[str, float, list[Reference]]


def read_deeds(chapter: ParsedChapter, arguments: Arguments, teller: Teller) -> None:
    """Adds to ``teller`` the happenings ATTACKS, STEALS_FROM and BETRAYS between two persons, of verbs that
    have told nothing yet."""
    for paragraph in chapter.paragraphs:
        for verb in paragraph.words:
            if verb.pos_ != "VERB" or (paragraph.number, verb.i) in teller.at:
                continue
            deed = _deed(paragraph, verb, arguments)
            if deed is None:
                continue
            predicate, sure, victims = deed
            doers = arguments.agents if is_passive(verb) else arguments.subjects
            who = _people(arguments, doers(paragraph, verb))
            whom = _people(arguments, victims)
            modality = modality_of(chapter, paragraph, verb) if who and whom else None
            if modality is not None:
                for pair in product(who, whom):
                    teller.tell(paragraph, verb, predicate, pair, modality, sure)


def _deed(paragraph: ParsedParagraph, verb: Any, arguments: Arguments) -> _Deed | None:
    lemma = verb.lemma_.lower()
    for noun, link in _nouns(verb):
        sure = _blow(verb, lemma, noun, link)
        if sure:
            return "ATTACKS", sure, _whose(paragraph, noun, arguments)
        found = _assault(paragraph, verb, lemma, noun, link, arguments) or _wrong(
            paragraph, verb, lemma, noun, link, arguments
        )
        if found is not None:
            return found
    return None


def _blow(verb: Any, lemma: str, noun: Any, link: str) -> float:
    """How surely is whoever owns the noun attacked: "brought it down upon her shoulder"?"""
    word = noun.lower_
    if word in _BODY:
        hurt = lemma in _HURT and link in ("", "on", "across", "in")
        struck = (
            lemma in _BLOW and link in ("on", "upon", "over", "across", "about", "at") and _has_object(verb)
        )
        pierced = lemma in _PIERCE and link in _INTO and _object_in(verb, _BLADES)
        if hurt or struck or pierced:
            return 0.8
        if lemma == "spit" and link in ("in", "on", "upon", "into"):
            return 0.8
        if lemma in _CLOSING and word in _GRIPPED and link in _ROUND and _object_in(verb, _HANDS):
            return 0.8
        hurled = lemma in _HURLED and _has_object(verb)
        return 0.75 if hurled and (link == "at" or (link in _INTO and word == "face")) else 0.0
    poured = lemma in _POURED and link in _INTO and _object_in(verb, _POISONS)
    if word in _POISONED and ((lemma == "poison" and not link) or poured):
        return 0.8
    burnt = lemma == "set" and link == "to" and word in _BURNT and _has_object(verb, "fire")
    burnt = burnt or (lemma == "burn" and not link and word in _BURNT)
    return 0.8 if burnt else 0.0


def _assault(  # noqa: PLR0911 (a construction a line)
    paragraph: ParsedParagraph, verb: Any, lemma: str, noun: Any, link: str, arguments: Arguments
) -> _Deed | None:
    """Like "took him by the throat", "ran a sword through him", "pushed him down the stairs"."""
    if lemma in _GRIP and link == "by" and noun.lower_ in _GRIPPED:
        return "ATTACKS", 0.85, arguments.slot(paragraph, verb, "dobj")
    if lemma in _PIERCE and link in _INTO and _object_in(verb, _BLADES):
        return "ATTACKS", 0.8, arguments.resolve(paragraph, noun)
    if lemma in ("fire", "shoot") and link in ("at", "upon", "on"):
        return "ATTACKS", 0.75, arguments.resolve(paragraph, noun)
    if link in ("on", "upon", "at") and (
        (lemma in _LAUNCHED and _object_in(verb, _REFLEXIVE))
        or (lemma in ("set", "turn", "loose") and _object_in(verb, _HOUNDS))
    ):
        return "ATTACKS", 0.75, arguments.resolve(paragraph, noun)
    if lemma in ("lock", "shut", "imprison") and link == "in" and noun.lower_ in _CELLS:
        return "ATTACKS", 0.75, arguments.slot(paragraph, verb, "dobj")
    if lemma in _DEALING and noun.lower_ in _BLOWS and not link:
        given = arguments.slot(paragraph, verb, "dative")
        return "ATTACKS", 0.75, given or arguments.slot(paragraph, verb, "prep:at")
    if lemma in _THROW and noun.lower_ in _DOWN and link in _FALLING:
        return "ATTACKS", 0.75, arguments.slot(paragraph, verb, "dobj")
    return None


def _wrong(
    paragraph: ParsedParagraph, verb: Any, lemma: str, noun: Any, link: str, arguments: Arguments
) -> _Deed | None:
    """Theft and betrayal: "stole his money", "swore away her good name", "gave him up to the police"."""
    word = noun.lower_
    if (lemma in _STEAL and link in ("", "from")) or (lemma in _BREAKING and word in _BOXES):
        return "STEALS_FROM", 0.8 if lemma in _STEAL else 0.7, _whose(paragraph, noun, arguments)
    if lemma in ("take", "abstract", "remove") and word in _VALUABLES and not link:
        return "STEALS_FROM", 0.7, _whose(paragraph, noun, arguments)
    if lemma in _BLACKEN and not link and word in _NAME:
        return "BETRAYS", 0.75, _whose(paragraph, noun, arguments)
    if lemma in _GIVEN_UP and link == "to" and word in _LAW:
        return "BETRAYS", 0.8, arguments.slot(paragraph, verb, "dobj")
    if lemma in _AGAINST and link == "against":
        return "BETRAYS", 0.75, arguments.resolve(paragraph, noun)
    return None


def _nouns(verb: Any) -> Iterator[tuple[Any, str]]:
    """Objects (with no link) and what stands behind the verb's prepositions."""
    for child in verb.children:
        if child.dep_ in ("dobj", "nsubjpass"):
            yield child, ""
        elif child.dep_ in ("prep", "prt", "dative") or child.lower_ == "down":
            link = child.lower_
            for noun in child.children:
                if noun.dep_ == "pobj":
                    yield noun, link
                elif noun.dep_ == "prep":
                    yield from ((each, noun.lower_) for each in noun.children if each.dep_ == "pobj")


def _has_object(verb: Any, word: str = "") -> bool:
    return any(
        child.dep_ in ("dobj", "nsubjpass") and word in ("", child.lower_) and child.lower_ not in _BODY
        for child in verb.children
    )


def _object_in(verb: Any, words: frozenset[str]) -> bool:
    return any(child.dep_ in ("dobj", "nsubjpass") and child.lower_ in words for child in verb.children)


def _whose(paragraph: ParsedParagraph, noun: Any, arguments: Arguments) -> list[Reference]:
    for child in noun.children:
        if child.dep_ == "poss":
            return arguments.resolve(paragraph, child)
    for child in noun.children:
        if child.dep_ == "prep" and child.lower_ == "of":
            return [r for c in child.children if c.dep_ == "pobj" for r in arguments.resolve(paragraph, c)]
    return []


def _people(arguments: Arguments, references: list[Reference]) -> list[Reference]:
    return [one for one in references if arguments.kind(one) in _PEOPLE]
