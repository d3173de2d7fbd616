"""Who turns out to be one: two names that the text says are one person's, and who is married."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ...core.types import Span
from ..extraction.mentions.narrator import CALLED
from ..model.chapter_reading import ChapterReading, Happening, Identity, Statement
from .state import PEOPLE, KnownSoFar

IDENTITY_MIN = 0.6
WED_MIN = 0.75  # what a name nearby only suggests joins nobody
_Joined = tuple[str, str, Span]


def joined(reading: ChapterReading, ids: Sequence[str | None], state: KnownSoFar) -> Iterator[_Joined]:
    """Each entity with the one that it turns out to be, and what says so. Each is to be merged before the
    next is asked for."""
    for identity in reading.identities:
        yield from _one(identity, ids, state)
    yield from _wed(reading, ids, state)


def vouched(reading: ChapterReading) -> ChapterReading:
    """The reading, in which whoever is said to be somebody is no weak mention."""
    sure = {n for each in reading.identities if each.confidence > CALLED for n in (each.one, each.other)}
    mentions = (replace(m, strong=m.strong or n in sure) for n, m in enumerate(reading.mentions))
    return replace(reading, mentions=tuple(mentions)) if sure else reading


def _one(identity: Identity, ids: Sequence[str | None], state: KnownSoFar) -> Iterator[_Joined]:
    one, other = ids[identity.one], ids[identity.other]
    if one is None or other is None or identity.confidence < IDENTITY_MIN:
        return
    one, other = state.root(one), state.root(other)
    if one == other or not state.are(PEOPLE, one, other):
        return
    if not (state.book.has(one) and state.book.has(other)):
        return
    if identity.confidence <= CALLED and not _free_to_join(one, other, state):
        return
    elder, younger = state.book.older(one, other)
    if state.book.join(younger, elder):
        yield younger, elder, identity.evidence


def _free_to_join(one: str, other: str, state: KnownSoFar) -> bool:
    """May the narrator be who is only ever called by name: is neither named by the narration, and has
    the narrator no name yet?"""
    book = state.book
    return not (book.narrated(one) or book.narrated(other) or (book.named(one) and book.named(other)))


def _wed(reading: ChapterReading, ids: Sequence[str | None], state: KnownSoFar) -> Iterator[_Joined]:
    """Who is told to marry may go by the husband's surname from here on."""
    told: list[tuple[Statement | Happening, int | None, int | None]] = [
        (one, one.subject, one.object) for one in reading.statements if one.predicate == "MARRIED_TO"
    ]
    told += [(one, one.agent, one.patient) for one in reading.happenings if one.predicate == "MARRIES"]
    for one, first, second in sorted(told, key=lambda row: row[0].evidence[0]):
        if first is None or second is None or not one.modality.happened or one.confidence < WED_MIN:
            continue
        pair = [state.root(who) for who in (ids[first], ids[second]) if who is not None]
        merged = state.book.marry(*pair) if len(pair) == 2 else None
        if merged is not None:
            yield (*merged, one.evidence[0])
