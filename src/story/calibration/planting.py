"""Plants pairs of passages in a copy of a book, so that a critic's recall on it can be measured.

Each scenario tells one fact, three passages that contradict it (openly, in other words, by inference) and
four that do not (the same again, something else about it, a change that is told, a trap). A language model
wrote them, who knew nothing of any critic; no critic here was fitted to these.
"""

from __future__ import annotations

import json
import random
import re
import statistics
import textwrap
from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from ...core.types import Document, Evidence, Span

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
        spans = _pieces(document.text, chapter.body, manner)
        half = 0.5 * statistics.median(map(len, spans)) if spans else 0.0
        for span in spans:
            plain = len(span) >= half and _narrative(span.of(document.text), manner)
            found.append(Paragraph(chapter.number, span, plain))
    return tuple(found)


def _pieces(text: str, body: Span, manner: Manner) -> list[Span]:
    """Half-open spans between blank lines; between line ends where lines are not broken and no blank line
    stands between paragraphs."""
    said, border = body.of(text), _BLANK
    if manner.width is None and len(_BLANK.findall(said)) * 4 < said.count("\n"):
        border = re.compile(r"(?:\r?\n[ \t]*)+")
    gaps = [gap.span() for gap in border.finditer(text, body.start, body.end)]
    starts, ends = [body.start, *(end for _, end in gaps)], [*(start for start, _ in gaps), body.end]
    found = [Span(start, end) for start, end in zip(starts, ends, strict=True) if text[start:end].strip()]
    return [
        Span(one.end - len(one.of(text).lstrip()), one.start + len(one.of(text).rstrip())) for one in found
    ]


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


SLIPS = ("explicit", "paraphrase", "implicit")
"""How a later passage contradicts the earlier one: openly, in other words, by inference."""
SOUND = ("same", "beside", "change", "trap")
"""Later passages that do not."""
_FILE = Path(__file__).with_name("scenarios.jsonl")
_APART = 2  # paragraphs between two that something is put behind


@lru_cache(maxsize=1)
def scenarios() -> tuple[Mapping[str, str], ...]:
    """All of them, in the order of the file: ``kind`` is what the fact is about, ``earlier`` tells it, and a
    later passage stands under each name of ``SLIPS`` and ``SOUND``."""
    return tuple(json.loads(line) for line in _FILE.read_text(encoding="utf-8").splitlines())


@dataclass(frozen=True, slots=True)
class Pair:
    """Both sides of a scenario as they stand in the copy. ``name`` is one of ``SLIPS``, which contradict, or
    of ``SOUND``; ``kind`` is what it is about."""

    name: str
    kind: str
    earlier: Evidence
    later: Evidence


@dataclass(frozen=True, slots=True)
class Planted:
    """The copy, and what was put into it."""

    document: Document
    pairs: tuple[Pair, ...]


def plant(document: Document, *, seed: int, slips: int, sound: int) -> Planted:
    """A copy with ``slips`` of each difficulty and ``sound`` pairs that agree, fewer where the book has no
    room: each side is a paragraph of its own behind one of the book's, at least two of the book's paragraphs
    from the next, and no scenario is used twice. The same arguments give the same bytes."""
    rng = random.Random(f"{document.id}/{seed}")
    manner = manner_of(document)
    free = _places(paragraphs(document, manner), rng)
    drawn = rng.sample(scenarios(), len(scenarios()))
    names = [name for name in SLIPS for _ in range(slips)]
    names += [SOUND[number % len(SOUND)] for number in range(sound)]
    rng.shuffle(names)
    added: list[tuple[Paragraph, str]] = []
    told: list[tuple[str, str]] = []
    for name, scenario in zip(names, drawn, strict=False):
        if len(free) < 2:
            break
        first, second = sorted((free.pop(), free.pop()), key=lambda one: one.span)
        added += [(first, scenario["earlier"]), (second, scenario[name])]
        told.append((name, scenario["kind"]))
    copy, sides = _insert(document, added, manner)
    both = zip(told, sides[::2], sides[1::2], strict=True)
    pairs = tuple(Pair(name, kind, earlier, later) for (name, kind), earlier, later in both)
    for side in sides:
        side.verify(copy.text)
    return Planted(copy, pairs)


def _places(every: Sequence[Paragraph], rng: random.Random) -> list[Paragraph]:
    """Paragraphs to put something behind, in any order: those of the narrator last, since the last are taken
    first."""
    mixed = rng.sample(range(len(every)), len(every))
    kept: list[int] = []
    for number in sorted(mixed, key=lambda number: not every[number].narrative):
        if all(abs(number - other) > _APART for other in kept):
            kept.append(number)
    return [every[number] for number in reversed(kept)]


def _insert(
    document: Document, added: Sequence[tuple[Paragraph, str]], manner: Manner
) -> tuple[Document, list[Evidence]]:
    """The document with each text as a paragraph of its own behind the one given, and where each stands."""
    gap = manner.newline * 2
    told = [manner.broken(manner.dress(" ".join(words.split()))) for _, words in added]
    order = sorted(range(len(added)), key=lambda number: added[number][0].span.end)
    places = [added[number][0].span.end for number in order]
    shifts, pieces, cursor = [0], [], 0
    sides: dict[int, Evidence] = {}
    for number, at in zip(order, places, strict=True):
        pieces += [document.text[cursor:at], gap, told[number]]
        start = at + shifts[-1] + len(gap)
        span = Span(start, start + len(told[number]))
        sides[number] = Evidence(document.id, added[number][0].chapter, span, told[number])
        shifts.append(shifts[-1] + len(gap) + len(told[number]))
        cursor = at

    def moved(span: Span) -> Span:
        first, last = (shifts[bisect_right(places, offset)] for offset in (span.start, span.end))
        return Span(span.start + first, span.end + last)

    chapters = tuple(
        replace(one, heading=moved(one.heading), body=moved(one.body)) for one in document.chapters
    )
    text = "".join([*pieces, document.text[cursor:]])
    return replace(document, text=text, chapters=chapters), [sides[number] for number in range(len(added))]
