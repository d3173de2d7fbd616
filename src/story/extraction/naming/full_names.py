"""Full names of people named in passing: "Giles Hale", "Hale, whose Christian name was Giles"."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ...lexicon.verbs_and_nouns import KIN
from ...model.chapter_reading import Trait
from ...model.trait_values import FULL_NAME
from ...model.types import EntityKind, Modality
from ...names.lexicon import GIVEN, NON_NAMES, TITLES
from ..mentions.name_words import is_name_word
from ..parsing.chapter import ParsedChapter, ParsedParagraph
from ..parsing.words import Word

__all__ = ["read_full_names"]


CONFIDENCE = 0.8
_SELDOM = 2  # times in one chapter
_FIRST = frozenset("christian first given baptismal own proper".split())
_NAMED = frozenset("christened baptised baptized called named".split())
_BY_KIN = frozenset("SIBLING_OF PARENT_OF CHILD_OF MARRIED_TO KIN_OF".split())
# where two of one family are told apart
_APART = frozenset(
    {
        *(word for word, (bond, _) in KIN.items() if bond in _BY_KIN),
        "namesake",
        "family",
        "jr",
        "junior",
        "senior",
        "elder",
        "younger",
        "brothers",
        "sisters",
    }
)
_MAY_BE_NAMES = frozenset("NNP NNPS NN JJ VB VBP".split())  # at the head of a sentence taggers err
_BEFORE = frozenset("young another other late elder younger second".split())


def read_full_names(chapter: ParsedChapter) -> Iterator[Trait]:
    """Traits of aspect ``FULL_NAME``, in order of the text: the given name is a known one, the whole stands
    twice in the chapter at most, and nothing in the sentence speaks of kin or tells two of a name apart.
    "Hale's Christian name was Giles" says as much as "Giles Hale". Evidence is the sentence."""
    counts = Counter(mention.surface for mention in chapter.mentions)
    for paragraph in chapter.paragraphs:
        seen: set[int] = set()
        for i, number in paragraph.mention_of.items():
            if number in seen:
                continue
            seen.add(number)
            surface = chapter.mentions[number].surface
            name = _whole(surface)
            if name is None or counts[surface] > _SELDOM:
                continue
            if not _kept_apart(paragraph, paragraph.words[i]):
                yield _trait(paragraph, paragraph.words[i], number, name)
        for token in paragraph.words:
            found = _said(paragraph, token)
            if found is not None and chapter.mentions[found[0]].kind is EntityKind.CHARACTER:
                yield _trait(paragraph, token, *found)


def _trait(paragraph: ParsedParagraph, token: Word, number: int, name: str) -> Trait:
    modality = Modality.REPORTED if paragraph.spoken(token) else Modality.FACT
    return Trait(number, FULL_NAME, name, (paragraph.sentence(token).span,), modality, CONFIDENCE)


def _whole(surface: str) -> str | None:
    """Given name and surname of "Mr. Giles Hale", lower case; None where it is no such name."""
    words = [word.strip(".,'’").casefold() for word in surface.split()]
    while words and words[0] in TITLES:
        words = words[1:]
    if len(words) != 2 or words[0] not in GIVEN or min(map(len, words)) < 3 or words[1] in NON_NAMES:
        return None
    return " ".join(words)


def _kept_apart(paragraph: ParsedParagraph, token: Word) -> bool:
    sentence = paragraph.tokens(paragraph.sentence(token))
    if any(word.lower_.rstrip(".") in _APART for word in sentence):
        return True
    return token.i > 0 and token.nbor(-1).lower_ in _BEFORE


def _said(paragraph: ParsedParagraph, token: Word) -> tuple[int, str] | None:
    """Like "Hale, whose Christian name was Giles", "Hale had been christened Giles": a mention of the person
    and the whole name."""
    named = token.lower_ in _NAMED
    if not named and not (token.lower_ == "name" and any(c.lower_ in _FIRST for c in token.children)):
        return None
    if _kept_apart(paragraph, token):
        return None
    words = [t for t in paragraph.tokens(paragraph.sentence(token)) if is_name_word(t)]
    given = [t for t in words if t.lower_ in GIVEN and t.i > token.i]
    surname = [
        t for t in words
        if t.lower_ not in GIVEN and t.lower_ not in NON_NAMES and t.lower_ not in TITLES
        and not t.is_stop and t.tag_ in _MAY_BE_NAMES and t.lower_ not in _FIRST
    ]  # fmt: skip
    if len(given) != 1 or len({t.lower_ for t in surname}) != 1 or (named and given[0].i != token.i + 1):
        return None
    numbers = (paragraph.mention_of.get(t.i) for t in (given[0], surname[0]))
    number = next((n for n in numbers if n is not None), None)
    return None if number is None else (number, f"{given[0].lower_} {surname[0].lower_}")
