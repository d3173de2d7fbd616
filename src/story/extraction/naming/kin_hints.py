"""Kinship words beside somebody named in passing: "What would your aunt say?" … "Mrs. Hale says nothing".

Where somebody with a title or a full name stands within a breath of one word of kinship, the text may say who
that is without saying so in one clause. Such a hint tells less than a tie that ``bonds.kinship`` reads: only
beside another it is of use (``continuity.rules.kin_in_passing``), and whose aunt she is, is told by who else
stands there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from types import MappingProxyType
from typing import Any

from ....core.types import Span
from ...model.chapter_reading import Mention, Trait
from ...model.trait_values import KIN_HINT, KIN_KINDS
from ...model.types import EntityKind, Modality
from ...names.lexicon import GIVEN, TITLES
from ..clauses.modality import likened
from ..parsing.chapter import ParsedChapter, ParsedParagraph, Sentence
from ..parsing.words import Word

__all__ = ["read_kin_hints"]


CONFIDENCE = 0.6
_SEX = MappingProxyType({"her": "f", "his": "m"})
_KNOWN = 4  # so often named in one chapter, somebody is no passing figure
_REACH = 1  # sentences
_NO_TITLE = frozenset("aunt auntie uncle cousin father mother brother sister grandma grandpa".split())


def read_kin_hints(chapter: ParsedChapter) -> Iterator[Trait]:
    """Traits of aspect ``KIN_HINT``, in order of the text: said of whoever of a full or titled name, seldom
    named in the chapter, stands in the sentence of a singular word of ``KIN_KINDS`` or in a
    neighbouring one; evidence is that stretch. Left out is a word that is somebody's title ("Aunt Jane"),
    that a name stands beside, what somebody is only likened to ("like an older sister"), that the
    person has or owns ("Mrs. Hale and her niece", "had a cousin"), and
    one with another word of kinship about. In direct speech REPORTED, else FACT. Costs a look-up a word.
    """
    counts = Counter(mention.surface for mention in chapter.mentions)
    sentences = list(chapter.sentences())
    words = [
        (paragraph, token)
        for paragraph in chapter.paragraphs
        for token in paragraph.doc
        if token.lower_ in KIN_KINDS and token.i not in paragraph.mention_of and not likened(token)
    ]
    kinds = [(paragraph.sentence(token).index, KIN_KINDS[token.lower_][0]) for paragraph, token in words]
    for (paragraph, token), (place, kind) in zip(words, kinds, strict=True):
        modality = Modality.REPORTED if paragraph.spoken(token) else Modality.FACT
        for number, span, reach in _bearers(chapter, sentences, paragraph, token, counts):
            if not any(other != kind and abs(at - place) <= reach for at, other in kinds):
                yield Trait(number, KIN_HINT, token.lower_, (span,), modality, CONFIDENCE)


def _bearers(
    chapter: ParsedChapter,
    sentences: Sequence[tuple[ParsedParagraph, Sentence]],
    paragraph: ParsedParagraph,
    noun: Word,
    counts: Counter[str],
) -> Iterator[tuple[int, Span, int]]:
    """The mentions that may be meant, one a name, the sentences around the word of kinship in which they
    stand, and how many sentences away at most."""
    if noun.tag_ not in ("NN", "NNP"):
        return
    beside = _beside(paragraph, noun)
    if beside is not None:
        if beside >= 0 and _in_full(chapter.mentions[beside].surface):
            yield beside, paragraph.sentence(noun).span, 0
        return
    place = paragraph.sentence(noun).index
    gender = KIN_KINDS[noun.lower_][1]
    for reach in range(_REACH + 1):
        around = sentences[max(0, place - reach) : place + reach + 1]
        near = _passing(chapter, around, gender, counts)
        for number, name in near.values():
            if not _owns(chapter.mentions[number], name, noun):
                yield number, Span(around[0][1].span.start, around[-1][1].span.end), reach
        if near:
            return


def _passing(
    chapter: ParsedChapter,
    around: Sequence[tuple[ParsedParagraph, Sentence]],
    gender: str,
    counts: Counter[str],
) -> dict[str, tuple[int, Any]]:
    """Those of full or titled name there who are seldom named in the chapter: by name the first mention and
    its last token."""
    found: dict[str, tuple[int, Any]] = {}
    for paragraph, sentence in around:
        for token in paragraph.tokens(sentence):
            number = paragraph.mention_of.get(token.i)
            if number is None:
                continue
            mention = chapter.mentions[number]
            if mention.kind is not EntityKind.CHARACTER or counts[mention.surface] >= _KNOWN:
                continue
            of_another = gender and mention.gender and gender != mention.gender
            if not _in_full(mention.surface) or of_another:
                continue
            if found.setdefault(mention.surface, (number, token))[0] == number:
                found[mention.surface] = number, token
    return found


def _in_full(surface: str) -> bool:
    words = [word.rstrip(".").casefold() for word in surface.split()]
    if len(words) < 2 or words[0] in _NO_TITLE or words[0] == "the":
        return False
    return words[0] in TITLES or words[0] in GIVEN


def _beside(paragraph: ParsedParagraph, noun: Word) -> int | None:
    """The name behind the word ("his aunt Mrs. Hale"); -1 for "his uncle's house", None where
    nothing of the kind follows."""
    doc, i = noun.doc, noun.i + 1
    if i >= len(doc):
        return None
    if doc[i].tag_ == "POS":
        return -1
    return paragraph.mention_of.get(i)


def _owns(mention: Mention, name: Word, noun: Word) -> bool:
    """Is it the person who has the kin: "Mrs. Hale's aunt", "Mrs. Hale and her niece", "Mrs. Hale had a
    cousin", "the aunt of Mrs. Hale"?"""
    if name.doc is not noun.doc:
        return False
    for child in noun.children:
        if child.dep_ == "poss":
            if child.i == name.i or name in child.subtree:
                return True
            same = _SEX.get(child.lower_) in (mention.gender, "" if mention.gender else None)
            if same and name.i < noun.i and not _set_equal(name, noun):
                return True
        if child.dep_ == "prep" and child.lower_ == "of" and name in child.subtree:
            return True
    head = noun.head
    return bool(noun.dep_ == "dobj" and head.lemma_ == "have" and any(c.i == name.i for c in head.children))


def _set_equal(name: Word, noun: Word) -> bool:
    """Like "Mrs. Hale was his aunt", "Mrs. Hale, his aunt"."""
    return bool(
        (noun.dep_ == "attr" and name.head == noun.head)
        or (noun.dep_ == "appos" and noun.head == name)
        or (name.dep_ == "appos" and name.head == noun)
    )
