"""A chapter's text as a parser wants it: paragraphs, scenes, direct speech, and the way back to offsets.

A scene stands apart from the main line by how it opens.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ..core.text.sentences import is_heading, is_scene_break
from ..core.types import Span
from .model.chapter_reading import Scene
from .time.amounts import NUMBER

_OPENING = 240  # characters
_COUNT = rf"(?:{NUMBER}|an?|many|several|some|a few|long)"
_SPAN = r"(?:years?|months?|weeks?|days?|decades?|winters?|summers?)"
_YOUNG = r"(?:little |small |young |mere )?(?:boy|girl|child|lad|lass|baby|infant|youth|student)"
_EARLIER = re.compile(
    rf"\W*(?:(?:{_COUNT}\s+)?{_SPAN}"
    r"\s+(?:earlier|before|previously|ago)\b(?!\s+(?:he|she|they|i|we|it|the)\b))",
    re.IGNORECASE,
)
# cues that also open a chapter which then goes on: they count where a scene break sets the scene apart
_BACK = re.compile(
    rf"\W*(?:(?:it (?:was|had been|had happened|happened) |about |some |nearly ){{1,2}}"
    rf"(?:{_COUNT}\s+)?{_SPAN}"
    r"\s+(?:earlier|before|previously|ago)\b(?!\s+(?:he|she|they|i|we|it|the)\b)"
    r"|long (?:ago|before)\b|once,? (?:long|many years) ago\b"
    r"|(?:once,? )?when (?:he|she|i|they|we|\w+) (?:was|were|had been) (?:still |yet |only )?"
    rf"(?:an? )?{_YOUNG}\b"
    r"|in (?:his|her|my|their) (?:youth|childhood|boyhood|girlhood|infancy|early (?:days|years))\b"
    r"|\w+ (?:remembered|recalled) (?:the (?:day|night|time|summer|winter|morning|evening|first|last)"
    r"|how|when)\b)",
    re.IGNORECASE,
)
_MONTHS = "January February March April May June July August September October November December".split()
_MONTH = re.compile(
    r"\b(?:of|in|late|early|mid) (" + "|".join(_MONTHS) + r")\b|\b(" + "|".join(_MONTHS) + r") \d"
)


def opens_as_flashback(text: str, start: int, end: int) -> bool:
    """Does the scene ``[start, end)`` open with a step back: "Ten years earlier"? One that a scene break
    sets apart from what was told before may say it otherwise: "When she was a child", "He remembered how"."""
    stop = min(end, start + _OPENING)
    return bool(_EARLIER.match(text, start, stop) or (start > 0 and _BACK.match(text, start, stop)))


def months_opened_with(text: str, start: int, end: int) -> frozenset[int]:
    """The months (0 to 11) that the scene's opening dates itself by: "on the first of May"."""
    found = _MONTH.finditer(text, start, min(end, start + _OPENING))
    return frozenset(_MONTHS.index(match[1] or match[2]) for match in found)


_NUMERAL = re.compile(r"\s*(?:[IVXLC]{1,6}|\d{1,3})\.?\s*")
# each begins where white space does: looked for from within it, a long run costs its square
_BLANK = re.compile(r"(?<![ \t\r\xa0])(?:[ \t\r\xa0]*+\n){2,}[ \t\r]*")
_GAP = re.compile(r"(?<![ \t\r\xa0])(?:[ \t\r\xa0]*+\n){4,}")
# emphasis, white space, and what no reader needs to see: hundreds of marks in a row, a "word" without end
_LOOSE = re.compile(r"[_*]+|(?<![^\w\s])(?:[^\w\s]\s?){200,}+|(?<![^\W_])\w{1000,}+|\s+")
_FULL_LINE = re.compile(r"\S(?:.*\S)?")
_LINE_ENDS = frozenset(".!?…:;—-'\"’”)»")
_WRAPPED = 100  # characters, that no line of wrapped text has
_HASHED = re.compile(r"^#.*$", re.MULTILINE)
_SPEECH_DASH = re.compile(r"\s*(?:—|--|–)\s*[\"“‘]?[A-Z]")
_LINE = 240  # characters that are looked at for a scene break
MAX_CHARS = 50_000
MAX_SENTENCE = 6_000
_ENDLESS = re.compile(rf"[^.!?…]{{{MAX_SENTENCE},}}")


