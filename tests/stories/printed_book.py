"""A book printed by reportlab: two chapters on three pages, with running heads and page numbers."""

import io
from dataclasses import dataclass

from pypdfium2 import PdfDocument
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen import canvas
from tests.tables import file_text

WIDTH, HEIGHT = 420.0, 595.0
LEFT, TOP, LEADING, SIZE = 40.0, 550.0, 14.0, 10.0
FONT = "Times-Roman"
PAGES = [page.splitlines() for page in file_text(__file__, "printed_book.txt").split("\n\n")]


@dataclass(frozen=True)
class Printed:
    """A word as it was drawn: its page and line, and its sides in points from the top left."""

    text: str
    page: int
    line: int
    left: float
    right: float
    baseline: float


def printed_book(*, rotate=0, crop=None, without="", drawn=0):
    """``without``: words of one line whose place stays empty. ``drawn`` turns what is drawn, about the middle
    of a page."""
    target = io.BytesIO()
    book = canvas.Canvas(target, pagesize=(WIDTH, HEIGHT), invariant=1)
    book.setTitle("The Ferry")
    for lines in PAGES:
        book.setFont(FONT, SIZE)
        book.translate(WIDTH / 2, HEIGHT / 2)
        book.rotate(drawn)
        book.translate(-WIDTH / 2, -HEIGHT / 2)
        for number, line in enumerate(lines):
            at = TOP - number * LEADING
            if not without or without not in line:
                book.drawString(LEFT, at, line)
                continue
            before, _, after = line.partition(without)
            book.drawString(LEFT, at, before)
            book.drawString(LEFT + stringWidth(before + without, FONT, SIZE), at, after)
        book.showPage()
    book.save()
    return _turned(target.getvalue(), rotate, crop) if rotate or crop else target.getvalue()


def _turned(data, rotate, crop):
    """The pages turned clockwise and cut, as PDFs say it; what is drawn on them stays."""
    target = io.BytesIO()
    document = PdfDocument(data)
    for page in document:
        page.set_rotation(rotate)
        if crop:
            page.set_cropbox(*crop)
    document.save(target)
    document.close()
    return target.getvalue()


def drawn_words():
    """All words in the order in which they are drawn."""
    found = []
    for page, lines in enumerate(PAGES, 1):
        for number, line in enumerate(lines, 1):
            left = LEFT
            for word in line.split(" "):
                wide = stringWidth(word, FONT, SIZE)
                baseline = HEIGHT - (TOP - (number - 1) * LEADING)
                found.append(Printed(word, page, number, left, left + wide, baseline))
                left += wide + stringWidth(" ", FONT, SIZE)
    return found
