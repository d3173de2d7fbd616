"""What is known of a chunk besides its text: who is in it, what it does, how it feels, how much it matters.

All of it comes from the chunk's own chapter, and from who the story's people were known to be up to there, so
the facts of a chunk never change when chapters are added.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Generic, TypeVar

from ...core.types import Chapter, Chunk, Document, Span
from ..model.chapter_reading import ChapterReading
from ..model.types import EntityKind, EntityMention, Modality, StoryLog, gathered
from ..prose.paragraphs import paragraphs
from .scenes_and_tones import SceneKind, Telling, Tone, scene_scores, strongest, tone_of

LOWEST, HIGHEST = 1, 10
SURE = 0.5
"""With less confidence than this an event does not count."""

_GRAVE = frozenset({"DIES", "KILLS"})
_SUFFERED = _GRAVE | {"ATTACKS", "BETRAYS", "DECEIVES", "SAVES"}
_DONE = frozenset({"FORGIVES", "MARRIES", "LEAVES", "STEALS_FROM"})
_NEARLY = re.compile(
    r"\b(?:almost|nearly|all but|half) (?:\w+ )?(?:kill|murder|shot|dead|dying|died)", re.IGNORECASE
)


def importance(
    *,
    characters: int,
    revelation: bool = False,
    dialogue: bool = False,
    action: bool = False,
    events: int = 0,
    grave: bool = False,
) -> int:
    """From 1 (nobody, and nothing happens): +1 with a character, +1 more with more than two, +2 for a
    revelation, +1 for dialogue, +1 for action, +1 for a key event, or +3 where one is ``grave``: somebody
    dies. All of it together is 10."""
    points = LOWEST + (characters > 0) + (characters > 2) + dialogue + action
    points += 2 * revelation + (3 if grave else events > 0)
    return min(points, HIGHEST)


def key_events(body: str, reading: ChapterReading) -> list[tuple[Span, bool]]:
    """Deaths, killings, attacks, betrayals, deceptions, rescues, pardons, weddings, partings and thefts that
    the text vouches for (what is planned, denied, reported or imagined is left out), in order: where in the
    body each is told, and whether it is grave."""
    return sorted(
        (happening.evidence[0], happening.predicate in _GRAVE)
        for happening in reading.happenings
        if happening.modality.happened and happening.confidence >= SURE and happening.patient is not None
        if happening.predicate in (_SUFFERED if happening.agent is None else _SUFFERED | _DONE)
        if not _NEARLY.search(" ".join(happening.evidence[0].of(body).split()))
    )


RULES = "facts-2"  # raise it with any change of rules or word lists: stored facts bear it

_FORCE = frozenset({"ATTACKS", "KILLS", "SAVES", "STEALS_FROM"})
_Item = TypeVar("_Item")
PLAINLY = 0.8  # the score at which dialogue or action counts though something else is stronger


@dataclass(frozen=True, slots=True)
class ChunkFacts:
    """The metadata of one chunk, as known when it is told.

    ``characters`` are the ids of the people named in it, or meant by a pronoun of which something is told
    there, in order of first place; ids that later turn out to be another's are for the view to resolve.
    ``importance`` is 1 to 10 (see :func:`importance`).
    """

    chapter: int
    characters: tuple[str, ...]
    scene_type: SceneKind
    tone: Tone
    importance: int


def chunk_facts(
    document: Document, chunks: Sequence[Chunk], readings: Sequence[ChapterReading], log: StoryLog
) -> list[ChunkFacts]:
    """One a chunk, in the order given (whole chapters in order of telling).

    ``readings`` are those of the first chapters of the document, one each, as the linker was given them;
    ``log`` is what the linker made of them, and may go on past the last chunk. Facts of a chunk of chapter n
    depend on the chapters up to n alone. Costs well under a tenth of reading the chapters.
    """
    by_chapter = gathered((chunk.chapter, chunk) for chunk in chunks)
    told = dict(_told(document, log.mentions))
    found: list[ChunkFacts] = []
    for number, its_chunks in by_chapter.items():
        chapter = document.chapter(number)
        about = _ChapterFacts(document, chapter, readings[number - 1], told.get(number, {}))
        found += [about.facts(chunk) for chunk in its_chunks]
    return found


def _told(document: Document, mentions: Iterable[EntityMention]) -> Iterator[tuple[int, Mapping[Span, str]]]:
    """Chapter by chapter, the places where people are named and who they are: those whom most mentions up to
    the chapter's end take for a person, of equal kinds the one given first."""
    votes: dict[str, Counter[EntityKind]] = {}
    chapters = gathered((mention.told, mention) for mention in mentions)
    for number in sorted(chapters):
        for mention in chapters[number]:
            votes.setdefault(mention.entity, Counter())[mention.kind] += 1
        own = (one for one in chapters[number] if one.evidence.document_id == document.id)
        people = (one for one in own if votes[one.entity].most_common(1)[0][0] is EntityKind.CHARACTER)
        yield number, {one.evidence.span: one.entity for one in people}


