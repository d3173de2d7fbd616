"""Words to index terms: one tokenizer for chunks and queries.

Lower-cased words, English stop words dropped (Lucene's list), stemmed by Snowball (Porter2). A token
that looks like an identifier (``ERR-404-X``, ``process_data``) is kept whole beside its parts, so that
an exact code outranks text that merely shares its pieces.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from Stemmer import Stemmer

__all__ = ["STOP_WORDS", "Tokenizer"]

STOP_WORDS = frozenset(
    "a an and are as at be but by for if in into is it no not of on or such that the their then there "
    "these they this to was will with".split()
)

_COMPOUND = re.compile(r"\w+(?:[-_.'’]\w+)*")
_WORD = re.compile(r"[^\W_]+")
_POSSESSIVE = re.compile(r"['’]s\b")


class Tokenizer:
    """Stems are cached per tokenizer; it is not shared between processes."""

    name = "word-porter2-lucene33-1"

    def __init__(self) -> None:
        self._stems: dict[str, str] = {}

    @cached_property
    def _stemmer(self) -> Stemmer:
        from Stemmer import Stemmer

        return Stemmer("english")

    def terms(self, text: str) -> list[str]:
        """Index terms in order of the text, repetitions kept."""
        out: list[str] = []
        folded = _POSSESSIVE.sub("", unicodedata.normalize("NFKC", text).lower())
        for match in _COMPOUND.finditer(folded):
            compound = match.group()
            parts = _WORD.findall(compound)
            if len(parts) > 1 and ("_" in compound or any(c.isdigit() for c in compound)):
                out.append(compound)
            out.extend(self._stem(part) for part in parts if part not in STOP_WORDS)
        return out

    def _stem(self, word: str) -> str:
        stem = self._stems.get(word)
        if stem is None:
            stem = self._stems[word] = str(self._stemmer.stemWord(word))
        return stem
