"""Harm told by what is done with hands, weapons and goods, where no verb says it alone: "took him by the
throat", "brought the poker down upon her shoulder", "stole his money", "swore away her good name".

Frames after Levin (1993), 18.1 hit, 9.3 funnel, 9.7 spray, 10.5 steal, 33 judgment; the nouns by hand.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from ...model.types import EntityKind
from ..clauses.arguments import Arguments, is_passive
from ..clauses.fact_collector import Teller
from ..clauses.modality import modality_of
from ..clauses.plain_clauses import name_after
from ..coreference.pronouns import Reference
from ..parsing.chapter import ParsedChapter, ParsedParagraph
from .words import (
    AGAINST,
    BEARING,
    BLACKEN,
    BLADES,
    BLOW,
    BLOWS,
    BODY,
    BOXES,
    BREAKING,
    BURNT,
    CELLS,
    CHEATING,
    CLOSING,
    DEALING,
    DOWN,
    EVIDENCE,
    FALLING,
    FELLING,
    FORCING,
    GIFTS,
    GIVEN_UP,
    GRIP,
    GRIPPED,
    HANDS,
    HOUNDS,
    HURLED,
    HURT,
    INTO,
    LAID,
    LAUNCHED,
    LAW,
    LIGHT,
    LURING,
    MAKING_OFF,
    NAME,
    PENALTIES,
    PIERCE,
    POISONED,
    POISONS,
    POURED,
    REACHING,
    REFLEXIVE,
    REPROACHES,
    ROBBED,
    ROUND,
    SECRETS,
    SELLING,
    SENSELESS,
    STEAL,
    TENDER,
    THROW,
    TRAPS,
    VALUABLES,
    WATERS,
    WEAPONS,
)

__all__ = ["read_deeds"]

_PEOPLE = frozenset({EntityKind.CHARACTER, EntityKind.GROUP})
_Deed = tuple[str, float, list[Reference]]
_Party = tuple[list[Reference], list[Reference]]


def read_deeds(chapter: ParsedChapter, arguments: Arguments, teller: Teller) -> None:
    """Adds to ``teller`` the happenings ATTACKS, STEALS_FROM and BETRAYS between two persons, of verbs that
    have told nothing yet."""
    for paragraph in chapter.paragraphs:
        for verb in paragraph.words:
            if verb.pos_ != "VERB" or (paragraph.number, verb.i) in teller.at:
                continue
            deed = _deed(paragraph, verb, arguments)
            if deed is not None:
                predicate, sure, victims = deed
                doers = arguments.agents if is_passive(verb) else arguments.subjects
                who = doers(paragraph, verb) or _cleft(paragraph, verb, arguments)
            else:
                predicate, sure = "ATTACKS", 0.75
                who, victims = _struck(paragraph, verb, arguments)
                if not who:
                    who, victims = _had_done(paragraph, verb, arguments)
                if not who:
                    who, victims = _knocked_out(paragraph, verb, arguments)
            whom = _people(arguments, victims)
            who = _people(arguments, who)
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


def _blow(  # noqa: PLR0911 (a construction a line)
    verb: Any, lemma: str, noun: Any, link: str
) -> float:
    """How surely is whoever owns the noun attacked: "brought it down upon her shoulder"?"""
    word = noun.lower_
    if word in BODY:
        hurt = lemma in HURT and link in ("", "on", "across", "in") and (lemma, word) not in TENDER
        struck = (
            lemma in BLOW and link in ("on", "upon", "over", "across", "about", "at") and _has_object(verb)
        )
        pierced = lemma in PIERCE and link in INTO and _object_in(verb, BLADES)
        if hurt or struck or pierced:
            return 0.8
        if lemma in ("fire", "discharge") and link in ("in", "into", "at"):
            return 0.8
        if lemma == "spit" and link in ("in", "on", "upon", "into"):
            return 0.8
        if lemma in CLOSING and word in GRIPPED and link in ROUND and _object_in(verb, HANDS):
            return 0.8
        hurled = lemma in HURLED and _has_object(verb) and not _object_in(verb, LIGHT)
        hurled = hurled and (word != "face" or not _reproach(verb))
        return 0.75 if hurled and (link == "at" or (link in INTO and word == "face")) else 0.0
    poured = lemma in POURED and link in INTO and _object_in(verb, POISONS)
    if word in POISONED and ((lemma == "poison" and not link) or poured):
        return 0.8
    burnt = lemma == "set" and link == "to" and word in BURNT and _has_object(verb, "fire")
    burnt = burnt or (lemma == "burn" and not link and word in BURNT)
    return 0.8 if burnt else 0.0


def _assault(  # noqa: PLR0911 (a construction a line)
    paragraph: ParsedParagraph, verb: Any, lemma: str, noun: Any, link: str, arguments: Arguments
) -> _Deed | None:
    """Like "took him by the throat", "ran a sword through him", "pushed him down the stairs"."""
    if lemma in GRIP and link == "by" and noun.lower_ in GRIPPED:
        return "ATTACKS", 0.85, _object(paragraph, verb, arguments)
    if lemma in PIERCE and link in INTO and _object_in(verb, BLADES):
        return "ATTACKS", 0.8, arguments.resolve(paragraph, noun)
    if lemma == "take" and link == "to" and _object_in(verb, BLADES | WEAPONS):
        return "ATTACKS", 0.75, arguments.resolve(paragraph, noun)
    if lemma in FORCING and not link and noun.lower_ in ("head", "face") and _under_water(verb):
        return "ATTACKS", 0.8, _whose(paragraph, noun, arguments)
    if lemma in ("fire", "shoot") and link in ("at", "upon", "on"):
        return "ATTACKS", 0.75, arguments.resolve(paragraph, noun)
    if link in ("on", "upon", "at") and (
        (lemma in LAUNCHED and _object_in(verb, REFLEXIVE))
        or (lemma in ("set", "turn", "loose", "let", "unleash", "slip") and _object_in(verb, HOUNDS))
    ):
        return "ATTACKS", 0.75, arguments.resolve(paragraph, noun)
    if lemma in ("lock", "shut", "imprison") and link == "in" and noun.lower_ in CELLS:
        return "ATTACKS", 0.75, _object(paragraph, verb, arguments)
    if lemma in DEALING and noun.lower_ in (GIFTS if lemma == "give" else BLOWS) and not link:
        given = arguments.slot(paragraph, verb, "dative")
        return "ATTACKS", 0.75, given or arguments.slot(paragraph, verb, "prep:at")
    if lemma in THROW and noun.lower_ in DOWN and link in FALLING:
        return "ATTACKS", 0.75, _object(paragraph, verb, arguments)
    if lemma == "lay" and link in ("on", "upon") and _object_in(verb, LAID) and _violent(verb):
        return "ATTACKS", 0.75, arguments.resolve(paragraph, noun)
    return None


def _under_water(verb: Any) -> bool:
    return any(
        noun.lower_ in WATERS
        for child in verb.children
        if child.dep_ == "prep" and child.lower_ in ("under", "into", "in", "beneath", "below")
        for noun in child.children
    )


def _knocked_out(paragraph: ParsedParagraph, verb: Any, arguments: Arguments) -> _Party:
    """(who, whom) of "knocked her senseless"."""
    if verb.lemma_.lower() not in FELLING or is_passive(verb):
        return [], []
    near = [*verb.children, *(each for child in verb.children for each in child.children)]
    if not any(word.lower_ in SENSELESS and word.i > verb.i for word in near):
        return [], []
    whom = _object(paragraph, verb, arguments)
    whom = whom or [r for c in verb.children if c.dep_ == "ccomp" for r in arguments.subjects(paragraph, c)]
    return arguments.subjects(paragraph, verb), whom


def _had_done(paragraph: ParsedParagraph, verb: Any, arguments: Arguments) -> _Party:
    """(who, whom) of "had her whipped"."""
    above = verb.head
    if verb.tag_ != "VBN" or verb.dep_ not in ("ccomp", "xcomp") or above.lemma_ != "have":
        return [], []
    if verb.lemma_.lower() not in HURT | PENALTIES:
        return [], []
    whom = [c for c in verb.children if c.dep_ in ("nsubj", "nsubjpass")]
    whom = whom or [c for c in above.children if c.dep_ == "dobj"]
    return arguments.subjects(paragraph, above), arguments.resolve(paragraph, whom[0]) if whom else []


def _object(paragraph: ParsedParagraph, verb: Any, arguments: Arguments) -> list[Reference]:
    """Who is the object, or named right behind the verb."""
    found = arguments.slot(paragraph, verb, "dobj")
    after = name_after(arguments.chapter, paragraph, verb) if not found else None
    return [after] if after is not None else found


def _cleft(paragraph: ParsedParagraph, verb: Any, arguments: Arguments) -> list[Reference]:
    """Like "it was Tom who did it", where the parser takes the clause for a complement."""
    above = verb.head
    if verb.dep_ != "ccomp" or above.lemma_ != "be" or not any(c.lower_ == "who" for c in verb.children):
        return []
    named = next((c for c in above.children if c.dep_ == "attr"), None)
    return arguments.resolve(paragraph, named) if named is not None else []


def _violent(verb: Any) -> bool:
    """Like "laid violent hands on"; "laid hands on" is done by a priest as well."""
    return any(
        word.lower_ in ("violent", "rough", "murderous")
        for child in verb.children
        if child.lower_ in LAID
        for word in child.children
    )


def _struck(
    paragraph: ParsedParagraph, verb: Any, arguments: Arguments
) -> tuple[list[Reference], list[Reference]]:
    """(who, whom) of "a blow from Tom's stick laid Elena senseless", "Tom's knife went into her side"."""
    if verb.lemma_.lower() not in REACHING:
        return [], []
    weapon = next((c for c in verb.children if c.dep_ == "nsubj"), None)
    if weapon is None or weapon.lower_ not in BLADES | BLOWS | WEAPONS:
        return [], []
    who = _whose(paragraph, weapon, arguments)
    for child in weapon.children:
        if not who and child.dep_ == "prep" and child.lower_ == "from":
            for noun in child.children:
                who = _whose(paragraph, noun, arguments) or arguments.resolve(paragraph, noun)
    whom: list[Reference] = []
    for noun, link in _nouns(verb) if who else ():
        hit = noun.lower_ in BODY
        if not whom and (hit or link in ("", "on", "upon", "across", *INTO)):
            whom = _whose(paragraph, noun, arguments) if hit else arguments.resolve(paragraph, noun)
    return who, whom


def _wrong(  # noqa: PLR0911 (a construction a line)
    paragraph: ParsedParagraph, verb: Any, lemma: str, noun: Any, link: str, arguments: Arguments
) -> _Deed | None:
    """Theft and betrayal: "stole his money", "swore away her good name", "gave him up to the police"."""
    word = noun.lower_
    if (lemma in STEAL and link in ("", "from")) or (lemma in BREAKING and word in BOXES):
        return "STEALS_FROM", 0.8 if lemma in STEAL else 0.7, _whose(paragraph, noun, arguments)
    away = lemma in ("carry", "bear", "get") and any(c.lower_ in ("off", "away") for c in verb.children)
    if (away or lemma in ("take", "abstract", "remove")) and word in VALUABLES and not link:
        return "STEALS_FROM", 0.7, _whose(paragraph, noun, arguments)
    if lemma in BLACKEN and not link and word in NAME:
        return "BETRAYS", 0.75, _whose(paragraph, noun, arguments)
    if lemma in GIVEN_UP and link == "to" and word in LAW:
        return "BETRAYS", 0.8, _object(paragraph, verb, arguments)
    if link == "against" and (lemma in AGAINST or (lemma in BEARING and _object_in(verb, EVIDENCE))):
        return "BETRAYS", 0.75, arguments.resolve(paragraph, noun)
    hidden = word == "place" and any(child.lower_ in ("hiding", "hiding-place") for child in noun.children)
    if lemma in SELLING and not link and (word in SECRETS or hidden):
        return "BETRAYS", 0.7, _whose(paragraph, noun, arguments)
    if lemma in LURING and link == "into" and word in TRAPS:
        return "BETRAYS", 0.75, _object(paragraph, verb, arguments)
    return _made_off(paragraph, verb, lemma, noun, link, arguments)


def _made_off(
    paragraph: ParsedParagraph, verb: Any, lemma: str, noun: Any, link: str, arguments: Arguments
) -> _Deed | None:
    """Like "made off with her savings", "helped himself to the contents of her desk", "cheated him out of
    it"."""
    word = noun.lower_
    if (
        lemma in MAKING_OFF
        and link == "with"
        and word in VALUABLES
        and any(
            child.lower_ in ("off", "away") or lemma in ("abscond", "decamp", "bolt", "disappear", "vanish")
            for child in verb.children
        )
    ):
        return "STEALS_FROM", 0.75, _whose(paragraph, noun, arguments)
    if lemma == "help" and link == "to" and _object_in(verb, REFLEXIVE):
        if word in VALUABLES:
            return "STEALS_FROM", 0.7, _whose(paragraph, noun, arguments)
        if word in ROBBED:
            inner = [b for c in noun.children if c.lower_ == "of" for b in c.children if b.lower_ in BOXES]
            return ("STEALS_FROM", 0.7, _whose(paragraph, inner[0], arguments)) if inner else None
    if lemma in CHEATING and link == "of":
        return "STEALS_FROM", 0.7, _object(paragraph, verb, arguments)
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
        child.dep_ in ("dobj", "nsubjpass") and word in ("", child.lower_) and child.lower_ not in BODY
        for child in verb.children
    )


def _reproach(verb: Any) -> bool:
    return any(child.dep_ == "dobj" and REPROACHES.fullmatch(child.lower_) for child in verb.children)


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
