"""What is known of a chunk besides its text: who is in it, what it does, how it feels, how much it matters.

All of it comes from the chunk's own chapter, and from who the story's people were known to be up to there, so
the facts of a chunk never change when chapters are added.

An index keeps them in columns: characters are numbered in order of first use, so appending the rows of new
chapters gives the table that all rows at once would give.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from ...core.files.plain_json import parse_json
from ...core.types import Chapter, Chunk, Document, Span
from ...errors import ProjectError
from ..model.chapter_reading import ChapterReading
from ..model.types import EntityKind, EntityMention, Modality, StoryLog, gathered
from ..prose import paragraphs
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
        return span.moved(self._chapter.body.start)


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


NAMES_FILE = "facts.json"
_KINDS, _TONES = tuple(SceneKind), tuple(Tone)
_CHAPTER, _SCENE, _TONE, _IMPORTANCE, _COUNT = range(5)  # the columns; the last: how many characters
_COLUMNS = 5

Column = NDArray[np.int32]


class ChunkFactsTable:
    """``len(table)`` rows, row n for the chunk of ordinal n. Made by :meth:`from_facts` or :meth:`load`;
    never changed: :meth:`appended` and :meth:`first` give new tables.

    ``characters`` are ids in order of first use, as they were known when told.
    """

    def __init__(self, columns: Column, who: Column, characters: tuple[str, ...]) -> None:
        """``columns`` has shape (5, n); ``who`` numbers the characters of all rows, end to end."""
        self._columns = columns
        self._who = who
        self.characters = characters

    @classmethod
    def from_facts(cls, facts: Iterable[ChunkFacts]) -> ChunkFactsTable:
        """The table of these chunks, which stand in order of telling."""
        return cls(np.empty((_COLUMNS, 0), np.int32), np.empty(0, np.int32), ()).appended(facts)

    def __len__(self) -> int:
        return len(self._columns[_CHAPTER])

    @property
    def chapters(self) -> Column:
        """Chapter of each chunk, shape (n,), int32; ascending within a document. Read-only."""
        column: Column = self._columns[_CHAPTER]
        return column

    @property
    def importance(self) -> Column:
        """1 to 10, shape (n,), int32. Read-only."""
        column: Column = self._columns[_IMPORTANCE]
        return column

    def of_scenes(self, kinds: Iterable[SceneKind]) -> NDArray[np.bool_]:
        """True where the chunk is of one of these kinds, shape (n,)."""
        return np.isin(self._columns[_SCENE], [_KINDS.index(kind) for kind in kinds])

    def of_tones(self, tones: Iterable[Tone]) -> NDArray[np.bool_]:
        """True where the chunk has one of these tones, shape (n,)."""
        return np.isin(self._columns[_TONE], [_TONES.index(tone) for tone in tones])

    def with_any(self, characters: Iterable[str]) -> NDArray[np.bool_]:
        """True where one of these ids is in the chunk, shape (n,)."""
        wanted = set(characters)
        codes = [code for code, who in enumerate(self.characters) if who in wanted]
        rows = np.repeat(np.arange(len(self)), self._columns[_COUNT])
        found = np.zeros(len(self), np.bool_)
        found[rows[np.isin(self._who, codes)]] = True
        return found

    def appended(self, facts: Iterable[ChunkFacts]) -> ChunkFactsTable:
        """A new table: these rows after the present ones."""
        characters = {name: code for code, name in enumerate(self.characters)}
        rows: list[tuple[int, ...]] = []
        who: list[int] = []
        for one in facts:
            scene, tone = _KINDS.index(one.scene_type), _TONES.index(one.tone)
            rows.append((one.chapter, scene, tone, one.importance, len(one.characters)))
            who += [characters.setdefault(name, len(characters)) for name in one.characters]
        columns = np.asarray(rows, np.int32).reshape(-1, _COLUMNS).T
        return ChunkFactsTable(
            np.concatenate([self._columns, columns], axis=1),
            np.concatenate([self._who, np.asarray(who, np.int32)]),
            tuple(characters),
        )

    def first(self, limit: int) -> ChunkFactsTable:
        """A new table of the first ``limit`` rows, equal to one that never had the others."""
        columns = self._columns[:, :limit]
        who = self._who[: int(columns[_COUNT].sum())]
        return ChunkFactsTable(columns, who, self.characters[: int(who.max(initial=-1)) + 1])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ChunkFactsTable):
            return NotImplemented
        same = self.characters == other.characters and np.array_equal(self._who, other._who)
        return same and np.array_equal(self._columns, other._columns)

    __hash__ = None  # type: ignore[assignment]

    # --- on disk

    def save(self, folder: Path) -> None:
        """Writes ``facts.npy`` (all columns end to end, int32) and ``facts.json`` (how many rows, and the
        names). The same table gives the same bytes."""
        body = np.concatenate([self._columns.ravel(), self._who]).astype(np.int32, copy=False)
        np.save(folder / "facts.npy", body, allow_pickle=False)
        about = {"rules": RULES, "rows": len(self), "characters": list(self.characters)}
        text = json.dumps(about, ensure_ascii=False, indent=1) + "\n"
        (folder / NAMES_FILE).write_text(text, encoding="utf-8", newline="\n")

    @classmethod
    def load(cls, folder: Path) -> ChunkFactsTable:
        """Opens the columns by mmap. Raises ProjectError where the files are missing, damaged, made by other
        rules, or do not belong together."""
        try:
            about = parse_json((folder / NAMES_FILE).read_text(encoding="utf-8"))
            if about["rules"] != RULES:
                raise ProjectError(
                    f"the chunk facts in {folder.name} are of {about['rules']}, not of {RULES}: index the "
                    "book again"
                )
            count, characters = int(about["rows"]), tuple(map(str, about["characters"]))
            body = np.load(folder / "facts.npy", mmap_mode="r", allow_pickle=False)
            if body.dtype != np.int32 or body.ndim != 1:
                raise ValueError(f"{body.dtype} of shape {body.shape}")
            columns = body[: _COLUMNS * count].reshape(_COLUMNS, count)
        except (OSError, ValueError, KeyError, TypeError, AttributeError, EOFError) as error:
            raise ProjectError(
                f"the chunk facts in {folder.name} cannot be read ({error!r}): index the book again"
            ) from error
        who = body[_COLUMNS * count :]
        if not _sound(columns, who, len(characters)):
            raise ProjectError(f"the chunk facts in {folder.name} are damaged: index the book again")
        return cls(columns, who, characters)


def _sound(columns: Column, who: Column, characters: int) -> bool:
    """Have all codes their names, and is every character one row's?"""
    bounds = {_SCENE: len(_KINDS), _TONE: len(_TONES), _COUNT: len(who) + 1}
    coded = [(columns[column], known) for column, known in bounds.items()] + [(who, characters)]
    whole = int(columns[_COUNT].sum()) == len(who)
    return whole and all(c.min(initial=0) >= 0 and c.max(initial=-1) < known for c, known in coded)
