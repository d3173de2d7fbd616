"""When two spellings may be one name: a letter more, less or other, or the same name to the ear.

A skeleton is what is left when letters that English spells alike are made one (s and z, c and k, ph and f, ie
and y), doubled letters single, and silent h and final e dropped: a coarse kin of Soundex and Metaphone
(Philips 1990), kept small so that it can be read.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from difflib import get_close_matches
from functools import lru_cache

from ...core.text.tokenizing import without_accents
from ..lexicon.given_names import GIVEN_NAMES
from ..lexicon.short_forms import full_forms

__all__ = [
    "LEAST_LETTERS",
    "alike",
    "near_names",
    "one_edit",
    "plain",
    "plain_names",
    "skeleton",
    "spelling",
]

LEAST_LETTERS = 5
_NEAR = 0.75  # of difflib's ratio, 0 to 1
_SAME = (
    ("ph", "f"), ("th", "t"), ("ck", "k"), ("qu", "k"), ("sch", "sh"), ("ey", "y"), ("ie", "y"), ("ee", "y"),
    ("ea", "y"), ("ae", "e"), ("gh", "g"), ("rh", "r"), ("z", "s"), ("x", "ks"), ("v", "f"), ("w", "u"),
)  # fmt: skip
_WRITTEN = (
    ("ph", "f"),
    ("th", "t"),
    ("ck", "k"),
    ("ae", "e"),
    ("ey", "y"),
    ("ie", "y"),
    ("y", "i"),
    ("z", "s"),
)
_SILENT_H = re.compile(r"(?<=[^s])h")
_SOFT_C, _HARD_C = re.compile(r"c(?=[eiy])"), re.compile(r"c(?!h)")
_MARKED = re.compile(r"LATIN (CAPITAL|SMALL) LETTER ([A-Z]) WITH ")  # as Unicode names "é", "Ł", "ø"
_WORD = re.compile(r"[^\W\d_]+")
_DOUBLED, _LAST = re.compile(r"(.)\1+"), re.compile(r"(?<=..)[eh]$")


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


@lru_cache(maxsize=20_000)
def skeleton(name: str) -> str:
    """``elizabeth`` and ``elisabeth`` give the same, ``hartley`` and ``hartly``, ``catherine`` and
    ``katharine``."""
    word = _HARD_C.sub("k", _SOFT_C.sub("s", name.casefold()))
    for one, other in _SAME:
        word = word.replace(one, other)
    word = _DOUBLED.sub(r"\1", word.replace("y", "i"))
    first, rest = word[:1], word[1:].replace("h", "")
    return first + re.sub(r"[aeiou]+", "a", _LAST.sub("", rest))


def one_edit(one: str, other: str) -> bool:
    """One letter put in, left out or changed, or two neighbours exchanged (Damerau 1964)."""
    if one == other or abs(len(one) - len(other)) > 1:
        return False
    same = 0
    while same < min(len(one), len(other)) and one[same] == other[same]:
        same += 1
    a, b = one[same:], other[same:]
    swapped = a[:2] == b[:2][::-1] and a[2:] == b[2:] and len(a) > 1
    return swapped or a[1:] == b[1:] or a[1:] == b or a == b[1:]


@lru_cache(maxsize=20_000)
def spelling(given: str) -> str:
    """What the spellings of one given name share, every vowel kept: ``rachael`` and ``rachel`` give the same,
    ``nicholas`` and ``nicolas``, ``elisabeth`` and ``elizabeth``, but not ``frances`` and ``francis``. A
    short name gives itself."""
    if len(given) < LEAST_LETTERS:
        return given
    for one, other in _WRITTEN:
        given = given.replace(one, other)
    word = _SOFT_C.sub("s", _SILENT_H.sub("", given))
    return _DOUBLED.sub(r"\1", _HARD_C.sub("k", word))


@lru_cache(maxsize=60_000)
def alike(one: str, other: str) -> bool:
    """May a writer have meant the same name by these two words? Not where one is short for the other or a
    plural or possessive of it, nor where both are given names in their own right that sound apart."""
    a, b = one.casefold(), other.casefold()
    if a == b or _formed(a, b) or _formed(b, a):
        return False
    if min(len(a), len(b)) < LEAST_LETTERS and not _short_alike(a, b):
        return False
    if full_forms(a) & full_forms(b):
        return False
    if skeleton(a) == skeleton(b) and a[-1:] not in "ao" and b[-1:] not in "ao":
        return True
    return one_edit(a, b) and a[0] == b[0] and not (a in GIVEN_NAMES and b in GIVEN_NAMES)


def _short_alike(one: str, other: str) -> bool:
    """Of four letters, one with one more: "Sissy" and "Sisy", "Gray" and "Graie"."""
    if sorted((len(one), len(other))) != [LEAST_LETTERS - 1, LEAST_LETTERS]:
        return False
    return skeleton(one) == skeleton(other) and not (one in GIVEN_NAMES and other in GIVEN_NAMES)


def _formed(base: str, word: str) -> bool:
    return word in (f"{base}s", f"{base}es", f"{base}'s", f"{base}’s", f"{base}y", f"{base}ie", f"{base}a")


def near_names(word: str, names: Iterable[str]) -> list[str]:
    """The words of the names that are spelt nearly as this one, the nearest first; as what it may be a slip
    for."""
    known: dict[str, str] = {}
    for name in names:
        for part in re.findall(r"[^\W\d_]{3,}", name):
            if part[0].isupper():
                known.setdefault(without_accents(part.casefold()), part)
    return [known[one] for one in get_close_matches(without_accents(word.casefold()), known, cutoff=_NEAR)]
