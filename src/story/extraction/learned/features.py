"""What a linear reader sees of a sentence whose people are numbered, and whose value may be marked: words,
their neighbours, and where the person stands to the value or to the other."""

from __future__ import annotations

import re
from itertools import pairwise
from zlib import crc32

from ...time.amounts import NUMBER
from .slot_candidates import OTHER_VALUE, PLACE, VALUE

__all__ = ["features", "plain_words"]

_TOKEN = re.compile(
    rf"§\d+(?:'s)?|[{VALUE}{OTHER_VALUE}{PLACE}]|[a-z]+(?:-[a-z]+)*(?:'[a-z]+)?|\d+|[.,;:!?\"“”—-]"
)
_PLAIN = re.compile(r"[a-z]+")
_NUMBER = re.compile(rf"(?:{NUMBER}|dozen)")
_ENDINGS = (("ies", "y"), ("ied", "y"), ("ing", ""), ("ed", ""), ("es", ""), ("s", ""), ("ly", ""))
_SHORTEST = 5  # letters of a word that may lose an ending
_LITTLE = frozenset(
    """the a an of to in on at and or but with for by from as that it was is were be been had has have he she
    him her his they them their i me my you your not no this these those there so if then than when who which
    what would could should will did do does . , ; : ! ? " “ ” — -""".split()
)
_REACH = 3  # telling words between two that are seen together
_STEPS = (1, 2, 3, 5, 8, 13)


def features(words: str, who: int, other: int | None = None) -> frozenset[int]:
    """Hashes (CRC 32) of single words, pairs and triples of neighbours, pairs of telling words near each
    other, and how far the person numbered ``who`` is from the value, or from the ``other``, of masked
    words. Both are told from all the rest, numbers are one word, and endings are cut off."""
    seen = [_known(token, who, other) for token in _TOKEN.findall(words)]
    told = [word for word in seen if word not in _LITTLE]
    found = {f"1 {word}" for word in seen}
    found |= {f"2 {one} {two}" for one, two in pairwise(seen)}
    found |= {f"3 {a} {b} {c}" for a, b, c in zip(seen, seen[1:], seen[2:], strict=False)}
    found |= {f"~ {one} {two}" for i, one in enumerate(told) for two in told[i + 1 : i + 1 + _REACH]}
    found |= set(_places(seen))
    return frozenset(crc32(each.encode()) for each in found)


def plain_words(text: str) -> frozenset[int]:
    """Hashes of the single words of a sentence as it is written, whoever it is about."""
    return frozenset(crc32(f"0 {_stem(word)}".encode()) for word in _PLAIN.findall(text.lower()))


def _places(seen: list[str]) -> list[str]:
    values = [i for i, word in enumerate(seen) if word == VALUE or word.startswith("§t")]
    own = [i for i, word in enumerate(seen) if word.startswith("§w")]
    others = [i for i, word in enumerate(seen) if word.startswith("§o")]
    if not (values and own):
        return [
            f"@ others {min(2, len(set(others)))}",
            f"@ first {bool(own) and own[0] <= min(others, default=99)}",
        ]
    gap, after = min((abs(i - j), i > j) for i in own for j in values)
    beside = min((abs(i - j) for i in others for j in values), default=99)
    step = sum(gap > each for each in _STEPS)
    return [
        f"@ {step} {after}",
        f"@ nearest {gap < beside}",
        f"@ others {min(2, len(set(others)))}",
        f"@ alone {not others}",
    ]


def _known(token: str, who: int, other: int | None) -> str:
    if token.startswith("§"):
        role = {who: "§w", other: "§t"}.get(int(token[1:].removesuffix("'s")), "§o")
        return role + ("'s" if token.endswith("'s") else "")
    return "#" if _NUMBER.fullmatch(token) else _stem(token)


def _stem(word: str) -> str:
    if len(word) < _SHORTEST:
        return word
    for ending, instead in _ENDINGS:
        if word.endswith(ending):
            return word.removesuffix(ending) + instead
    return word
