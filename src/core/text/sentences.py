"""Where sentences end."""

from __future__ import annotations

import re
from collections.abc import Iterator
from unicodedata import category

from ..types import Span

_SHORT = (
    "mr mrs ms messrs mme mlle dr st prof rev hon sr jr esq capt captn col gen lt maj sergt sgt lieut gov \
pres supt adm cmdr etc viz vs cf inc ltd co bros dept mt"
)
_ABBREVIATIONS = frozenset(_SHORT.split())
_BEFORE_NUMBERS = frozenset({"no", "nos", "vol", "chap", "fig", "sec", "p", "pp"})
_MAY_END = frozenset({"etc", "esq", "jr", "sr", "am", "pm", "co", "inc", "ltd", "bros"})
_CURLED = "\u2018\u2019\u201c\u201d\u00ab\u00bb\u2039\u203a"  # open in one language, close in another
_CLOSING = f"\"'{_CURLED})]_*"
_OPENING = f"\"'{_CURLED}\u201a\u201e([_*\u2014-"
_MARKS = frozenset('"“”«»„')
_STOP = re.compile(rf"(?<![.!?\u2026])[.!?\u2026]++[{re.escape(_CLOSING)}]{{0,6}}(?=\s)")
_PARAGRAPH = re.compile(r"(?:(?:\r\n|\n|\r(?!\n))[^\S\r\n]*){2,}")
_WORD = re.compile(r"[A-Za-z][A-Za-z.]*\Z")


def in_marks(quote: str) -> str:
    """The quote on one line in quotation marks, and speech in it that goes on beyond it closed; without,
    where it opens or closes with marks of its own, which would stand doubled."""
    line = " ".join(quote.split())
    for opens, closes in ('""', "“”"):
        opened = [match.start() for match in re.finditer(rf"(?<!\w){opens}(?=\w)", line)]
        closed = [match.start() for match in re.finditer(rf"(?<=\S){closes}", line)]
        line += closes if max(opened, default=-1) > max(closed, default=-1) else ""
    return line if line[:1] in _MARKS or line[-1:] in _MARKS else f"“{line}”"


def sentences(text: str) -> list[Span]:
    """The sentences of ``text`` in order, without white space at their ends.

    A sentence ends at ``. ! ?`` or an ellipsis with the closing quotes behind it, where what follows
    may begin one, or at a blank line. The point of an abbreviation (Mr.) or initial (J.) ends none, nor
    does a stop in speech that goes on in small letters ("Stop!" he said). Linear in the text's length.
    """
    ends = {match.start() for match in _PARAGRAPH.finditer(text)}
    ends.update(_stops(text))
    found: list[Span] = []
    start = 0
    for end in (*sorted(ends), len(text)):
        piece = text[start:end]
        left = len(piece) - len(piece.lstrip())
        if left < len(piece):
            found.append(Span(start + left, start + len(piece.rstrip())))
        start = end
    return found


def past_abbreviation(text: str, span: Span) -> Span:
    """The span, on to the end of its sentence where it ends with the point of an abbreviation."""
    last, following = span.end - 1, text[span.end : span.end + _LONGEST]
    if text[last : span.end] != "." or not _abbreviated(text, last, following.lstrip() or "\n"):
        return span
    ends = (span.start + one.end for one in sentences(span.of(text) + following))
    return Span(span.start, next(end for end in ends if end >= span.end))


def _stops(text: str) -> Iterator[int]:
    for match in _STOP.finditer(text):
        following = text[match.end() : match.end() + 40].lstrip().lstrip(_OPENING + " ")
        if not following or following[0].islower():
            continue
        said = match[0]
        if said[0] == "." and not said.startswith("..") and _abbreviated(text, match.start(), following):
            continue
        yield match.end()


def _abbreviated(text: str, point: int, following: str) -> bool:
    """Does the point end an abbreviation rather than a sentence?"""
    word = _WORD.search(text[max(0, point - 16) : point])
    if not word:
        return False
    said = word[0]
    plain = said.replace(".", "").lower()
    if plain in _BEFORE_NUMBERS:
        return following[0].isdigit()
    if len(said) == 1:
        return said.isupper() and said != "I"
    if "." in said and all(len(part) == 1 for part in said.split(".")):
        return not following[0].isupper() or plain not in _MAY_END
    return plain in _ABBREVIATIONS and plain not in _MAY_END


HEADING = re.compile(r"(#{1,6})[ \t]+([^\s#].*?)[ \t#]*\Z")
"""A line that is a Markdown heading: its marks, and its words."""

_MEANING = frozenset("!?,:;\"'`|>\u00a1\u00bf$")  # speech, and Markdown's fences, tables and quotations
_ORNAMENTS = ("P", "S", "Mn", "Cf")  # Unicode categories: punctuation, symbols and what joins them
_LONGEST, _SAID_WORD = 200, 20  # characters, of all and of one with letters


def is_scene_break(line: str) -> bool:
    """Is a line, white space around it or not, of nothing but ornaments: ``* * *``, ``~``, a dash, a
    dingbat? So are letters x and o that read the same backwards, as in ``x x x`` or ``-oOo-``."""
    if len(line) > _LONGEST:
        return False
    said = line.strip()
    if not said or (said[0].isalnum() and said[0] not in "xXoO0") or said == "XXX":  # a numeral
        return False
    folded = "".join(said.lower().replace("0", "o").split())
    if not all(letter in "xo" or _is_ornament(letter) for letter in folded):
        return False
    lettered = "x" in folded or "o" in folded
    return (
        (2 < len(folded) <= _SAID_WORD and folded == folded[::-1])
        if lettered
        else folded.strip("()[]{}") != ""
    )


def is_heading(line: str) -> bool:
    """Is a line, white space behind it or not, a Markdown heading (``## The Mill``)?"""
    return line[:1] == "#" and len(line) <= _LONGEST and HEADING.match(line.rstrip()) is not None


def _is_ornament(letter: str) -> bool:
    kind = category(letter)
    return kind.startswith(_ORNAMENTS) and kind not in ("Pi", "Pf") and letter not in _MEANING
