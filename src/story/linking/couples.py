"""Wives who are "Mrs. John Hale" to the world and Isabella at home: which two names are one woman's.

The text rarely says so. But her husband calls her by her given name, the two are named in one breath ("John
and Isabella"), and she is hardly ever named beside the Mrs. Hale that she is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ...core.types import Span
from ..extraction.quotations.quotations import CALLED
from ..model.chapter_reading import ChapterReading
from ..model.types import QuotationTold
from ..names.lexicon import GIVEN
from ..names.person_record import WIVES, KnownPerson
from ..names.roster import Roster
from .named_in_reply import pairs_in_sentences
from .state import KnownSoFar, ToldChapter

__all__ = ["Couples"]

LEAST = 3  # times that he calls her or the two are named in one breath
BESIDE = 1  # sentences that may name her both ways
_KIN = frozenset("SIBLING_OF PARENT_OF CHILD_OF KIN_OF".split())
_AND = re.compile(r"\s+and\s+")
Pair = tuple[str, str]


@dataclass(slots=True)
class Couples:
    """Counts, over the story so far: who calls whom by name or is coupled with whom, who is named in one
    sentence with whom, and who is whose kin."""

    _close: dict[Pair, int] = field(default_factory=dict)
    _beside: dict[Pair, int] = field(default_factory=dict)
    _kin: set[Pair] = field(default_factory=set)

    def copy(self) -> Couples:
        return Couples(dict(self._close), dict(self._beside), set(self._kin))

    def add(
        self,
        told: ToldChapter,
        reading: ChapterReading,
        quotations: Sequence[QuotationTold],
        ids: Sequence[str | None],
        state: KnownSoFar,
    ) -> Iterator[tuple[str, str, Span]]:
        """Counts a chapter, of whose speeches ``quotations`` says who speaks; gives (wife, given name's
        bearer, the sentence or speech that told last) for each two that turn out to be one."""
        for pair in pairs_in_sentences(reading.mentions, ids, state, spoken=True):
            self._beside[pair] = self._beside.get(pair, 0) + 1
        for statement in reading.statements:
            one, other = ids[statement.subject], ids[statement.object]
            if statement.predicate in _KIN and one and other:
                self._kin.add(_pair(state.root(one), state.root(other)))
        seen: dict[Pair, Span] = {}
        for man, woman, span in (
            *_coupled(told, reading, ids, state),
            *_called(reading, quotations, ids, state),
        ):
            self._close[man, woman] = self._close.get((man, woman), 0) + 1
            seen[man, woman] = span
        for (man, woman), span in seen.items():
            wife = self._wife(man, woman, state)
            if wife is not None:
                yield wife, woman, span

    def _wife(self, man: str, woman: str, state: KnownSoFar) -> str | None:
        """The Mrs. of his surname that the woman is, if she is."""
        roster = state.book.roster
        husband, own = roster.persons.get(man), roster.persons.get(woman)
        if husband is None or own is None or not husband.surname or not _at_home(own, husband.surname):
            return None
        if self._times(self._close, man, woman, state) < LEAST or self._related(man, woman, state):
            return None
        fits = [p.id for p in _wives_of(roster, husband) if p is not own and not roster.are_apart(p, own)]
        if len(fits) != 1 or self._related(fits[0], woman, state):
            return None
        beside = self._times(self._beside, *_pair(fits[0], woman), state)
        return fits[0] if beside <= BESIDE else None

    def _related(self, one: str, other: str, state: KnownSoFar) -> bool:
        return any(_pair(state.root(a), state.root(b)) == _pair(one, other) for a, b in self._kin)

    @staticmethod
    def _times(counts: dict[Pair, int], one: str, other: str, state: KnownSoFar) -> int:
        """How often the two, whatever they were called when it was counted."""
        pairs = {(one, other), (other, one)} if counts.get((one, other)) is None else {(one, other)}
        return sum(n for (a, b), n in counts.items() if (state.root(a), state.root(b)) in pairs)


def _pair(one: str, other: str) -> Pair:
    return (one, other) if one <= other else (other, one)


def _coupled(
    told: ToldChapter, reading: ChapterReading, ids: Sequence[str | None], state: KnownSoFar
) -> Iterator[tuple[str, str, Span]]:
    """Two named in one breath, by one word each: "John and Isabella"."""
    text, mentions = told.chapter.body.of(told.document.text), reading.mentions
    for i in range(1, len(mentions)):
        one, other = mentions[i - 1], mentions[i]
        if " " in one.surface or " " in other.surface or not one.span.end < other.span.start:
            continue
        pair = ids[i - 1], ids[i]
        if pair[0] and pair[1] and _AND.fullmatch(text, one.span.end, other.span.start):
            yield from _both_ways(state.root(pair[0]), state.root(pair[1]), other.sentence)


def _both_ways(one: str, other: str, span: Span) -> Iterator[tuple[str, str, Span]]:
    yield one, other, span
    yield other, one, span


def _called(
    reading: ChapterReading,
    quotations: Sequence[QuotationTold],
    ids: Sequence[str | None],
    state: KnownSoFar,
) -> Iterator[tuple[str, str, Span]]:
    for quotation, told in zip(reading.quotations, quotations, strict=True):
        for voice in quotation.hearers:
            entity = ids[voice.mention]
            if voice.confidence < CALLED or entity is None or told.speaker is None:
                continue
            if " " not in reading.mentions[voice.mention].surface:
                yield state.root(told.speaker), state.root(entity), quotation.pieces[0]


def _at_home(person: KnownPerson, surname: str) -> bool:
    """Is she called by a given name, and by no surname but his?"""
    if person.gender == "m" or "mrs" in person.titles or person.plain.get("miss", 0):
        return False
    return GIVEN.get(person.given or person.bare) == "f" and set(person.surnames) <= {surname}


def _wives_of(roster: Roster, husband: KnownPerson) -> list[KnownPerson]:
    """Every Mrs. who is called by his given name and surname. A Mrs. Hale alone may be his mother, and she
    whom he calls by name his daughter."""
    bearers = (roster.persons[entity] for entity in roster.bearing.get(husband.surname, ()))
    wives = (p for p in bearers if p.marital in WIVES and p.bears(husband.surname))
    return [p for p in wives if p.given and GIVEN.get(p.given) != "f" and husband.called(p.given)]
