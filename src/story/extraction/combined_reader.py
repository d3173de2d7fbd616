"""Two readings of one chapter made one: by rules and by a language model, whose word counts for more.

Names, speech and who is where come from both. What somebody is to another, what is so and what they feel is
what the model says: the rules only confirm it. Where it names no death, there is none.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, TypeVar

from ..model.chapter_reading import (
    NOTHING_BEFORE,
    Called,
    ChapterReader,
    ChapterReading,
    Happening,
    Mention,
    Statement,
    ToldBefore,
    mentions_of,
)
from ..model.predicates import PREDICATES

_T = TypeVar("_T", Statement, Happening)
_NARRATOR = "I"
_TO_HAPPENINGS = ("earlier", "later", "event")
_THE_MODELS = ("statements", "facts", "moods", "goals", "knowings", "threads", "cast")
TOGETHER = "|"
"""Stands between the versions of the two readers."""
_GRAVE = 0.5  # what turns a story that much must be the model's word


class CombinedReader:
    """Reads by ``first``, which are rules, and by ``second``, a language model."""

    def __init__(self, first: ChapterReader, second: ChapterReader) -> None:
        self.first = first
        self.second = second

    @property
    def version(self) -> str:
        return f"{self.first.version}{TOGETHER}{self.second.version}"

    def load(self) -> None:
        self.first.load()
        self.second.load()

    def read(self, text: str, before: ToldBefore = NOTHING_BEFORE) -> ChapterReading:
        """Costs both readings."""
        return combined(self.first.read(text), self.second.read(text, before))


def rules_of(reader: ChapterReader) -> ChapterReader:
    """The reader that asks no language model."""
    return reader.first if isinstance(reader, CombinedReader) else reader


def combined(first: ChapterReading, second: ChapterReading) -> ChapterReading:
    """``second`` with the mentions, quotations, times and lesser happenings of ``first``, and ``first`` as it
    is where the model read nothing. What both say (the same predicate of the same names, on quotes that
    overlap) has an ``origin`` that names both. Where they disagree on who is named, or who the narrator is,
    ``first`` is right. Both must be readings of one text."""
    second = _without_narrator(second, if_none_in=first.mentions)
    said = [piece for quotation in first.quotations for piece in quotation.pieces]
    own = [replace(one, spoken=any(piece.contains(one.span) for piece in said)) for one in second.mentions]
    mentions, of_first, of_second = _joined_mentions(first.mentions, own)
    mentions = _of_kind(mentions, second.cast)
    one = replace(first.renumbered(of_first), mentions=mentions)
    if second.failures:
        one = replace(one, failures=first.failures + second.failures)
    if not (second.by_model and second.mentions):  # it refused, or said nothing at all
        return one
    one = replace(one, times=tuple(time for time in one.times if time.kind != "age"))
    other = second.renumbered(of_second)
    told: dict[str, Any] = {name: getattr(other, name) for name in _THE_MODELS}
    told["statements"] = _confirmed(other.statements, one.statements, mentions)
    new = _confirmed(other.happenings, one.happenings, mentions)
    kept = [i for i, each in enumerate(one.happenings) if _stays(each, other.happenings, mentions)]
    happenings = [*((one.happenings[i], i) for i in kept), *((each, -1) for each in new)]
    happenings.sort(key=lambda pair: (pair[0].evidence[0], pair[1]))
    moved = {old: place for place, (_, old) in enumerate(happenings) if old >= 0}
    return replace(
        _with_happenings(one, moved),
        happenings=tuple(each for each, _ in happenings),
        identities=(*one.identities, *other.identities),
        presences=other.presences or one.presences,
        by_model=True,
        **told,
    )


def _stays(happening: Happening, said: Sequence[Happening], mentions: Sequence[Mention]) -> bool:
    """Is it of no great weight, and not what the model says too?"""
    if PREDICATES[happening.predicate].gravity >= _GRAVE:
        return False
    return not any(_says_the_same(each, happening, mentions) for each in said)


def _confirmed(said: Sequence[_T], by_rules: Sequence[_T], mentions: Sequence[Mention]) -> tuple[_T, ...]:
    """What the model says, and of each whether the rules say it too."""
    return tuple(
        replace(each, origin="rules+model")
        if any(_says_the_same(each, other, mentions) for other in by_rules)
        else each
        for each in said
    )


def _without_narrator(reading: ChapterReading, *, if_none_in: Sequence[Mention]) -> ChapterReading:
    """Without what is said of an "I", where none of those mentions is the narrator's."""
    own = {i for i, mention in enumerate(reading.mentions) if mention.surface == _NARRATOR}
    if not own or any(mention.surface == _NARRATOR for mention in if_none_in):
        return reading
    tables = {each.name: getattr(reading, each.name) for each in fields(reading)}
    kept: dict[str, Any] = {
        name: tuple(one for one in records if own.isdisjoint(mentions_of(one)))
        for name, records in tables.items()
        if isinstance(records, tuple) and name != "mentions"
    }
    left = [i for i in range(len(reading.mentions)) if i not in own]
    return replace(reading, **kept).renumbered({old: new for new, old in enumerate(left)})


