"""Puts scenarios into a copy of a book, paragraphs of their own, and says where both sides stand."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from ...core.types import Document, Evidence
from ..injection.prose import Manner, Paragraph, manner_of, paragraphs
from ..injection.spots import Draft
from ..injection.weaving import Woven
from .scenarios import SLIPS, SOUND, Scenario, scenarios

__all__ = ["Pair", "Planted", "plant"]

_APART = 2  # paragraphs between two that something is put behind


@dataclass(frozen=True, slots=True)
class Pair:
    """Both sides of a scenario as they stand in the copy. ``name`` is one of ``SLIPS``, which contradict, or
    of ``SOUND``; ``kind`` is what it is about."""

    name: str
    kind: str
    earlier: Evidence
    later: Evidence

    @property
    def is_slip(self) -> bool:
        """Do the two contradict each other?"""
        return self.name in SLIPS


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
    drafts: list[Draft] = []
    told: list[tuple[str, Scenario]] = []
    for name, scenario in zip(names, drawn, strict=False):
        if len(free) < 2:
            break
        first, second = sorted((free.pop(), free.pop()), key=lambda one: one.span)
        drafts += [
            _draft(first, scenario.earlier, "early", name, manner),
            _draft(second, scenario.later[name], "late", name, manner),
        ]
        told.append((name, scenario))
    woven = Woven(document, drafts)
    sides = [Evidence(document.id, edit.chapter, edit.placed, edit.words) for edit in woven.edits]
    pairs = tuple(
        Pair(name, scenario.kind, sides[2 * number], sides[2 * number + 1])
        for number, (name, scenario) in enumerate(told)
    )
    for side in sides:
        side.verify(woven.document.text)
    return Planted(woven.document, pairs)


def _places(every: Sequence[Paragraph], rng: random.Random) -> list[Paragraph]:
    """Paragraphs to put something behind, in any order: those of the narrator, all where there are few."""
    told = [number for number, one in enumerate(every) if one.narrative]
    if len(told) * 4 < len(every):
        told = list(range(len(every)))
    kept: list[int] = []
    for number in rng.sample(told, len(told)):
        if all(abs(number - other) > _APART for other in kept):
            kept.append(number)
    return [every[number] for number in kept]


def _draft(behind: Paragraph, words: str, side: str, name: str, manner: Manner) -> Draft:
    at = type(behind.span)(behind.span.end, behind.span.end)
    said = manner.broken(manner.dress(" ".join(words.split())))
    return Draft(behind.chapter, at, manner.newline * 2, said, "", side, f"scenario/{name}")
