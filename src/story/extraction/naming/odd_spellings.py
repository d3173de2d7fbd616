"""Words that are no known name, yet look like one that the chapter uses: "Hartly" beside Hartley."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.chapter_reading import Mention, Trait
from ...model.trait_values import SPELLING
from ...model.types import EntityKind, Modality
from ...names.lexicon import TITLES
from ...names.spelling import LEAST_LETTERS, alike, skeleton
from ..parsing.chapter import ParsedChapter, ParsedParagraph
from ..parsing.words import Word

__all__ = ["read_spellings"]

CONFIDENCE = 0.7
_LONGEST = 40  # letters of a word that may be a name
_PLACES_OF_NAMES = frozenset(
    "nsubj nsubjpass dobj pobj poss dative conj appos compound attr oprd ROOT npadvmod".split()
)


def read_spellings(chapter: ParsedChapter) -> Iterator[Trait]:
    """Traits of aspect ``SPELLING``, in order of the text: the odd word (lower case) as value, said of who
    bears the name that it is like. Narration only; a word that the reading took for a name of its own is not
    among them, nor one that is written small elsewhere in the chapter.

    Costs a few look-ups an odd word and letter of it, however many names there are.
    """
    names = _Names(_names(chapter))
    if not names:
        return
    small: set[str] | None = None
    known: dict[tuple[str, bool], int | None] = {}
    for paragraph in chapter.paragraphs:
        for token in paragraph.words:
            if not _odd(chapter, paragraph, token):
                continue
            word, named = token.lower_, token.i in paragraph.mention_of
            if (word, named) not in known:
                known[word, named] = names.bearer(word, named=named)
            number = known[word, named]
            if number is None:
                continue
            small = _small(chapter) if small is None else small
            if word not in small:
                quote = paragraph.span(token, token)
                yield Trait(number, SPELLING, word, (quote,), Modality.FACT, CONFIDENCE)


def _names(chapter: ParsedChapter) -> dict[str, int]:
    """The words of the names of people, lower case, and the first mention that uses each."""
    found: dict[str, int] = {}
    for number, mention in enumerate(chapter.mentions):
        if mention.kind is EntityKind.CHARACTER and mention.strong and not mention.surface.startswith("the "):
            for word in mention.surface.split():
                bare = word.strip(".,'’").casefold()
                if len(bare) >= LEAST_LETTERS - 1 and bare not in TITLES:
                    found.setdefault(bare, number)
    return found


def _odd(chapter: ParsedChapter, paragraph: ParsedParagraph, token: Word) -> bool:
    number = paragraph.mention_of.get(token.i)
    return bool(
        len(token) >= LEAST_LETTERS - 1
        and token.text[0].isupper()
        and token.text[1:].islower()
        and (number is None or _doubtful(chapter.mentions[number], token.text))
        and token.dep_ in _PLACES_OF_NAMES
        and not paragraph.spoken(token)
    )


def _doubtful(mention: Mention, word: str) -> bool:
    """Is the word by itself a name on one vote of the parser alone?"""
    return not mention.strong and mention.surface == word


class _Names:
    """Name words with who bears each, found by what two words share that are alike: the skeleton, or what is
    left of both without one letter."""

    def __init__(self, bearers: dict[str, int]) -> None:
        self._bearers = bearers
        self._sharing: dict[str, list[str]] = {}
        for name in bearers:
            for key in _keys(name):
                self._sharing.setdefault(key, []).append(name)

    def __len__(self) -> int:
        return len(self._bearers)

    def bearer(self, word: str, *, named: bool) -> int | None:
        """Whose name the word is like; None where it is one of the names itself, or like several or none.
        Where the parser took it for a name, another letter makes another name (Rodney, Romney)."""
        if word in self._bearers:
            return None
        near: set[str] = set()
        for name in (name for key in _keys(word) for name in self._sharing.get(key, ())):
            if name not in near and alike(name, word) and not (named and _recast(name, word)):
                near.add(name)
                if len(near) > 1:
                    return None
        return self._bearers[near.pop()] if near else None


def _keys(word: str) -> set[str]:
    if len(word) > _LONGEST:
        return set()
    less = (word[:at] + word[at + 1 :] for at in range(len(word)))
    return {f"{skeleton(word)}~", word, *less}


def _recast(name: str, word: str) -> bool:
    """Does one letter stand in another's place, and do the two sound otherwise?"""
    return len(name) == len(word) and sorted(name) != sorted(word) and skeleton(name) != skeleton(word)


def _small(chapter: ParsedChapter) -> set[str]:
    return {token.text for paragraph in chapter.paragraphs for token in paragraph.doc if token.is_lower}
