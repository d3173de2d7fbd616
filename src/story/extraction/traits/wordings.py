"""What a sentence comes to about the one person it speaks of, where no construction of grammar is known: the
words of a trait near each other, one value, one person, and nothing that denies, doubts or compares."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ...lexicon.trait_words import EYE_COLOURS, EYE_NOUNS, FIELDS, HAIR_COLOURS, HAIR_NOUNS
from ...model.types import EntityKind
from ...time.amounts import number_of
from ..coreference.pronouns import Reference
from ..parsing.chapter import ParsedParagraph, Sentence
from ..parsing.words import Stretch, Word
from ..patterns.masking import text_of
from .changes import called_a_lie
from .handedness import hand_by_habit, namesake_behind
from .looks import TraitClaim
from .nearby_owner import about
from .owners import Owner, Owners
from .wording_table import (
    AGED,
    ALLOWED,
    BETTER,
    BORN,
    CALLED,
    COLOURLESS,
    FEET,
    LONG_SINCE,
    MAIMED,
    NEVER_THE_BETTER,
    PLACES,
    TRIGGER,
    UNTOLD,
    WORSE,
)

__all__ = ["read_trait_wordings"]

_SURE = 0.75
_YOUNGEST, _OLDEST = 13, 100
_TALL, _SHORT, _DWARF = 72, 64, 48  # inches
_OWN = re.compile(r"\b(?:my|your|me|mine|yours)\b", re.IGNORECASE)
_YOURS = re.compile(
    r"\b(?:you|your|yours|my (?!left|right|life|whole|days|pen|pencil|needle|way|habit|bread|living))\b",
    re.IGNORECASE,
)
_LONGEST = 400  # characters of a sentence that is still about one thing
_NEAR = 8  # words between a colour and what has it
_VAGUE = frozenset({"light", "pale", "straw", "iron", "gold", "silver", "steel", "snowy"})
_SHADES = frozenset("colour color shade hue tint one ones".split())
_NO_PLACES = frozenset(
    """he she it they this that his her their the there here what when where who not never like of all born
    in at by god heaven nature i my we everybody nobody only one no even being although though""".split()
)
_OTHER = {"left": "right", "right": "left"}
_Found = list[tuple[str, int]]


def read_trait_wordings(
    owners: Owners, paragraph: ParsedParagraph, told: frozenset[tuple[int, str]]
) -> Iterator[tuple[Word, TraitClaim]]:
    """(token, look) of sentences in which no look of that aspect was read: ``told`` holds (index of the
    sentence, aspect) of those that were. Less sure than what the grammar tells. Costs one search of a pattern
    a paragraph, and more only where a trigger stands."""
    if not TRIGGER.search(paragraph.prose.text.lower()):
        return
    for sentence in paragraph.sentences:
        text = text_of(paragraph, sentence)
        if len(text) > _LONGEST or not TRIGGER.search(text.lower()) or called_a_lie(text):
            continue
        for aspect, found in _values(owners, paragraph, sentence, text):
            if not found or (sentence.index, aspect) in told or len({value for value, _ in found}) > 1:
                continue
            value, at = found[0]
            token = paragraph.words[at]
            if paragraph.spoken(token) and (_YOURS if aspect == "hand" else _OWN).search(text):
                continue  # whose is for the grammar to say
            owner = about(owners, paragraph, token, sure=_SURE)
            if owner is None and aspect == "hand":
                owner = _named_behind(owners, paragraph, sentence, text)
            if owner is not None:
                yield token, TraitClaim(aspect, value, owner)


def _values(
    owners: Owners, paragraph: ParsedParagraph, sentence: Sentence, text: str
) -> Iterator[tuple[str, _Found]]:
    """(aspect, its values and the tokens that tell them) as the words of one sentence put it."""
    lower, words = text.lower(), paragraph.tokens(sentence)
    plain = UNTOLD.search(ALLOWED.sub("", lower)) is None
    if plain and not COLOURLESS.search(lower):
        yield "eyes", _colours(words, EYE_NOUNS, EYE_COLOURS)
        yield "hair", _colours(words, HAIR_NOUNS | {"head"}, HAIR_COLOURS)
    habit = hand_by_habit(text)
    worse = [(_OTHER[side], at) for side, at in _matched(words, text, WORSE)]
    if habit is not None:
        yield "hand", [(habit[0], _at(words, habit[1]))]
    elif worse and not MAIMED.search(lower):
        yield "hand", worse
    elif not NEVER_THE_BETTER.search(lower):
        yield "hand", _matched(words, text, BETTER)
    if plain:
        yield "profession", [(FIELDS[name], at) for name, at in _matched(words, text, CALLED)]
    if BORN.search(lower):
        people = _named(owners, paragraph, sentence) | _NO_PLACES
        yield "birthplace", [each for each in _matched(words, text, PLACES) if each[0] not in people]
    if plain:
        yield "height", [(value, at) for feet, at in _matched(words, text, (FEET,)) if (value := _tall(feet))]
    if plain and not LONG_SINCE.search(lower):
        ages = [(number_of(name), at) for name, at in _matched(words, text, AGED)]
        yield "age", [(str(n), at) for n, at in ages if n is not None and _YOUNGEST <= n <= _OLDEST]


def _named_behind(owners: Owners, paragraph: ParsedParagraph, sentence: Sentence, text: str) -> Owner | None:
    """The person whose name comes after the pronoun that stands for it."""
    at = namesake_behind(text)
    words = paragraph.tokens(sentence)
    token = next((w for w in words if at is not None and w.idx == words[0].idx + at), None)
    number = paragraph.mention_of.get(token.i) if token is not None else None
    if token is None or number is None:
        return None
    if owners.chapter.mentions[number].kind is not EntityKind.CHARACTER:
        return None
    return Owner(Reference(number), owners.where_told(paragraph, token), _SURE)


def _at(words: Stretch, offset: int) -> int:
    """The number of the word that is ``offset`` characters behind the beginning of the first."""
    start = words[0].idx + offset
    return int(next((w.i for w in words if w.idx <= start < w.idx + len(w)), words[0].i))


def _tall(feet: str) -> str:
    """ "tall" of six feet and more, "short" of less than five feet four; empty between."""
    whole, _, rest = feet.replace("foot", "feet").partition("feet")
    inches = (number_of(whole.strip()) or 0) * 12 + (number_of(rest.strip(" ,").removeprefix("and ")) or 0)
    return "tall" if inches >= _TALL else "short" if _DWARF < inches < _SHORT else ""


def _matched(words: Stretch, text: str, patterns: tuple[re.Pattern[str], ...]) -> _Found:
    """What the first groups of the patterns caught, lower case, and the tokens where it begins."""
    found: dict[int, str] = {}
    start = words[0].idx
    for pattern in patterns:
        for each in pattern.finditer(text):
            at = start + each.start(1)
            token = next((w for w in words if w.idx <= at < w.idx + len(w)), None)
            if token is not None:
                found[token.i] = each.group(1).lower()
    return [(value, at) for at, value in sorted(found.items())]


def _colours(words: Stretch, nouns: frozenset[str], table: Mapping[str, str]) -> _Found:
    """Colours near a noun that has one, but for those of other things ("a blue ribbon"). Each colour is given
    once; ``head`` takes no colour but before it or as a likeness ("red as a fox")."""
    parts = [w for w in words if w.lower_ in nouns]
    found = []
    for word in words if parts else ():
        name = table.get(word.lower_.removesuffix("est"), "") if word.lower_ not in _VAGUE else ""
        part = min(parts, key=lambda part: (abs(part.i - word.i), part.i))
        if name and abs(part.i - word.i) <= _NEAR and _has(part, word):
            found.append((name, word.i))
    return found


def _has(part: Word, colour: Word) -> bool:
    if colour.text[0].isupper() and not colour.is_sent_start:
        return False
    kind = part.dep_ == "nsubj" and part.left_edge.is_sent_start and part.left_edge.dep_ == "amod"
    if kind and part.tag_ == "NNS":  # "blue eyes were common there"
        return False
    after = colour.doc[colour.i + 1] if colour.i + 1 < len(colour.doc) else None
    if part.lower_ == "head":
        beside = colour.i + 1 == part.i
        if colour.lower_ == "black":  # a head of another kind
            return False
        return beside or bool(after is not None and after.lower_ == "as")
    thing = colour.head if colour.dep_ in ("amod", "compound", "nmod") else None
    if after is not None and after.pos_ in ("NOUN", "PROPN") and after.i != part.i:
        thing = after
    return thing is None or thing.i == part.i or thing.lower_ in _SHADES


def _named(owners: Owners, paragraph: ParsedParagraph, sentence: Sentence) -> frozenset[str]:
    """The words of the names of people in the sentence, which are no places."""
    here = range(sentence.start, sentence.end)
    numbers = {paragraph.mention_of[i] for i in here if i in paragraph.mention_of}
    people = (owners.chapter.mentions[n] for n in sorted(numbers))
    return frozenset(
        word for each in people if each.kind is EntityKind.CHARACTER for word in each.surface.lower().split()
    )
