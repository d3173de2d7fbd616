"""Bonds that no verb tells: "X's love for Y", "Mr. and Mrs. X", "X of the village", a name called out."""

from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType
from typing import Any

from ...model.types import EntityKind, Modality
from ...names.lexicon import TITLES
from ..clauses.arguments import Arguments
from ..clauses.fact_collector import FactCollector, fits
from ..clauses.modality import modality_of
from ..coreference.pronouns import Reference
from ..parsing.chapter import ParsedChapter, ParsedParagraph
from ..parsing.words import Word
from ..quotations.dialogue import Speech

__all__ = ["FEELINGS", "read_noun_bonds"]

# noun of a feeling → predicate, confidence, prepositions before whom it is for. The nouns of the verbs of
# Levin's (1993) class 31.2, admire, and of her class 31.3, marvel.
FEELINGS: MappingProxyType[str, tuple[str, float, tuple[str, ...]]] = MappingProxyType(
    {
        "love": ("LOVES", 0.8, ("for", "of")),
        "affection": ("LOVES", 0.75, ("for", "towards", "toward")),
        "devotion": ("LOVES", 0.75, ("to", "for")),
        "attachment": ("LOVES", 0.7, ("to", "for")),
        "passion": ("LOVES", 0.75, ("for",)),
        "tenderness": ("LOVES", 0.7, ("for", "towards", "toward")),
        "admiration": ("ADMIRES", 0.75, ("for", "of")),
        "respect": ("ADMIRES", 0.75, ("for",)),
        "esteem": ("ADMIRES", 0.75, ("for",)),
        "regard": ("ADMIRES", 0.7, ("for",)),
        "gratitude": ("ADMIRES", 0.65, ("to", "towards", "toward")),
        "friendship": ("FRIEND_OF", 0.75, ("with", "for")),
        "acquaintance": ("KNOWS", 0.75, ("with",)),
        "hatred": ("HATES", 0.8, ("for", "of", "towards", "toward", "against")),
        "dislike": ("HATES", 0.75, ("for", "of", "to")),
        "contempt": ("HATES", 0.75, ("for", "of")),
        "aversion": ("HATES", 0.7, ("to", "for")),
        "resentment": ("RESENTS", 0.75, ("against", "towards", "toward", "at", "of")),
        "anger": ("RESENTS", 0.7, ("against", "towards", "toward", "at", "with")),
        "jealousy": ("RESENTS", 0.75, ("of", "towards", "toward")),
        "envy": ("RESENTS", 0.7, ("of",)),
        "fear": ("FEARS", 0.7, ("of",)),
        "dread": ("FEARS", 0.7, ("of",)),
        "terror": ("FEARS", 0.65, ("of",)),
        "trust": ("TRUSTS", 0.75, ("in",)),
        "faith": ("TRUSTS", 0.75, ("in",)),
        "confidence": ("TRUSTS", 0.75, ("in",)),
        "distrust": ("DISTRUSTS", 0.8, ("of",)),
        "mistrust": ("DISTRUSTS", 0.8, ("of",)),
        "suspicion": ("DISTRUSTS", 0.65, ("of",)),
        "suspicions": ("DISTRUSTS", 0.65, ("of",)),
    }
)
_GONE = frozenset("former old past lost feigned pretended supposed".split())
_FINITE = frozenset("VBZ VBD VBP MD".split())
_REPLIES = frozenset("answer reply repeat".split())  # '"Tom Hale," answered Anna' calls nobody
_OWN_SUBJECTS = frozenset({"nsubj", "nsubjpass", "expl", "csubj"})
_ONLY_A_NAME = 90
_PAIRED = (["mr", "mrs"], ["lord", "lady"], ["sir", "lady"], ["monsieur", "madame"])
CALLED, COUPLE, RESIDENT = 0.85, 0.85, 0.75


def read_noun_bonds(chapter: ParsedChapter, arguments: Arguments, facts: FactCollector) -> None:
    """Adds the statements to ``facts``. One look at each token."""
    known: set[tuple[str, str]] = set()
    narrated = _narrated(chapter)
    for paragraph in chapter.paragraphs:
        if not paragraph.mention_of:
            continue
        for token in paragraph.words:
            word = token.lower_
            if word in FEELINGS:
                _feeling(chapter, paragraph, arguments, facts, token)
            elif word == "of" and token.i not in paragraph.mention_of:
                _resident(chapter, paragraph, facts, token)
        _couples(chapter, paragraph, facts, known)
        _called(paragraph, arguments, facts, known, narrated)


def _feeling(
    chapter: ParsedChapter, paragraph: ParsedParagraph, arguments: Arguments, facts: FactCollector, noun: Word
) -> None:
    """Like "X's love for Y", "his hatred of Y"."""
    if noun.tag_ not in ("NN", "NNS"):
        return
    owner, behind = None, None
    predicate, sure, wanted = FEELINGS[noun.lower_]
    for child in noun.children:
        if child.dep_ == "poss":
            owner = child
        elif child.dep_ == "prep" and child.lower_ in wanted:
            behind = next((c for c in child.children if c.dep_ == "pobj"), behind)
        elif child.lower_ in _GONE:
            return
    if owner is None or behind is None:
        return
    if behind.i + 1 < len(paragraph.doc) and behind.nbor(1).tag_ == "POS":  # "contempt for the doctor's"
        return
    modality = modality_of(chapter, paragraph, noun)
    if modality is None:
        return
    for one in arguments.resolve(paragraph, owner):
        for other in arguments.resolve(paragraph, behind):
            if fits(arguments, one, "person") and fits(arguments, other, "person"):
                facts.tell(paragraph, noun, predicate, (one, other), modality, sure)