@dataclass(frozen=True, slots=True)
class Paragraph:
    """One paragraph with whitespace runs made single spaces and emphasis marks dropped.

    ``quotes`` are the half-open stretches of direct speech in ``text``; ``unclosed`` where the last of them
    runs to the end without a closing mark, as speech that goes on in the next paragraph does. ``_at`` and
    ``_from`` map offsets in ``text`` back to the chapter's body: from ``_at[k]`` on, the original offset is
    ``_from[k]`` plus the rest.
    """

    text: str
    scene: int
    quotes: tuple[tuple[int, int], ...]
    _at: tuple[int, ...]
    _from: tuple[int, ...]
    unclosed: bool = False

    def span(self, start: int, end: int) -> Span:
        """The non-empty stretch ``[start, end)`` of ``text`` as a span of the chapter's body."""
        return Span(self._original(start), self._original(end - 1) + 1)

    def spoken(self, offset: int) -> bool:
        """Does the character at this offset of ``text`` stand in direct speech?"""
        last = bisect_right(self.quotes, (offset, len(self.text))) - 1  # quotes stand in order, apart
        return last >= 0 and offset < self.quotes[last][1]

    def _original(self, offset: int) -> int:
        k = bisect_right(self._at, offset) - 1
        return self._from[k] + offset - self._at[k]


def scenes_of(text: str) -> tuple[Scene, ...]:
    """Scenes that cover the text from 0 to its end. A break is a paragraph of ornaments, a bare numeral, a
    Markdown heading, or three blank lines; one before all text is none. What opens as a flashback is
    marked so; it goes on in the next scene where that is dated by the month in which it was, or the one
    after."""
    if not text:
        return (Scene(Span(0, 0)),)
    cuts = {0}
    for number, (start, end) in enumerate(_raw_paragraphs(text)):
        if number and _is_break(text, start, end):
            cuts.add(end)
    cuts.update(found.end() for found in _GAP.finditer(text))
    starts = sorted(cut for cut in cuts if cut < len(text))
    ends = [*starts[1:], len(text)]
    found: list[Scene] = []
    dated: frozenset[int] = frozenset()  # the months of the flashback that goes on, if one does
    for start, end in zip(starts, ends, strict=True):
        months = months_opened_with(text, start, end)
        back = opens_as_flashback(text, start, end)
        goes_on = any((month - before) % 12 in (0, 1) for month in months for before in dated)
        dated = dated | months if back else dated if goes_on else frozenset()
        found.append(Scene(Span(start, end), back or goes_on))
    return tuple(found)


def _is_break(text: str, start: int, end: int) -> bool:
    said = text[start : min(end, start + _LINE)]
    return is_scene_break(said) or is_heading(said) or _NUMERAL.fullmatch(said) is not None


def paragraphs(text: str, scenes: tuple[Scene, ...]) -> list[Paragraph]:
    """The text's paragraphs in order, scene breaks left out, none longer than 50,000 characters, nor with a
    sentence longer than 6,000."""
    marks = _speech_marks(text)
    starts = [scene.span.start for scene in scenes]
    found: list[Paragraph] = []
    for start, end in _raw_paragraphs(text):
        if _is_break(text, start, end):
            continue
        scene = max(0, bisect_right(starts, start) - 1)
        found.extend(_paragraph(text, *piece, scene, marks) for piece in _cut(text, start, end))
    return [paragraph for paragraph in found if paragraph.text]


def _raw_paragraphs(text: str) -> list[tuple[int, int]]:
    bounds, start = [], 0
    for gap in _BLANK.finditer(text):
        bounds.append((start, gap.start()))
        start = gap.end()
    bounds.append((start, len(text)))
    lines = (line for bound in bounds for line in _lines_apart(text, *bound))
    parts = (part for line in lines for part in _headings_apart(text, *line))
    return [(a, b) for a, b in parts if text[a:b].strip()]


