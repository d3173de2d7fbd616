"""Who is on stage in a scene.

What a person's place in a clause says of his being there: acting, met, or only spoken and thought of. A
sign's weight is what it adds to the log-odds of being on stage, times log(1 + how often it is told): the
tenth time says little. The weights are rounded from a logistic regression on nine novels whose speakers and
addressees are marked (a chapter's speakers are there) and one with the encounters of each chapter.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import exp, log, log1p

from ...core.types import Span
from ..lexicon.words import BODY, DISTANT, FACING, NEAR, SPEAKING, THINKING, TOGETHER
from ..model.types import PEOPLE, Modality, Presence
from ..tables import read_table, text
from .clauses.arguments import Arguments
from .clauses.modality import modality_of
from .parsing.chapter import ParsedChapter, ParsedParagraph, Word
from .pronouns import PRONOUNS

BASE = -0.25  # log-odds of somebody who is named and nothing else
WEIGHTS: Mapping[str, float] = read_table("presence_signs.tsv", sign=text, weight=float).column("weight")
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


LEAST = 0.3  # less is not worth keeping, whatever another of somebody's names may add
ENOUGH = 6  # so many signs of one kind in a scene; another adds next to nothing
NAMED, MEANT = 1.0, 0.7  # evidence that names somebody is better than a pronoun's
_NARRATOR = frozenset("i me my we us our myself".split())


@dataclass(slots=True)
class _Part:
    """What the signs so far say of one name in one scene."""

    mention: int
    evidence: Span
    best: float = -1.0
    signs: dict[str, float] = field(default_factory=dict)


def read_presences(chapter: ParsedChapter, arguments: Arguments) -> Iterator[Presence[int, Span]]:
    """Everybody who may be on stage, by scene. The confidence is a chance by the narration alone; who speaks
    and hears is added when the speakers are known."""
    signs, mentions = SignReader(chapter), chapter.mentions
    parts: dict[tuple[int, str], _Part] = {}
    for paragraph in chapter.paragraphs:
        for token, number, factor in _referring(chapter, arguments, paragraph):
            if mentions[number].kind not in PEOPLE:
                continue
            span, key = paragraph.sentence(token).span, (paragraph.prose.scene, chapter.name(number))
            part = parts.setdefault(key, _Part(number, span))
            spoken = paragraph.spoken(token)
            if part.signs.get("acts", 0.0) >= ENOUGH and not spoken:
                continue
            sign = "spoken of" if spoken else signs.sign(paragraph, token)
            part.signs[sign] = part.signs.get(sign, 0.0) + factor
            if WEIGHTS[sign] * factor > part.best:
                part.best, part.mention, part.evidence = WEIGHTS[sign] * factor, number, span
    for (scene, _), part in parts.items():
        confidence = round(chance(odds(part.signs)), 3)
        if confidence >= LEAST:
            yield Presence(part.mention, scene, None, part.evidence, confidence)


def _referring(
    chapter: ParsedChapter, arguments: Arguments, paragraph: ParsedParagraph
) -> Iterator[tuple[Word, int, float]]:
    """(head word, mention, factor) of each name, and of each pronoun that is understood."""
    mention_of, narrator = paragraph.mention_of, chapter.narrator
    for token in paragraph.words:
        number = mention_of.get(token.i)
        if number is not None:
            if mention_of.get(token.head.i) != number:
                yield token, number, NAMED
        elif token.lower_ in PRONOUNS:
            meant = arguments.pronouns.resolve(paragraph, token)
            if meant is not None:
                yield token, meant.mention, meant.factor * MEANT
        elif narrator is not None and token.lower_ in _NARRATOR and not paragraph.spoken(token):
            yield token, narrator, NAMED
