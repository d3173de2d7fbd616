"""Printed lines of a PDF's pages: words with their boxes, in the order in which the file draws them.

Coordinates are points from the top left of the page as a reader sees it: turned as the page says, and cut
to its crop box.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from ctypes import byref
from dataclasses import dataclass
from itertools import groupby, pairwise
from math import pi
from typing import TYPE_CHECKING, Any

from ...chapters.numerals import number
from ...types import Box
from ..blocks import printable

if TYPE_CHECKING:
    from pypdfium2 import PdfPage, PdfTextPage

_LIGATURES = {0xFB00 + i: said for i, said in enumerate(("ff", "fi", "fl", "ffi", "ffl", "st", "st"))}
_SAMPLED = 200  # letters of a page that say which way is up
_EDGES = re.compile(r"^\W+|\W+$")
_BROKEN = re.compile(r"(?P<left>[^\W\d_][^\W_]*(?:[-\u2010][^\W_]+)*)(?P<hyphen>[-\u2010\u00ad])\Z")
_SPELT = ("self", "well", "half")  # beginnings of words that are written with a hyphen
_OPENING = "\"'\u2018\u201c\u201e\u00ab\u00bb"  # marks before a drop cap
_DROPPED = 1.5  # a drop cap is so many times as high as the line beside it
_Letter = tuple[str, int]  # a character and its place among the page's


@dataclass(frozen=True, slots=True)
class Word:
    """Printed characters without white space between them."""

    text: str
    box: Box


@dataclass(frozen=True, slots=True)
class Line:
    """``number`` counts the page's lines from 1, ``page`` the pages from 1."""

    page: int
    number: int
    words: tuple[Word, ...]

    @property
    def text(self) -> str:
        return " ".join(word.text for word in self.words)


def page_lines(page: PdfPage, number: int) -> list[Line]:
    """The lines of a page, of which ``number`` is given, without those that hold nothing."""
    import pypdfium2.raw as pdfium

    turned = placed_by(page)
    text = _upright(page)
    box = pdfium.FS_RECTF()

    def placed(letters: list[_Letter]) -> Box:
        found = []
        for at in {letters[0][1], letters[-1][1]}:
            if pdfium.FPDFText_GetLooseCharBox(text, at, byref(box)):
                found.append(turned(box.left, box.bottom, box.right, box.top))
        return _around(found) if found else (0.0, 0.0, 0.0, 0.0)

    try:
        lines: list[Line] = []
        for row in _rows(pdfium, text):
            words = [
                Word(said, placed(letters))
                for letters in row
                if (said := _read("".join(letter for letter, _ in letters)))
            ]
            if words:
                lines.append(Line(number, len(lines) + 1, tuple(words)))
        return lines
    finally:
        text.close()


def _upright(page: PdfPage) -> PdfTextPage:
    """The page's text with the page turned so that most letters stand upright: PDFium reads the lines of
    letters that lie on their side in a wrong order."""
    import pypdfium2.raw as pdfium

    text = page.get_textpage()
    count = text.count_chars()
    angles = [
        pdfium.FPDFText_GetCharAngle(text, at) for at in range(0, count, max(1, count // _SAMPLED))
    ]  # clockwise, -1 where there is none
    quarters = Counter(round(angle / (pi / 2)) % 4 for angle in angles if angle >= 0)
    way = -90 * quarters.most_common(1)[0][0] % 360 if quarters else page.get_rotation()
    if way == page.get_rotation():
        return text
    text.close()
    page.set_rotation(way)
    return page.get_textpage()


def placed_by(page: PdfPage) -> Callable[[float, float, float, float], Box]:
    """Turns left, bottom, right and top of a page's own coordinates into those that are shown."""
    left, bottom, right, top = page.get_bbox()
    way = page.get_rotation()

    def shown(a: float, b: float, c: float, d: float) -> Box:
        if way == 90:
            return (b - bottom, a - left, d - bottom, c - left)
        if way == 180:
            return (right - c, b - bottom, right - a, d - bottom)
        if way == 270:
            return (top - d, right - c, top - b, right - a)
        return (a - left, top - d, c - left, top - b)

    return shown


def _rows(pdfium: Any, text: Any) -> Iterator[list[list[_Letter]]]:
    """The words of each line, as characters with their places. A hyphen at a line's end ends the line too."""
    row: list[list[_Letter]] = []
    word: list[_Letter] = []
    for at in range(text.count_chars()):
        code = pdfium.FPDFText_GetUnicode(text, at)
        letter = chr(code) if 0 < code <= 0x10FFFF else " "
        hyphen = pdfium.FPDFText_IsHyphen(text, at) == 1
        if hyphen or not letter.isspace():
            word.append(("-" if hyphen else letter, at))
            if not hyphen:
                continue
        if word:
            row.append(word)
            word = []
        if (hyphen or letter in "\r\n") and row:
            yield row
            row = []
    if word:
        row.append(word)
    if row:
        yield row


def _read(letters: str) -> str:
    """What the characters say: ligatures as letters, halves of characters put together, nothing unseen."""
    said = letters.encode("utf-16", "surrogatepass").decode("utf-16", "ignore")
    return "".join(printable(unicodedata.normalize("NFC", said.translate(_LIGATURES))).split())


def _around(boxes: list[Box]) -> Box:
    left, top, right, bottom = zip(*boxes, strict=True)
    return min(left), min(top), max(right), max(bottom)


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
