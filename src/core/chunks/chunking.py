"""Cuts chapters into chunks: whole scenes first, then paragraphs, then sentences.

A chunk is a slice of one scene of one chapter. Paragraphs are packed up to ``size`` characters; each
chunk after a scene's first begins with up to ``overlap`` characters of the one before, whole paragraphs
or else whole sentences. Nothing outside a chapter has any say in how it is cut.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from ...errors import ConfigError
from ..text.breaks import is_scene_break
from ..text.sentences import sentences
from ..types import Chapter, Chunk, Document, Span

__all__ = ["OVERLAP", "SIZE", "chunk_chapter", "chunk_document", "scenes", "sentences"]

SMALLEST = 50
SIZE, OVERLAP = 540, 108
"""Defaults, in characters: some 90 words with a fifth repeated. Larger chunks hold more of a scene and
fewer of the sentences that answer."""
_NEWLINE = re.compile(r"\r\n|\r|\n")
_PARAGRAPH = re.compile(r"(?:(?:\r\n|\n|\r(?!\n))[^\S\r\n]*){2,}")


def chunk_document(document: Document, *, size: int = SIZE, overlap: int = OVERLAP) -> list[Chunk]:
    """The chunks of all chapters in order of telling, ordinals from 0.

    ``size`` is the most characters of a chunk (at least 50), ``overlap`` the most that it repeats of the
    one before (0 to size - 1). Every character of a chapter's body that is neither white space nor part
    of a scene break is in at least one chunk. Raises ConfigError for other values.
    """
    found: list[Chunk] = []
    _check(size, overlap)
    for chapter in document.chapters:
        found += chunk_chapter(document, chapter, first_ordinal=len(found), size=size, overlap=overlap)
    return found


def chunk_chapter(
    document: Document, chapter: Chapter, *, first_ordinal: int, size: int = SIZE, overlap: int = OVERLAP
) -> list[Chunk]:
    """The chunks of one chapter, ordinals from ``first_ordinal``. Raises ConfigError like chunk_document."""
    _check(size, overlap)
    spans = [
        span for scene in scenes(document, chapter) for span in _pack(document.text, scene, size, overlap)
    ]
    return [
        Chunk(
            id=Chunk.make_id(document.id, span, span.of(document.text)),
            document_id=document.id,
            chapter=chapter.number,
            ordinal=ordinal,
            span=span,
            text=span.of(document.text),
        )
        for ordinal, span in enumerate(spans, first_ordinal)
    ]


def scenes(document: Document, chapter: Chapter) -> list[Span]:
    """The scenes of a chapter in order, trimmed of white space; none where its body is empty.

    A line of three or more of ``* ~ = # _ -`` and their like, or one ``#`` or asterism alone, ends a
    scene; blank lines do not.
    """
    found: list[Span] = []
    start = line_start = chapter.body.start
    breaks = [
        (match.start(), match.end())
        for match in _NEWLINE.finditer(document.text, chapter.body.start, chapter.body.end)
    ]
    for line_end, after in [*breaks, (chapter.body.end, chapter.body.end)]:
        if is_scene_break(document.text[line_start:line_end]):
            found += _trimmed(document.text, start, line_start)
            start = after
        line_start = after
    return found + _trimmed(document.text, start, chapter.body.end)


def _check(size: int, overlap: int) -> None:
    if size < SMALLEST:
        raise ConfigError(f"a chunk size of {size} characters is too small: give at least {SMALLEST}")
    if not 0 <= overlap < size:
        raise ConfigError(f"an overlap of {overlap} does not fit a size of {size}: give 0 to {size - 1}")


def _trimmed(text: str, start: int, end: int) -> list[Span]:
    piece = text[start:end]
    left = len(piece) - len(piece.lstrip())
    return [Span(start + left, start + len(piece.rstrip()))] if left < len(piece) else []


# --- packing -------------------------------------------------------------------------------------


def _pack(text: str, scene: Span, size: int, overlap: int) -> Iterator[Span]:
    """Chunks of one scene: pieces packed greedily, each chunk after the first led in by the one before."""
    paragraphs = _paragraphs(text, scene)
    starts = [paragraph.start for paragraph in paragraphs]
    pieces = [piece for paragraph in paragraphs for piece in _pieces(text, paragraph, size)]
    at = 0
    chunk: Span | None = None
    while at < len(pieces):
        start = pieces[at].start
        if chunk is not None and overlap:
            start = _lead(text, chunk, pieces[at], starts, size=size, overlap=overlap)
        while at + 1 < len(pieces) and pieces[at + 1].end - start <= size:
            at += 1
        chunk = Span(start, pieces[at].end)
        yield chunk
        at += 1


def _lead(text: str, before: Span, piece: Span, starts: Sequence[int], *, size: int, overlap: int) -> int:
    """Where a chunk that must hold ``piece`` begins, so that it repeats the most of the chunk before:
    whole paragraphs if one fits, else whole sentences, else nothing."""
    first = max(before.start + 1, before.end - overlap, piece.end - size)
    at = bisect_left(starts, first)
    if at < len(starts) and starts[at] < before.end:
        return starts[at]
    for sentence in sentences(before.of(text)):
        if first <= before.start + sentence.start:
            return before.start + sentence.start
    return piece.start


def _paragraphs(text: str, scene: Span) -> list[Span]:
    found: list[Span] = []
    start = scene.start
    for match in _PARAGRAPH.finditer(text, scene.start, scene.end):
        found += _trimmed(text, start, match.start())
        start = match.end()
    return found + _trimmed(text, start, scene.end)


def _pieces(text: str, paragraph: Span, size: int) -> Iterator[Span]:
    """A paragraph whole if it fits, else its sentences, the long ones cut at their last white space."""
    if len(paragraph) <= size:
        yield paragraph
        return
    for sentence in sentences(paragraph.of(text)):
        start, end = paragraph.start + sentence.start, paragraph.start + sentence.end
        while end - start > size:
            window = text[start : start + size + 1]
            cut = max(window.rfind(space) for space in " \t\r\n")
            cut = cut if cut > 0 else size
            yield from _trimmed(text, start, start + cut)
            start += cut
            while text[start].isspace():
                start += 1
        yield Span(start, end)
