"""The text of a PDF, as far as a PDF holds text.

A PDF says where glyphs stand on a page, not what they mean. Given are the lines of each page in the order in
which the file draws them, joined to paragraphs by their length, without running heads, feet and page numbers,
with words rejoined that were parted at a line's end or by a drop cap, and with chapters where its outline
(bookmarks) or the words of a heading say so. It cannot give: text of scanned pages, a sure order where pages
have columns or boxes, verse kept in lines, emphasis, and a sure end of a paragraph whose last line happens to
be full. Where the same book is to be had as .epub, .docx or .txt, take that.
"""

from __future__ import annotations

import io
import re
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ....errors import DocumentError
from ...types import Box, Span
from ..blocks import Converted, TextBlock, block_of, clean_title, markdown_of, text_starts
from .lines import Line, LineEnds, has_columns, page_lines, with_drop_caps
from .places import WordPlaces

if TYPE_CHECKING:
    from PIL.Image import Image
    from pypdfium2 import PdfDocument


MAX_PAGES = 5000
_MAX_TEXT = 32_000_000  # characters
_MAX_SECONDS = 300.0
_PASSWORD = 4  # FPDF_ERR_PASSWORD
_HEADING = re.compile(
    r"(?:chapter|part|book|volume|prologue|epilogue|preface|foreword|afterword|interlude)\b", re.IGNORECASE
)
_NUMBER = re.compile(
    r"(?:page\s*)?[-\u2013\u2014\s]*(?:\d{1,4}|[ivxlc]{1,7})[-\u2013\u2014\s]*\Z", re.IGNORECASE
)
_END = re.compile(r"[.!?\u2026:][\"'\u2019\u201d)\]]*\Z")
_DIGITS = re.compile(r"\d+")
_FILE_LIKE = re.compile(r"(?:untitled|microsoft word)\b|.*\.(?:docx?|pdf|indd|tex|dvi|qxd)\Z", re.IGNORECASE)
_RUNNING = 0.3  # share of the pages on which a first or last line stands that is none of the text
_SAID = 5  # pages that a warning names
_SHORT = 0.8  # of the usual width: a line that ends a sentence before it ends a paragraph


@dataclass(frozen=True, slots=True)
class _Printed:
    """Words of a block, half-open offsets into its text, that are printed at one place."""

    span: Span
    page: int
    line: int
    box: Box


_Block = tuple[TextBlock, list[_Printed]]


def pdf_document(data: bytes, name: str, *, clock: Callable[[], float] = time.monotonic) -> Converted:
    """The PDF's text as Markdown, and where its words are printed; see the module for what that is worth.

    Raises DocumentError for a file that is damaged, encrypted, has no text (pictures of pages), more than
    5,000 pages, or takes more than five minutes.
    """
    from pypdfium2 import PdfiumError

    stop = clock() + _MAX_SECONDS
    document = opened_pdf(data, name)
    try:
        pages = _pages(document, name, lambda: clock() > stop)
        marks = _outline(document)
        said = clean_title(document.get_metadata_value("Title"))
    except (PdfiumError, ValueError, IndexError, KeyError) as error:
        raise _damaged(name, error) from None
    finally:
        document.close()
    if not any(pages):
        raise DocumentError(f"{name} holds pictures of pages, no text: have the text recognised (OCR) first")
    title = said if said and not _FILE_LIKE.match(said) else None
    inner = _without_running(pages)
    ends = LineEnds(line for lines in inner for line in lines)
    found = _blocks([with_drop_caps(lines, ends) for lines in inner], marks, ends)
    blocks = [block for block, _ in found]
    starts = text_starts(blocks, title=title)
    places = WordPlaces.of(_placed(found, starts))
    across = [str(number) for number, lines in enumerate(inner, 1) if has_columns(lines)]
    some = ", ".join(across[:_SAID]) + (" and others" if len(across) > _SAID else "")
    warning = (
        f"{name} seems to have columns that were read across (page {some}): look at the text, and take the "
        "book as .epub, .docx or .txt where it is wrong"
    )
    markdown = markdown_of(blocks, title=title)
    return Converted(markdown, title, places=places.to_bytes(), warning=warning if across else "")


