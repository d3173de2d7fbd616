"""Whom a sentence is about where its words leave it open: "those brown eyes gave no sign of it"."""

from __future__ import annotations

from ...lexicon.person_nouns import PERSON_NOUNS
from ...model.types import EntityKind
from ..coreference.pronouns import PRONOUNS, Reference
from ..parsing.chapter import ParsedParagraph, Sentence
from ..parsing.words import Word
from .owners import Owner, Owners

__all__ = ["ABOUT", "about"]

ABOUT = 0.8
BEFORE = 0.9  # of that where the sentence before tells who
_LIKENING = frozenset({"for", "as", "like"})
_THAN = frozenset({"as", "than"})
_ANY = frozenset({"a", "an", "any", "every", "all", "most"})
_SELF = frozenset("i me my myself".split())
_ASIDE = frozenset({"attr", "appos", "compound"})


def about(
    owners: Owners, paragraph: ParsedParagraph, token: Word, *, sure: float = ABOUT, before: bool = True
) -> Owner | None:
    """The only person of whom the sentence of ``token`` speaks, or else (``before``) the sentence before
    it in the same voice. None where two are named there, or somebody nameless is. It is vouched for as what a
    phrase takes for granted is."""
    voice, last = paragraph.spoken(token), paragraph.sentence(token).index
    here = [each for each in paragraph.sentences if each.index <= last]
    heard = [each for each in reversed(here) if _in_voice(paragraph, each, voice)]
    for sentence, factor in zip(heard[:2], (1.0, BEFORE), strict=False):
        people = _people(owners, paragraph, sentence, token)
        if people is None:
            return None
        if people:
            found = people[0] if len(people) == 1 else None
            if found is None:
                return None
            modality = owners.where_told(paragraph, token)
            return Owner(found, modality, round(sure * factor * found.factor, 3))
        if not before:
            return None
    return None


def _in_voice(paragraph: ParsedParagraph, sentence: Sentence, voice: bool) -> bool:
    return any(
        paragraph.spoken(word) == voice
        for word in paragraph.tokens(sentence)
        if not word.is_punct and not word.is_space
    )


def _people(
    owners: Owners, paragraph: ParsedParagraph, sentence: Sentence, token: Word
) -> list[Reference] | None:
    """The people of a sentence, in the voice of ``token``; None where it is unclear who is meant."""
    cast, voice = owners.arguments.pronouns.cast, paragraph.spoken(token)
    found: dict[int, Reference] = {}
    unsure = False
    for word in paragraph.tokens(sentence):
        if paragraph.spoken(word) != voice:
            continue
        number = paragraph.mention_of.get(word.i)
        if number is not None:
            if owners.chapter.mentions[number].kind is EntityKind.CHARACTER:
                found.setdefault(cast.who[number], Reference(number))
        elif word.lower_ in _SELF and not voice and owners.chapter.narrator is not None:
            narrator = owners.chapter.narrator
            found.setdefault(cast.who[narrator], Reference(narrator))
        elif word.lower_ in PRONOUNS:
            meant = owners.meant(paragraph, word)
            if meant is None:
                unsure = True
            elif cast.who[meant.mention] not in found:
                found[cast.who[meant.mention]] = meant
        elif word.i != token.i and _nameless(word, token):
            return None
    return None if unsure and not found else list(found.values())


def _nameless(word: Word, token: Word) -> bool:
    """Another person, without a name: "the old man"."""
    if word.dep_ == "pobj" and word.head.lower_ in _LIKENING:
        return False
    if any(child.dep_ == "mark" and child.lower_ in _THAN for child in word.head.children):
        return False  # "brown as his father's had been"
    if word.pos_ != "NOUN" or word.dep_ in _ASIDE or token.i in (word.i, word.head.i):
        return False
    if word.is_ancestor(token) and any(child.lower_ in _ANY for child in word.children):
        return False  # "the slope of a left-handed man"
    return word.lemma_.lower() in PERSON_NOUNS and not any(c.i == token.i for c in word.children)
