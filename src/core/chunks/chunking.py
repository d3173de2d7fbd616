"""Cuts chapters into chunks: whole scenes first, then paragraphs, then sentences.

A chunk is a slice of one scene of one chapter. Paragraphs are packed up to ``size`` characters (or tokens of
an embedding model); each chunk after a scene's first begins with up to ``overlap`` of the one before, whole
paragraphs or else whole sentences. A fenced code block is whole up to ``WHOLE`` times the size, and so are
the items of a list up to the size. Nothing outside a chapter has any say in how it is cut.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from types import MappingProxyType
from typing import Literal

from ...errors import ConfigError
from ..text.markdown import fenced_lines
from ..text.sentences import is_heading, is_scene_break, sentences
from ..types import Chapter, Chunk, Document, Span


class Measure:
    """Lengths inside one text: of a stretch, how many units begin in it. ``starts`` are the offsets at which
    the text's units (tokens, or characters) begin, ascending."""

    def __init__(self, starts: Sequence[int], end: int) -> None:
        self._starts = starts
        self._end = end

    @classmethod
    def of(cls, text: str, inside: Span, *, offsets: Offsets | None) -> Measure:
        """In a part of a text; ``offsets`` gives where the tokens of a text begin in it, None counts
        characters."""
        if offsets is None:
            return cls(range(inside.start, inside.end), inside.end)
        return cls([inside.start + at for at in offsets(inside.of(text))], inside.end)

    def length(self, start: int, end: int) -> int:
        """How many units the stretch from ``start`` to ``end`` has."""
        return bisect_left(self._starts, end) - bisect_left(self._starts, start)

    def back(self, end: int, most: int) -> int:
        """Where the longest stretch begins that ends at ``end`` and is at most ``most`` long."""
        at = bisect_left(self._starts, end) - most
        return self._starts[at] if 0 <= at < len(self._starts) else end if at > 0 else 0

    def ahead(self, start: int, most: int) -> int:
        """Where the longest stretch ends that begins at ``start`` and is at most ``most`` long."""
        at = bisect_left(self._starts, start) + most
        return self._starts[at] if at < len(self._starts) else self._end


_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_ITEM = re.compile(r"[ \t]{0,12}(?:[-*+•]|\(?(?:[0-9]{1,3}|[a-z])[.)])[ \t]+\S")


class Fences:
    """Fenced code blocks of a text, by place."""

    def __init__(self, spans: Sequence[Span]) -> None:
        self.spans = tuple(spans)
        self._starts = [span.start for span in spans]

    def around(self, place: int) -> Span | None:
        """The block that holds the character at ``place``."""
        at = bisect_right(self._starts, place) - 1
        return self.spans[at] if at >= 0 and place < self.spans[at].end else None


def fences(text: str, inside: Span) -> Fences:
    """Those of :mod:`..text.fences`, from the opening line to the closing one."""
    if "```" not in text and "~~~" not in text:
        return Fences(())
    lines = [line.span() for line in _LINE.finditer(text, inside.start, inside.end)]
    said = [text[start:end].rstrip("\r\n") for start, end in lines]
    blocks = [(block[0], block[-1]) for block in fenced_lines(said)]
    return Fences([Span(lines[a][0], lines[b][0] + len(said[b])) for a, b in blocks])


def list_items(text: str, paragraph: Span) -> Iterator[Span]:
    """The items of a paragraph whose first line begins one, each with its further lines; nothing for any
    other paragraph."""
    starts: list[int] = []
    for line in _LINE.finditer(text, paragraph.start, paragraph.end):
        if not line[0]:
            break
        if _ITEM.match(line[0]):
            starts.append(line.start())
        elif not starts:
            return
    for start, end in zip(starts, [*starts[1:], paragraph.end], strict=True):
        yield Span(start, start + len(text[start:end].rstrip()))


SMALLEST = 50
SIZE, OVERLAP = 540, 108
"""Defaults, in characters: some 90 words with a fifth repeated. Larger chunks hold more of a scene and
fewer of the sentences that answer."""
Unit = Literal["characters", "tokens"]
PRESETS = MappingProxyType(
    {
        "story": ("characters", SIZE, OVERLAP),
        "report": ("characters", 1000, 200),
        "tokens": ("tokens", 512, 50),
    }
)
"""Unit, size and overlap by name: ``story`` is what was measured on novels, ``report`` and ``tokens`` are
usual where passages explain."""
WHOLE = 4
"""A fenced code block stays whole up to so many times the size."""
Offsets = Callable[[str], Sequence[int]]
"""Where the tokens of a text begin in it, ascending."""
_NEWLINE = re.compile(r"\r\n|\r|\n")
_PARAGRAPH = re.compile(r"(?:(?:\r\n|\n|\r(?!\n))[^\S\r\n]*){2,}")


def chunk_document(
    document: Document, *, size: int = SIZE, overlap: int = OVERLAP, offsets: Offsets | None = None
) -> list[Chunk]:
    """The chunks of all chapters in order of telling, ordinals from 0.

    ``size`` is the most characters of a chunk (at least 50), ``overlap`` the most that it repeats of the
    one before (0 to size - 1); tokens, where ``offsets`` says where they begin in a text. Every
    character of a chapter's body that is neither white space nor part of a scene break is in at least one
    chunk. Raises ConfigError for other values.
    """
    if size < SMALLEST:
        raise ConfigError(f"a chunk size of {size} characters is too small: give at least {SMALLEST}")
    if not 0 <= overlap < size:
        raise ConfigError(f"an overlap of {overlap} does not fit a size of {size}: give 0 to {size - 1}")
    found: list[Chunk] = []
    for chapter in document.chapters:
        text, body = document.text, chapter.body
        packer = _Packer(text, Measure.of(text, body, offsets=offsets), fences(text, body), size, overlap)
        spans = [span for scene in scenes(document, chapter) for span in packer.chunks(scene)]
        found += [Chunk.of(document, chapter.number, n, span) for n, span in enumerate(spans, len(found))]
    return found


