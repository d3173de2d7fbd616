"""What each clause says of its subject, as a scale and a pole: "was wet", "did not want to go"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ...core.types import Span
from ..extraction.clauses.arguments import Arguments
from ..extraction.clauses.modality import modality_of, negated
from ..extraction.coreference.pronouns import PRONOUNS
from ..extraction.parsing.chapter import ParsedChapter, ParsedParagraph
from ..lexicon.emotions import CONTRARY, EMOTION_WORDS, EMOTIONS
from ..lexicon.verbs_and_nouns import NEGATIVE_GOVERNORS
from ..model.types import Modality
from .opposites import scale_of_adjective, scale_of_verb

__all__ = ["MOOD", "Condition", "read_conditions"]

MOOD = "mood"
"""The scale of how somebody feels: 1 well, -1 badly."""

_COPULAS = frozenset("be become feel seem look get grow stay remain turn appear sound taste smell".split())
_MODALS = frozenset("can could".split())
_SELF = frozenset("i me my we us our narrator".split())
_HELPERS = ("aux", "auxpass")
_COMPLEMENTS = ("dobj", "xcomp", "attr", "oprd")
_SHORTEST = 3  # letters; shorter ones are pieces of a hyphened verb
_LIGHT = frozenset("do have get make take go come use".split())
_KNOWING = frozenset("realize realise find discover notice see learn remember".split())
_WELL = frozenset("excited proud satisfied relaxed amazed impressed".split())
_BADLY = frozenset(
    """upset mad embarrassed bored frustrated stressed depressed dissatisfied displeased hurt humiliated
    shocked mortified livid grumpy cranky""".split()
)


@dataclass(frozen=True, slots=True)
class Condition:
    """``subject`` is whom or what it is said of (a name as written or a noun, lower case; "i" for who tells
    it), ``scale`` what is said and ``of`` its complement (both lemmas, ``of`` empty where there is none);
    ``pole`` is 1 or -1, ``sentence`` where it stands, ``at`` the verb's first character."""

    subject: str
    scale: str
    of: str
    pole: int
    sentence: Span
    at: int


def read_conditions(chapter: ParsedChapter, arguments: Arguments) -> Iterator[Condition]:
    """In order of the text, out of narration alone; what the text vouches for or denies, and what somebody
    can or could do, but no plans, questions, reports or dreams. Subjects are found through pronouns
    (``Arguments``)."""
    for paragraph in chapter.paragraphs:
        for verb in paragraph.words:
            if verb.pos_ not in ("VERB", "AUX") or verb.dep_ in _HELPERS or paragraph.spoken(verb):
                continue
            pole = _pole(chapter, paragraph, verb)
            if pole == 0:
                continue
            said = list(_said(verb))
            if not said:
                continue
            sentence = paragraph.sentence(verb).span
            at = paragraph.span(verb, verb).start
            for subject in _subjects(paragraph, verb, arguments):
                for scale, of, own in said:
                    yield Condition(subject, scale, of, own * pole, sentence, at)


def _pole(  # noqa: PLR0911 (a case a line)
    chapter: ParsedChapter, paragraph: ParsedParagraph, verb: Any
) -> int:
    """1 for what is vouched for, -1 for what is denied, 0 for all else."""
    modality = modality_of(chapter, paragraph, verb)
    if verb.dep_ == "ccomp" and verb.head.lemma_.lower() not in _KNOWING:
        return 0
    if modality is Modality.NEGATED:
        governed = verb.dep_ == "xcomp" and verb.head.lemma_.lower() not in NEGATIVE_GOVERNORS
        return 0 if governed and not negated(verb) else -1
    if modality is None:
        return 0
    if modality.happened:
        return 1
    able = any(c.dep_ == "aux" and c.lower_ in _MODALS for c in verb.children)
    if able and modality is Modality.PLANNED:
        return 1
    if verb.dep_ == "xcomp" and verb.head.lower_ in ("able", "unable"):  # "was not able to go"
        copula = verb.head.head if verb.head.dep_ == "acomp" else verb.head
        return -1 if (verb.head.lower_ == "unable") != negated(copula) else 1
    return 0