def _lines_apart(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The lines of a block where each is a paragraph: all end as sentences do, and some end early."""
    lines = [line.span() for line in _FULL_LINE.finditer(text, start, end)]
    widest = max((b - a for a, b in lines), default=0)
    early = any(b - a + len(text[c:d].split(maxsplit=1)[0]) < widest for (a, b), (c, d) in pairwise(lines))
    closed = all(text[b - 1] in _LINE_ENDS for _, b in lines)
    return lines if len(lines) > 1 and closed and (early or widest > _WRAPPED) else [(start, end)]


def _headings_apart(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """A paragraph cut before and behind the Markdown headings in it."""
    for line in _HASHED.finditer(text, start, end):
        if is_heading(line[0]):
            yield start, line.start()
            yield line.span()
            start = line.end()
    yield start, end


def _cut(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Cuts a very long paragraph behind a full stop, or failing that behind a space."""
    parts = []
    while end - start > MAX_CHARS:
        cut = max(text.rfind(mark, start, start + MAX_CHARS) for mark in (". ", "! ", "? ", ".\n"))
        if cut <= start:
            cut = text.rfind(" ", start, start + MAX_CHARS)
        cut = start + MAX_CHARS if cut <= start else cut + 1
        parts.append((start, cut))
        start = cut
    return [piece for part in (*parts, (start, end)) for piece in _within_bounds(text, *part)]


def _within_bounds(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Cuts behind a space where no sentence ends for 6,000 characters: a parser hangs all of that on one
    word, and what reads the tree then looks at every word from every word."""
    cuts = [start]
    for run in _ENDLESS.finditer(text, start, end):
        at = run.start()
        while run.end() - at > MAX_SENTENCE:
            space = text.rfind(" ", at + 1, at + MAX_SENTENCE)
            at = at + MAX_SENTENCE if space < 0 else space + 1
            cuts.append(at)
    return list(pairwise([*cuts, end]))


def _paragraph(text: str, start: int, end: int, scene: int, marks: str) -> Paragraph:
    pieces: list[str] = []
    at, origin, length, position = [0], [start], 0, start

    def keep(piece: str, source: int) -> None:
        nonlocal length
        if piece:
            if origin[-1] + length - at[-1] != source:
                at.append(length)
                origin.append(source)
            pieces.append(piece)
            length += len(piece)

    for loose in _LOOSE.finditer(text[start:end]):  # cut out: what stands before a piece is not looked at
        keep(text[position : start + loose.start()], position)
        if loose.group()[0] not in "_*" and length and pieces[-1] != " ":
            keep(" ", start + loose.start())
        position = start + loose.end()
    keep(text[position:end], position)
    body = "".join(pieces).rstrip()
    quotes = _quotes(body, marks)
    unclosed = bool(quotes) and quotes[-1][1] == len(body) and not _closed(body[quotes[-1][0] :])
    return Paragraph(_in_english_marks(body, quotes), scene, quotes, tuple(at), tuple(origin), unclosed)


def _closed(speech: str) -> bool:
    return len(speech) > 1 and speech[-1] in _CLOSING.get(speech[0], "")


def _in_english_marks(text: str, quotes: Sequence[tuple[int, int]]) -> str:
    """The text of the same length with „ “ and » « around its speech as “ ”, and single ones as ‘ ’."""
    letters = list(text)
    for start, end in quotes:
        opening, closing = "“”" if text[start] in "„»«”「『" else "‘’" if text[start] in "\u201a›‹" else "  "
        if opening != " ":
            letters[end - 1] = closing if _closed(text[start:end]) else letters[end - 1]
            letters[start] = opening
    return "".join(letters)


def _speech_marks(text: str) -> str:
    """Which marks open speech in this chapter: ``"`` (all double forms), ``‘`` (all single ones) or ``'``.
    Those that open lines weigh more, since either kind may stand within the other."""
    double, curly, straight = (
        len(re.findall(opening, text)) + 4 * len(re.findall(rf"(?:^|\n)[ \t]*{opening}", text))
        for opening in (
            r'(?:["“«„»「『]|(?<![\w.,!?])”(?=\w))',
            r"(?<!\w)(?:‘(?=\w)|[\u201a‹›](?=\w))",
            r"(?<!\w)'(?=[A-Z])",
        )
    )
    if double >= max(curly, straight):
        return '"'
    return "‘" if curly >= straight else "'"


# German marks close with what opens elsewhere, or with a straight one; Swedish ones open with what closes
_SPEECH = {
    '"': re.compile(
        '“[^”“]*(?:”|$)|"[^"]*(?:"|$)|«[^»]*(?:»|$)|„[^“”„"]*(?:[“”"]|$)|»[^«»]*(?:«|$)|「[^」]*(?:」|$)|『[^』]*(?:』|$)'
        r"|(?<![\w.,!?])”(?=\w)[^“”]*(?:”|$)"
    ),
    "‘": re.compile(r"‘.*?(?:’(?!\w)|$)|\u201a[^\u201a‘]*(?:‘|$)|‹[^›]*(?:›|$)|›[^‹›]*(?:‹|$)", re.DOTALL),
    "'": re.compile(r"(?<!\w)'(?=\S).*?(?:(?<=[.,!?;:\-—])'(?!\w)|$)", re.DOTALL),
}


_CLOSING = {pair[0]: pair[1:] for pair in '“” "" «» „“”" ”” 「」 『』 »« ‘’ \u201a‘ ‹› ›‹ \'\''.split()}


def _quotes(text: str, marks: str) -> tuple[tuple[int, int], ...]:
    if _SPEECH_DASH.match(text):
        return _dashed(text)
    return tuple(found.span() for found in _SPEECH[marks].finditer(text))


_SAYS = (
    r"(?:said|says|asked|cried|answered|replied|repeated|exclaimed|whispered|murmured|added|continued"
    r"|went on)"
)
# "said Dante," or "he said." within speech that a dash opens
_DASH_TAG = re.compile(
    rf"(?<=[,!?])\s(?:{_SAYS}\s[^.,;:!?—]{{1,60}}|(?:he|she|they|I)\s{_SAYS}\b[^.,;:!?—]{{0,60}})[.,;:!?]?"
)


def _dashed(text: str) -> tuple[tuple[int, int], ...]:
    """A paragraph that opens with a dash is speech but for the words that say whose."""
    pieces, start = [], 0
    for tag in _DASH_TAG.finditer(text):
        pieces.append((start, tag.start()))
        start = tag.end()
    pieces.append((start, len(text)))
    return tuple((a, b) for a, b in pieces if text[a:b].strip())
