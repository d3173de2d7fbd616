"""Whom a word is told of (the owner of what it names, the bearer of what it says, the subject of its verb),
and facts of looks, age and family that are told so."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from ....core.types import Span
from ...lexicon.words import BUILDS, EYE_COLOURS, FRAMES, HAIR_COLOURS, HANDS, PERSON_NOUNS, Row, listed
from ...model.aspects import ASPECTS
from ...model.types import EntityKind, Fact, Modality
from ...time.amounts import NUMBER, number_of
from ..clauses.arguments import fits
from ..clauses.modality import likened, modality_of
from ..draft import Draft
from ..parsing.chapter import ParsedParagraph, Word
from ..pronouns import Reference

HAVING = frozenset("have get bear wear raise own possess keep run".split())
_LOOKING = frozenset("be look gaze stare watch study regard peer".split())
_COMPLEMENTS = frozenset({"attr", "acomp", "oprd"})
_CLIMBED = frozenset({"amod", "compound", "npadvmod", "advmod", "conj", "nmod"})
_CLAUSES = frozenset({"ROOT", "advcl", "ccomp", "conj", "acl", "relcl"})
_PAST = frozenset("when since until till before after as".split())
_CLIMB = 5
_NAMING = ("called", "named")
DWELLING = ("live", "reside", "dwell")

Held = tuple[list[Reference], Word | None]
"""Whom it is told of, and the verb that tells it; None where it is taken as known ("her brown eyes")."""


@dataclass(slots=True)
class Holders:
    """Finds whom a word is told of, and writes the fact down."""

    draft: Draft
    found: dict[Fact[int, Span], None] = field(default_factory=dict)
    paragraph: ParsedParagraph = field(init=False)

    def tell(
        self,
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
        modality = self._modality(at, held[1], denied) if people and value else None
        verb = held[1] or verb_over(at)
        then = verb.dep_ in ("advcl", "relcl", "pcomp") and any(c.lower_ in _PAST for c in verb.children)
        past = aspect == "age" and then  # "when he was nine"
        if modality is None or (past and modality is not Modality.FACT):
            return
        modality = Modality.FLASHBACK if past else modality
        lasts = aspect in ASPECTS and (ASPECTS[aspect].constant or aspect == "mark")
        if modality is Modality.FLASHBACK and lasts:
            modality = Modality.FACT  # "her brown eyes had filled": they are brown now
        for one in people:
            quotes = self.draft.arguments.support(self.paragraph, at, one)
            factor = round(sure * one.factor, 3)
            told = Fact(one.mention, aspect, value, quotes, modality, factor, change, one.genders, when)
            self.found[told] = None

    def _modality(self, at: Word, verb: Word | None, denied: bool) -> Modality | None:
        told = modality_of(self.draft.chapter, self.paragraph, verb or verb_over(at))
        if told is Modality.REPORTED and verb is not None and verb.lemma_.lower() in DWELLING:
            told = Modality.FACT if verb.said("nsubj") & {"i", "we"} else told  # "I live in Leeds now"
        if verb is not None and not denied:
            return told
        said = denied and self.paragraph.spoken(at) and not at.sent.text.rstrip("'’”\"").endswith("?")
        if told in (Modality.NEGATED, Modality.PLANNED) or (told is None and said):
            return Modality.REPORTED if self.paragraph.spoken(at) else Modality.FACT
        return told

    def whom(self, token: Word) -> list[Reference]:
        return self.draft.arguments.resolve(self.paragraph, token)

    def subjects(self, verb: Word) -> list[Reference]:
        if verb.has("expl"):  # "there was a dentist"
            return []
        found = self.draft.arguments.subjects(self.paragraph, verb)
        own = verb.by("nsubj", "nsubjpass")
        return found or (self.whom(own[0]) if own else [])

    def owner(self, noun: Word) -> Held:
        """Of what somebody has: "her eyes", "had eyes", "a man with eyes", "the eyes of X"."""
        misread = noun.dep_ == "compound" and noun.tag_ == "NNS" and noun.head.has("poss")  # "her eyes water"
        while (noun.dep_ == "conj" and noun.head.pos_ == "NOUN") or _paired(noun) or misread:
            misread = False
            noun = noun.head.head if _paired(noun) else noun.head
        owners = noun.by("poss")
        for child in owners:
            if people := self.whom(child):
                return people, None
        head = noun.head
        if noun.dep_ == "dobj" and head.lemma_.lower() in HAVING:
            return self.subjects(head), head
        for of in () if owners else behind(noun, "of"):
            if people := self.whom(of):
                return people, None
        if noun.dep_ == "pobj" and head.lower_ == "with" and not owners:
            if head.head.pos_ in ("NOUN", "PROPN", "PRON"):
                return self.bearer(head.head)
            gait = any(row[1] == "mark" for row in FRAMES.get(noun.lower_, ()))  # "walked with a limp"
            verb = verb_over(head)  # "looked at him with cool grey eyes", "was thin, with grey eyes"
            own = gait or verb.lemma_ in _LOOKING
            return (self.subjects(verb) if own else []), verb
        return [], None

    def bearer(self, word: Word) -> Held:
        """Of what somebody is: "X was a nurse", "X, a nurse", "worked as a nurse", "a left-handed man", "a
        nurse called X"."""
        if people := [one for name in called(word) for one in self.whom(name)]:
            return people, None
        for _ in range(_CLIMB):
            head = word.head
            if likened(word) and head.lower_ != "as":
                break
            if (said := self._said_of(word)) is not None:
                return said
            if head is word or word.dep_ not in _CLIMBED:
                beside = word.by("appos")
                return (self.whom(beside[0]) if beside else []), None
            if word.dep_ == "conj" and self._named(head) is not None:
                break
            word = head
        return [], None

    def _said_of(self, word: Word) -> Held | None:
        head = word.head
        if word.dep_ in _COMPLEMENTS and head.pos_ in ("AUX", "VERB"):
            return self.subjects(head), head
        if word.dep_ == "pobj" and head.lower_ == "as":
            verb = verb_over(head)
            return (self.subjects(verb), verb) if works(verb) else ([], None)
        if (number := self._named(word)) is not None:
            return [Reference(number)], None
        if word.dep_ == "appos":
            return self._said_of(head) if head.like_num else (self.whom(head), None)
        if word.dep_ in _CLAUSES and word.pos_ in ("VERB", "AUX"):
            return self.subjects(word), word
        return None

    def _named(self, word: Word) -> int | None:
        number = self.paragraph.mention_of.get(word.i)
        if number is None or self.draft.chapter.mentions[number].kind is not EntityKind.CHARACTER:
            return None
        return number