def scenes(document: Document, chapter: Chapter) -> list[Span]:
    """The scenes of a chapter in order, trimmed of white space; none where its body is empty.

    A line of ornaments ends a scene, and a Markdown heading begins one; blank lines do not, nor does
    anything inside a fenced code block.
    """
    found: list[Span] = []
    code = fences(document.text, chapter.body)
    start = line_start = chapter.body.start
    breaks = [
        (match.start(), match.end())
        for match in _NEWLINE.finditer(document.text, chapter.body.start, chapter.body.end)
    ]
    for line_end, after in [*breaks, (chapter.body.end, chapter.body.end)]:
        line = document.text[line_start:line_end]
        titled = is_heading(line)
        if (titled or is_scene_break(line)) and code.around(line_start) is None:
            found += _trimmed(document.text, start, line_start)
            start = line_start if titled else after
        line_start = after
    return found + _trimmed(document.text, start, chapter.body.end)


def _trimmed(text: str, start: int, end: int) -> list[Span]:
    piece = text[start:end]
    left = len(piece) - len(piece.lstrip())
    return [Span(start + left, start + len(piece.rstrip()))] if left < len(piece) else []


# --- packing -------------------------------------------------------------------------------------


class _Packer:
    """Cuts scenes of one chapter; lengths are those of ``measure``."""

    def __init__(self, text: str, measure: Measure, code: Fences, size: int, overlap: int) -> None:
        self._text = text
        self._measure = measure
        self._code = code
        self._size = size
        self._overlap = overlap

    def chunks(self, scene: Span) -> Iterator[Span]:
        """Pieces packed greedily, each chunk after the first led in by the one before."""
        paragraphs = self._paragraphs(scene)
        starts = [paragraph.start for paragraph in paragraphs]
        pieces = [piece for paragraph in paragraphs for piece in self._pieces(paragraph)]
        at = 0
        chunk: Span | None = None
        while at < len(pieces):
            start = pieces[at].start
            if chunk is not None and self._overlap:
                start = self._lead(chunk, pieces[at], starts)
            while at + 1 < len(pieces) and self._measure.length(start, pieces[at + 1].end) <= self._size:
                at += 1
            chunk = Span(start, pieces[at].end)
            yield chunk
            at += 1

    def _lead(self, before: Span, piece: Span, starts: Sequence[int]) -> int:
        """Where a chunk that must hold ``piece`` begins, so that it repeats the most of the chunk before:
        whole paragraphs if one fits, else whole sentences, else nothing."""
        first = max(
            before.start + 1,
            self._measure.back(before.end, self._overlap),
            self._measure.back(piece.end, self._size),
        )
        at = bisect_left(starts, first)
        if at < len(starts) and starts[at] < before.end:
            return starts[at]
        for sentence in sentences(before.of(self._text)):
            start = before.start + sentence.start
            if first <= start and self._code.around(start) is None:
                return start
        return piece.start

    def _paragraphs(self, scene: Span) -> list[Span]:
        """Parted by blank lines, but for those in a code block."""
        found: list[Span] = []
        start = scene.start
        for match in _PARAGRAPH.finditer(self._text, scene.start, scene.end):
            if self._code.around(match.start()) is None:
                found += _trimmed(self._text, start, match.start())
                start = match.end()
        return found + _trimmed(self._text, start, scene.end)

    def _pieces(self, paragraph: Span) -> Iterator[Span]:
        """A paragraph whole if it fits, else its code blocks and list items, else its sentences."""
        if self._measure.length(paragraph.start, paragraph.end) <= self._size:
            yield paragraph
            return
        at = paragraph.start
        for block in self._code.spans:
            if at <= block.start and block.end <= paragraph.end:
                for before in _trimmed(self._text, at, block.start):
                    yield from self._of_prose(before)
                if self._measure.length(block.start, block.end) <= WHOLE * self._size:
                    yield block
                else:
                    yield from self._cut(block)
                at = block.end
        for rest in _trimmed(self._text, at, paragraph.end):
            yield from self._of_prose(rest)

    def _of_prose(self, paragraph: Span) -> Iterator[Span]:
        if self._measure.length(paragraph.start, paragraph.end) <= self._size:
            yield paragraph
            return
        items = list(list_items(self._text, paragraph))
        for part in items or [paragraph]:
            if items and self._measure.length(part.start, part.end) <= self._size:
                yield part
                continue
            for sentence in sentences(part.of(self._text)):
                yield from self._cut(sentence.moved(part.start))

    def _cut(self, piece: Span) -> Iterator[Span]:
        """Cut at its last white space wherever it gets too long."""
        start, text = piece.start, self._text
        while self._measure.length(start, piece.end) > self._size:
            last = min(piece.end, self._measure.ahead(start, self._size))
            window = text[start : last + 1]
            cut = max(window.rfind(space) for space in " \t\r\n")
            cut = cut if cut > 0 else max(1, last - start)
            yield from _trimmed(text, start, start + cut)
            start += cut
            while start < piece.end and text[start].isspace():
                start += 1
        yield from _trimmed(text, start, piece.end)
