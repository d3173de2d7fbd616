"""Hyphenation undone, drop caps put before their word, and columns noticed, over the printed lines of a book.

Whether a hyphen at a line's end belongs to its word is told by the word's parts (names, "mother-in-law",
numbers) and by how the book writes it elsewhere; where neither tells, it was the typesetter's.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby, pairwise

from ...chapters.numerals import number
from .lines import Line, Word

_EDGES = re.compile(r"^\W+|\W+$")
_BROKEN = re.compile(r"(?P<left>[^\W\d_][^\W_]*(?:[-\u2010][^\W_]+)*)(?P<hyphen>[-\u2010\u00ad])\Z")
_SPELT = ("self", "well", "half")  # beginnings of words that are written with a hyphen
_OPENING = "\"'\u2018\u201c\u201e\u00ab\u00bb"  # marks before a drop cap
_DROPPED = 1.5  # a drop cap is so many times as high as the line beside it
_GUTTER, _COLUMNS = 10.0, 0.6  # points between columns; the share of a page's rows that have it


class LineEnds:
    """Knows the words of a book from inside its lines."""

    def __init__(self, lines: Iterable[Line]) -> None:
        self._known = Counter(_bare(word.text) for line in lines for word in line.words[1:-1])

    def joined(self, left: str, right: str) -> int | None:
        """How many characters of ``left``, the end of a line, go before ``right``, the next one's first word;
        None where they are two words."""
        found = _BROKEN.search(left)
        if found is None or not right[:1].isalpha():
            return None
        return len(left) - (not self._is_hyphenated(found["left"], found["hyphen"], right))

    def is_word(self, letter: str, rest: str) -> bool:
        """Is a drop cap a word of its own (A, I) before ``rest``, not the beginning of that word?"""
        own, whole = _bare(rest), _bare(letter + rest)  # with or without a quotation mark before it
        return letter[-1:] in ("A", "I") and own in self._known and whole not in self._known

    def _is_hyphenated(self, left: str, hyphen: str, right: str) -> bool:
        behind = _bare(right)
        if hyphen == "\u00ad":
            return False
        if right[0].isupper() and not (len(left) > 1 and left.isupper()):
            return True
        whole = f"{left}-{behind}".lower()
        read = number(whole)
        if any(mark in left for mark in "-\u2010"):
            return True
        if read and read[1] == "word" and (read[2] > len(left) or (read[2] == len(left) and read[0] >= 20)):
            return True  # "twenty-one-year", "twenty-odd"
        if left.lower() in _SPELT and len(behind) > 3:
            return True
        return self._known[whole] > self._known[whole.replace("-", "")]


def with_drop_caps(lines: Sequence[Line], ends: LineEnds) -> list[Line]:
    """The lines with a large first letter put before the word that it begins."""
    found: list[Line] = []
    for line in lines:
        words = line.words
        if len(words) > 1 and words[0].text in _OPENING and len(words[1].text) == 1:  # “ I
            words = (Word(words[0].text + words[1].text, words[1].box), *words[2:])
        if found and len(found[-1].words) == 1 and _is_drop_cap(found[-1].words[0], words[0]):
            words = (*found.pop().words, *words)
        if (
            len(words) > 1
            and _is_drop_cap(words[0], words[1])
            and not ends.is_word(words[0].text, words[1].text)
        ):
            words = (Word(words[0].text + words[1].text, words[0].box), *words[2:])
        found.append(Line(line.page, line.number, words))
    return found


def has_columns(lines: Sequence[Line]) -> bool:
    """Do most rows of a page, in the order in which it is drawn, have a gap at one place, as columns that are
    read across?"""
    runs = groupby(lines, key=lambda line: round(line.words[0].box[3] / 2))
    rows = [[word for line in run for word in line.words] for _, run in runs]
    gaps: Counter[int] = Counter()
    for words in rows:
        ordered = sorted(words, key=lambda word: word.box[0])
        places = {
            at
            for one, other in pairwise(ordered)
            if other.box[0] - one.box[2] >= _GUTTER
            for at in range(int(one.box[2] / _GUTTER) + 1, int(other.box[0] / _GUTTER) + 1)
        }
        gaps.update(places)
    return len(rows) >= 8 and max(gaps.values(), default=0) >= _COLUMNS * len(rows)


def _is_drop_cap(letter: Word, word: Word) -> bool:
    height, usual = (one.box[3] - one.box[1] for one in (letter, word))
    said = letter.text.lstrip(_OPENING)
    return len(said) == 1 and said.isupper() and word.text[:1].isalpha() and height >= _DROPPED * usual > 0


def _bare(word: str) -> str:
    return _EDGES.sub("", word).replace("\u2010", "-").lower()
