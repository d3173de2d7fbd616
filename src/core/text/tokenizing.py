"""Words to index terms: one tokenizer for chunks and queries.

Lower-cased words without the accents of Latin letters, so that ``Jose`` finds ``José``; English stop words
dropped (Lucene's list), stemmed by Snowball (Porter2). A token that looks like an identifier (``ERR-404-X``,
``process_data``) is kept whole beside its parts, so that an exact code outranks text that merely shares its
pieces.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from Stemmer import Stemmer

Term = TypeVar("Term")

STOP_WORDS = frozenset(
    "a an and are as at be but by for if in into is it no not of on or such that the their then there "
    "these they this to was will with".split()
)

_COMPOUND = re.compile(r"\w++(?:[-_.'’]\w++)*+|['’]s\b")
_WORD = re.compile(r"[^\W_]+")
_POSSESSIVE = re.compile(r"['’]s\b")
_KEPT = 500_000
_ACCENTS = re.compile("(?<=[a-z])[\u0300-\u036f]+")
_ONE_PIECE = str.maketrans(
    {"ø": "o", "đ": "d", "ł": "l", "\u0131": "i", "æ": "ae", "œ": "oe", "ð": "d", "þ": "th", "ß": "ss"}
)  # letters that Unicode does not take apart


def without_accents(word: str) -> str:
    """A word in small letters with its Latin letters plain; those of other scripts stay as they are."""
    if word.isascii():
        return word
    plain = _ACCENTS.sub("", unicodedata.normalize("NFD", word)).translate(_ONE_PIECE)
    return unicodedata.normalize("NFC", plain)


class Learnt(dict[str, tuple[Term, ...]], Generic[Term]):
    """What each word comes to; a new one is learnt when it is asked for."""

    def __init__(self, learn: Callable[[str], tuple[Term, ...]]) -> None:
        super().__init__()
        self._learn = learn

    def __missing__(self, word: str) -> tuple[Term, ...]:
        found = self[word] = self._learn(word)
        return found


class Tokenizer:
    """What a word comes to is kept per tokenizer (up to half a million different ones, then anew); it is
    not shared between processes."""

    name = "word-porter2-lucene33-2"

    def __init__(self) -> None:
        self._known: Learnt[str] = Learnt(self._learn)

    @cached_property
    def _stemmer(self) -> Stemmer:
        from Stemmer import Stemmer

        return Stemmer("english")

    def terms(self, text: str) -> list[str]:
        """Index terms in order of the text, repetitions kept."""
        return list(chain.from_iterable(map(self.terms_of, self.words(text))))

    def words(self, text: str) -> list[str]:
        """The words whose :meth:`terms_of` the terms of the text are, in its order."""
        folded = text.lower() if text.isascii() else unicodedata.normalize("NFKC", text).lower()
        return _COMPOUND.findall(folded)

    @property
    def terms_of(self) -> Callable[[str], tuple[str, ...]]:
        """From one of :meth:`words` to its terms, none for a stop word."""
        if len(self._known) >= _KEPT:
            self._known = Learnt(self._learn)
        return self._known.__getitem__

    def _learn(self, compound: str) -> tuple[str, ...]:
        word = without_accents(compound)
        if word.isalnum():
            return () if word in STOP_WORDS else (str(self._stemmer.stemWord(word)),)
        word = _POSSESSIVE.sub("", word)
        parts = _WORD.findall(word)
        stems = tuple(str(self._stemmer.stemWord(part)) for part in parts if part not in STOP_WORDS)
        if len(parts) > 1 and ("_" in word or any(c.isdigit() for c in word)):
            stems = (word, *stems)
        return stems
