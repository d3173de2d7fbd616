"""A text as words, for measures that compare wordings."""

from __future__ import annotations

import re

__all__ = ["n_grams", "stands", "words_of"]

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


def words_of(text: str) -> list[str]:
    """The words in order, in lower case and without punctuation."""
    return [word.casefold() for word in _WORD.findall(text)]


def n_grams(text: str, n: int) -> list[tuple[str, ...]]:
    """All runs of ``n`` words, in order; none where the text is shorter."""
    words = words_of(text)
    return [tuple(words[i : i + n]) for i in range(len(words) - n + 1)]


def stands(name: str, text: str) -> bool:
    """Does the name stand in the text as whole words, its case as written?"""
    return bool(name) and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None
