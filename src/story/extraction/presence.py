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
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import exp, log, log1p
from typing import Any

from ...core.types import Span
from ..lexicon.verbs_and_nouns import COMPOUND_PLACES, PLACE_NOUNS
from ..lexicon.words import (
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
from ..model.types import PEOPLE, EntityKind, Modality, Presence
from .clauses.arguments import Arguments, is_passive
from .clauses.modality import modality_of
from .parsing.chapter import ParsedChapter, ParsedParagraph, Sentence, Word
from .pronouns import PRONOUNS

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


_SITES = ROOMS | PLACE_NOUNS | COMPOUND_PLACES
_WE = frozenset("they them we us i me he she all both everybody everyone party".split())
_HABITS = frozenset("always often usually sometimes never seldom rarely generally frequently every".split())
_NOT_YET = frozenset("until till before".split())
_BEFORE = frozenset("had 'd ’d having".split())
_LASTING = frozenset("for during till until since".split())
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
        return tuple(dict.fromkeys(r.mention for r in found if self.arguments.kind(r) in PEOPLE))

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


LEAST = 0.3  # less is not worth keeping, whatever another of somebody's names may add
ENOUGH = 6  # so many signs of one kind in a scene; another adds next to nothing
CARRIES = 30  # sentences for which a place holds without being told again
THERE = 0.5  # the weight of a sign that shows somebody at the place last told
NAMED, MEANT = 1.0, 0.7  # evidence that names somebody is better than a pronoun's
_NARRATOR = frozenset("i me my we us our myself".split())


@dataclass(slots=True)
class _Where:
    """A place as a scene has it now, and the sentence that told it, by number."""

    mention: int
    evidence: Span
    sentence: int


@dataclass(slots=True)
class _Part:
    """What the signs so far say of one name in one scene."""

    mention: int
    evidence: Span
    best: float = -1.0
    signs: dict[str, float] = field(default_factory=dict)
    own: _Where | None = None
    places: dict[str, tuple[_Where, Span]] = field(default_factory=dict)


def read_presences(chapter: ParsedChapter, arguments: Arguments) -> Iterator[Presence[int, Span]]:
    """Everybody who may be on stage, by scene: one record for each place where the scene has him, or one
    without. The confidence is a chance by the narration alone; who speaks and hears is added when the
    speakers are known."""
    stage = _Stage(chapter, arguments)
    stage.read()
    for (scene, _), part in stage.parts.items():
        confidence = round(chance(odds(part.signs)), 3)
        if confidence < LEAST:
            continue
        if not part.places:
            yield Presence(part.mention, scene, None, part.evidence, confidence)
        for where, evidence in part.places.values():
            yield Presence(part.mention, scene, where.mention, evidence, confidence, where.evidence)


@dataclass(slots=True)
class _Stage:
    chapter: ParsedChapter
    arguments: Arguments
    parts: dict[tuple[int, str], _Part] = field(default_factory=dict)
    _scene: int = -1
    _here: _Where | None = None

    def read(self) -> None:
        signs = SignReader(self.chapter)
        places = PlaceReader(self.chapter, self.arguments, signs)
        mentions = self.chapter.mentions
        for paragraph in self.chapter.paragraphs:
            self._go_on(paragraph)
            for token, number, factor in self._referring(paragraph):
                if paragraph.spoken(token):
                    if mentions[number].kind in PEOPLE:
                        self._add(paragraph, token, number, "spoken of", factor)
                elif mentions[number].kind in PEOPLE:
                    self._person(paragraph, token, number, factor, signs)
                elif mentions[number].kind is EntityKind.LOCATION:
                    told = places.told(paragraph, token, number)
                    if told is not None:
                        self._move(told, paragraph.sentence(token).index)

    def _go_on(self, paragraph: ParsedParagraph) -> None:
        """A place holds no further than the scene and the time of the day."""
        if paragraph.prose.scene != self._scene:
            self._scene, self._here = paragraph.prose.scene, None
        elif shifts(paragraph.prose.text):
            self._here = None
            self._stay()

    def _stay(self) -> None:
        """Nobody of the scene is at a place of his own any more."""
        for (scene, _), part in self.parts.items():
            if scene == self._scene:
                part.own = None

    def _referring(self, paragraph: ParsedParagraph) -> Iterator[tuple[Any, int, float]]:
        """(head word, mention, factor) of each name, and of each pronoun that is understood."""
        mention_of, pronouns = paragraph.mention_of, self.arguments.pronouns
        narrator = self.chapter.narrator
        for token in paragraph.words:
            number = mention_of.get(token.i)
            if number is not None:
                if mention_of.get(token.head.i) != number:
                    yield token, number, NAMED
                continue
            word = token.lower_
            if word in PRONOUNS:
                meant = pronouns.resolve(paragraph, token)
                if meant is not None:
                    yield token, meant.mention, meant.factor * MEANT
            elif narrator is not None and word in _NARRATOR and not paragraph.spoken(token):
                yield token, narrator, NAMED

    def _person(
        self, paragraph: ParsedParagraph, token: Word, number: int, factor: float, signs: SignReader
    ) -> None:
        part = self._part(number)
        if part is not None and part.signs.get("acts", 0.0) >= ENOUGH:
            if token.dep_ == "nsubj":
                self._found(part, paragraph.sentence(token))
            return
        self._add(paragraph, token, number, signs.sign(paragraph, token), factor)

    def _part(self, number: int) -> _Part | None:
        return self.parts.get((self._scene, self.chapter.name(number)))

    def _add(self, paragraph: ParsedParagraph, token: Word, number: int, sign: str, factor: float) -> None:
        sentence = paragraph.sentence(token)
        span = sentence.span
        part = self.parts.setdefault((self._scene, self.chapter.name(number)), _Part(number, span))
        part.signs[sign] = part.signs.get(sign, 0.0) + factor
        if WEIGHTS[sign] * factor > part.best:
            part.best, part.mention, part.evidence = WEIGHTS[sign] * factor, number, span
        if WEIGHTS[sign] >= THERE:
            self._found(part, sentence)

    def _found(self, part: _Part, sentence: Sentence) -> None:
        """Somebody is seen in this sentence, and so at the place last told, if that was not long ago."""
        where = part.own or self._here
        if where is not None and sentence.index - where.sentence <= CARRIES:
            part.places.setdefault(self.chapter.name(where.mention), (where, sentence.span))

    # --- where ---------------------------------------------------------------------------------------

    def _move(self, told: Told, sentence: int) -> None:
        for number in told.who:
            part = self.parts.setdefault(
                (self._scene, self.chapter.name(number)), _Part(number, told.evidence)
            )
            part.own = None
            if not told.left:
                part.signs["acts"] = part.signs.get("acts", 0.0) + NAMED
                where = _Where(told.place, told.evidence, sentence)
                part.places.setdefault(self.chapter.name(where.mention), (where, told.evidence))
                part.own = where
        if told.left:
            if self._here is not None and self.chapter.name(self._here.mention) == self.chapter.name(
                told.place
            ):
                self._here = None
        elif told.carries:
            self._stay()
            self._here = _Where(told.place, told.evidence, sentence)
