"""Hair that is dyed, or under a wig, in whatever construction: from then on it may be of any colour."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from ..reading import Trait
from ..types import EntityKind
from .arguments import Arguments
from .masked import masked, text_of
from .parsed import ParsedChapter
from .told_trait import told_trait

__all__ = ["CHANGED", "read_hair_turns"]

CHANGED = "changed"
_SURE, _LEAST, _LONGEST = 0.75, 0.7, 300
_HAIR = r"(?:\w+ )?(?:hair|head|locks|curls|tresses|ringlets|beard|moustache|whiskers)"
_COLOURING = (
    r"(?:dye[ds]?|dyeing|bleach\w*|henna\w*|"
    r"(?:tint|stain|colou?r|blacken|darken|redden|lighten|powder)(?:s|ed|ing)?)"
)
_TURNED = re.compile(
    r"(?<!\w)(?:wigs?|perukes?|periwigs?|toupees?|peroxide|henna|hair-?dyes?|dye-?(?:pots?|bottles?)|"
    r"false (?:hair|fronts?|curls|locks|fringe|tresses|beard|moustache|whiskers)|"
    rf"{_COLOURING} (?:her|his|my|your|the|that|§\d's) {_HAIR}|"
    rf"(?:her|his|my|your|§\d's) {_HAIR} (?:[\w'-]+ ){{0,3}}{_COLOURING}|"
    rf"(?:chang\w+|alter\w+|another|new|different|not the|false) (?:the |its )?(?:colou?r|shade|hue|tint)\b"
    rf"[^.;]{{0,20}}\b{_HAIR}|(?:another|a new|a different|a borrowed|a strange|somebody else's) "
    r"(?:head|colou?r) of hair|"
    r"(?:dye|bottle|walnut[- ]juice|boot-?black\w*|burnt cork|hairdresser|barber|chemist)\b[^.;]{0,60}"
    r"\b(?:hair|head|locks|curls|colou?r)|"
    r"\b(?:hair|head|locks|curls|colou?r)\b[^.;]{0,60}\b(?:dye|bottle|walnut[- ]juice|boot-?black\w*|"
    r"burnt cork|hairdresser\w*|chemist\w*))\b"
)
_NOT = re.compile(r"\b(?:not|never|no|without|neither|nor|if|would|as though|as if|like a)\b|n't|\?")


def read_hair_turns(chapter: ParsedChapter, arguments: Arguments, known: frozenset[int]) -> Iterator[Trait]:
    """Traits ``hair`` with the value ``CHANGED``, in order of the text, of the only person of a sentence;
    ``known`` holds where the sentences begin that tell of it already."""
    for paragraph in chapter.paragraphs:
        if not paragraph.mention_of or not _TURNED.search(paragraph.prose.text.lower()):
            continue
        for sentence in paragraph.sentences:
            text = text_of(paragraph, sentence).lower()
            if len(text) > _LONGEST or sentence.span.start in known:
                continue
            seen = masked(chapter, arguments, paragraph, sentence)
            if len(seen.people) != 1 or not _TURNED.search(seen.words) or _NOT.search(seen.words):
                continue
            who = seen.people[0]
            if chapter.mentions[who.mention].kind is EntityKind.CHARACTER and who.factor >= _LEAST:
                sure = round(_SURE * who.factor, 3)
                told = told_trait(paragraph, sentence, who, "hair", CHANGED, sure=sure)
                yield replace(told, change=True)
