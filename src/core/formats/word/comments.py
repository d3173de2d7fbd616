"""Comments in a copy of a Word document, each on the words it is about, by python-docx.

The words are found again by what they are, white space aside, and by which time they stand in the text: what
was read from the file and the file itself need not agree in anything else.
"""

from __future__ import annotations

import copy
import io
import itertools
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ....errors import DocumentError
from ...types import Document

if TYPE_CHECKING:
    from lxml.etree import _Element

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_RUN, _TEXT, _LOOK = f"{_W}r", f"{_W}t", f"{_W}rPr"
_ELSEWHERE = frozenset({f"{_W}del", f"{_W}moveFrom", f"{_W}drawing", f"{_W}pict", f"{_W}object"})
_NOT_IN_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_BETWEEN = re.compile(r"\n\s*\n")


@dataclass(frozen=True, slots=True)
class Comment:
    """``text`` on the words ``quote`` where they stand for the ``nth`` time (from 0)."""

    quote: str
    nth: int
    text: str


@dataclass(slots=True)
class _Run:
    element: Any
    start: int  # of its first character among all
    text: str
    cuts: set[int]


def squeezed(text: str) -> str:
    """Without its white space: how words are found again."""
    return "".join(text.split())


def docx_of(document: Document) -> bytes:
    """A Word document of a text that is none: its title, a heading a chapter, its paragraphs."""
    import docx

    made = docx.Document()
    if document.title:
        made.add_heading(_fit(document.title), level=0)
    for chapter in document.chapters:
        heading = chapter.heading.of(document.text).strip() or chapter.title
        made.add_heading(_fit(" ".join(heading.replace("#", " ").split())), level=1)
        for paragraph in _BETWEEN.split(chapter.body.of(document.text).strip()):
            made.add_paragraph(_fit(" ".join(paragraph.split())))
    return _bytes(made)


def with_comments(data: bytes, comments: Sequence[Comment], *, author: str) -> tuple[bytes, int]:
    """A copy of the Word document ``data`` with the comments whose words stand in it, and how many those are.

    Tracked deletions, drawings and text boxes are not looked into. Raises DocumentError where python-docx
    cannot read the file.
    """
    import docx
    from docx.text.run import Run

    try:
        made = docx.Document(io.BytesIO(data))
    except Exception as error:  # python-docx raises what comes: KeyError, lxml's, its own
        raise DocumentError(f"the Word document cannot be opened for comments ({error})") from error
    runs = list(_runs(made.element.body))
    places = [run.start + at for run in runs for at, letter in enumerate(run.text) if not letter.isspace()]
    flat = squeezed("".join(run.text for run in runs))
    found = [(one, span) for one in comments if (span := _found(flat, one)) is not None]
    ends = {one: (places[start], places[end - 1] + 1) for one, (start, end) in found}
    starts = [run.start for run in runs]
    for first, last in ends.values():
        for at in (first, last):
            run = runs[max(0, bisect_right(starts, at) - 1)]
            run.cuts.add(at - run.start)
    pieces = [piece for run in runs for piece in _cut(run)]
    at_start = {start: number for number, (start, _, _) in enumerate(pieces)}
    at_end = {end: number for number, (_, end, _) in enumerate(pieces)}
    for one, _ in found:
        first, last = ends[one]
        marked = [Run(pieces[number][2], made) for number in (at_start[first], at_end[last])]
        made.add_comment(marked, text=_fit(one.text), author=author, initials=author[:1])
    return _bytes(made), len(found)


def _runs(body: _Element) -> Iterator[_Run]:
    """Those with text, in order, with where they start."""
    at = 0
    stack: list[Any] = [body]
    while stack:
        element = stack.pop()
        if element.tag in _ELSEWHERE:
            continue
        if element.tag == _RUN:
            text = "".join(child.text or "" for child in element if child.tag == _TEXT)
            if text:
                yield _Run(element, at, text, set())
                at += len(text)
        else:
            stack.extend(reversed(element))


def _found(flat: str, comment: Comment) -> tuple[int, int] | None:
    words = squeezed(comment.quote)
    at = -1
    for _ in range(comment.nth + 1):
        at = flat.find(words, at + 1) if words else -1
        if at < 0:
            return None
    return at, at + len(words)


def _cut(run: _Run) -> list[tuple[int, int, Any]]:
    """The run in pieces, as (start, end, element), cut where comments begin and end; each looks as the whole
    did."""
    cuts = sorted(cut for cut in run.cuts if 0 < cut < len(run.text))
    if not cuts:
        return [(run.start, run.start + len(run.text), run.element)]
    look = run.element.find(_LOOK)
    bounds = [0, *cuts, len(run.text)]
    pieces = [_like(run.element, look) for _ in bounds[1:]]
    at = number = 0
    for child in [child for child in run.element if child is not look]:
        if child.tag != _TEXT:
            pieces[number].append(child)
            continue
        text = child.text or ""
        while at + len(text) > bounds[number + 1]:
            here = bounds[number + 1] - at
            _write(pieces[number], text[:here])
            text, at, number = text[here:], bounds[number + 1], number + 1
        _write(pieces[number], text)
        at += len(text)
        if at == bounds[number + 1] and number + 1 < len(pieces):
            number += 1
    for piece in pieces:
        run.element.addprevious(piece)
    run.element.getparent().remove(run.element)
    spans = itertools.pairwise(bounds)
    return [
        (run.start + first, run.start + last, piece)
        for (first, last), piece in zip(spans, pieces, strict=True)
    ]


def _like(run: Any, look: Any) -> Any:
    piece = run.makeelement(_RUN, dict(run.attrib))
    if look is not None:
        piece.append(copy.deepcopy(look))
    return piece


def _write(piece: Any, text: str) -> None:
    if text:
        child = piece.makeelement(_TEXT, {"{http://www.w3.org/XML/1998/namespace}space": "preserve"})
        child.text = text
        piece.append(child)


def _fit(text: str) -> str:
    return _NOT_IN_XML.sub("\N{REPLACEMENT CHARACTER}", text)


def _bytes(made: Any) -> bytes:
    held = io.BytesIO()
    made.save(held)
    return held.getvalue()