class _ChapterFacts:
    """One chapter with what its chunks are asked for; all spans are the document's."""

    def __init__(
        self, document: Document, chapter: Chapter, reading: ChapterReading, people: Mapping[Span, str]
    ) -> None:
        self._document = document
        self._chapter = chapter
        self._reading = reading
        body = chapter.body.of(document.text)
        quotes = ((one, *quote) for one in paragraphs(body, reading.scenes) for quote in one.quotes)
        self._spoken = [self._absolute(one.span(start, end)) for one, start, end in quotes if start < end]
        self._spoken_ends = [span.end for span in self._spoken]
        events = key_events(body, reading)
        self._events = _Placed((self._absolute(span), grave) for span, grave in events)
        self._people = _Placed(sorted({*people.items(), *self._meant(people)}))
        facts = (each for each in reading.happenings if each.modality is Modality.FACT)
        self._happened = _Placed((self._absolute(each.evidence[0]), each) for each in facts)
        self._identities = _Placed((self._absolute(each.evidence), each) for each in reading.identities)

    def facts(self, chunk: Chunk) -> ChunkFacts:
        events = self._events.within(chunk.span)
        characters = tuple(dict.fromkeys(self._people.within(chunk.span)))
        scores = scene_scores(self._telling(chunk))
        kind = strongest(scores)
        return ChunkFacts(
            chapter=self._chapter.number,
            characters=characters,
            scene_type=kind,
            tone=tone_of(chunk.text),
            importance=importance(
                characters=len(characters),
                revelation=kind is SceneKind.REVELATION,
                dialogue=kind is SceneKind.DIALOGUE or scores[SceneKind.DIALOGUE] >= PLAINLY,
                action=kind is SceneKind.ACTION or scores[SceneKind.ACTION] >= PLAINLY,
                events=len(events),
                grave=any(events),
            ),
        )

    def _telling(self, chunk: Chunk) -> Telling:
        narrated, spoken = [], []
        text, place, end = self._document.text, chunk.span.start, chunk.span.end
        first = bisect_right(self._spoken_ends, place)
        for speech in takewhile(lambda one: one.start < end, self._spoken[first:]):
            narrated.append(text[place : max(place, speech.start)])
            spoken.append(text[max(place, speech.start) : min(end, speech.end)])
            place = min(end, speech.end)
        narrated.append(text[place:end])
        happened = self._happened.within(chunk.span)
        return Telling(
            narrated="\n".join(" ".join(piece.split()) for piece in narrated),
            spoken="\n".join(" ".join(piece.split()) for piece in spoken),
            turns=len(spoken),
            flashback=self._led_back(chunk),
            deeds=sum(h.predicate in _FORCE for h in happened),
            learnt=sum(h.predicate == "LEARNS" for h in happened) + len(self._identities.within(chunk.span)),
        )

    def _led_back(self, chunk: Chunk) -> bool:
        """Is the scene that holds the chunk's middle a flashback?"""
        middle = _middle(chunk.span)
        scenes = ((scene.flashback, self._absolute(scene.span)) for scene in self._reading.scenes)
        return any(flashback for flashback, span in scenes if span.start <= middle < span.end)

    def _meant(self, people: Mapping[Span, str]) -> Iterator[tuple[Span, str]]:
        """Who acts or feels in a sentence that does not name them, at the sentence's place."""
        reading = self._reading
        meant = [
            (each.evidence[0], index, each.confidence)
            for each in reading.happenings
            if each.modality is Modality.FACT
            for index in (each.agent, each.patient)
            if index is not None
        ]
        meant += [(each.evidence, each.character, each.confidence) for each in reading.moods]
        meant += [(each.evidence, each.character, each.confidence) for each in reading.goals]
        for sentence, index, confidence in meant:
            who = people.get(self._absolute(reading.mentions[index].span))
            if who is not None and confidence >= SURE:
                yield self._absolute(sentence), who

    def _absolute(self, span: Span) -> Span:
        start = self._chapter.body.start
        return Span(start + span.start, start + span.end)


class _Placed(Generic[_Item]):
    """What stands in a chapter, found by the middle of its span, so that a sentence that is cut in two
    belongs to one side."""

    def __init__(self, items: Iterable[tuple[Span, _Item]]) -> None:
        placed = sorted(items, key=lambda one: _middle(one[0]))
        self._items = [item for _, item in placed]
        self._middles = [_middle(span) for span, _ in placed]

    def within(self, stretch: Span) -> list[_Item]:
        """Those in the stretch, in order. Costs as much as it finds."""
        first, last = (bisect_left(self._middles, end) for end in (stretch.start, stretch.end))
        return self._items[first:last]


def _middle(span: Span) -> int:
    return (span.start + span.end) // 2
