"""Information extraction from a parsed chapter: the readers, in the order in which they build on another.

``READERS`` is the whole machine. A reader finds records of one kind, given the draft of what is read so far;
``into`` is the field of ``ChapterReading`` that they go to, or ``COLLECTED`` where it adds to
``draft.collected`` itself. Any of them may be left out by name; the others read on.

A sentence on which a reader fails is logged, counted and passed over. Readers share what they found, so one
that stopped half way cannot go on from there. The chapter is read once more without the sentence instead, as
if a paragraph ended before it and another began behind it; what fails and what is passed over depends on the
text alone.
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

from ...core.types import Span
from ..model.chapter_reading import ChapterReading, ReaderFailure
from .clauses.clause_reader import ClauseReader
from .draft import Draft
from .events.frames import read_frames, read_times
from .events.order import read_orders
from .frames.facts import read_facts
from .frames.identities import nicknames
from .frames.relations import RelationReader
from .inner_life import InnerLifeReader
from .mentions.finder import find_mentions
from .mentions.narrator import find_narrator, narrator_names
from .parsing.chapter import ParsedChapter, ParsedParagraph, Sentence, Word
from .presence import read_presences
from .quotations.dialogue import read_quotations

MOST_SENTENCES = 8
"""Sentences of one chapter that are passed over, each at the price of a reading; then the reader is, for that
chapter."""

_BETWEEN = "pipeline"  # where no single reader is at work
_log = logging.getLogger(__name__)
_T = TypeVar("_T")


class Failures:
    """Of one chapter: the sentences that are passed over, and the readers that are."""

    def __init__(self) -> None:
        self.sentences: list[Span] = []
        self._readers: set[str] = set()
        self._counts: dict[str, int] = {}
        self._running = _BETWEEN
        self.unreadable = False

    @property
    def counted(self) -> tuple[ReaderFailure, ...]:
        """How often each reader failed, in order of their names."""
        return tuple(ReaderFailure(name, count) for name, count in sorted(self._counts.items()))

    def run(self, name: str, read: Callable[[_T], object], given: _T) -> None:
        """Lets the reader read, where it is not passed over for the chapter."""
        if name not in self._readers:
            self._running = name
            read(given)
            self._running = _BETWEEN

    def add(self, error: Exception) -> None:
        """Notes what is to be passed over from now on."""
        frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
        name, self._running = self._running, _BETWEEN
        self._counts[name] = self._counts.get(name, 0) + 1
        where = _sentence([frame.f_locals for frame in reversed(frames)])
        problem = f"{type(error).__name__}: {str(error)[:80]!r}"
        if where is not None and len(self.sentences) < MOST_SENTENCES:
            self.sentences.append(where)
            _log.warning(
                "%s fails on the sentence at %d to %d of a chapter (%s): it is passed over",
                *(name, where.start, where.end, problem),
            )
        elif name not in self._readers:
            self._readers.add(name)
            _log.warning("%s fails on a chapter (%s): the others read on", name, problem)
        else:
            self.unreadable = True
            _log.warning("%s fails on a chapter (%s), which stays unread", name, problem)


def _sentence(frames: Iterable[dict[str, Any]]) -> Span | None:
    """The sentence of the word that was looked at last, or its paragraph; None where none was."""
    inner: list[Any] = []
    for names in frames:
        inner += names.values()
        paragraph = next((one for one in names.values() if isinstance(one, ParsedParagraph)), None)
        if paragraph is None:
            continue
        for value in inner:
            if isinstance(value, Word) and value.doc is paragraph.doc:
                return paragraph.sentence(value).span
            if isinstance(value, Sentence) and value in paragraph.sentences:
                return value.span
        return paragraph.prose.span(0, len(paragraph.prose.text))
    return None


COLLECTED = "collected"


@dataclass(frozen=True, slots=True)
class Step:
    """A reader: one function of the draft. It adds to the draft and never changes what is there."""

    name: str
    into: str
    find: Callable[[Draft], Iterable[Any] | None]

    def read(self, draft: Draft) -> None:
        found = tuple(self.find(draft) or ())
        if self.into != COLLECTED:
            draft.add(self.into, found)


def _inner_life(draft: Draft) -> None:
    reader = InnerLifeReader(draft.chapter, draft.arguments)
    reader.read()
    draft.add("moods", reader.moods)
    draft.add("goals", reader.goals)


READERS = (
    Step("relations", "statements", lambda d: RelationReader(d.chapter, d.arguments).read()),
    Step("clauses", COLLECTED, lambda d: ClauseReader(d.chapter, d.arguments, d.collected).read()),
    Step("moods and goals", COLLECTED, _inner_life),
    Step("event frames", COLLECTED, lambda d: read_frames(d.chapter, d.arguments, d.collected)),
    Step("quotations", "quotations", lambda d: read_quotations(d.chapter, d.arguments.dialogue)),
    Step("nicknames", "identities", lambda d: nicknames(d.chapter)),
    Step("narrator's name", "identities", lambda d: narrator_names(d.chapter)),
    Step("orders", "orders", lambda d: read_orders(d.chapter, d.collected)),
    Step("presence", "presences", lambda d: read_presences(d.chapter, d.arguments)),
    Step("times", "times", lambda d: read_times(d.chapter, d.arguments, d.collected)),
    Step("facts", "facts", read_facts),
)
"""In order. What is surer comes first: a later reader leaves alone what ``draft.tells`` already."""


def read_chapter(
    chapter: ParsedChapter, failures: Failures, *, without: frozenset[str] = frozenset()
) -> ChapterReading:
    """What the readers find in a chapter just parsed, but for those that ``failures`` passes over and those
    named in ``without``. Whatever a reader raises comes through."""
    failures.run("mentions", find_mentions, chapter)
    if "narrator" not in without:
        failures.run("narrator", find_narrator, chapter)
    draft = Draft.of(chapter)
    for reader in READERS:
        if reader.name not in without:
            failures.run(reader.name, reader.read, draft)
    return draft.reading()
