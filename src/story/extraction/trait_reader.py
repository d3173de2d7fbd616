"""What characters are like: the traits that a chapter tells of them.

Aspects and their values, all lower case:

- ``eyes``, ``hair``: families of ``lexicon.trait_words`` (``"grey"``; ``"blue/grey"`` where both are told at
once);
  ``hair`` also ``"bald"`` and, as a change, ``"changed"`` (dyed, under a wig);
- ``height`` (``tall``, ``short``), ``build`` (``stout``, ``thin``), ``hand`` (``left``, ``right``: the
better);
- ``sight`` (``blind``, ``one-eyed``), ``hearing`` (``deaf``), ``speech`` (``mute``), ``gait`` (``lame``),
  ``back``, ``arm``, ``leg``; ``blind eye``, ``deaf ear``, ``lame leg``, ``lost arm``, ``scar cheek`` and the
  like, of which the value is ``left`` or ``right``;
- ``age`` in whole years, ``born`` a year, ``birthplace`` a name, ``profession`` a field of
``lexicon.trait_words``;
- ``spelling``: a word so like a name of theirs that the same may be meant (``naming.odd_spellings``);
- ``wedding``: the month and day on which they were married (``"06-09"``);
- ``count:brother`` and the like: a number, ``"1+"`` for "a brother", ``"+1"`` and ``"-1"`` as changes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from ..model.chapter_reading import Trait
from ..model.types import Modality
from .clauses.arguments import Arguments
from .clauses.fact_collector import FactCollector
from .kin_counts.grammar import COUNT_WORDS, read_count
from .parsing.chapter import ParsedChapter, ParsedParagraph
from .parsing.words import Word
from .patterns.masking import text_of
from .traits.ages import read_age
from .traits.births import BIRTH_WORDS, read_birth
from .traits.bodies import BODY_WORDS, read_body
from .traits.changes import called_a_lie, denied_behind, turned
from .traits.hair_changes import read_hair_turns
from .traits.looks import LOOK_WORDS, TraitClaim, read_look
from .traits.owners import Owners
from .traits.trades import TRADE_WORDS, read_trade
from .traits.wordings import read_trait_wordings

__all__ = ["read_traits"]

LEAST_SURE = 0.4
_WORDS = LOOK_WORDS | BODY_WORDS | BIRTH_WORDS | TRADE_WORDS | COUNT_WORDS
# "born in May" is no birthplace
_TIMES = frozenset(
    """january february march april may june july august september october november december spring summer
    autumn winter lent easter christmas michaelmas whitsun whitsuntide advent candlemas martinmas monday
    tuesday wednesday thursday friday saturday sunday""".split()
)
_TOLD = frozenset({Modality.FACT, Modality.FLASHBACK, Modality.REPORTED})


def read_traits(chapter: ParsedChapter, arguments: Arguments, facts: FactCollector) -> Iterator[Trait]:
    """In order of the text. What is denied, planned or imagined is left out,
    what direct speech or a letter tells is REPORTED. Costs a look-up a word."""
    owners = Owners(chapter, arguments)
    dyed: set[int] = set()
    for paragraph in chapter.paragraphs:
        found = [*_looks(owners, paragraph), *read_age(owners, paragraph, facts)]
        told = frozenset((paragraph.sentence(token).index, look.aspect) for token, look in found)
        found += read_trait_wordings(owners, paragraph, told)
        seen: set[tuple[int, str, str]] = set()
        for token, look in sorted(found, key=lambda each: each[0].i):
            key = (look.owner.reference.mention, look.aspect, look.value)
            sure = look.owner.sure
            if key in seen or look.owner.modality not in _TOLD or sure < LEAST_SURE:
                continue
            text = _around(paragraph, token)
            if look.aspect == "birthplace" and look.value in _TIMES:
                continue
            if denied_behind(text_of(paragraph, paragraph.sentence(token))):
                continue
            if look.owner.modality is Modality.REPORTED and called_a_lie(text):
                continue
            seen.add(key)
            if look.value == "changed":
                dyed.add(paragraph.sentence(token).span.start)
            change = look.change or (not look.settled and turned(look.aspect, look.value, text))
            yield _trait(arguments, paragraph, token, replace(look, change=change))
    yield from read_hair_turns(chapter, arguments, frozenset(dyed))


def _around(paragraph: ParsedParagraph, token: Word) -> str:
    """The words of the token's sentence and of those beside it in the paragraph."""
    own = paragraph.sentence(token).index
    near = [each for each in paragraph.sentences if abs(each.index - own) <= 1]
    return str(paragraph.doc[near[0].start : near[-1].end].text) if near else ""


def _looks(owners: Owners, paragraph: ParsedParagraph) -> Iterator[tuple[Any, TraitClaim]]:
    for token in paragraph.words:
        word = token.lower_
        if word not in _WORDS:
            continue
        if word in LOOK_WORDS:
            yield from ((token, look) for look in read_look(owners, paragraph, token))
        if word in BODY_WORDS:
            yield from ((token, look) for look in read_body(owners, paragraph, token))
        if word in BIRTH_WORDS:
            yield from ((token, look) for look in read_birth(owners, paragraph, token))
        if word in TRADE_WORDS:
            yield from ((token, look) for look in read_trade(owners, paragraph, token))
        elif word in COUNT_WORDS:
            yield from ((token, look) for look in read_count(owners, paragraph, token))


def _trait(arguments: Arguments, paragraph: ParsedParagraph, token: Any, look: TraitClaim) -> Trait:
    reference = look.owner.reference
    return Trait(
        reference.mention,
        look.aspect,
        look.value,
        arguments.support(paragraph, token, reference),
        look.owner.modality,
        look.owner.sure,
        look.change,
        reference.genders,
    )