def called(noun: Word) -> list[Word]:
    """The names behind "called", "named", "whose name was"."""
    names = [name for clause in noun.by("acl") if clause.lower_ in _NAMING for name in clause.children]
    for clause in noun.by("relcl") if noun.pos_ == "NOUN" else ():
        if clause.lemma_ == "be" and any(one.lower_ == "name" for one in clause.by("nsubj")):
            names += clause.by("attr")
    return names


def _paired(noun: Word) -> bool:
    """Like the eyes of "a pair of grey eyes"."""
    return noun.dep_ == "pobj" and noun.head.lower_ == "of" and noun.head.head.lower_ == "pair"


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
        nouns += [c for c in word.children if c.dep_ == "xcomp" and c.tag_ == "VB" and c.has("aux")]
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


_BECOMING = frozenset("become turn go grow dye bleach tint colour color shave".split())
_COLOUR_LINKS = frozenset("amod compound conj appos nmod npadvmod advmod acomp oprd attr".split())
_HEIGHT = re.compile(
    rf"\b({NUMBER})[- ](?:foot|feet|met(?:re|er)s?)(?:[- ]({NUMBER}))?\b"
    r"(?! (?:away|from|off|high|deep|long|apart|of)\b)"
)
_AGES = range(3, 121)
_LOSING = frozenset("lose miss leave take".split())
_STAYING = frozenset("be become turn stay remain go".split())


