"""Inflection undone and numerals read, for query signatures: rules that would rather miss than merge."""

from __future__ import annotations

import re

from .words import AUXILIARIES, DETERMINERS, IRREGULAR, NUMBER_WORDS, ORDINAL_WORDS, VERBS

__all__ = ["base_form", "numerals"]

_VOWELS = frozenset("aeiou")
_ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th)\Z")
_ROMAN = re.compile(r"(?=[ivxlc])c{0,3}(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})\Z")
_ROMAN_DIGITS = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
_PARTS = frozenset(("chapter", "part", "book", "volume", "act", "scene", "section"))
_DYING = {"dying": "die", "lying": "lie", "tying": "tie"}


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
    if word.endswith("ed") and len(word) > 4 and any(letter in _VOWELS for letter in word[:-2]):
        return _without(word[:-2]), "past"
    if word.endswith("ing") and len(word) > 4:
        base = _DYING.get(word) or _without(word[:-3])
        return (base, "ing") if base in VERBS else (word, "")
    return _third_person(word)


def _third_person(word: str) -> tuple[str, str]:
    for ending, base in (("ies", word[:-3] + "y"), ("s", word[:-1]), ("es", word[:-2])):
        if word.endswith(ending) and base in VERBS:
            return base, "s"
    return word, ""


def _without(stem: str) -> str:
    """The base of a stem that lost "ed" or "ing": hop-p, hop-e, carri-y."""
    for base in (stem, stem + "e", stem[:-1] if stem[-1:] == stem[-2:-1] else stem):
        if base in VERBS:
            return base
    if stem.endswith("i"):
        return stem[:-1] + "y"
    vowels = sum(letter in _VOWELS for letter in stem)
    if stem[-1:] == stem[-2:-1] and stem[-1:] not in "lsfz":
        return stem[:-1]
    if stem[-1:] == "l" and stem[-2:-1] == "l":
        return stem[:-1] if vowels > 1 else stem
    if stem[-1] in "cgsvzu" and not stem.endswith("ss"):
        return stem + "e"
    short = len(stem) > 1 and stem[-1] not in _VOWELS | set("wxy") and stem[-2] in _VOWELS
    return stem + "e" if short and vowels == 1 else stem


def numerals(words: list[str]) -> list[str]:
    """Number words as digits, ordinals as ``#n``; "chapter three", "Chapter III", "the 3rd chapter" as
    ``chapter 3``. A number stays one word, and "one hundred" is 100."""
    read = [part for word in words for part in _split(word)]
    out: list[str] = []
    at = 0
    while at < len(read):
        value, ordinal, after = _value(read, at)
        if after > at:
            out.append(f"#{value}" if ordinal else str(value))
        else:
            out.append(_roman(read[at], out[-1] if out else ""))
            after = at + 1
        at = after
    for i, word in enumerate(out[:-1]):
        if word.startswith("#") and out[i + 1] in _PARTS:
            out[i], out[i + 1] = out[i + 1], word[1:]
            if i and out[i - 1] in ("the", "a"):
                out[i - 1] = "the"
    return [word.removeprefix("^") if word.removeprefix("^") in _PARTS else word for word in out]


def _split(word: str) -> list[str]:
    parts = word.removeprefix("^").split("-")
    known = (
        len(parts) == 2
        and parts[0] in NUMBER_WORDS
        and (parts[1] in NUMBER_WORDS or parts[1] in ORDINAL_WORDS)
    )
    return parts if known else [word]


def _value(words: list[str], at: int) -> tuple[int, bool, int]:
    """The number that begins at ``at``: value, whether an ordinal, and where it ends (``at`` if none)."""
    word = words[at]
    digits = _ORDINAL.match(word)
    if digits:
        return int(digits[1]), True, at + 1
    if word in ORDINAL_WORDS:
        return ORDINAL_WORDS[word], True, at + 1
    if word not in NUMBER_WORDS:
        return 0, False, at
    value, ordinal = NUMBER_WORDS[word], False
    at += 1
    if value >= 20 and at < len(words):
        ones = NUMBER_WORDS.get(words[at]) or ORDINAL_WORDS.get(words[at]) or 10
        if ones < 10:
            ordinal = words[at] in ORDINAL_WORDS
            value += ones
            at += 1
    for name, size in (("hundred", 100), ("thousand", 1000)):
        if at < len(words) and words[at] == name and not ordinal:
            value *= size
            at += 1
    return value, ordinal, at


def _roman(word: str, before: str) -> str:
    """Digits for a Roman numeral after "chapter" and its like; any other word as it is."""
    numeral = word.removeprefix("^")
    if (
        before.removeprefix("^").removesuffix("s") not in _PARTS
        or numeral in ("c", "l")
        or not _ROMAN.match(numeral)
    ):
        return word
    digits = [_ROMAN_DIGITS[letter] for letter in numeral]
    pairs = zip(digits, [*digits[1:], 0], strict=True)
    return str(sum(-one if one < following else one for one, following in pairs))
