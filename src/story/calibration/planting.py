"""Plants pairs of passages in a copy of a book, so that a critic's recall on it can be measured.

Each scenario tells one fact, three passages that contradict it (openly, in other words, by inference) and
four that do not (the same again, something else about it, a change that is told, a trap). A language model
wrote them, who knew nothing of any critic; no critic here was fitted to these.
"""

from __future__ import annotations

import json
import random
import re
import textwrap
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from ...core.types import Document, Evidence, Span

_BLANK = re.compile(r"\r?\n[ \t]*(?:\r?\n[ \t]*)+")
_POSSESSIVE = re.compile(r"[a-z]([^\w\s])(?:s|t|ll|ve|d)\b")
_WIDEST = 110  # characters: longer lines are whole paragraphs
_Place = tuple[int, Span]  # a paragraph and the chapter it is in


@dataclass(frozen=True, slots=True)
class Manner:
    """``width`` is the length that lines are broken at, None where a paragraph is a line."""

    opening: str
    closing: str
    apostrophe: str
    dash: str
    newline: str
    width: int | None

    def dress(self, text: str) -> str:
        """The text, written with ``“ ” ’ —``, as this book prints it."""
        text = text.replace("’", self.apostrophe).replace("—", self.dash)
        return text.replace("“", self.opening).replace("”", self.closing)

    def broken(self, text: str) -> str:
        """The text in lines no longer than the book's."""
        if self.width is None:
            return text
        lines = textwrap.wrap(text, self.width, break_long_words=False, break_on_hyphens=False)
        return self.newline.join(lines)


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
    )


def _width(text: str) -> int | None:
    lengths = sorted(len(line) for line in text.splitlines() if len(line) > 40)
    if not lengths or lengths[len(lengths) * 9 // 10] > _WIDEST:
        return None
    return lengths[len(lengths) * 95 // 100]


def _paragraphs(text: str, body: Span, manner: Manner) -> Iterator[Span]:
    """Half-open spans between blank lines, without blanks around them; between line ends where lines are not
    broken and no blank line stands between paragraphs."""
    said, border = body.of(text), _BLANK
    if manner.width is None and len(_BLANK.findall(said)) * 4 < said.count("\n"):
        border = re.compile(r"(?:\r?\n[ \t]*)+")
    start = body.start
    for part in border.split(said):
        start = text.index(part, start)
        if part.strip():
            yield Span(start + len(part) - len(part.lstrip()), start + len(part.rstrip()))
        start += len(part)


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
    bodies = ((one.number, one.body) for one in document.chapters)
    every = [(n, span) for n, body in bodies for span in _paragraphs(document.text, body, manner)]
    free = _apart(every, rng)
    drawn = rng.sample(scenarios(), len(scenarios()))
    names = [name for name in SLIPS for _ in range(slips)]
    names += [SOUND[number % len(SOUND)] for number in range(sound)]
    rng.shuffle(names)
    added: list[tuple[_Place, str]] = []
    told: list[tuple[str, str]] = []
    for name, scenario in zip(names, drawn, strict=False):
        if len(free) < 2:
            break
        first, second = sorted((free.pop(), free.pop()))
        added += [(first, scenario["earlier"]), (second, scenario[name])]
        told.append((name, scenario["kind"]))
    copy, sides = _insert(document, added, manner)
    both = zip(told, sides[::2], sides[1::2], strict=True)
    pairs = tuple(Pair(name, kind, earlier, later) for (name, kind), earlier, later in both)
    for side in sides:
        side.verify(copy.text)
    return Planted(copy, pairs)


def _apart(every: Sequence[_Place], rng: random.Random) -> list[_Place]:
    """Paragraphs to put something behind, in any order."""
    kept: list[int] = []
    for number in rng.sample(range(len(every)), len(every)):
        if all(abs(number - other) > _APART for other in kept):
            kept.append(number)
    return [every[number] for number in kept]


def _insert(
    document: Document, added: Sequence[tuple[_Place, str]], manner: Manner
) -> tuple[Document, list[Evidence]]:
    """The document with each text as a paragraph of its own behind the one given, and where each stands."""
    gap = manner.newline * 2
    told = [manner.broken(manner.dress(" ".join(words.split()))) for _, words in added]
    order = sorted(range(len(added)), key=lambda number: added[number][0])
    places = [added[number][0][1].end for number in order]
    shifts, pieces, cursor = [0], [], 0
    sides: dict[int, Evidence] = {}
    for number, at in zip(order, places, strict=True):
        pieces += [document.text[cursor:at], gap, told[number]]
        start = at + shifts[-1] + len(gap)
        span = Span(start, start + len(told[number]))
        sides[number] = Evidence(document.id, added[number][0][0], span, told[number])
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
