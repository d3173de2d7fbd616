"""Whom a word is told of: the owner of what it names, the bearer of what it says, the subject of its verb."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from ...lexicon.fact_frames import FRAMES, listed
from ...lexicon.trait_words import HANDS
from ...model.aspects import ASPECTS
from ...model.chapter_reading import Fact
from ...model.types import EntityKind, Modality
from ..clauses.fact_collector import fits
from ..clauses.modality import likened, modality_of
from ..coreference.pronouns import PRONOUNS, Reference
from ..draft import Draft
from ..parsing.chapter import ParsedParagraph
from ..parsing.words import Word

HAVING = frozenset("have get bear wear raise own possess keep run".split())
_LOOKING = frozenset("be look gaze stare watch study regard peer".split())
_COMPLEMENTS = frozenset({"attr", "acomp", "oprd"})
_CLIMBED = frozenset({"amod", "compound", "npadvmod", "advmod", "conj", "nmod"})
_CLAUSES = frozenset({"ROOT", "advcl", "ccomp", "conj", "acl", "relcl"})
_PAST = frozenset("when since until till before after as".split())
_UNREAL = frozenset("if unless whether".split())
_CLIMB = 5

Held = tuple[list[Reference], Word | None]
"""Whom it is told of, and the verb that tells it; None where it is taken as known ("her brown eyes")."""


@dataclass(slots=True)
class Holders:
    """Finds whom a word is told of, and writes the fact down."""

    draft: Draft
    found: dict[Fact, None] = field(default_factory=dict)

    def tell(
        self,
        paragraph: ParsedParagraph,
        at: Word,
        held: Held,
        aspect: str,
        value: str,
        *,
        change: bool = False,
        when: str = "",
        sure: float = 0.85,
        denied: bool = False,
    ) -> None:
        """``denied``: it is the negation that tells it ("could not swim")."""
        people = [one for one in held[0] if fits(self.draft.arguments, one, "person")]
        modality = self._modality(paragraph, at, held[1], denied) if people and value else None
        if modality is Modality.FACT and aspect == "age" and _earlier(held[1] or verb_over(at)):
            modality = Modality.FLASHBACK
        if modality is None:
            return
        if (
            modality is Modality.FLASHBACK
            and aspect in ASPECTS
            and (ASPECTS[aspect].constant or aspect == "mark")
        ):
            modality = Modality.FACT  # "her brown eyes had filled": they are brown now
        for one in people:
            quotes, factor = self.draft.arguments.support(paragraph, at, one), round(sure * one.factor, 3)
            told = Fact(one.mention, aspect, value, quotes, modality, factor, change, one.genders, when)
            self.found[told] = None

    def _modality(
        self, paragraph: ParsedParagraph, at: Word, verb: Word | None, denied: bool
    ) -> Modality | None:
        told = modality_of(self.draft.chapter, paragraph, verb or verb_over(at))
        if verb is not None and not denied:
            return told
        if verb is not None and any(child.lower_ in _UNREAL for child in verb.children):
            return None
        if told is None and denied and paragraph.spoken(at):
            asked = any(word.text == "?" for word in at.sent)
            return None if asked else Modality.REPORTED
        if told in (Modality.NEGATED, Modality.PLANNED):
            return Modality.REPORTED if paragraph.spoken(at) else Modality.FACT
        return told

    def whom(self, paragraph: ParsedParagraph, token: Word) -> list[Reference]:
        """Who is named; in direct speech a "she" is the last one named in it who may be."""
        found = self.draft.arguments.resolve(paragraph, token)
        gender = PRONOUNS.get(token.lower_)
        if found or gender is None or not paragraph.spoken(token):
            return found
        for before in reversed(paragraph.words[: token.i]):
            number = self._named(paragraph, before)
            if number is not None and paragraph.spoken(before):
                mention = self.draft.chapter.mentions[number]
                if gender in (mention.gender or mention.hint or gender):
                    return [Reference(number, 0.8, gender)]
        return []

    def subjects(self, paragraph: ParsedParagraph, verb: Word) -> list[Reference]:
        """The subjects of a verb."""
        if has(verb, "expl"):  # "there was a dentist"
            return []
        found = self.draft.arguments.subjects(paragraph, verb)
        own = [child for child in verb.children if child.dep_ in ("nsubj", "nsubjpass")]
        return found or (self.whom(paragraph, own[0]) if own else [])

    def owner(self, paragraph: ParsedParagraph, noun: Word) -> Held:
        """Of what somebody has: "her eyes", "had eyes", "a man with eyes", "the eyes of X"."""
        while (noun.dep_ == "conj" and noun.head.pos_ == "NOUN") or _paired(noun):
            noun = noun.head.head if _paired(noun) else noun.head
        owners = [child for child in noun.children if child.dep_ == "poss"]
        for child in owners:
            if people := self.whom(paragraph, child):
                return people, None
        head = noun.head
        if noun.dep_ == "dobj" and head.lemma_.lower() in HAVING:
            return self.subjects(paragraph, head), head
        for of in () if owners else behind(noun, "of"):
            if people := self.whom(paragraph, of):
                return people, None
        if noun.dep_ == "pobj" and head.lower_ == "with" and not owners:
            if head.head.pos_ in ("NOUN", "PROPN", "PRON"):
                return self.bearer(paragraph, head.head)
            gait = any(row[1] == "mark" for row in FRAMES.get(noun.lower_, ()))  # "walked with a limp"
            verb = verb_over(head)  # "looked at him with cool grey eyes", "was thin, with grey eyes"
            own = gait or verb.lemma_ in _LOOKING
            return (self.subjects(paragraph, verb) if own else []), verb
        return [], None

    def bearer(self, paragraph: ParsedParagraph, word: Word) -> Held:
        """Of what somebody is: "X was a nurse", "X, a nurse", "worked as a nurse", "a left-handed man"."""
        for _ in range(_CLIMB):
            head = word.head
            if likened(word) and head.lower_ != "as":
                break
            if (said := self._said_of(paragraph, word)) is not None:
                return said
            if head is word or word.dep_ not in _CLIMBED:
                beside = [child for child in word.children if child.dep_ == "appos"]
                return (self.whom(paragraph, beside[0]) if beside else []), None
            if word.dep_ == "conj" and self._named(paragraph, head) is not None:
                break
            word = head
        return [], None

    def _said_of(self, paragraph: ParsedParagraph, word: Word) -> Held | None:
        head = word.head
        if word.dep_ in _COMPLEMENTS and head.pos_ in ("AUX", "VERB"):
            return self.subjects(paragraph, head), head
        if word.dep_ == "pobj" and head.lower_ == "as":
            verb = verb_over(head)
            return (self.subjects(paragraph, verb), verb) if works(verb) else ([], None)
        if (number := self._named(paragraph, word)) is not None:
            return [Reference(number)], None
        if word.dep_ == "appos":
            return self.whom(paragraph, head), None
        if word.dep_ in _CLAUSES and word.pos_ in ("VERB", "AUX"):
            return self.subjects(paragraph, word), word
        return None

    def _named(self, paragraph: ParsedParagraph, word: Word) -> int | None:
        number = paragraph.mention_of.get(word.i)
        if number is None or self.draft.chapter.mentions[number].kind is not EntityKind.CHARACTER:
            return None
        return number


def _earlier(verb: Word) -> bool:
    """Like "when he was nine", told of an earlier time."""
    marks = verb.children if verb.dep_ in ("advcl", "relcl", "pcomp") else ()
    return any(child.lower_ in _PAST for child in marks)


def _paired(noun: Word) -> bool:
    """Like the eyes of "a pair of grey eyes"."""
    return noun.dep_ == "pobj" and noun.head.lower_ == "of" and noun.head.head.lower_ == "pair"


def has(word: Word, *deps: str) -> bool:
    return any(child.dep_ in deps for child in word.children)


def det(noun: Word) -> str:
    """The article or the like before a noun; empty for none."""
    return next((child.lower_ for child in noun.children if child.dep_ == "det"), "")


def side_of(words: Iterable[Word]) -> str:
    """ "left" or "right", the first that is said."""
    return next((HANDS[word.lower_] for word in words if word.lower_ in HANDS), "")


def behind(word: Word, preposition: str) -> list[Word]:
    """The nouns behind a preposition of a word, with those joined to them."""
    ways = [c for c in word.children if c.dep_ in ("prep", "dative") and c.lower_ == preposition]
    nouns = [noun for way in ways for noun in way.children if noun.dep_ == "pobj"]
    if preposition == "to":  # "allergic to shellfish", read as a verb
        nouns += [c for c in word.children if c.dep_ == "xcomp" and c.tag_ == "VB" and has(c, "aux")]
    return [each for noun in nouns for each in (noun, *noun.conjuncts)]


def verb_over(word: Word) -> Word:
    """The verb of the clause that the word stands in; the root where there is none."""
    while word.head is not word and (word.pos_ not in ("VERB", "AUX") or word.dep_ in ("amod", "aux")):
        word = word.head
    return word


def works(verb: Word) -> bool:
    """Is it a verb of being at work: what stands behind its "as" is a trade."""
    return verb.lemma_.lower() in listed("works_as")


def neighbours(word: Word) -> Iterator[Word]:
    """The two words before it: "left" and the hyphen of "left-handed"."""
    return iter(word.doc.words[max(0, word.i - 2) : word.i])
