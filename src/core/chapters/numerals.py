"""Numerals as books write them: IV, iv, 4, 4th, 4b, 4.5, Four, Fourth, One Hundred and Twenty-First."""

from __future__ import annotations

import re

MOST = 399
"""The largest numeral that is read where nothing says what it counts."""
MOST_CHAPTERS = 9_999
"""The largest behind the word "chapter"."""

_ROMAN = re.compile(r"(?=[ivxlc])(?:c{0,3})(?:x[cl]|l?x{0,4})(?:i[xv]|v?i{0,4})\Z", re.IGNORECASE)
_GREAT_ROMAN = re.compile(r"(?=[MDC])M{0,3}(?:C[MD]|D?C{0,4})(?:X[CL]|L?X{0,4})(?:I[XV]|V?I{0,4})\Z")
_ROMAN_DIGITS = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}
_ROMAN_PARTS = "M 1000 CM 900 D 500 CD 400 C 100 XC 90 L 50 XL 40 X 10 IX 9 V 5 IV 4 I 1".split()
_CARDINALS = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen \
seventeen eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth \
fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth"
_UNITS = {word: n for words in (_CARDINALS, _ORDINALS) for n, word in enumerate(words.split(), 1)}
_UNITS["zero"] = 0
_TENFOLD = {form: 10 * n for n, word in enumerate(_TENS.split(), 2) for form in (word, word[:-1] + "ieth")}
_POWERS = {"hundred": 100, "hundredth": 100, "thousand": 1000, "thousandth": 1000}
_DIGITS = re.compile(r"(\d{1,4})(?:(?:st|nd|rd|th)|(?P<letter>[A-Za-z])|\.(?P<part>\d{1,2}))?(?![\w'\u2019])")
_WORD = re.compile(r"([A-Za-z]+)(?![\w'\u2019])")
_LONGEST = 9  # words of "nine thousand nine hundred and ninety-nine"


def number(text: str, *, most: int = MOST) -> tuple[float, str, int] | None:
    """The numeral that ``text`` begins with: value 0 to ``most``, style and length; None where there is none.

    Styles are ``"arabic"``, ``"roman"``, ``"lower"`` (roman in small letters) and ``"word"``. Small roman
    letters go to 399. What lies between two numbers (4b, 4.5) has a value between them. ``most`` is raised
    where a word before the numeral says what it counts, since a larger number alone may be a year, and MIX a
    word: roman capitals then go to 3,999.
    """
    found = _DIGITS.match(text)
    if found:
        between = ord(found["letter"].lower()) - 96 if found["letter"] else int(found["part"] or 0)
        value = int(found[1]) + between / 100 if between else int(found[1])
        return (value, "arabic", found.end()) if value <= most else None
    spelt = _in_words(text)
    if spelt and spelt[0] <= most:
        return spelt[0], "word", spelt[1]
    found = _WORD.match(text)
    if not found:
        return None
    token = found[1]
    plain = _ROMAN.match(token) and (token.isupper() or token.islower())
    if plain or (most > MOST and _GREAT_ROMAN.match(token)):
        digits = [_ROMAN_DIGITS[letter] for letter in token.lower()]
        value = sum(-a if a < b else a for a, b in zip(digits, [*digits[1:], 0], strict=True))
        return value, "lower" if token.islower() else "roman", found.end()
    return None


def _in_words(text: str) -> tuple[int, int] | None:
    """The number that the first words spell, and where they end: each word of one must be smaller than what
    the words before leave room for."""
    whole = part = at = 0
    least = room = 10_000  # the last power of ten; what the next word must be smaller than
    found: tuple[int, int] | None = None
    for _ in range(_LONGEST):
        word = _WORD.match(text, at)
        if not word:
            break
        said = word[1].lower()
        if _POWERS.get(said, least) < least and (0 < part < 10 or not found):
            least = room = _POWERS[said]
            whole, part = whole + max(part, 1) * least, 0
        elif said in _TENFOLD and room > 99:
            part, room = _TENFOLD[said], 10
        elif _UNITS.get(said, room) < room:
            part, room = part + _UNITS[said], 1
        elif said != "and" or room != least or not found:
            break
        if said != "and":
            found = whole + part, word.end()
        if word.end() == len(text) or text[word.end()] not in "-\u2013 ":
            break
        at = word.end() + 1
    return found


def in_roman(value: int) -> str:
    """The number in Roman capitals; "" below 1. As long as its thousands."""
    found = ""
    for letters, worth in zip(_ROMAN_PARTS[::2], map(int, _ROMAN_PARTS[1::2]), strict=True):
        found += letters * (value // worth)
        value %= worth
    return found