def _joined_mentions(
    first: Sequence[Mention], second: Sequence[Mention]
) -> tuple[tuple[Mention, ...], dict[int, int], dict[int, int]]:
    """All mentions in order, and where each side's have gone; of two that overlap, or are the narrator's, the
    first's stays; whom the second means by it is told where its name is fuller."""
    same: dict[int, int] = {}
    new: list[int] = []
    named = list(first)
    for number, mention in enumerate(second):
        found = next((i for i, other in enumerate(first) if _is_the_same(other, mention)), None)
        if found is None:
            new.append(number)
            continue
        same[number] = found
        fuller = mention.meant or mention.surface
        if _words(first[found].surface) < _words(fuller):  # the model says who is meant
            named[found] = replace(first[found], meant=fuller)
    first = named
    every = [(mention, (0, i)) for i, mention in enumerate(first)] + [(second[i], (1, i)) for i in new]
    every.sort(key=lambda pair: (pair[0].span, pair[1]))
    places = {key: place for place, (_, key) in enumerate(every)}
    of_first = {i: places[0, i] for i in range(len(first))}
    of_second = {i: of_first[same[i]] if i in same else places[1, i] for i in range(len(second))}
    return tuple(mention for mention, _ in every), of_first, of_second


def _of_kind(mentions: Sequence[Mention], cast: Sequence[Called]) -> tuple[Mention, ...]:
    """The mentions, those by a listed name of the kind that the model says."""
    kinds = {name.casefold(): one.kind for one in cast for name in (*one.also, one.name)}
    return tuple(replace(one, kind=kinds.get(one.surface.casefold(), one.kind)) for one in mentions)


def _words(name: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", name))


def _is_the_same(one: Mention, other: Mention) -> bool:
    return one.span.overlaps(other.span) or one.surface == other.surface == _NARRATOR


def _says_the_same(one: _T, other: _T, mentions: Sequence[Mention]) -> bool:
    if one.predicate != other.predicate or one.modality != other.modality:
        return False
    if not one.evidence[0].overlaps(other.evidence[0]):
        return False
    names, others = _names(one, mentions), _names(other, mentions)
    return names == others or (PREDICATES[one.predicate].symmetric and names == others[::-1])


def _names(record: Statement | Happening, mentions: Sequence[Mention]) -> tuple[str, str]:
    if isinstance(record, Statement):
        ends: tuple[int | None, int | None] = (record.subject, record.object)
    else:
        ends = (record.agent, record.patient)
    one, other = ("" if i is None else mentions[i].surface.casefold() for i in ends)
    return one, other


def _with_happenings(reading: ChapterReading, new: Mapping[int, int]) -> ChapterReading:
    """The same with happenings renumbered wherever something is said of them; what is said of one that has no
    new number is left out."""
    moved: dict[str, Any] = {}
    for each in fields(reading):
        records = getattr(reading, each.name)
        if isinstance(records, tuple) and any(hasattr(records[0], n) for n in _TO_HAPPENINGS if records):
            moved[each.name] = tuple(
                replace(record, **{name: new[i] for name, i in _ends(record).items()})
                for record in records
                if set(_ends(record).values()) <= set(new)
            )
    return replace(reading, **moved)


def _ends(record: Any) -> dict[str, int]:
    indices = {name: getattr(record, name, None) for name in _TO_HAPPENINGS}
    return {name: i for name, i in indices.items() if isinstance(i, int)}
