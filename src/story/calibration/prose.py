"""How a book is printed, so that what is put in looks like the rest: quotation marks, apostrophes, dashes,
line length and titles."""

from __future__ import annotations

import re
import statistics
import textwrap
from collections import Counter
from dataclasses import dataclass

from ...core.types import Document, Span

_BLANK = re.compile(r"\r?\n[ \t]*(?:\r?\n[ \t]*)+")
_POSSESSIVE = re.compile(r"[a-z]([^\w\s])(?:s|t|ll|ve|d)\b")
_END = re.compile(r"[.!?][)\]]?\Z")
_WIDEST = 110  # characters: longer lines are whole paragraphs


@dataclass(frozen=True, slots=True)
class Manner:
    """``width`` is the length that lines are broken at, None where a paragraph is a line; ``dotted``: "Mr."
    and not "Mr"."""

    opening: str
    closing: str
    apostrophe: str
    dash: str
    newline: str
    width: int | None
    dotted: bool
    gray: bool

    def dress(self, text: str) -> str:
        """The text, written with ``“ ” ’ —`` and "Mr.", as this book prints it."""
        text = text.replace("’", self.apostrophe).replace("—", self.dash)
        text = text.replace("“", self.opening).replace("”", self.closing)
        if not self.dotted:
            text = re.sub(r"\b(Mrs?|Dr)\.", r"\1", text)
        return re.sub(r"\b([Gg])rey\b", r"\1ray", text) if self.gray else text

    def broken(self, text: str) -> str:
        """The text in lines no longer than the book's."""
        if self.width is None:
            return text
        lines = textwrap.wrap(text, self.width, break_long_words=False, break_on_hyphens=False)
        return self.newline.join(lines)


@dataclass(frozen=True, slots=True)
class Paragraph:
    """``span`` is the paragraph without blanks around it; ``narrative``: prose of the narrator alone, with no
    speech, verse, letter or heading in it."""

    chapter: int
    span: Span
    narrative: bool


def manner_of(document: Document) -> Manner:
    """Reads it off the whole text."""
    text = document.text
    typographic = text.count("“") + text.count("”") >= text.count('"')
    double = max(text.count("“"), text.count('"') // 2)
    single = len(re.findall(r"(?:^|[\s(])[‘'](?=[A-Z])", text))
    marks = ("“", "”") if typographic else ('"', '"')
    if single > 2 * double:
        marks = ("‘", "’") if text.count("‘") > single // 2 else ("'", "'")
    found = Counter(_POSSESSIVE.findall(text))
    return Manner(
        opening=marks[0],
        closing=marks[1],
        apostrophe=found.most_common(1)[0][0] if found else "’",
        dash="—" if text.count("—") >= text.count("--") else "--",
        newline="\r\n" if "\r\n" in text else "\n",
        width=_width(text),
        dotted=len(re.findall(r"\bMrs?\.", text)) >= len(re.findall(r"\bMrs? ", text)),
        gray=len(re.findall(r"\bgray\b", text)) > len(re.findall(r"\bgrey\b", text)),
    )


def _width(text: str) -> int | None:
    lengths = sorted(len(line) for line in text.splitlines() if len(line) > 40)
    if not lengths or lengths[len(lengths) * 9 // 10] > _WIDEST:
        return None
    return lengths[len(lengths) * 95 // 100]


def paragraphs(document: Document, manner: Manner) -> tuple[Paragraph, ...]:
    """The paragraphs of all chapters' bodies, in order."""
    found: list[Paragraph] = []
    for chapter in document.chapters:
        body = chapter.body.of(document.text)
        spans = list(_pieces(body, manner))
        lengths = [len(one) for one in spans] or [0]
        for span in spans:
            said = span.of(body)
            shifted = Span(chapter.body.start + span.start, chapter.body.start + span.end)
            plain = len(said) >= 0.5 * statistics.median(lengths) and _narrative(said, manner)
            found.append(Paragraph(chapter.number, shifted, plain))
    return tuple(found)


def _pieces(body: str, manner: Manner) -> list[Span]:
    """Half-open spans between blank lines; between line ends where lines are not broken and no blank line
    stands between paragraphs."""
    border = _BLANK
    if manner.width is None and len(_BLANK.findall(body)) * 4 < body.count("\n"):
        border = re.compile(r"(?:\r?\n[ \t]*)+")
    spans, start = [], 0
    for end, following in [*((m.start(), m.end()) for m in border.finditer(body)), (len(body), len(body))]:
        piece = body[start:end]
        if piece.strip():
            left = len(piece) - len(piece.lstrip())
            spans.append(Span(start + left, start + len(piece.rstrip())))
        start = following
    return spans


def _narrative(said: str, manner: Manner) -> bool:
    words = said.split()
    if not 25 <= len(words) <= 400 or not said[0].isupper() or not _END.search(said):
        return False
    if any(mark in said for mark in '“”"[]*_|=') or re.search(r"(?:^|\s)[‘'—](?=\w)", said):
        return False
    if re.match(r"(?:My )?[Dd]ear\b|To \w+,|CHAPTER|Chapter|BOOK|VOLUME", said):
        return False
    lines = said.splitlines()
    if manner.width is None or len(lines) < 3:
        return True
    return statistics.mean(map(len, lines[:-1])) >= 0.75 * manner.width  # else verse, or a list
