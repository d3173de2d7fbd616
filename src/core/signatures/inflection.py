"""Inflection undone and numerals read, for query signatures: rules that would rather miss than merge."""

from __future__ import annotations

import re
from itertools import chain

from .words import AUXILIARIES, DETERMINERS, IRREGULAR, NUMBERS, VERBS

_VOWELS = frozenset("aeiou")
_ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th)\Z")
_ROMAN = re.compile(r"(?=[ivxlc])c{0,3}(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})\Z")
_ROMAN_DIGITS = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
_SIZES = {"hundred": 100, "thousand": 1000}
_PARTS = frozenset(("chapter", "part", "book", "volume", "act", "scene", "section"))


def base_form(word: str, before: str | None) -> tuple[str, str]:
    """The base and the form: ``past``, ``s``, ``ing``, ``base`` (a known verb as it is), or ``""`` (no verb).

    Names (``^``) and words after a determiner stay: there "rose", "left" and "fears" are no verbs.
    """
    if word.startswith("^") or before in DETERMINERS or word in AUXILIARIES or not word.isalpha():
        return word, ""
    if word in IRREGULAR:
        return IRREGULAR[word], "past"
    if word in VERBS:
        return word, "base"
    if word.endswith("ed") and len(word) > 4 and _VOWELS & set(word[:-2]):
        return _without(word[:-2]), "past"
    if word.endswith("ing") and len(word) > 4:
        base = word[:-4] + "ie" if word in ("dying", "lying", "tying") else _without(word[:-3])
        return (base, "ing") if base in VERBS else (word, "")
    endings = (("ies", word[:-3] + "y"), ("s", word[:-1]), ("es", word[:-2]))
    return next(((base, "s") for end, base in endings if word.endswith(end) and base in VERBS), (word, ""))


def _without(stem: str) -> str:
    """The base of a stem that lost "ed" or "ing": hop-p, hop-e, carri-y."""
    doubled = stem[-1:] == stem[-2:-1]
    for base in (stem, stem + "e", stem[:-1] if doubled else stem):
        if base in VERBS:
            return base
    vowels = sum(letter in _VOWELS for letter in stem)
    if stem.endswith("i"):
        return stem[:-1] + "y"
    if doubled and (stem[-1] not in "lsfz" or (stem[-1] == "l" and vowels > 1)):
        return stem[:-1]
    if stem.endswith(("ll", "ss")):
        return stem
    short = len(stem) > 1 and stem[-1] not in _VOWELS | set("wxy") and stem[-2] in _VOWELS and vowels == 1
    return stem + "e" if short or stem[-1] in "cgsvzu" else stem


def numerals(words: list[str]) -> list[str]:
    """Number words as digits, ordinals as ``#n``; "chapter three", "Chapter III", "the 3rd chapter" as
    ``chapter 3``. A number stays one word, and "two hundred" is 200."""
    out: list[str] = []
    tens = spelt = False  # may what follows be added to the last number, or multiply it?
    for word in chain.from_iterable(map(_split, words)):
        if digits := _ORDINAL.match(word):
            out.append(f"#{digits[1]}")
        elif spelt and word in _SIZES:
            out[-1] = str(int(out[-1]) * _SIZES[word])
        elif word not in NUMBERS:
            out.append(_roman(word, out[-1] if out else ""))
        elif tens and 0 < NUMBERS[word][1] < 10:
            out[-1] = f"{NUMBERS[word][0]}{int(out[-1]) + NUMBERS[word][1]}"
        else:
            out.append("".join(map(str, NUMBERS[word])))
        tens = word in NUMBERS and NUMBERS[word][1] >= 20 and out[-1].isdigit()
        spelt = (word in NUMBERS or word in _SIZES) and out[-1].isdigit()
    for i, word in enumerate(out[:-1]):
        if word.startswith("#") and out[i + 1] in _PARTS:
            out[i], out[i + 1] = out[i + 1], word[1:]
            if i and out[i - 1] == "a":
                out[i - 1] = "the"
    return [word.removeprefix("^") if word.removeprefix("^") in _PARTS else word for word in out]


def _split(word: str) -> list[str]:
    parts = word.removeprefix("^").split("-")
    return parts if len(parts) == 2 and all(part in NUMBERS for part in parts) else [word]


def _roman(word: str, before: str) -> str:
    """Digits for a Roman numeral after "chapter" and its like; any other word as it is."""
    numeral = word.removeprefix("^")
    follows = before.removeprefix("^").removesuffix("s") in _PARTS
    if not follows or numeral in ("c", "l") or not _ROMAN.match(numeral):
        return word
    digits = [_ROMAN_DIGITS[letter] for letter in numeral]
    pairs = zip(digits, [*digits[1:], 0], strict=True)
    return str(sum(-one if one < following else one for one, following in pairs))
