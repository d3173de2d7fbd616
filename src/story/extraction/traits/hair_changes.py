"""Hair that is dyed, or under a wig, in whatever construction: from then on it may be of any colour."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from ...lexicon.trait_words import HAIR_COLOURS
from ...model.chapter_reading import Trait
from ...model.types import EntityKind
from ..clauses.arguments import Arguments
from ..parsing.chapter import ParsedChapter, ParsedParagraph, Sentence
from ..patterns.masking import Masked, masked, text_of
from ..patterns.told_trait import told_trait

__all__ = ["read_hair_turns"]

_SURE, _LEAST, _LONGEST = 0.75, 0.7, 300
_HAIRS = r"(?:hair|head|locks|curls|tresses|ringlets|beard|moustache|whiskers|mane|braids?)"
_HAIR = rf"(?:\w+ )?{_HAIRS}"
_COLOURING = (
    r"(?:dye[ds]?|dyeing|bleach\w*|henna\w*|whiten\w*|silver(?:ed|s)|"
    r"(?:tint|stain|colou?r|blacken|darken|redden|lighten|powder|rins|streak)(?:s|e[ds]|ed|ing)?)"
)
_COLOURED = (
    r"(?:dyed|bleached|hennaed|whitened|silvered|tinted|stained|colou?red|blackened|darkened|reddened|lightened|"
    r"powdered|rinsed|streaked)"
)
_COLOUR = rf"(?:{'|'.join(sorted(HAIR_COLOURS))})"
_OF_HAIR = r"(?:auburn|blond|blonde|brown|chestnut|fair|flaxen|ginger|golden|raven|sandy|yellow)"  # no face
_DRESSER = r"(?:barber|hairdresser|wig-?maker|perruquier|chemist)"
_STUFF = (
    r"(?:dye|bottle|walnut|boot-?black\w*|burnt cork|lamp-?black|soot|lotion|rinse|hairdresser|barber|"
    r"chemist|perfumer|paint)\w*"
)
_SHADE = r"(?:colou?r|shade|hue|tint)\b"
_TURNED = re.compile(
    r"(?<!\w)(?:wigs?|perukes?|periwigs?|toupees?|peroxide|henna|hair-?dyes?|dye-?(?:pots?|bottles?)|"
    r"false (?:hair|fronts?|curls|locks|fringe|tresses|beard|moustache|whiskers)|"
    rf"{_COLOURING} (?:her|his|my|your|the|that|§\d's) {_HAIR}|"
    rf"(?:her|his|my|your|§\d's) {_HAIR} (?:[\w'-]+ ){{0,3}}{_COLOURED}|"
    rf"(?:chang\w+|alter\w+|another|new|different|not the|false) (?:the |its )?{_SHADE}"
    rf"[^.;]{{0,20}}\b{_HAIR}|(?:another|a new|a different|a borrowed|a strange|somebody else's|"
    r"another man's|another woman's) (?:(?:head|colou?r) of )?hair|"
    rf"{_STUFF}\b[^.;]{{0,60}}\b(?:{_HAIRS}|colou?r)|\b(?:{_HAIRS}|colou?r)\b[^.;]{{0,60}}\b{_STUFF}|"
    rf"(?!head){_HAIRS}\b[^.,;]{{0,50}}\b(?:went|gone|turned|grown|come out|came out|become|became|faded|"
    rf"made|is now|was now|were now) (?:\w+ )?{_COLOUR}|from {_OF_HAIR} to {_COLOUR}|from {_COLOUR} to "
    rf"{_OF_HAIR}|from red to black|from black to red|new (?:{_OF_HAIR}|red|black) {_HAIRS})\b"
)
_OWN = re.compile(
    rf"\b(?:not|no longer|n't)\b[^.;]{{0,15}} (?:its|his|her|§\d's) (?:own|natural|born) (?:hair|{_SHADE})|"
    r"\b(?:had|have|has|having|is|was|been|bought|used) (?:it |§\d's hair )?(?:a |some |the |been )?dyed?\b"
)
_TRIGGER = re.compile(
    rf"\b(?:{_HAIRS}|wigs?|perukes?|periwigs?|toupees?|peroxide|henna|dyed?|{_DRESSER}|(?:red|{_OF_HAIR}) to|"
    rf"to {_OF_HAIR})\b"
)
_NOT = re.compile(r"\b(?:not|never|no|without|neither|nor|if|would|as though|as if|like a)\b|n't|\?")
_OTHERWISE = re.compile(
    r"\b(?:cloth|wool|silk|dress|gown|shawl|cotton|coat|cloak|vat|works|face|cheeks?|complexion|lips?|sky|sea|"
    r"leaves|garment|frock|linen|stockings?)\b"
)


def _voices(
    chapter: ParsedChapter, arguments: Arguments, paragraph: ParsedParagraph, sentence: Sentence
) -> Iterator[Masked]:
    """The sentence, and where it has speech in it that alone."""
    yield masked(chapter, arguments, paragraph, sentence)
    if paragraph.prose.quotes:
        yield masked(chapter, arguments, paragraph, sentence, spoken=True)


def _whose(seen: Masked) -> int | None:
    """Whose hair is another since; None where the sentence does not tell it."""
    words = seen.words
    turned = _TURNED.search(words)
    if turned is not None and _NOT.search(words):
        turned = None
    turned = turned or _OWN.search(words)
    if turned is None or _OTHERWISE.search(words):
        return None
    owner = re.search(rf"§(\d)'s {_HAIR}", words)
    if len(seen.people) == 1:
        return 0
    return int(owner[1]) if owner is not None else None


def read_hair_turns(chapter: ParsedChapter, arguments: Arguments, known: frozenset[int]) -> Iterator[Trait]:
    """Traits ``hair`` with the value ``"changed"``, in order of the text, of the only person of a sentence,
    or whose hair it names; ``known`` holds where the sentences begin that tell of it already."""
    for paragraph in chapter.paragraphs:
        if not paragraph.mention_of or not _TRIGGER.search(paragraph.prose.text.lower()):
            continue
        for sentence in paragraph.sentences:
            text = text_of(paragraph, sentence).lower()
            if len(text) > _LONGEST or sentence.span.start in known or not _TRIGGER.search(text):
                continue
            for seen in _voices(chapter, arguments, paragraph, sentence):
                number = _whose(seen)
                if number is None:
                    continue
                who = seen.people[number]
                if chapter.mentions[who.mention].kind is EntityKind.CHARACTER and who.factor >= _LEAST:
                    sure = round(_SURE * who.factor, 3)
                    told = told_trait(paragraph, sentence, who, "hair", "changed", sure=sure)
                    yield replace(told, change=True)
                    break
