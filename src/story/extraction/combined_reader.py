"""Two readings of one chapter made one: the second adds what the first has not, and confirms what it has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, TypeVar

from ..model.chapter_reading import ChapterReader, ChapterReading, Happening, Mention, Statement
from ..model.predicates import PREDICATES

_T = TypeVar("_T", Statement, Happening)
_NARRATOR = "I"
_TO_HAPPENINGS = ("effect", "cause", "earlier", "later", "happening")


class CombinedReader:
    """Reads by ``first`` and by ``second``; where they disagree on who is named, the first is right."""

    def __init__(self, first: ChapterReader, second: ChapterReader) -> None:
        self.first = first
        self.second = second

    @property
    def version(self) -> str:
        return f"{self.first.version}|{self.second.version}"

    def load(self) -> None:
        self.first.load()
        self.second.load()

    def read(self, text: str) -> ChapterReading:
        """Costs both readings."""
        return combined(self.first.read(text), self.second.read(text))


def combined(first: ChapterReading, second: ChapterReading) -> ChapterReading:
    """``first`` with the mentions, statements, happenings and identities that only ``second`` has. What both
    say (the same predicate of the same names, on quotes that overlap) stands once, as sure as the surer of
    the two, and its ``origin`` names both. The narrator is whom ``first`` has for one. Both must be readings
    of one text."""
    second = _without_narrator(second, if_none_in=first.mentions)
    mentions, of_first, of_second = _joined_mentions(first.mentions, second.mentions)
    one = replace(first.renumbered(of_first), mentions=mentions)
    other_statements = tuple(_moved(each, of_second) for each in second.statements)
    other_happenings = tuple(_moved(each, of_second) for each in second.happenings)
    statements = _joined(one.statements, other_statements, mentions)
    happenings = _joined(one.happenings, other_happenings, mentions)
    ordered = sorted(range(len(happenings)), key=lambda i: (happenings[i].evidence[0], i))
    return replace(
        _with_happenings(one, {old: new for new, old in enumerate(ordered)}),
        statements=tuple(sorted(statements, key=lambda each: each.evidence[0])),
        happenings=tuple(happenings[i] for i in ordered),
        identities=(*one.identities, *(_moved(each, of_second) for each in second.identities)),
        failures=first.failures + second.failures,
    )


def _without_narrator(reading: ChapterReading, *, if_none_in: Sequence[Mention]) -> ChapterReading:
    """Without what is said of an "I", where none of those mentions is the narrator's."""
    own = {i for i, mention in enumerate(reading.mentions) if mention.surface == _NARRATOR}
    if not own or any(mention.surface == _NARRATOR for mention in if_none_in):
        return reading
    kept = {
        name: tuple(one for one in getattr(reading, name) if not own.intersection(_indices(one).values()))
        for name in ("statements", "happenings", "identities")
    }
    left = [i for i in range(len(reading.mentions)) if i not in own]
    return replace(reading, **kept).renumbered({old: new for new, old in enumerate(left)})


def _joined_mentions(
    first: Sequence[Mention], second: Sequence[Mention]
) -> tuple[tuple[Mention, ...], dict[int, int], dict[int, int]]:
    """All mentions in order, and where each side's have gone; of two that overlap, or are the narrator's, the
    first's stays."""
    same: dict[int, int] = {}
    new: list[int] = []
    for number, mention in enumerate(second):
        found = next((i for i, other in enumerate(first) if _is_the_same(other, mention)), None)
        if found is None:
            new.append(number)
        else:
            same[number] = found
    every = [(mention, (0, i)) for i, mention in enumerate(first)] + [(second[i], (1, i)) for i in new]
    every.sort(key=lambda pair: (pair[0].span, pair[1]))
    places = {key: place for place, (_, key) in enumerate(every)}
    of_first = {i: places[0, i] for i in range(len(first))}
    of_second = {i: of_first[same[i]] if i in same else places[1, i] for i in range(len(second))}
    return tuple(mention for mention, _ in every), of_first, of_second


def _is_the_same(one: Mention, other: Mention) -> bool:
    return one.span.overlaps(other.span) or one.surface == other.surface == _NARRATOR


def _moved(record: Any, new: Mapping[int, int]) -> Any:
    return replace(record, **{name: new[i] for name, i in _indices(record).items()})


def _indices(record: Any) -> dict[str, int]:
    """The mentions that it is about, by field."""
    names = ("subject", "object", "agent", "patient", "place", "one", "other")
    indices = {name: getattr(record, name, None) for name in names}
    return {name: i for name, i in indices.items() if i is not None}


def _joined(first: Sequence[_T], second: Sequence[_T], mentions: Sequence[Mention]) -> list[_T]:
    found = list(first)
    for record in second:
        twin = next((i for i, known in enumerate(found) if _says_the_same(known, record, mentions)), None)
        if twin is None:
            found.append(record)
        else:
            known = found[twin]
            both = (
                known.origin
                if record.origin in known.origin.split("+")
                else f"{known.origin}+{record.origin}"
            )
            sure = max(known.confidence, record.confidence)
            found[twin] = replace(known, confidence=sure, origin=both)
    return found


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
    """The same with happenings renumbered wherever something is said of them."""
    moved: dict[str, tuple[Any, ...]] = {}
    for each in fields(reading):
        records = getattr(reading, each.name)
        if any(hasattr(record, name) for record in records[:1] for name in _TO_HAPPENINGS):
            moved[each.name] = tuple(_renumbered(record, new) for record in records)
    return replace(reading, **moved)


def _renumbered(record: Any, new: Mapping[int, int]) -> Any:
    indices = {name: getattr(record, name, None) for name in _TO_HAPPENINGS}
    return replace(record, **{name: new[i] for name, i in indices.items() if isinstance(i, int)})
