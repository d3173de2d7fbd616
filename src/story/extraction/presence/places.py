"""Where a scene is set: who came where, who is told to be there, and how far that carries.

A place is told by "at X", "in X", "to X" on a clause that is vouched for and about somebody, or by X behind
a verb of entering. It holds for those the clause is about; where they arrive or are, it holds for the rest
of the scene, until another place is told or this one is left.

And what a person's place in a clause says of his being there: acting, met, or only spoken and thought of. A
sign's weight is what it adds to the log-odds of being on stage, times log(1 + how often it is told): the
tenth time says little. The weights are rounded from a logistic regression on nine novels whose speakers and
addressees are marked (a chapter's speakers are there) and one with the encounters of each chapter.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from math import exp, log, log1p
from typing import Any

from ....core.types import Span
from ...lexicon.verbs_and_nouns import COMPOUND_PLACES, PLACE_NOUNS
from ...lexicon.words import (
    ARRIVING,
    AT,
    BODY,
    DISTANT,
    ENTERING,
    FACING,
    GOING,
    INTO,
    LEAVING,
    NEAR,
    ROOMS,
    SPANS_OF_TIME,
    SPEAKING,
    STAYING,
    THINKING,
    TOGETHER,
)
from ...model.types import EntityKind, Modality
from ..clauses.arguments import Arguments, is_passive
from ..clauses.modality import modality_of
from ..parsing.chapter import ParsedChapter, ParsedParagraph
from ..parsing.words import Word
from ..pronouns import PRONOUNS

BASE = -0.25  # log-odds of somebody who is named and nothing else
WEIGHTS = {
    "says": 1.5,
    "called": 1.5,
    "told to": 1.5,
    "acts": 1.0,
    "near": 0.5,
    "done to": 0.5,
    "body": 0.5,
    "denied": 0.25,
    "is": 0.25,
    "with": 0.25,
    "listed": 0.5,
    "other": 0.1,
    "before": 0.0,
    "owner": 0.0,
    "unreal": -0.25,
    "spoken of": -0.25,
    "thought of": -1.0,
}
_UNTRUE = {Modality.NEGATED: "denied", Modality.FLASHBACK: "before"}
_SUBJECTS = frozenset({"nsubj", "nsubjpass"})
_CLAUSES = frozenset({"VERB", "AUX"})
_SHOWN = frozenset({"attr", "ROOT"})  # "there was X", "It was X", and a sentence that is a list of names
_GROUPED = frozenset({"conj", "appos", "compound"})
_CLIMB = 4


def odds(signs: dict[str, float]) -> float:
    """Log-odds of being on stage; ``signs`` counts each, an unsure one in part."""
    return BASE + sum(WEIGHTS[sign] * log1p(count) for sign, count in signs.items())


def chance(log_odds: float) -> float:
    """0 to 1, never quite either."""
    return 1.0 / (1.0 + exp(-max(-20.0, min(20.0, log_odds))))


def log_odds(probability: float) -> float:
    """The inverse of ``chance``, for 0 < probability < 1."""
    return log(probability / (1.0 - probability))


@dataclass(slots=True)
class SignReader:
    """Answers for one chapter; the modality of each clause is worked out once."""

    chapter: ParsedChapter
    _modality: dict[tuple[int, int], Modality | None] = field(default_factory=dict)

    def sign(self, paragraph: ParsedParagraph, token: Word) -> str:
        """A key of ``WEIGHTS`` for the head word of a name, or a pronoun, of the narration."""
        dep = token.dep_
        for _ in range(_CLIMB):
            if dep not in _GROUPED or token.head is token:
                break
            token = token.head
            dep = token.dep_
        head = token.head
        if dep in _SUBJECTS:
            return self._subject(paragraph, dep, head)
        if dep == "poss":
            return self._met(paragraph, head, "body") if head.lower_ in BODY else "owner"
        if dep in ("dobj", "dative") and head.pos_ in _CLAUSES:
            return self._object(paragraph, head)
        if dep == "pobj":
            return self._behind(paragraph, head)
        return "listed" if dep in _SHOWN else "other"

    def modality(self, paragraph: ParsedParagraph, verb: Word) -> Modality | None:
        """As ``modality_of``; asked again it costs nothing."""
        key = (paragraph.number, verb.i)
        if key not in self._modality:
            self._modality[key] = modality_of(self.chapter, paragraph, verb)
        return self._modality[key]

    def _subject(self, paragraph: ParsedParagraph, dep: str, verb: Word) -> str:
        if verb.pos_ not in _CLAUSES:
            return "other"
        modality = self.modality(paragraph, verb)
        if modality is not Modality.FACT:
            return _UNTRUE.get(modality, "unreal") if modality is not None else "unreal"
        lemma = verb.lemma_
        if lemma in SPEAKING:
            return "says"
        return "is" if dep == "nsubjpass" or lemma in THINKING or verb.pos_ == "AUX" else "acts"

    def _object(self, paragraph: ParsedParagraph, verb: Word) -> str:
        lemma = verb.lemma_
        if lemma in THINKING or lemma in DISTANT:
            return "thought of"
        return self._met(paragraph, verb, "told to" if lemma in SPEAKING else "done to")

    def _behind(self, paragraph: ParsedParagraph, preposition: Word) -> str:
        word, head = preposition.lower_, preposition.head
        lemma = head.lemma_
        if lemma in DISTANT or lemma in THINKING:
            return "thought of"
        if word in TOGETHER:
            return self._met(paragraph, head, "with")
        if head.pos_ in _CLAUSES:
            if word in FACING:
                return self._met(paragraph, head, "told to" if lemma in SPEAKING else "near")
            if word in NEAR:
                return self._met(paragraph, head, "near")
        return "other"

    def _met(self, paragraph: ParsedParagraph, verb: Word, sign: str) -> str:
        """``sign`` where the clause around is vouched for."""
        for _ in range(_CLIMB):
            if verb.pos_ in _CLAUSES or verb.head is verb:
                break
            verb = verb.head
        modality = self.modality(paragraph, verb)
        if modality in (Modality.FACT, Modality.NEGATED):
            return sign
        return "before" if modality is Modality.FLASHBACK else "unreal"


_PEOPLE = frozenset({EntityKind.CHARACTER, EntityKind.GROUP})
_SITES = ROOMS | PLACE_NOUNS | COMPOUND_PLACES
_WE = frozenset("they them we us i me he she all both everybody everyone party".split())
_HABITS = frozenset("always often usually sometimes never seldom rarely generally frequently every".split())
_NOT_YET = frozenset("until till before".split())
_BEFORE = frozenset("had 'd ’d having".split())
_LASTING = frozenset("for during till until since".split())
_OFFERED = frozenset("bring take lead conduct carry usher show send invite follow".split())
_DEPTH = 3
_SHIFT = re.compile(
    r"\W{0,3}(?:(?:but|and|so|then|well|now),? )?"
    r"(?:(?:early|late|all|on|in|at|about|by|during|the|that|one|a|an) ){0,4}"
    r"(?:(?:next|following|same|very|few|two|three|four|five|six|seven|ten|several|many|some|fine) ){0,2}"
    r"(?:day|morning|afternoon|evening|night|week|fortnight|month|year|monday|tuesday|wednesday|thursday|friday"
    r"|saturday|sunday|breakfast|dinner|supper|dawn|noon|midnight|sunrise|daylight|meanwhile|meantime|morrow)s?\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Told:
    """A place (a mention) told in ``evidence``: of ``who`` (mentions), and of the scene where it
    ``carries``. ``left``: the place is left and not reached."""

    place: int
    who: tuple[int, ...]
    carries: bool
    left: bool
    evidence: Span


def shifts(text: str) -> bool:
    """Does a paragraph open with another time of the day, or another day? Then all may have moved."""
    return _SHIFT.match(text, 0, 100) is not None


@dataclass(slots=True)
class PlaceReader:
    chapter: ParsedChapter
    arguments: Arguments
    signs: SignReader
    _clause: tuple[int, int] = (-1, -1)

    def told(self, paragraph: ParsedParagraph, token: Word, number: int) -> Told | None:
        """What the clause of a place's head word ``token`` (mention ``number``) says of who is there."""
        dep, head = token.dep_, token.head
        verb, link = None, ""
        if dep == "dobj":
            verb, link = (head, "") if head.lemma_ in ENTERING or head.lemma_ in LEAVING else (None, "")
        elif dep == "pobj" and head.lower_ in INTO:
            verb, link = self._verb(paragraph, head), head.lower_
        if verb is None or self._aside(verb) or self._one_of(token):
            return None
        if self.signs.modality(paragraph, verb) is not Modality.FACT:
            return None
        people = self._people(paragraph, verb)
        if not (people or self._about_somebody(verb)) or self._holds(paragraph, verb, number):
            return None
        span = paragraph.sentence(token).span
        if not link:
            left = verb.lemma_ in LEAVING
            return Told(number, people, not left and self._sets_scene(verb), left, span)
        goes = self._goes(verb, link)
        if goes is None:
            return None
        return Told(number, people, goes and self._sets_scene(verb), False, span)

    @staticmethod
    def _goes(verb: Word, link: str) -> bool | None:
        """Does the rest of the scene play there (True), or is only the one who goes there (False)? None
        where nobody is there yet."""
        lemma, under_way = verb.lemma_, verb.tag_ == "VBG"
        if link in AT:
            there = lemma in STAYING or (lemma in ARRIVING and not under_way)
            return True if there else None
        if under_way or lemma not in ARRIVING | GOING:
            return None
        return lemma in ARRIVING and not is_passive(verb)

    @staticmethod
    def _sets_scene(verb: Word) -> bool:
        """Does the story go on there? Not from "Kennicott was in X" alone, nor from what is told of a long
        stay, of earlier, or in passing."""
        for child in verb.children:
            dep, word = child.dep_, child.lower_
            if dep == "aux" and word in _BEFORE:
                return False
            if dep in ("npadvmod", "dobj", "tmod") and child.lemma_ in SPANS_OF_TIME:
                return False
            if dep == "prep" and word in _LASTING:
                return False
            named = word not in _WE and word not in PRONOUNS
            if dep == "nsubj" and verb.lemma_ == "be" and named:
                return False
        node = verb
        while node.dep_ in ("conj", "advcl", "xcomp") and node.head is not node:
            node = node.head
        return bool(node.dep_ == "ROOT")

    def _holds(self, paragraph: ParsedParagraph, verb: Word, number: int) -> bool:
        """Is this the larger place of two that a clause names: "at Milford Hall in Kent"?"""
        key, before = (paragraph.number, verb.i), self._clause
        if not self._nameless(number):
            self._clause = key
        return key == before

    def _nameless(self, number: int) -> bool:
        return self.chapter.mentions[number].surface.startswith("the ")

    def _verb(self, paragraph: ParsedParagraph, preposition: Word) -> Word | None:
        """The verb on which "in the drawing-room at X" hangs, through nameless places alone."""
        node = preposition.head
        for _ in range(_DEPTH):
            if node.pos_ in _CLAUSES:
                return node
            within = paragraph.mention_of.get(node.i)
            if within is not None and not self._nameless(within):
                return None
            if node.dep_ not in ("prep", "advmod") and not (node.dep_ == "pobj" and node.lower_ in _SITES):
                return None
            node = node.head
        return None

    def _people(self, paragraph: ParsedParagraph, verb: Word) -> tuple[int, ...]:
        own = verb.has("nsubj", "nsubjpass")
        found = list(self.arguments.subjects(paragraph, verb)) if own or verb.dep_ != "ccomp" else []
        if verb.lemma_ in _OFFERED:
            found.extend(self.arguments.slot(paragraph, verb, "dobj"))
        return tuple(dict.fromkeys(r.mention for r in found if self.arguments.kind(r) in _PEOPLE))

    @staticmethod
    def _about_somebody(verb: Word) -> bool:
        """Is the subject a person by its pronoun, though nobody knows which?"""
        return any(word in PRONOUNS or word in _WE for word in verb.said("nsubj", "nsubjpass"))

    @staticmethod
    def _one_of(place: Any) -> bool:
        """Like "in a Terburg": not the place of that name."""
        return bool(place.said("det") & {"a", "an", "no", "every"})

    @staticmethod
    def _aside(verb: Word) -> bool:
        """Like "often went to", "until they reach": no arrival at this moment."""
        return bool(verb.said("advmod", "npadvmod") & _HABITS or verb.said("mark") & _NOT_YET)
