"""Who answers to a name: "Miss Hale, will you sing?" / "I cannot," said Ellen.

Whoever is spoken to by name mostly speaks next. Where the narration gives the answers to one name again and
again to a person of another name, the two names are one person's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ...core.types import Span
from ..reading import ChapterReading, Mention, Quotation
from ..types import EntityKind
from .quotations import CALLED
from .telling import KnownSoFar

__all__ = ["Answers"]

LEAST = 2  # answers
LEAST_OF_ROLE = 5  # of who is only called by a role: named in one sentence they may be one all the same
SHARE = 0.6  # of all to the name
REACH = 300  # characters from the question to the answer
TOGETHER = 1  # sentences of the narration that name both: they are two


@dataclass(slots=True)
class Answers:
    """Counts, over the story so far, who speaks next after who is spoken to; and who is named together."""

    _answers: dict[str, dict[str, int]] = field(default_factory=dict)
    _together: dict[tuple[str, str], int] = field(default_factory=dict)

    def copy(self) -> Answers:
        return Answers({name: dict(votes) for name, votes in self._answers.items()}, dict(self._together))

    def add(
        self, reading: ChapterReading, ids: Sequence[str | None], state: KnownSoFar
    ) -> Iterator[tuple[str, str, Span]]:
        """Counts a chapter; gives (entity, entity, what was said) for each two that turn out to be one."""
        self._count_together(reading.mentions, ids, state)
        for one, other in zip(reading.quotations, reading.quotations[1:], strict=False):
            pair = self._pair(one, other, reading, ids, state)
            if pair is None:
                continue
            called, speaker = pair
            votes = self._answers.setdefault(called, {})
            votes[speaker] = votes.get(speaker, 0) + 1
            if called != speaker and self._are_one(called, speaker, state):
                yield called, speaker, one.pieces[0]

    def _pair(
        self,
        one: Quotation,
        other: Quotation,
        reading: ChapterReading,
        ids: Sequence[str | None],
        state: KnownSoFar,
    ) -> tuple[str, str] | None:
        """Who is called by name in the one, and who is told to speak the other."""
        called = [voice.mention for voice in one.hearers if voice.confidence >= CALLED]
        if len(called) != 1 or not other.speakers:
            return None
        first = other.speakers[0].mention
        told = other.kind == "explicit" or reading.mentions[first].surface == "I"
        if not told or not 0 < other.pieces[0].start - one.pieces[-1].end < REACH:
            return None
        entities = [ids[number] for number in (called[0], first)]
        if entities[0] is None or entities[1] is None:
            return None
        return state.root(entities[0]), state.root(entities[1])

    def _are_one(self, called: str, speaker: str, state: KnownSoFar) -> bool:
        votes: dict[str, int] = {}
        for entity, count in self._answers[called].items():
            votes[state.root(entity)] = votes.get(state.root(entity), 0) + count
        enough = votes[speaker] >= LEAST and votes[speaker] >= SHARE * sum(votes.values())
        if enough and votes[speaker] >= LEAST_OF_ROLE and state.book.nameless(speaker):
            return state.book.may_be_one(called, speaker, roles=True)  # Fagin is named and "the Jew" answers
        pair = (min(called, speaker), max(called, speaker))
        return enough and self._together.get(pair, 0) < TOGETHER and state.book.may_be_one(called, speaker)

    def _count_together(
        self, mentions: Sequence[Mention], ids: Sequence[str | None], state: KnownSoFar
    ) -> None:
        inside: dict[Span, set[str]] = {}
        for mention, entity in zip(mentions, ids, strict=True):
            if entity is not None and not mention.spoken and mention.kind is EntityKind.CHARACTER:
                inside.setdefault(mention.sentence, set()).add(state.root(entity))
        for entities in inside.values():
            ordered = sorted(entities)
            for i, one in enumerate(ordered):
                for other in ordered[i + 1 :]:
                    self._together[one, other] = self._together.get((one, other), 0) + 1
