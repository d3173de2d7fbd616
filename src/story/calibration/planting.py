"""Plants pairs of passages in a copy of a book, so that a critic's recall on it can be measured.

Each scenario tells one fact, three passages that contradict it (openly, in other words, by inference) and
four that do not (the same again, something else about it, a change that is told, a trap). A language model
wrote them, who knew nothing of any critic; no critic here was fitted to these.
"""

from __future__ import annotations

import json
import random
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from ...core.types import Document, Evidence, Span
from .prose import Manner, Paragraph, manner_of, paragraphs

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