class Looks(Holders):
    """Readers of the body, of ages, and of families by their number."""

    __slots__ = ()

    # --- looks -------------------------------------------------------------------------------------

    def frame_coloured(self, noun: Word, row: Row) -> None:
        """Eyes and hair: the colours beside them, and those that a verb gives them."""
        known, head = (EYE_COLOURS if row[2] == "eyes" else HAIR_COLOURS), noun.head
        if noun.lower_ in ("eyed", "haired"):
            colour = " ".join(w.lower_ for w in neighbours(noun) if w.lower_ in known)
            self.tell(noun, self.bearer(noun), row[2], colour)
            return
        change = head.lemma_.lower() in _BECOMING
        people, verb = self.owner(noun)
        new = "new" in noun.said()
        which = [
            c for clause in noun.by("relcl") if clause.lemma_ == "be" for c in clause.by("attr", "acomp")
        ]
        told = _colours([noun, *behind(noun, "of"), *which], known)
        self.tell(noun, (people, verb), row[2], told, change=new)
        if noun.dep_ in ("nsubj", "nsubjpass", "dobj") and (change or head.lemma_ == "be"):
            told = _colours([c for c in head.children if c.i > head.i and c is not noun], known)
            self.tell(noun, (people, head), row[2], told, change=change)

    def _tall(self, word: Word) -> None:
        """ "Was tall", "a tall man", "stood six foot two"."""
        aspect, value = BUILDS.get(word.lower_, ("", ""))
        person = word.dep_ != "amod" or word.head.lemma_.lower() in PERSON_NOUNS
        if (
            aspect == "height"
            and word.tag_ == "JJ"
            and person
            and (word.head.lemma_ == "be" or word.head.pos_ not in ("VERB", "AUX"))  # not "stopped short"
            and not word.has("prep", "npadvmod", "nummod")
        ):
            self.tell(word, self.bearer(word), aspect, value)
        found = None if aspect else _HEIGHT.search(word.doc.text, max(0, word.idx - 16))
        verb, under = verb_over(word), word.head if word.dep_ == "pobj" else None
        # "X, at six foot three, knelt"
        aside = under is not None and under.lower_ == "at" and det(word) == ""
        measured = aside or (verb.lemma_ in ("be", "stand", "measure") and under is None)
        if found and found.start() < word.idx and measured and not behind(word, "of"):
            self.tell(word, (self.subjects(verb), verb), "height", found[0].casefold())

    def frame_is(self, word: Word, row: Row) -> None:
        """An adjective or noun that says it all: vegetarian, left-handed."""
        value = side_of(neighbours(word)) if row[2] == "hand" and row[3] == "-" else row[3]
        if behind(word, "to") or (row[2] == "life" and word.dep_ == "amod"):  # "alive to the evils"
            return
        of_head = word.dep_ == "amod" and word.head.lower_ == "head"  # "his bald head"
        people, verb = self.owner(word.head) if of_head else self.bearer(word)
        if row[2] == "mark" and (word.has("prep", "conj") or word.dep_ == "conj"):
            return  # "blind to it", "deaf and blind to the world"
        if verb is None or verb.lemma_ in _STAYING or row[2] == "hand":
            self.tell(word, (people, verb), row[2], value)

    def frame_hand(self, noun: Word, _: Row) -> None:
        """ "The pen in her right hand", "wrote with her left hand"."""
        side, verb = side_of(noun.children), verb_over(noun)
        if side and noun.dep_ == "pobj" and noun.head.lower_ in ("in", "with"):
            there = {w.lemma_.lower() for w in verb.subtree}
            if verb.lemma_.lower() in listed("writing") or there & listed("pen"):
                people = self.owner(noun)[0] or self.subjects(verb)
                self.tell(noun, (people, verb), "hand", side, sure=0.8)

    def frame_body(self, noun: Word, _: Row) -> None:
        """A part of the body that somebody no longer has."""
        verb = noun.head if noun.head.pos_ in ("VERB", "AUX") else None
        people, having = self.owner(noun)
        own, lost = {child.lower_ for child in noun.children}, listed("lost_part")
        ways = [w for node in (noun, noun.head) for way in ("on", "from", "off") for w in behind(node, way)]
        hand = next((w for w in ways if w.lemma_ in ("hand", "foot")), noun)
        people = people or self.owner(hand)[0] or (self._last_named(noun) if det(noun) == "the" else [])
        count = next((c.lower_ for c in noun.children if c.dep_ == "nummod"), "")
        if verb is not None and noun.dep_ == "dobj" and verb.lemma_.lower() in _LOSING:
            if verb.lemma_ in ("leave", "take") and not (side_of(noun.children) and noun.has("poss")):
                return
            if verb.lemma_ != "take":  # "the tractor had taken his left leg"
                people = self.subjects(verb) or people
        elif verb is not None and noun.dep_ in ("nsubj", "nsubjpass"):
            ends = verb.by("acomp", "attr", "oprd")
            complements = {w.lower_ for end in ends for w in (end, *end.children)} - {"one", "only"}
            if not complements & lost and verb.lower_ not in ("ended", "amputated", "stopped", "missing"):
                return
        elif own & lost and people and (own & lost - {"one", "only"} or (having and having.lemma_ == "have")):
            verb = having
        else:
            return
        side = side_of(noun.children) or (side_of(hand.children) if hand is not noun else "")
        value = " ".join(filter(None, ("missing", count, side, noun.lower_)))
        self.tell(noun, (people, verb), "mark", value)

    def _last_named(self, word: Word) -> list[Reference]:
        """Who was the last to be named in the paragraph."""
        names = (self._named(before) for before in reversed(word.doc.words[: word.i]))
        return [Reference(number, 0.75) for number in names if number is not None][:1]

    def frame_mark(self, noun: Word, row: Row) -> None:
        """A scar or tattoo, and where on the body."""
        if noun.pos_ == "VERB" and noun.lower_ != "tattooed":
            return
        people, verb = self.owner(noun)
        body = listed("body") | listed("bodily")
        parts = [w for w in noun.sent if w.lemma_.lower() in body and w.pos_ == "NOUN"]
        part = next((w for w in parts if w.i > noun.i), None)
        owners = [c for w in parts for c in w.children if c.dep_ == "poss"] if part and not people else []
        people = people or next((found for c in owners if (found := self.whom(c))), [])
        where = f"on {side_of(part.children)} {part.lower_}" if part is not None else ""
        self.tell(noun, (people, verb), "mark", " ".join(f"{row[0]} {where}".split()))

    # --- ages, family ------------------------------------------------------------------------------

    def ages(self) -> None:
        """Ages that the grammar of time finds: "a girl of nine", "aged forty", "forty years old"."""
        marks = {mark.evidence: mark.entity for mark in self.draft.get("times") if mark.kind == "age"}
        for one in self.draft.collected.times(self.paragraph):
            who = marks.get(self.paragraph.prose.span(one.start, one.end))
            words = self.paragraph.doc.covering(one.start, one.end)
            if one.kind == "age" and who is not None and words and one.value[-1] == "Y":
                self.tell(words[0], ([Reference(who)], None), "age", one.value[1:-1])

    def _aged(self, word: Word) -> None:
        """A bare number: "was forty-one", "turned forty", "X, 41,", "at eighty X"."""
        head, doc, left = word.head, word.doc.words, word.left_edge.i
        joined = word.i + 2 < len(doc) and doc[word.i + 1].text == "-" and doc[word.i + 2].like_num
        last = word.i + 2 if joined else word.i
        tens, minus, ones = "".join(w.text for w in doc[left : last + 1]).partition("-")
        clock = minus and (number_of(tens) or 0) % 10  # "at nine-thirty"
        years = None if clock else number_of(tens + minus + ones)
        held: Held = [], None
        change = head.lemma_ == "turn"
        several = any(other.like_num for other in word.by("conj"))
        counts = last + 1 < len(doc) and doc[last + 1].pos_ in ("NOUN", "SYM")
        if any(one.i > last for one in word.by("prep")) or word.has("amod") or several or counts:
            return
        if head.lemma_ in ("be", "turn") and word.dep_ in ("attr", "acomp", "dobj", "oprd", "npadvmod"):
            held = self.subjects(head), head
        elif word.dep_ == "pobj" and head.lower_ == "at" and head.head.pos_ in ("VERB", "AUX"):
            held = (self.subjects(head.head) if years and years > 24 else []), head.head
        elif left > 1 and last + 1 < len(doc) and doc[left - 1].text == "," and doc[last + 1].text in ",.;":
            held = self.bearer(doc[left - 2])
        if years in _AGES:
            self.tell(word, held, "age", str(years), change=change)

    def frame_counted(self, noun: Word, row: Row) -> None:
        """Brothers, sisters, children by their number; "an only child", "one of three sisters"."""
        if noun.dep_ == "conj" and noun.head.lemma_.lower() in FRAMES:
            return
        if noun.lemma_ == "child" and "only" in noun.said() and (not noun.has("poss") or noun.dep_ == "attr"):
            self.tell(noun, self.bearer(noun), "siblings", "0")
            return
        whole = noun.lemma_ in ("child", "kid", "sibling")
        nouns = [noun, *(n for n in noun.conjuncts if n.lemma_.lower() in FRAMES and not whole)]
        numbers = [_number(each) for each in nouns]
        if noun.dep_ == "pobj" and noun.head.lower_ == "of" and not noun.has("poss"):
            return  # of which one is one
        people, verb = self.owner(noun)
        first, total = numbers[0], sum(n or 0 for n in numbers)
        if verb is not None and modality_of(self.draft.chapter, self.paragraph, verb) is Modality.NEGATED:
            if not first and row[3] == "kin":
                self.tell(noun, (people, verb), row[2], "0", denied=True)
        elif first is not None and (first > 1 or (row[3] == "kin" and (first != 1 or len(nouns) > 1))):
            self.tell(noun, (people, verb), row[2], str(total if first else 0))
        elif (
            noun.has("poss")
            and noun.is_lower
            and row[3] == "kin"
            and not (_hyphened(noun) or (self.paragraph.spoken(noun) and "my" not in noun.said()))
        ):
            told = {(fact.entity, fact.aspect) for fact in self.found}
            people = [one for one in people if (one.mention, row[2]) not in told]
            self.tell(noun, (people, None), row[2], "some", sure=0.6)


def _colours(words: list[Word], known: Mapping[str, str]) -> str:
    """The colours among the words and what says more of them; in order, each once."""
    found, todo = [], list(words)
    for each in todo:
        found += [each] if each.lower_ in known else []
        todo += [c for c in each.children if c.dep_ in _COLOUR_LINKS and c.pos_ not in ("VERB", "AUX")]
    return " ".join(dict.fromkeys(w.lower_ for w in sorted(found, key=lambda w: w.i)))


def _hyphened(noun: Word) -> bool:
    """Like "brother-in-law", "half-sister"."""
    words = noun.doc.words
    return any(words[i].text == "-" for i in (noun.i - 1, noun.i + 1) if 0 <= i < len(words))


def _number(noun: Word) -> int | None:
    """How many; 0 for "no" and "not one", 1 for "a" behind others, None where it is not said."""
    for child in noun.children:
        if child.lower_ == "no" or (child.lower_ == "not" and not noun.has("poss")):  # "not my daughter"
            return 0
        if child.dep_ == "nummod":
            before = child.i and child.nbor(-1).lower_ == "not"
            return 0 if before else number_of(child.lower_)
    return 1 if noun.dep_ == "conj" and det(noun) in ("a", "an") else None
