"""Printed lines of a PDF's pages: words with their boxes, in the order in which the file draws them.

Coordinates are points from the top left of the page as a reader sees it: turned as the page says, and cut
to its crop box.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator
from ctypes import byref
from dataclasses import dataclass
from math import pi
from typing import TYPE_CHECKING, Any

from ...types import Box
from ..blocks import printable

if TYPE_CHECKING:
    from pypdfium2 import PdfPage, PdfTextPage

_LIGATURES = {0xFB00 + i: said for i, said in enumerate(("ff", "fi", "fl", "ffi", "ffl", "st", "st"))}
_SAMPLED = 200  # letters of a page that say which way is up
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
    return (
        min(box[0] for box in boxes),
        min(box[1] for box in boxes),
        max(box[2] for box in boxes),
        max(box[3] for box in boxes),
    )
