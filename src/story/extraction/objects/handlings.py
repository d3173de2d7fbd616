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

from ...lexicon.object_words import AT_HAND, FRESH, GENERIC, THINGS, VESSELS
from ...model.chapter_reading import Handling
from ...model.types import EntityKind, Modality
from ..clauses.arguments import Arguments, is_passive
from ..clauses.fact_collector import FactCollector
from ..clauses.modality import modality_of
from ..coreference.pronouns import Reference
from ..parsing.chapter import ParsedChapter, ParsedParagraph
from ..parsing.words import Word
from ..traits.nearby_owner import about
from ..traits.owners import Owners
from .acts import SUNK, TAKING, act_of, by_thieves, worn_on
from .end_frames import ended, whose_now
from .end_words import FRAGILE
from .wording_table import HOLDERS
from .wordings import Turn, told_of_thing

__all__ = ["ACTS", "read_handlings"]

ACTS = frozenset("loses destroys breaks gives sells steals lends regains uses".split())

_PEOPLE = frozenset({EntityKind.CHARACTER, EntityKind.GROUP})
_NOUNS = ("NOUN", "PROPN")
_IT = frozenset({"it", "them"})
_MEANT = 0.85  # of "it", how surely it is the thing last spoken of
_BARELY = frozenset("almost nearly well-nigh".split())
# acts that a turn of phrase about the same thing overrules
_OPEN = frozenset({"uses", "breaks", "regains"})


@dataclass(frozen=True, slots=True)
class _Thing:
    """A thing as a noun phrase names it. ``definite``: with "the", a demonstrative or an owner."""

    name: str
    owner: Reference | None
    definite: bool
    fresh: bool
    factor: float = 1.0


def read_handlings(chapter: ParsedChapter, arguments: Arguments, facts: FactCollector) -> Iterator[Handling]:
    """In order of the text. Costs a look at each token, more at the nouns of ``lexicon.object_words``."""
    for paragraph in chapter.paragraphs:
        last: _Thing | None = None
        for token in paragraph.words:
            word = token.lower_
            if word in _IT:
                thing = _again(last) if last is not None else None
            elif (
                token.is_lower
                and token.pos_ in _NOUNS
                and (word in THINGS or token.lemma_.lower() in THINGS or _hyphened(token) in THINGS)
            ):
                last = thing = _thing(paragraph, token, arguments)
            else:
                continue
            if thing is not None:
                yield from _handled(paragraph, token, thing, arguments, facts)


def _hyphened(noun: Word) -> str:
    """The whole of "opera-glass", whose parts the parser takes for words."""
    if noun.i < 2 or noun.nbor(-1).text != "-":
        return ""
    return f"{noun.nbor(-2).lower_}-{noun.lower_}"


def _again(thing: _Thing) -> _Thing:
    return _Thing(thing.name, thing.owner, thing.definite, thing.fresh, thing.factor * _MEANT)


def _thing(paragraph: ParsedParagraph, noun: Word, arguments: Arguments) -> _Thing:
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
    for child in _modifiers(noun):
        word = child.lower_
        definite = definite or any(c.dep_ == "det" and c.lower_ == "the" for c in child.children)
        fresh = fresh or word in FRESH
        if word not in GENERIC and word not in FRESH and child.is_alpha | ("-" in word):
            words.append(word)
    return _Thing(" ".join((*sorted(words), noun.lower_)), owner, definite, fresh)


def _modifiers(noun: Word) -> Iterator[Any]:
    """What stands before the noun and belongs to it, those of its compounds as well ("brass" of "the brass
    pocket compass", wherever the parser hangs it)."""
    for child in noun.children:
        if child.dep_ in ("amod", "compound", "nmod") and child.i < noun.i:
            yield child
            yield from _modifiers(child)


def _owner(paragraph: ParsedParagraph, poss: Any, arguments: Arguments) -> tuple[list[str], Reference | None]:
    """Whose it is; of "his father's watch" the father tells the thing from others, and it is his."""
    meant = arguments.single(paragraph, poss)
    if poss.pos_ == "NOUN" and poss.i not in paragraph.mention_of:
        inner = [child for child in poss.children if child.dep_ == "poss"]
        owner = arguments.single(paragraph, inner[0]) if inner else None
        return [f"{poss.lower_}'s"], owner
    return [], meant


