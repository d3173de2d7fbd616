"""Who speaks, as entities: from a chapter's reading, by what the story knows so far."""

from __future__ import annotations

from collections.abc import Iterator

from ..reading import ChapterReading, Quotation, Voice
from ..types import EntityKind, QuotationTold
from .telling import KnownSoFar, ToldChapter

__all__ = ["quotations_of"]

_PEOPLE = frozenset({EntityKind.CHARACTER, EntityKind.GROUP})


def quotations_of(
    told: ToldChapter, reading: ChapterReading, ids: list[str | None], state: KnownSoFar
) -> Iterator[QuotationTold]:
    """In order of the text; the first speaker in the reading's order whom the story lets speak so."""
    for quotation in reading.quotations:
        voice = next(_fitting(quotation.speakers, ids, state), None)
        speaker = ids[voice.mention] if voice is not None else None
        yield QuotationTold(
            speaker,
            _hearers(quotation, ids, state, speaker),
            told.number,
            told.all_evidence((*quotation.pieces, *(voice.evidence if voice else ()))),
            len(quotation.pieces),
            quotation.kind,
            voice.confidence if voice else 0.0,
        )


def _fitting(voices: tuple[Voice, ...], ids: list[str | None], state: KnownSoFar) -> Iterator[Voice]:
    for voice in voices:
        entity = ids[voice.mention]
        if entity is None or not state.are(_PEOPLE, entity):
            continue
        if not voice.gender or state.agrees(((voice.mention, voice.gender),), ids):
            yield voice


def _hearers(
    quotation: Quotation, ids: list[str | None], state: KnownSoFar, speaker: str | None
) -> tuple[str, ...]:
    own = state.root(speaker) if speaker is not None else None
    found: dict[str, str] = {}
    for voice in _fitting(quotation.hearers, ids, state):
        entity = ids[voice.mention]
        if entity is not None and state.root(entity) != own:
            found.setdefault(state.root(entity), entity)
    return tuple(found.values())
