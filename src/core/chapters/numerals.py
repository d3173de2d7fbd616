"""Numerals as books write them: IV, iv, 4, 4th, Four, Fourth, Twenty-First."""

from __future__ import annotations

import re

__all__ = ["MOST", "MOST_CHAPTERS", "number"]

MOST = 399
"""The largest numeral that is read where nothing says what it counts."""
MOST_CHAPTERS = 9_999
"""The largest behind the word "chapter"."""

_ROMAN = re.compile(r"(?=[ivxlc])(?:c{0,3})(?:x[cl]|l?x{0,4})(?:i[xv]|v?i{0,4})\Z", re.IGNORECASE)
_GREAT_ROMAN = re.compile(r"(?=[MDC])M{0,3}(?:C[MD]|D?C{0,4})(?:X[CL]|L?X{0,4})(?:I[XV]|V?I{0,4})\Z")
_ROMAN_DIGITS = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}
_CARDINALS = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen \
seventeen eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth \
fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth"


def _words() -> dict[str, int]:
    ones, ordinals = _CARDINALS.split(), _ORDINALS.split()
    table = {word: n for n, word in enumerate(ones, 1)} | {word: n for n, word in enumerate(ordinals, 1)}
    for tens, word in enumerate(_TENS.split(), 2):
        table |= {word: 10 * tens, word[:-1] + "ieth": 10 * tens}
        for n in range(1, 10):
            table |= {f"{word}-{ones[n - 1]}": 10 * tens + n, f"{word}-{ordinals[n - 1]}": 10 * tens + n}
    return table | {"hundred": 100, "one-hundred": 100}


_WORDS = _words()
_TOKEN = re.compile(r"(\d{1,4})(?:st|nd|rd|th)?(?!\w)|([A-Za-z]+)(?:[-\u2013 ]([A-Za-z]+))?(?![\w'\u2019])")
_WORD = re.compile(r"([A-Za-z]+)(?![\w'\u2019])")


def number(text: str, *, most: int = MOST) -> tuple[int, str, int] | None:
    """The numeral that ``text`` begins with: value 1 to ``most``, style and length; None where there is none.

    Styles are ``"arabic"``, ``"roman"``, ``"lower"`` (roman in small letters) and ``"word"``. Words go up to
    a hundred, small roman letters to 399. ``most`` is raised where a word before the numeral says what it
    counts, since a larger number alone may be a year, and MIX a word: roman capitals then go to 3,999.
    """
    found = _TOKEN.match(text)
    if found and found[1]:
        return (int(found[1]), "arabic", found.end()) if 0 < int(found[1]) <= most else None
    if found and found[3]:
        value = _WORDS.get(f"{found[2]}-{found[3]}".lower())
        if value:
            return value, "word", found.end()
    found = _WORD.match(text)
    if not found:
        return None
    token = found[1]
    if token.lower() in _WORDS:
        return _WORDS[token.lower()], "word", found.end()
    plain = _ROMAN.match(token) and (token.isupper() or token.islower())
    if plain or (most > MOST and _GREAT_ROMAN.match(token)):
        return _roman(token.lower()), "lower" if token.islower() else "roman", found.end()
    return None


def _roman(token: str) -> int:
    digits = [_ROMAN_DIGITS[letter] for letter in token]
    pairs = zip(digits, [*digits[1:], 0], strict=True)
    return sum(-one if one < following else one for one, following in pairs)