def opened_pdf(data: bytes, name: str) -> PdfDocument:
    """Raises DocumentError where it is damaged or encrypted."""
    from pypdfium2 import PdfDocument, PdfiumError

    try:
        return PdfDocument(data)
    except PdfiumError as error:
        if error.err_code == _PASSWORD:
            raise DocumentError(f"{name} is encrypted: save an unprotected copy and index that") from None
        raise _damaged(name, error) from None


def _placed(found: Iterable[_Block], starts: Iterable[int]) -> Iterator[tuple[Span, int, int, Box]]:
    for (_, printed), start in zip(found, starts, strict=True):
        for one in printed:
            yield Span(start + one.span.start, start + one.span.end), one.page, one.line, one.box


def _pages(document: PdfDocument, name: str, late: Callable[[], bool]) -> list[list[Line]]:
    """The lines of each page."""
    if len(document) > MAX_PAGES:
        raise DocumentError(f"{name} has more than {MAX_PAGES:,} pages: index it in parts")
    found: list[list[Line]] = []
    size = 0
    for number in range(len(document)):
        page = document[number]
        lines = page_lines(page, number + 1)
        page.close()
        size += sum(len(word.text) for line in lines for word in line.words)
        if size > _MAX_TEXT or late():
            raise DocumentError(f"{name} holds more than can be read in five minutes: index it in parts")
        found.append(lines)
    return found


def _outline(document: PdfDocument) -> dict[int, list[str]]:
    """Titles of the outline's uppermost level that parts the book, by the page (from 0) they point to."""
    levels: dict[int, list[tuple[int, str]]] = {}
    for count, mark in enumerate(document.get_toc()):
        if count >= MAX_PAGES:
            break
        target = mark.get_dest()
        page = target.get_index() if target is not None else None
        title = clean_title(mark.get_title())
        if title and page is not None and page >= 0:
            levels.setdefault(mark.level, []).append((page, title))
    chosen = next((level for _, level in sorted(levels.items()) if len(level) > 1), [])
    found: dict[int, list[str]] = {}
    for page, title in chosen:
        found.setdefault(page, []).append(title)
    return found


def _without_running(pages: Sequence[list[Line]]) -> list[list[Line]]:
    """Without page numbers, and without the highest and lowest lines that stand there on many pages."""
    often = max(2, int(_RUNNING * len(pages)))
    heights = [sorted(_edges(lines), key=lambda edge: edge[1]) for lines in pages]
    outer = Counter(edge[:2] for edges in heights for edge in {*edges[:1], *edges[-1:]})
    found = []
    for lines, inner in zip(pages, heights, strict=True):
        for at in (0, -1):
            for _ in range(2):  # a number and a running head, one above the other
                if inner and (_NUMBER.match(inner[at][0]) or outer[inner[at][:2]] >= often):
                    inner.pop(at)
        kept = {number for _, _, number in inner}
        found.append([line for line in lines if line.number in kept])
    return found


def _edges(lines: Sequence[Line]) -> Iterator[tuple[str, int, int]]:
    """What each line says, but for numbers that no heading counts by; how far down it is read, or from the
    side where letters lie on theirs; its number."""
    boxes = [(line.words[0].box, line.words[-1].box) for line in lines]
    turned = sum(abs(a[1] - b[1]) for a, b in boxes) > sum(abs(a[0] - b[0]) for a, b in boxes)
    for line in lines:
        said, place = line.text, line.words[0].box[0 if turned else 3]
        yield said if _HEADING.match(said) else _DIGITS.sub("0", said), round(place), line.number


