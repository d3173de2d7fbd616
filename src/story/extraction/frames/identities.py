"""Names that are one: "X was really Y", "X's real name was Y", "X, also known as Y"; and nicknames: `Paul
"Rabbit" Olsen`, "William Gates (Trey)", "the Duke was called Edmund Vane"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from ...model.chapter_reading import Identity
from ...model.types import EntityKind, Modality
from ..clauses.arguments import Arguments
from ..clauses.modality import modality_of
from ..parsing.chapter import ParsedChapter, ParsedParagraph, Word
from ..pronouns import Reference

_TRULY = frozenset("really actually".split())
_Pair = tuple[list[Reference], list[Reference], float]


def read_identities(chapter: ParsedChapter, arguments: Arguments) -> Iterator[Identity]:
    """A bare "X was Y" is too often a mistake of the parser to merge two people for good."""
    for paragraph in chapter.paragraphs:
        for token in paragraph.words:
            pairs: Iterator[_Pair] = iter(())
            if token.lemma_ == "be" and modality_of(chapter, paragraph, token) is Modality.FACT:
                pairs = _equated(arguments, paragraph, token)
            elif token.lower_ == "known" and not paragraph.spoken(token):
                pairs = _known_as(arguments, paragraph, token)
            for ones, others, sure in pairs:
                if len(ones) == 1 and len(others) == 1 and ones[0].mention != others[0].mention:
                    one, other, span = ones[0], others[0], paragraph.sentence(token).span
                    confidence = round(sure * one.factor * other.factor, 3)
                    yield Identity(one.mention, other.mention, span, confidence)


def _equated(arguments: Arguments, paragraph: ParsedParagraph, verb: Word) -> Iterator[_Pair]:
    subject = next(iter(verb.by("nsubj")), None)
    if subject is None:
        return
    whom = _named(arguments, paragraph, subject)
    for child in verb.by("attr", "acomp", "oprd"):
        named = _named(arguments, paragraph, child)
        if subject.lower_ == "name" and subject.said() & {"real", "true"}:
            for owner in subject.by("poss"):
                yield _people(arguments, arguments.resolve(paragraph, owner)), named, 0.9
        elif whom and verb.said() & _TRULY:
            yield whom, named, 0.85
        elif child.lower_ in ("none", "other"):
            nouns = [noun for noun in child.subtree if noun.dep_ == "pobj"]
            yield whom, [one for noun in nouns for one in _named(arguments, paragraph, noun)], 0.9


def _known_as(arguments: Arguments, paragraph: ParsedParagraph, verb: Word) -> Iterator[_Pair]:
    ones = _people(arguments, arguments.subjects(paragraph, verb))
    if verb.dep_ == "acl" and not ones:
        ones = _named(arguments, paragraph, verb.head)
    yield ones, _people(arguments, arguments.slot(paragraph, verb, "prep:as")), 0.85


def _named(arguments: Arguments, paragraph: ParsedParagraph, token: Word) -> list[Reference]:
    number = paragraph.mention_of.get(token.i)
    person = number is not None and arguments.kind(Reference(number)) is EntityKind.CHARACTER
    return [Reference(number)] if number is not None and person else []


def _people(arguments: Arguments, references: list[Reference]) -> list[Reference]:
    return [one for one in references if arguments.kind(one) is EntityKind.CHARACTER]


SURE = 0.9  # confidence
_SET_IN = {' "': '"', " “": "”", " ‘": "’", " '": "'", " (": ")", " «": "»"}
_CALLED = re.compile(
    r"(?:,? (?:who )?(?:was|is) (?:\w+ )?|, |, also |, better )(?:called|named|nicknamed|known as|really) "
    r"|,? alias |, whom (?:\w+ )?\w+ called "
)


def nicknames(chapter: ParsedChapter) -> Iterator[Identity]:
    """Each two mentions of people, one after the other in a paragraph, that its words make one person's."""
    for paragraph in chapter.paragraphs:
        doc, text, set_in = paragraph.doc, paragraph.prose.text, False
        numbers = list(dict.fromkeys(paragraph.mention_of[i] for i in sorted(paragraph.mention_of)))
        tokens = {n: [i for i, other in paragraph.mention_of.items() if other == n] for n in numbers}
        for one, other in pairwise(numbers):
            first, second = chapter.mentions[one], chapter.mentions[other]
            start, end = max(tokens[one]), max(tokens[other])
            between = text[doc[start].idx + len(doc[start]) : doc[min(tokens[other])].idx]
            behind = text[doc[end].idx + len(doc[end]) :]
            surname = set_in and between[1:] == " "
            set_in = between in _SET_IN and behind.startswith(_SET_IN[between])
            called = _CALLED.fullmatch(between) is not None and first.spoken == second.spoken
            called = called and behind[1:2] != "s"
            if called and doc[start + 1].text == "," and doc[start + 2].tag_ in ("VBD", "VBN"):
                called = doc[start + 2].head.i in tokens[one]  # not "the boy with Ned, called Peter over"
            if first.kind is second.kind is EntityKind.CHARACTER and (set_in or surname or called):
                yield Identity(one, other, second.sentence, SURE)
