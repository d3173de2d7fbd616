"""Information extraction from a parsed chapter: the readers, in the order in which they build on another.

``READERS`` is the whole machine. A reader finds records of one kind, given the draft of what is read so far;
``into`` is the field of ``ChapterReading`` that they go to, or ``COLLECTED`` where it adds to
``draft.collected`` itself. Any of them may be left out by name; the others read on.

A reader that fails on a chapter is logged, counted and left out of it; the others read on. What fails depends
on the text alone.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

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
from .parsing.chapter import ParsedChapter
from .presence import read_presences
from .quotations.dialogue import read_quotations

_In = TypeVar("_In")
_Out = TypeVar("_Out")
_log = logging.getLogger(__name__)

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
    Step(
        "quotations",
        "quotations",
        lambda d: read_quotations(d.chapter, d.arguments.dialogue, d.arguments.kin),
    ),
    Step("nicknames", "identities", lambda d: nicknames(d.chapter)),
    Step("narrator's name", "identities", lambda d: narrator_names(d.chapter)),
    Step("orders", "orders", lambda d: read_orders(d.chapter, d.collected)),
    Step("presence", "presences", lambda d: read_presences(d.chapter, d.arguments)),
    Step("times", "times", lambda d: read_times(d.chapter, d.arguments, d.collected)),
    Step("facts", "facts", read_facts),
)
"""In order. What is surer comes first."""


def read_chapter(chapter: ParsedChapter, *, without: frozenset[str] = frozenset()) -> ChapterReading:
    """What the readers find in a chapter just parsed, but for those that fail and those named in
    ``without``."""
    failed: list[ReaderFailure] = []
    _run("mentions", find_mentions, chapter, failed)
    if "narrator" not in without:
        _run("narrator", find_narrator, chapter, failed)
    draft = _run("pipeline", Draft.of, chapter, failed)
    if draft is None:
        return ChapterReading(scenes=chapter.scenes, failures=tuple(failed))
    for reader in READERS:
        if reader.name not in without:
            _run(reader.name, reader.read, draft, failed)
    return replace(draft.reading(), failures=tuple(sorted(failed, key=lambda one: one.reader)))


def _run(name: str, read: Callable[[_In], _Out], given: _In, failed: list[ReaderFailure]) -> _Out | None:
    """What the reader gives; None where it fails, which is added to ``failed``."""
    try:
        return read(given)
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001 (whatever a reader meets, the others can read)
        problem = f"{type(error).__name__}: {str(error)[:80]!r}"
        _log.warning("%s fails on a chapter (%s): the others read on", name, problem)
        failed.append(ReaderFailure(name, 1))
        return None