def _blocks(pages: Sequence[list[Line]], marks: dict[int, list[str]], ends: LineEnds) -> list[_Block]:
    widths = [len(line.text) for lines in pages for line in lines]
    usual = statistics.quantiles(widths, n=4)[2] if len(widths) > 1 else 0.0
    blocks: list[_Block] = []
    open_: list[Line] = []

    def close() -> None:
        text, printed = _rejoined(open_, ends)
        open_.clear()
        made = block_of([text])
        if made is not None:
            blocks.append((made, printed if made.text == text else []))

    for number, lines in enumerate(pages):
        left = list(lines)
        for title in marks.get(number, ()):
            close()
            heading: list[_Printed] = []
            while left and _folded(left[0].text) and _folded(left[0].text) in _folded(title):
                line, span = left.pop(0), Span(0, len(title))
                heading += [_Printed(span, line.page, line.number, word.box) for word in line.words]
            blocks.append((TextBlock(title, 2), heading))
        for at, line in enumerate(left):
            said = line.text
            names_chapter = (
                not marks and at < 4 and len(said) <= 60 and (said.isupper() or bool(_HEADING.match(said)))
            )
            if names_chapter:
                close()
            open_.append(line)
            if names_chapter or (len(said) < _SHORT * usual and _END.search(said)):
                close()
    close()
    return blocks


def _rejoined(lines: Sequence[Line], ends: LineEnds) -> tuple[str, list[_Printed]]:
    """The lines as one text, words put together that were parted at a line's end, and where each is."""
    pieces: list[str] = []
    length = 0
    printed: list[_Printed] = []
    for line in lines:
        kept = ends.joined(pieces[-1], line.words[0].text) if pieces else None
        if kept is not None:
            length -= len(pieces[-1]) - kept
            pieces[-1] = pieces[-1][:kept]
            last = printed[-1]
            printed[-1] = _Printed(Span(last.span.start, length), last.page, last.line, last.box)
        elif pieces:
            pieces.append(" ")
            length += 1
        for at, word in enumerate(line.words):
            if at:
                pieces.append(" ")
                length += 1
            pieces.append(word.text)
            span = Span(length, length + len(word.text))
            length = span.end
            printed.append(_Printed(span, line.page, line.number, word.box))
    return "".join(pieces), printed


def _folded(line: str) -> str:
    return "".join(filter(str.isalnum, line.casefold()))


def _damaged(name: str, error: BaseException) -> DocumentError:
    said = " ".join(str(error).split())[:80] or type(error).__name__
    return DocumentError(f"{name} is damaged ({said}): get a whole copy, or the book as .epub or .txt")


SCALE = 2.0
"""Pixels a point, of pages that are not too large."""
_LONGEST = 3000  # pixels of a side
_YELLOW = (255, 236, 102)


def page_png(
    data: bytes,
    *,
    page: int,
    marked: Sequence[Sequence[float]],
    shown: Sequence[Sequence[float]] | None = None,
) -> bytes:
    """The page (from 1) with the boxes ``marked`` in yellow, text staying as dark as it is. Boxes are points
    from the top left of the page as it is shown. Where ``shown`` is given, all but those boxes is blank.

    Raises DocumentError where there is no such page, or it cannot be drawn.
    """
    from PIL import Image, ImageChops, ImageDraw
    from pypdfium2 import PdfiumError

    document = opened_pdf(data, "the book")
    try:
        if not 1 <= page <= len(document):
            raise DocumentError(f"the book has pages 1 to {len(document)}, not {page}: choose one of those")
        opened = document[page - 1]
        scale = min(SCALE, _LONGEST / max(*opened.get_size(), 1.0))
        drawn: Image.Image = opened.render(scale=scale, may_draw_forms=False).to_pil().convert("RGB")
    except PdfiumError as error:
        raise DocumentError(f"page {page} cannot be drawn ({error}): get a whole copy of the book") from None
    finally:
        document.close()
    if shown is not None:
        blank = Image.new("RGB", drawn.size, "white")
        for box in shown:
            left, top, right, bottom = (side * scale for side in box)
            where = (max(0, int(left)), max(0, int(top)), round(right), round(bottom))
            blank.paste(drawn.crop(where), where[:2])
        drawn = blank
    marks = Image.new("RGB", drawn.size, "white")
    pen = ImageDraw.Draw(marks)
    for left, top, right, bottom in marked:
        pen.rectangle((left * scale, top * scale, right * scale, bottom * scale), fill=_YELLOW)
    target = io.BytesIO()
    ImageChops.multiply(drawn, marks).save(target, "PNG")
    return target.getvalue()
