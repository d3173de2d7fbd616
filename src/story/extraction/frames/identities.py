"""Names that are one: "X was really Y", "X's real name was Y", "X, also known as Y"."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.chapter_reading import Identity
from ...model.types import EntityKind, Modality
from ..clauses.arguments import Arguments
from ..clauses.modality import modality_of
from ..coreference.pronouns import Reference
from ..parsing.chapter import ParsedChapter, ParsedParagraph
from ..parsing.words import Word

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
