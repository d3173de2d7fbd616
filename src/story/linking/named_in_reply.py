"""Who answers to a name: "Miss Hale, will you sing?" / "I cannot," said Ellen.

Whoever is spoken to by name mostly speaks next. Where the narration gives the answers to one name again and
again to a person of another name, the two names are one person's. So are a given name that hardly anybody
but speakers use ("You are late, Celia") and the Mrs. Vane, of no known given name, who speaks around it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from ...core.types import Span
from ..extraction.quotations.quotations import CALLED
from ..model.chapter_reading import ChapterReading, Mention, Quotation
from ..model.types import EntityKind, QuotationTold
from ..names.compatibility import familiar, may_be_called, may_be_one, nameless
from .state import KnownSoFar

__all__ = ["Answers", "pairs_in_sentences"]

LEAST = 2  # answers
LEAST_OF_ROLE = 5  # of who is only called by a role: named in one sentence they may be one all the same
SHARE = 0.6  # of all to the name
REACH = 300  # characters from the question to the answer
FAMILIAR_REACH = 400
FAMILIAR_LEAST = 1.0  # speeches, each as sure as its speaker is
TAKEN_UP = 60  # characters from the call to the name in the narration
PET_LEAST = 4.0  # where a given name is known that begins alike: Carol is called Carrie
TOGETHER = 1  # sentences of the narration that name both: they are two
TOGETHER_KIN = (
    3  # where the one is an Aunt Celia, as those who tell of her niece may call her beside her name
)


@dataclass(slots=True)
class Answers:
    """Counts, over the story so far, who speaks next after who is spoken to; and who is named together."""

    _answers: dict[str, dict[str, int]] = field(default_factory=dict)
    _together: dict[tuple[str, str], int] = field(default_factory=dict)
    _familiar: dict[str, dict[str, float]] = field(default_factory=dict)

    def copy(self) -> Answers:
        answers = {name: dict(votes) for name, votes in self._answers.items()}
        familiar = {name: dict(votes) for name, votes in self._familiar.items()}
        return Answers(answers, dict(self._together), familiar)

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

    def add_familiar(
        self,
        reading: ChapterReading,
        told: Sequence[QuotationTold],
        ids: Sequence[str | None],
        state: KnownSoFar,
    ) -> Iterator[tuple[str, str, Span]]:
        """Counts the chapter's speeches, of which ``told`` says who speaks; gives what ``add`` gives, for
        each given name that only speakers use and its bearer."""
        quotations = reading.quotations
        for i, quotation in enumerate(quotations):
            called = [voice.mention for voice in quotation.hearers if voice.confidence >= CALLED]
            entity = ids[called[0]] if len(called) == 1 else None
            name = state.root(entity) if entity is not None else ""
            if not familiar(state.book.roster, name) or self._taken_up(quotation, name, reading, ids, state):
                continue
            votes = self._familiar.setdefault(name, {})
            for k in (i - 1, i + 1):
                speaker = _speaker(told, k, state) if _near(quotations, i, k) else None
                if speaker in (None, name, _speaker(told, i, state)):
                    continue
                votes[str(speaker)] = votes.get(str(speaker), 0.0) + told[k].confidence
            bearer = self._bearer(name, state)
            if bearer is not None:
                yield name, bearer, quotation.pieces[0]

    @staticmethod
    def _taken_up(
        quotation: Quotation, name: str, reading: ChapterReading, ids: Sequence[str | None], state: KnownSoFar
    ) -> bool:
        """Does the narration go on with the name ("What say you, Mary?" Mary wished to ...), so that whoever
        else speaks is somebody else?"""
        end, mentions = quotation.pieces[-1].end, reading.mentions
        at = bisect_left(mentions, end, key=lambda mention: mention.span.start)
        if at == len(mentions) or mentions[at].spoken or mentions[at].span.start - end > TAKEN_UP:
            return False
        entity = ids[at]
        return entity is not None and state.root(entity) == name

    def _bearer(self, name: str, state: KnownSoFar) -> str | None:
        """Who of those that speak beside the name may bear it and has no given name yet."""
        votes: dict[str, float] = {}
        for entity, weight in self._familiar[name].items():
            votes[state.root(entity)] = votes.get(state.root(entity), 0.0) + weight
        best = max(sorted(votes), key=lambda root: votes[root], default="")
        if not best or votes[best] < max(FAMILIAR_LEAST, SHARE * sum(votes.values())):
            return None
        sure = votes[best] >= PET_LEAST
        kin = sure and state.book.roster.persons[name].of_somebodys_kin
        free = self._together_times(name, best) < (TOGETHER_KIN if kin else TOGETHER)
        return best if free and may_be_called(state.book.roster, best, name, pet=sure) else None

    def _together_times(self, one: str, other: str) -> int:
        return self._together.get((min(one, other), max(one, other)), 0)

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
        if enough and votes[speaker] >= LEAST_OF_ROLE and nameless(state.book.roster, speaker):
            return may_be_one(
                state.book.roster, called, speaker, roles=True
            )  # Fagin is named and "the Jew" answers
        together = self._together_times(called, speaker) >= TOGETHER
        return enough and not together and may_be_one(state.book.roster, called, speaker)

    def _count_together(
        self, mentions: Sequence[Mention], ids: Sequence[str | None], state: KnownSoFar
    ) -> None:
        for pair in pairs_in_sentences(mentions, ids, state):
            self._together[pair] = self._together.get(pair, 0) + 1


def pairs_in_sentences(
    mentions: Sequence[Mention], ids: Sequence[str | None], state: KnownSoFar, *, spoken: bool = False
) -> Iterator[tuple[str, str]]:
    """Each two people, in order of their ids, whom a sentence names, once a sentence; with ``spoken`` those
    whom a speaker names as well."""
    inside: dict[Span, set[str]] = {}
    for mention, entity in zip(mentions, ids, strict=True):
        if entity is not None and (spoken or not mention.spoken) and mention.kind is EntityKind.CHARACTER:
            inside.setdefault(mention.sentence, set()).add(state.root(entity))
    for people in inside.values():
        yield from combinations(sorted(people), 2)


def _near(quotations: Sequence[Quotation], one: int, other: int) -> bool:
    """Does the other speech follow, or come before, within reach?"""
    if not 0 <= other < len(quotations):
        return False
    first, second = quotations[min(one, other)], quotations[max(one, other)]
    return 0 < second.pieces[0].start - first.pieces[-1].end < FAMILIAR_REACH


def _speaker(told: Sequence[QuotationTold], i: int, state: KnownSoFar) -> str | None:
    speaker = told[i].speaker
    return state.root(speaker) if speaker is not None else None
