"""The text of a PDF, as far as a PDF holds text.

A PDF says where glyphs stand on a page, not what they mean. Given are the lines of each page in the order in
which the file draws them, joined to paragraphs by their length, without running heads, feet and page numbers,
with words rejoined that were parted at a line's end, and with chapters where its outline (bookmarks) or the
words of a heading say so. It cannot give: text of scanned pages, a sure order where pages have columns or
boxes, verse kept in lines, emphasis, and a sure end of a paragraph whose last line happens to be full. Where
the same book is to be had as .epub, .docx or .txt, take that.
"""

from __future__ import annotations

import io
import logging
import re
import statistics
import time
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ...errors import DocumentError
from .blocks import Converted, TextBlock, block_of, clean_title, markdown_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pypdf import PdfReader

__all__ = ["MAX_PAGES", "pdf_document"]

MAX_PAGES = 5000
_MAX_TEXT = 32_000_000  # characters
_MAX_SECONDS = 300.0
_HEADING = re.compile(
    r"(?:chapter|part|book|volume|prologue|epilogue|preface|foreword|afterword|interlude)\b", re.IGNORECASE
)
_NUMBER = re.compile(
    r"(?:page\s*)?[-\u2013\u2014\s]*(?:\d{1,4}|[ivxlc]{1,7})[-\u2013\u2014\s]*\Z", re.IGNORECASE
)
_END = re.compile(r"[.!?\u2026:][\"'\u2019\u201d)\]]*\Z")
_HYPHEN = re.compile(r"[^\W\d_][-\u2010\u00ad]\Z")
_DIGITS = re.compile(r"\d+")
_LIGATURES = {0xFB00 + i: said for i, said in enumerate(("ff", "fi", "fl", "ffi", "ffl", "st", "st"))}
_FILE_LIKE = re.compile(r"(?:untitled|microsoft word)\b|.*\.(?:docx?|pdf|indd|tex|dvi|qxd)\Z", re.IGNORECASE)
_RUNNING = 0.3  # share of the pages on which a first or last line stands that is none of the text
_SHORT = 0.8  # of the usual width: a line that ends a sentence before it ends a paragraph


def pdf_document(data: bytes, name: str, *, clock: Callable[[], float] = time.monotonic) -> Converted:
    """The PDF's text as Markdown; see the module for what that is worth.

    Raises DocumentError for a file that is damaged, encrypted, has no text (pictures of pages), more than
    5,000 pages, or takes more than five minutes.
    """
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    stop = clock() + _MAX_SECONDS
    try:
        with _quiet():
            reader = PdfReader(io.BytesIO(data), strict=False)
            if reader.is_encrypted:
                raise DocumentError(f"{name} is encrypted: save an unprotected copy and index that")
            pages = _pages(reader, name, lambda: clock() > stop)
            marks = _outline(reader)
            said = clean_title(str(reader.metadata.title or "")) if reader.metadata else None
    except (PyPdfError, ValueError, TypeError, KeyError, IndexError, AttributeError, OSError) as error:
        raise _damaged(name, error) from None
    except (RecursionError, MemoryError, ArithmeticError, NotImplementedError, AssertionError) as error:
        raise _damaged(name, error) from None
    if not any(pages):
        raise DocumentError(f"{name} holds pictures of pages, no text: have the text recognised (OCR) first")
    title = said if said and not _FILE_LIKE.match(said) else None
    return Converted(markdown_of(_blocks(_without_running(pages), marks), title=title), title)


def _pages(reader: PdfReader, name: str, late: Callable[[], bool]) -> list[list[str]]:
    """The lines of each page."""
    if len(reader.pages) > MAX_PAGES:
        raise DocumentError(f"{name} has more than {MAX_PAGES:,} pages: index it in parts")
    found: list[list[str]] = []
    size = 0
    for page in reader.pages:
        text = unicodedata.normalize("NFC", page.extract_text().translate(_LIGATURES))
        size += len(text)
        if size > _MAX_TEXT or late():
            raise DocumentError(f"{name} holds more than can be read in five minutes: index it in parts")
        lines = (" ".join(line.replace("\0", "").split()) for line in text.splitlines())
        found.append([line for line in lines if line])
    return found


def _outline(reader: PdfReader) -> dict[int, list[str]]:
    """Titles of the outline's uppermost level that parts the book, by the page (from 0) they point to."""
    levels: dict[int, list[tuple[int, str]]] = {}
    stack: list[tuple[int, Any]] = [(0, one) for one in reversed(reader.outline)]
    while stack and sum(map(len, levels.values())) < MAX_PAGES:
        depth, entry = stack.pop()
        if isinstance(entry, list):
            stack.extend((depth + 1, one) for one in reversed(entry))
            continue
        page = reader.get_destination_page_number(entry)
        title = clean_title(str(entry.title or ""))
        if title and page is not None and page >= 0:
            levels.setdefault(depth, []).append((page, title))
    chosen = next((level for _, level in sorted(levels.items()) if len(level) > 1), [])
    found: dict[int, list[str]] = {}
    for page, title in chosen:
        found.setdefault(page, []).append(title)
    return found


def _without_running(pages: Sequence[list[str]]) -> list[list[str]]:
    """Without page numbers, and without first and last lines that come again on many pages."""
    often = max(3, int(_RUNNING * len(pages)))
    edges: Counter[str] = Counter()
    for lines in pages:
        edges.update({_DIGITS.sub("0", line) for line in (*lines[:1], *lines[-1:])})
    found = []
    for lines in pages:
        inner = list(lines)
        for at in (0, -1):
            for _ in range(2):  # a number and a running head, one above the other
                if inner and (_NUMBER.match(inner[at]) or edges[_DIGITS.sub("0", inner[at])] >= often):
                    inner.pop(at)
        found.append(inner)
    return found


def _blocks(pages: Sequence[list[str]], marks: dict[int, list[str]]) -> list[TextBlock]:
    widths = [len(line) for lines in pages for line in lines]
    usual = statistics.quantiles(widths, n=4)[2] if len(widths) > 1 else 0.0
    blocks: list[TextBlock] = []
    open_: list[str] = []

    def close() -> None:
        made = block_of([_rejoined(open_)]) if open_ else None
        open_.clear()
        if made is not None:
            blocks.append(made)

    for number, lines in enumerate(pages):
        left = list(lines)
        for title in marks.get(number, ()):
            close()
            blocks.append(TextBlock(title, 2))
            while left and _folded(left[0]) and _folded(left[0]) in _folded(title):
                left.pop(0)
        for at, line in enumerate(left):
            heading = (
                not marks and at < 4 and len(line) <= 60 and (line.isupper() or bool(_HEADING.match(line)))
            )
            if heading:
                close()
            open_.append(line)
            if heading or (len(line) < _SHORT * usual and _END.search(line)):
                close()
    close()
    return blocks


def _rejoined(lines: Sequence[str]) -> str:
    text = lines[0]
    for line in lines[1:]:
        parted = _HYPHEN.search(text) and line[:1].islower()
        text = f"{text[:-1]}{line}" if parted else f"{text} {line}"
    return text


def _folded(line: str) -> str:
    return "".join(filter(str.isalnum, line.casefold()))


def _damaged(name: str, error: BaseException) -> DocumentError:
    said = " ".join(str(error).split())[:80] or type(error).__name__
    return DocumentError(f"{name} is damaged ({said}): get a whole copy, or the book as .epub or .txt")


@contextmanager
def _quiet() -> Iterator[None]:
    """Without what pypdf has to say about small faults of a file."""
    log = logging.getLogger("pypdf")
    before = log.level
    log.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        log.setLevel(before)