def _resident(chapter: ParsedChapter, paragraph: ParsedParagraph, facts: FactCollector, of: Any) -> None:
    """Like "Mr. Hale of Thornby": a person's name, "of", a place's. "The Duke of Thornby" has it as his
    title, and need not live there."""
    doc, i = paragraph.doc, of.i
    if i == 0 or i + 1 >= len(doc):
        return
    number = paragraph.mention_of.get(i - 1)
    if number is None and doc[i - 1].text == "," and i > 1:
        number = paragraph.mention_of.get(i - 2)
    place = paragraph.mention_of.get(i + 1)
    if number is None or place is None:
        return
    one, other = chapter.mentions[number], chapter.mentions[place]
    if one.kind is not EntityKind.CHARACTER or other.kind is not EntityKind.LOCATION or not other.strong:
        return
    if one.surface.casefold().split()[-1].rstrip(".") in TITLES or one.surface.startswith("the "):
        return
    modality = Modality.REPORTED if paragraph.spoken(of) else Modality.FACT
    facts.tell(paragraph, of, "LIVES_IN", (Reference(number), Reference(place)), modality, RESIDENT)


def _couples(
    chapter: ParsedChapter, paragraph: ParsedParagraph, facts: FactCollector, known: set[tuple[str, str]]
) -> None:
    """Like "Mr. and Mrs. Hale", which is one phrase and two mentions: once a chapter."""
    for one, other, i in _phrases(chapter, paragraph):
        titles = [chapter.mentions[n].surface.casefold().split()[0].rstrip(".") for n in (one, other)]
        pair = chapter.mentions[one].surface.casefold(), "and " + chapter.mentions[other].surface.casefold()
        if titles in _PAIRED and pair not in known:
            known.add(pair)
            token = paragraph.words[i]
            modality = Modality.REPORTED if paragraph.spoken(token) else Modality.FACT
            facts.tell(paragraph, token, "MARRIED_TO", (Reference(one), Reference(other)), modality, COUPLE)


def _phrases(chapter: ParsedChapter, paragraph: ParsedParagraph) -> Iterator[tuple[int, int, int]]:
    mentions, last = chapter.mentions, -1
    for i, number in paragraph.mention_of.items():
        if number != last and number > 0 and mentions[number - 1].span.contains(mentions[number].span):
            yield number - 1, number, i
        last = number


def _called(
    paragraph: ParsedParagraph,
    arguments: Arguments,
    facts: FactCollector,
    known: set[tuple[str, str]],
    narrated: frozenset[str],
) -> None:
    """Whoever calls somebody by name knows him: once a chapter and pair. A name that the narration never
    uses may be an oath or a cry."""
    speech: Speech = arguments.dialogue.speech(paragraph)
    if speech.verb is None or not speech.called or speech.speaker is None or speech.hearer is None:
        return
    one, other = Reference(*speech.speaker), Reference(*speech.hearer)
    if arguments.name(other).split()[-1] not in narrated:
        return
    if not _addressed(paragraph, speech.hearer[0], speech.verb):
        return
    names = sorted((arguments.name(one), arguments.name(other)))
    pair = (names[0], names[1])
    if pair not in known:
        known.add(pair)
        facts.tell(paragraph, speech.verb, "KNOWS", (one, other), Modality.FACT, CALLED)


def _narrated(chapter: ParsedChapter) -> frozenset[str]:
    """The words of the names that the narration uses in this chapter."""
    named = (mention.surface for mention in chapter.mentions if not mention.spoken)
    return frozenset(word for surface in named for word in surface.casefold().split())


def _addressed(paragraph: ParsedParagraph, hearer: int, verb: Word) -> bool:
    """Does the name stand in this very speech, and as a call: not "Tom Hale," answered Anna, which names
    him, nor "Tom," said Anna, "at that hour was in bed", which speaks of him?"""
    doc = paragraph.doc
    here = [i for i, number in paragraph.mention_of.items() if number == hearer]
    if not here or not paragraph.spoken(doc[here[0]]):
        return False
    if verb.lemma_ in _REPLIES and len(paragraph.prose.text) < _ONLY_A_NAME:
        return False
    last = doc[max(here)]
    end = last.idx + len(last)
    if not any(stop - 3 <= end for _, stop in _around(paragraph, doc[here[0]].idx)):
        return True
    onward = next(((start, stop) for start, stop in paragraph.prose.quotes if start > last.idx), None)
    if onward is None:
        return True
    return not _lacks_subject([token for token in doc[last.i + 1 :] if onward[0] < token.idx < onward[1]])


def _lacks_subject(tokens: list[Word]) -> bool:
    """Does the speech go on with a finite verb whose subject can only be the name before: "is late", "at that
    hour was in bed"; not "is he late?", "you are late"?"""
    for token in tokens:
        if token.dep_ in _OWN_SUBJECTS:
            return False
        if token.tag_ in _FINITE:
            low = tokens[0].i
            near = (token, token.head) if token.dep_ in ("aux", "auxpass") else (token,)
            own = [child for node in near for child in node.children if child.dep_ in _OWN_SUBJECTS]
            return not any(child.i >= low for child in own)
        if token.is_punct and token.text in ".?!;":
            return False
    return False


def _around(paragraph: ParsedParagraph, offset: int) -> list[tuple[int, int]]:
    return [(start, stop) for start, stop in paragraph.prose.quotes if start <= offset < stop]
