"""Inflection undone and numerals read, for query signatures, by the word tables of ``words.toml``: rules that
would rather miss than merge."""

from __future__ import annotations

import re
from itertools import chain
from pathlib import Path

from ..files.toml import load_toml

_VOWELS = frozenset("aeiou")
_ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th)\Z")
_ROMAN = re.compile(r"(?=[ivxlc])c{0,3}(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})\Z")
_ROMAN_DIGITS = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
_SIZES = {"hundred": 100, "thousand": 1000}
_PARTS = frozenset(("chapter", "part", "book", "volume", "act", "scene", "section"))

_TABLES = load_toml(Path(__file__).with_name("words.toml"))


def _words(name: str) -> frozenset[str]:
    return frozenset(_TABLES[name].split())


AUXILIARIES: dict[str, tuple[str, str]] = {
    **{word: (kind, tense) for word, (kind, tense) in _TABLES["auxiliaries"].items()},
    **{modal: (modal, "") for modal in _TABLES["modals"].split()},
}
"""Kind and tense of each."""
ARTICLES = frozenset(("the", "a", "an"))
WH = frozenset("who whom whose what which where when why how".split())
PREPOSITIONS, SUBORDINATORS, DETERMINERS = map(_words, ("prepositions", "subordinators", "determiners"))
STOPS = ARTICLES | PREPOSITIONS | SUBORDINATORS | frozenset(AUXILIARIES) | {"and", "or", "not", "'s", ","}
UNCHANGED, EVENTS, STATES = map(_words, ("unchanged", "events", "states"))
RELATIONAL, QUANTIFIERS = map(_words, ("relational", "quantifiers"))
DATIVES, NOT_AGENTS = map(_words, ("datives", "not_agents"))
AGENTS: dict[str, str] = _TABLES["agents"]
INVERSES: dict[str, str] = _TABLES["inverses"]
IRREGULAR: dict[str, str] = {
    form: base
    for base, forms in (pair.split(":") for pair in _TABLES["irregular"].split())
    for form in forms.split(",")
}
VERBS = EVENTS | STATES | _words("verbs") | frozenset(IRREGULAR.values()) | UNCHANGED

SYNONYMS: dict[str, str] = {}
for _group in map(str.split, _TABLES["synonyms"].splitlines()):
    SYNONYMS.update(dict.fromkeys(_group, SYNONYMS.get(_group[0], _group[0])))

PHRASES: dict[tuple[str, ...], list[str]] = {
    tuple(left.split()): right.split()
    for left, right in (line.split(" = ") for line in _TABLES["phrases"].splitlines())
}
_ONES, _TENS = _TABLES["ones"].split(), _TABLES["tens"].split()
NUMBERS: dict[str, tuple[str, int]] = {
    **{word: ("", n) for n, word in enumerate(_ONES)},
    **{word: ("", 10 * n) for n, word in enumerate(_TENS, 2)},
    **{word: ("#", n) for n, word in enumerate(_TABLES["ordinals"].split(), 1)},
    **{f"{word[:-1]}ieth": ("#", 10 * n) for n, word in enumerate(_TENS, 2)},
}
"""The value of a number word, marked where it is an ordinal."""
REWRITES: list[tuple[str, str]] = [
    (
        pattern.replace("{aux}", "|".join(AUXILIARIES)).replace("{no_report}", _TABLES["no_report"]),
        replacement,
    )
    for pattern, replacement in _TABLES["rewrites"]
]
"""Patterns and what stands in their place, in this order."""


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