def _handled(  # noqa: PLR0912 (a construction a branch)
    paragraph: ParsedParagraph, token: Word, thing: _Thing, arguments: Arguments, facts: FactCollector
) -> Iterator[Handling]:
    found = act_of(token)
    if thing.definite and not thing.fresh and (found is None or found[0] in _OPEN):
        gist = _by_wording(
            paragraph, token, thing, arguments, facts, used=found is None or _keeping(found[2])
        )
        if gist is not None:
            yield gist
            return
    if found is None:
        return
    act, sure, verb = found
    if any(child.lower_ in _BARELY for child in verb.children):
        return
    if act == "loses" and token.lower_ in VESSELS and verb.lemma_.lower() not in SUNK:
        return  # afloat, not lost
    if thing.fresh:
        act = "regains"
    if not thing.definite and act != "regains":
        return
    if act == "breaks" and token.lower_ in FRAGILE and verb.lemma_.lower() == "break":
        act, sure = "destroys", 0.7
    modality = modality_of(facts.chapter, paragraph, verb)
    if modality is Modality.PLANNED and _had_to(verb):
        modality = Modality.FACT
    doers, others = _parties(paragraph, verb, act, arguments)
    doer, other = _one(doers), _one(others)
    if act == "uses" and modality is not None and modality.happened and by_thieves(verb):
        act, sure, other = "steals", 0.8, other or _robbed(paragraph, verb, arguments) or thing.owner
    if act == "uses" and (token.dep_ == "nsubj" or (token.dep_ == "nsubjpass" and doer is None)):
        doer = _wearer(paragraph, verb, arguments)
    if act == "uses" and doer is None:
        doer = _holding(paragraph, token, arguments) or _one(
            _people(arguments, arguments.subjects(paragraph, verb))
        )
    if act == "gives" and thing.owner is not None and doer is not None and other is None:
        back = any(child.lower_ == "back" for child in verb.children)
        act = "regains" if back and not _same(arguments, thing.owner, doer) else act
    if act == "regains" and not thing.fresh and _in_hand(arguments, thing.owner, doer, verb):
        act = "uses"
    if act == "steals" and other is None and thing.owner is None:
        other = _holding(paragraph, token, arguments)
    if act == "uses" and modality is Modality.NEGATED and token.head.lower_ == "without":
        modality = Modality.FACT  # "never went out without it"
    if modality is None or (modality is not Modality.FACT and act == "uses"):
        return
    if act == "uses" and verb.lemma_.lower() in TAKING and _from_owner(arguments, thing.owner, doer, verb):
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
        tuple(gender for one in people if one is not None for gender in one.genders),
    )


def _by_wording(
    paragraph: ParsedParagraph,
    token: Word,
    thing: _Thing,
    arguments: Arguments,
    facts: FactCollector,
    *,
    used: bool,
) -> Handling | None:
    """What a sentence comes to about the thing (``objects.wordings``), with ``used`` also that somebody has
    it."""
    told = (
        told_of_thing(facts.chapter, paragraph, token, Turn.BACK)
        or told_of_thing(facts.chapter, paragraph, token, Turn.GONE)
        or _ended(paragraph, token, facts)
    )
    if told is None and used:
        told = told_of_thing(facts.chapter, paragraph, token, Turn.KEPT)
    if told is None:
        return None
    act, sure, verb, modality = told
    who = _holding(paragraph, token, arguments) if act == "uses" else None
    if act == "steals":  # "had eased Tom of it"
        robbed = arguments.subjects(paragraph, verb) if is_passive(verb) else ()
        who = _one(_people(arguments, [*robbed] or arguments.slot(paragraph, verb, "dobj")))
    if act == "uses" and paragraph.spoken(token) and any(c.lower_ == "your" for c in token.children):
        act = "regains"  # "here is your watch"
    taker = whose_now(verb) if act == "gives" and verb.lemma_ == "be" else None
    other = arguments.single(paragraph, taker) if taker is not None else None
    who = who or _one(_people(arguments, arguments.subjects(paragraph, verb))) or thing.owner
    if who is None and other is None:
        near = about(Owners(facts.chapter, arguments), paragraph, token, before=False)
        who = near.reference if near is not None else None
    people = (who, thing.owner)
    sure_of = (who,) if who is not None and _same(arguments, who, thing.owner) else people
    return Handling(
        thing.name,
        thing.owner.mention if thing.owner is not None else None,
        act,
        who.mention if who is not None else None,
        arguments.support(paragraph, token, *people),
        modality,
        round(sure * thing.factor * min((one.factor for one in sure_of if one is not None), default=1.0), 3),
        other.mention if other is not None else None,
        tuple(gender for one in people if one is not None for gender in one.genders),
    )


