"""The times of a story in order of telling, each with its sentence, and what of it may be set beside what."""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator
from dataclasses import dataclass

from .....core.types import Evidence
from ....graph_rag.views.story_view import Place, StoryView
from ....model.types import EventTold, TimeTold
from ....time.calendar import CalendarTime, Lapse, lapse_of, time_of

__all__ = ["DatedStory", "Moment"]

_UNREAL = re.compile(
    r"\b(?:would|could|should|might|may|must|shall|will|if|going to|(?:was|were|am|is|are) to|every|promised|"
    r"hoped|expected|intended|supposed|appointed|fixed|usually|always)\b",
    re.IGNORECASE,
)
_VAGUE = re.compile(
    r"\b(?:about|nearly|almost|some|scarcely|hardly|barely|more than|less than|at least|within|not quite|"
    r"over|or so|or two|odd|couple)\b",
    re.IGNORECASE,
)
_UNTIL = re.compile(
    r"\b(?:about|till|until|by|before|after|since|last|next|every|from|of an?|one|towards?)\b", re.IGNORECASE
)
_BEFORE = re.compile(r"\bhad\b|['’]d\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Moment:
    """A time of the story. ``time`` or ``lapse`` is what it says, None for a part of the day or an untold
    length. ``spoken``: in direct speech. ``sure``: told as what was, and not about, until or since."""

    told: TimeTold
    place: Place
    sentence: Evidence
    time: CalendarTime | None
    lapse: Lapse | None
    spoken: bool
    sure: bool
    event: EventTold | None

    @property
    def before(self) -> bool:
        """Is it told as what had been before?"""
        return _BEFORE.search(self.sentence.line) is not None

    def gap(self, other: Moment) -> int | None:
        """Characters between the two phrases in one sentence; None for two sentences."""
        if self.sentence != other.sentence:
            return None
        one, two = self.told.evidence.span, other.told.evidence.span
        return max(one.start, two.start) - min(one.end, two.end)


class DatedStory:
    """Made in one pass over times, quotations and events."""

    def __init__(self, view: StoryView) -> None:
        self._speech = _speech(view)
        events = {event.id: event for event in view.events(happened=False, untyped=True)}
        self.moments: tuple[Moment, ...] = tuple(
            sorted(
                (self._moment(view, time, events.get(time.event or "")) for time in view.times()),
                key=lambda moment: (moment.place, moment.told.value),
            )
        )

    def _moment(self, view: StoryView, told: TimeTold, event: EventTold | None) -> Moment:
        sentence = told.sentence or told.evidence
        dated = told.kind == "date"
        loose = _UNTIL if dated else _VAGUE
        exact = loose.search(told.evidence.line) is None
        real = _UNREAL.search(sentence.line) is None and (event is None or event.modality.happened)
        return Moment(
            told,
            view.place(told.evidence),
            sentence,
            time_of(told.value) if dated else None,
            lapse_of(told.value) if not dated else None,
            self._in_speech(told.evidence),
            exact and real,
            event,
        )

    def _in_speech(self, quote: Evidence) -> bool:
        starts, spans = self._speech.get((quote.document_id, quote.chapter), ([], []))
        at = bisect.bisect_right(starts, quote.span.start) - 1
        return at >= 0 and quote.span.start < spans[at]

    def narrated(self) -> Iterator[Moment]:
        """Those of narration."""
        return (moment for moment in self.moments if not moment.spoken)

    def sentences(self) -> Iterator[tuple[Moment, ...]]:
        """The moments of each sentence, in order."""
        group: list[Moment] = []
        for moment in self.moments:
            if group and group[-1].sentence != moment.sentence:
                yield tuple(group)
                group = []
            group.append(moment)
        if group:
            yield tuple(group)


def _speech(view: StoryView) -> dict[tuple[str, int], tuple[list[int], list[int]]]:
    """Where speech begins and ends, by document and chapter."""
    found: dict[tuple[str, int], set[tuple[int, int]]] = {}
    for quotation in view.quotations():
        for piece in quotation.evidence[: quotation.pieces]:
            key = (piece.document_id, piece.chapter)
            found.setdefault(key, set()).add((piece.span.start, piece.span.end))
    return {
        key: ([start for start, _ in sorted(spans)], [end for _, end in sorted(spans)])
        for key, spans in found.items()
    }
