"""Spellings of names: without marks, and what a word may be a slip for; and ids made of names."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container, Iterable
from difflib import get_close_matches
from functools import lru_cache
from itertools import chain, count

from ...core.text.tokenizing import without_accents

_NEAR = 0.75  # of difflib's ratio, 0 to 1
_MARKED = re.compile(r"LATIN (CAPITAL|SMALL) LETTER ([A-Z]) WITH ")  # as Unicode names "é", "Ł", "ø"
_WORD = re.compile(r"[^\W\d_]+")


def plain(text: str) -> str:
    """The text with letters that have no marks and with plain hyphens, character for character: "José Żak"
    gives "Jose Zak"."""
    return text if text.isascii() else "".join(map(_plain, text))


@lru_cache(maxsize=1_000)
def _plain(character: str) -> str:
    if character in "\N{HYPHEN}\N{NON-BREAKING HYPHEN}":
        return "-"
    found = _MARKED.match(unicodedata.name(character, ""))
    if found is None:
        return character
    return found[2] if found[1] == "CAPITAL" else found[2].lower()


def plain_names(text: str) -> str:
    """The text, as long as before, with its capitalised words and its hyphens made ``plain``."""
    if text.isascii():
        return text
    hyphens = text.translate({0x2010: "-", 0x2011: "-"})
    return _WORD.sub(lambda word: plain(word[0]) if word[0][0].isupper() else word[0], hyphens)


def near_names(word: str, names: Iterable[str]) -> list[str]:
    """The words of the names that are spelt nearly as this one, the nearest first; as what it may be a slip
    for."""
    known: dict[str, str] = {}
    for name in names:
        for part in re.findall(r"[^\W\d_]{3,}", name):
            if part[0].isupper():
                known.setdefault(without_accents(part.casefold()), part)
    return [known[one] for one in get_close_matches(without_accents(word.casefold()), known, cutoff=_NEAR)]


def slug_of(name: str, taken: Container[str]) -> str:
    """An id that is not ``taken``: the name in lower case with dashes, numbered from 2 where it is."""
    slug = re.sub(r"[\W_]+", "-", name.casefold()).strip("-") or "entity"
    numbered = (f"{slug}-{number}" for number in count(2))
    return next(one for one in chain((slug,), numbered) if one not in taken)
