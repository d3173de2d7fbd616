"""Information extraction from a parsed chapter: the readers, in the order in which they build on another.

``READERS`` is the whole machine. A reader finds records of one kind, given the draft of what is read so far;
``into`` is the field of ``ChapterReading`` that they go to, or ``COLLECTED`` where it adds to
``draft.collected`` itself. Any of them may be left out by name; the others read on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from ..model.chapter_reading import ChapterReading
from .clauses.clause_reader import ClauseReader
from .draft import Draft
from .events.causes import read_causes, read_orders
from .events.frames import read_frames, read_times
from .failures import Failures
from .frames.facts import read_facts
from .frames.identities import read_identities
from .frames.relations import RelationReader
from .inner_life import InnerLifeReader
from .mentions.finder import find_mentions
from .mentions.narrator import find_narrator, narrator_names
from .mentions.nicknames import nicknames
from .parsing.chapter import ParsedChapter
from .presence.scenes import read_presences
from .quotations.dialogue import read_quotations

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
    Step("other names", "identities", lambda d: read_identities(d.chapter, d.arguments)),
    Step("moods and goals", COLLECTED, _inner_life),
    Step("event frames", COLLECTED, lambda d: read_frames(d.chapter, d.arguments, d.collected)),
    Step("quotations", "quotations", lambda d: read_quotations(d.chapter, d.arguments.dialogue)),
    Step("causes", "causes", lambda d: read_causes(d.chapter, d.collected)),
    Step("nicknames", "identities", lambda d: nicknames(d.chapter)),
    Step("narrator's name", "identities", lambda d: narrator_names(d.chapter)),
    Step("orders", "orders", lambda d: read_orders(d.chapter, d.collected)),
    Step("presence", "presences", lambda d: read_presences(d.chapter, d.arguments, d.get("quotations"))),
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