def _said(verb: Any) -> Iterator[tuple[str, str, int]]:
    """(scale, complement, pole) of the clause."""
    lemma = verb.lemma_.lower()
    if lemma in _COPULAS:
        yield from _ascribed(verb)
    if lemma in _COPULAS - {"turn", "appear"} and not any(c.dep_ == "dobj" for c in verb.children):
        return
    passive = any(c.dep_ in ("nsubjpass", "auxpass") for c in verb.children)
    if passive:
        scale, pole = scale_of_adjective(verb.lower_)
        yield scale, "", pole
        yield from _mood(verb)
        return
    if not lemma.isalpha() or len(lemma) < _SHORTEST:
        return
    scale, pole = scale_of_verb(lemma)
    of = _complement(verb)
    if of or lemma not in _LIGHT:
        yield scale, of, pole


def _ascribed(verb: Any) -> Iterator[tuple[str, str, int]]:
    """Behind a copula: adjectives, "a student", "a good cook", "in the hotel"."""
    for child in verb.children:
        if child.dep_ in ("acomp", "oprd") or (child.dep_ == "attr" and child.tag_.startswith("JJ")):
            for adjective in (child, *child.conjuncts):
                scale, pole = scale_of_adjective(adjective.lower_)
                yield scale, "", pole
                yield from _mood(adjective)
        elif child.dep_ == "attr" and child.pos_ in ("NOUN", "PROPN"):
            noun = child.lemma_.lower()
            described = [scale_of_adjective(c.lower_) for c in child.children if c.dep_ == "amod"]
            if not described:
                yield "be", noun, 1
            for scale, pole in described:
                yield scale, noun, pole
        elif child.dep_ == "prep" and verb.lemma_.lower() == "be":
            for behind in child.children:
                if behind.dep_ == "pobj":
                    yield f"be {child.lower_}", behind.lemma_.lower(), 1


def _mood(word: Any) -> Iterator[tuple[str, str, int]]:
    """Well or badly, by the table of emotions; denied, by what a denied feeling leaves."""
    if word.lower_ in _WELL | _BADLY and not negated(word.head):
        yield MOOD, "", 1 if word.lower_ in _WELL else -1
    emotion = EMOTION_WORDS.get(word.lower_, "")
    if emotion and (CONTRARY.get(emotion) or not negated(word.head)):
        yield MOOD, "", 1 if EMOTIONS[emotion].valence > 0 else -1


def _complement(verb: Any) -> str:
    for child in verb.children:
        if child.dep_ in _COMPLEMENTS and child.i > verb.i:
            return str(child.lemma_.lower())
    return ""


def _subjects(paragraph: ParsedParagraph, verb: Any, arguments: Arguments) -> list[str]:
    """Names and nouns, each once."""
    found = [
        arguments.chapter.mentions[one.mention].surface.casefold()
        for one in arguments.subjects(paragraph, verb)
    ]
    if not found:
        token = _subject(verb)
        if token is not None:
            found = [_noun(part) for part in (token, *token.conjuncts)]
    return list(dict.fromkeys(name for name in found if name))


def _noun(token: Any) -> str:
    word = token.lower_
    if word in _SELF:
        return "i"
    if word in PRONOUNS or token.pos_ == "PRON":
        return f"({word})" if word in ("he", "she", "they", "it") else ""
    return str(token.lemma_.lower())


def _subject(verb: Any) -> Any | None:
    node = verb
    for _ in range(4):
        helpers = [child for child in node.children if child.dep_ in _HELPERS]
        for child in (c for one in (node, *helpers) for c in one.children):
            if child.dep_ in ("nsubj", "nsubjpass"):
                return child
        if node.dep_ not in ("xcomp", "conj", "acomp", "advcl") or node.head is node:
            return None
        node = node.head
    return None