def _ended(
    paragraph: ParsedParagraph, token: Word, facts: FactCollector
) -> tuple[str, float, Word, Modality] | None:
    """What ends the use of the thing by its place in the clause (``objects.end_frames``), as far as told."""
    found = ended(token)
    if found is None:
        return None
    act, sure, word = found
    if act == "loses" and token.lower_ in VESSELS and word.lemma_.lower() not in SUNK:
        return None  # afloat, not lost
    verb = word
    while verb.pos_ not in ("VERB", "AUX") and verb.head is not verb:
        verb = verb.head
    if any(child.lower_ in _BARELY for each in (word, verb, verb.head) for child in each.children):
        return None
    modality = modality_of(facts.chapter, paragraph, verb)
    if modality is Modality.PLANNED and _had_to(verb):
        modality = Modality.FACT
    return (act, sure, verb, modality) if modality is not None and modality.happened else None


def _holding(paragraph: ParsedParagraph, noun: Word, arguments: Arguments) -> Reference | None:
    """Whose the hand, the pocket or the table is that the sentence puts the thing in or on."""
    sentence = paragraph.sentence(noun)
    for word in paragraph.tokens(sentence):
        if word.dep_ == "poss" and word.head.lower_ in HOLDERS:
            meant = arguments.single(paragraph, word)
            if meant is not None and arguments.kind(meant) in _PEOPLE:
                return meant
    return None


def _keeping(verb: Word) -> bool:
    return bool(verb.lemma_.lower() == "keep")


def _had_to(verb: Word) -> bool:
    """Like "had to sell it"."""
    return bool(verb.dep_ == "xcomp" and verb.head.lower_ == "had" and verb.head.lemma_.lower() == "have")


def _same(arguments: Arguments, one: Reference, other: Reference | None) -> bool:
    """Are both one, by name? Then a "his" beside him is as good as his name."""
    return other is not None and arguments.name(one) == arguments.name(other)


def _from_owner(arguments: Arguments, owner: Reference | None, doer: Reference | None, verb: Word) -> bool:
    """Does somebody else than the owner take it?"""
    acting = any(child.dep_ == "nsubj" and child.tag_ != "PRP" for child in verb.children)
    return owner is not None and acting and not _same(arguments, owner, doer)


def _in_hand(arguments: Arguments, owner: Reference | None, doer: Reference | None, verb: Word) -> bool:
    """Does its owner have it, wherever it lay: "fetched his violin", but not "fetched it back"?"""
    own = owner is not None and doer is not None and _same(arguments, owner, doer)
    far = any(child.lower_ in ("back", "from", "home") for child in verb.children)
    return own and verb.lemma_.lower() in AT_HAND and not far


def _one(references: list[Reference]) -> Reference | None:
    return references[0] if len(references) == 1 else None


def _parties(
    paragraph: ParsedParagraph, verb: Word, act: str, arguments: Arguments
) -> tuple[list[Reference], list[Reference]]:
    """Who does it, and to or from whom."""
    doers = arguments.agents(paragraph, verb) if is_passive(verb) else arguments.subjects(paragraph, verb)
    if act in ("gives", "lends"):
        others = arguments.slot(paragraph, verb, "dative") or arguments.slot(paragraph, verb, "prep:to")
    else:
        others = arguments.slot(paragraph, verb, "prep:from")
    return _people(arguments, doers), _people(arguments, others)


def _people(arguments: Arguments, references: list[Reference]) -> list[Reference]:
    return [one for one in references if arguments.kind(one) in _PEOPLE]


def _wearer(paragraph: ParsedParagraph, verb: Word, arguments: Arguments) -> Reference | None:
    owner = worn_on(verb)
    meant = arguments.single(paragraph, owner) if owner is not None else None
    return meant if meant is not None and arguments.kind(meant) in _PEOPLE else None


def _robbed(paragraph: ParsedParagraph, verb: Word, arguments: Arguments) -> Reference | None:
    """Whose the room is of "taken from Elena's room"."""
    for child in verb.subtree:
        if child.dep_ == "prep" and child.lower_ in ("from", "in"):
            for noun in child.children:
                for owner in noun.children:
                    meant = arguments.single(paragraph, owner) if owner.dep_ == "poss" else None
                    if meant is not None and arguments.kind(meant) in _PEOPLE:
                        return meant
    return None
