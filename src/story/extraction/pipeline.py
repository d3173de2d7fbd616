"""Information extraction from a parsed chapter: the readers, in the order in which they build on another.

``READERS`` is the whole machine. A reader finds records of one kind, given the draft of what is read so far;
``into`` is the field of ``ChapterReading`` that they go to, or ``FACTS`` where it adds to ``draft.facts``
itself. Any of them may be left out by name; the others read on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Protocol

from ..model.chapter_reading import ChapterReading
from .bonds.kinship import KinReader
from .bonds.nouns import read_noun_bonds
from .bonds.tone import read_bond_tone
from .bonds.wordings import BONDS, read_bond_wordings
from .clauses.clause_reader import ClauseReader
from .deaths.reader import dies_by, read_deaths
from .draft import Draft
from .events.agents import name_agents
from .events.causes import read_causes, read_orders
from .events.frames import read_frames
from .events.times import read_times
from .failures import Failures
from .goals.inner_life import InnerLifeReader
from .knowledge.learnings import read_learnings
from .learned.sentence_facts import WRONGS, SentenceReader
from .learned.slot_traits import read_slots
from .mentions.finder import find_mentions
from .mentions.narrator import find_narrator
from .mentions.narrator_name import narrator_names
from .mentions.nicknames import nicknames
from .naming.full_names import read_full_names
from .naming.introductions import read_introductions
from .naming.kin_hints import read_kin_hints
from .naming.odd_spellings import read_spellings
from .naming.taken_as_known import read_as_known
from .objects.handlings import read_handlings
from .parsing.chapter import ParsedChapter
from .presence.scenes import read_presences
from .presence.whereabouts import read_whereabouts
from .quotations.quotations import read_quotations
from .trait_reader import read_traits

__all__ = ["FACTS", "LEARNED", "READERS", "Reader", "Step", "read_chapter"]

FACTS = "facts"
LEARNED = frozenset({"learned bonds and wrongs", "learned secrets", "learned looks", "learned fates"})
"""The readers whose rules were fitted, not written."""


class Reader(Protocol):
    """What reads something of a chapter. ``read`` adds to the draft and never changes what is there."""

    @property
    def name(self) -> str: ...

    def read(self, draft: Draft) -> None: ...


@dataclass(frozen=True, slots=True)
class Step:
    """A reader by one function of the draft."""

    name: str
    into: str
    find: Callable[[Draft], Iterable[Any] | None]

    def read(self, draft: Draft) -> None:
        found = tuple(self.find(draft) or ())
        if self.into != FACTS:
            draft.add(self.into, found)


@dataclass(frozen=True, slots=True)
class _Kinship:
    """Kin by nouns: who is whose brother, and who is so one and the same."""

    name: str = "kinship"

    def read(self, draft: Draft) -> None:
        reader = KinReader(draft.chapter, draft.arguments)
        reader.read()
        draft.add("statements", reader.statements)
        draft.add("identities", reader.identities)


@dataclass(frozen=True, slots=True)
class _InnerLife:
    """Moods and goals."""

    name: str = "moods and goals"

    def read(self, draft: Draft) -> None:
        reader = InnerLifeReader(draft.chapter, draft.arguments)
        reader.read()
        draft.add("moods", reader.moods)
        draft.add("goals", reader.goals)


def _bond_wordings(draft: Draft) -> None:
    read_bond_wordings(draft.chapter, draft.arguments, draft.facts, known=draft.get("statements"))


def _bond_tone(draft: Draft) -> None:
    read_bond_tone(draft.chapter, draft.arguments, draft.facts, known=draft.get("statements"))


def _sentences(draft: Draft) -> SentenceReader:
    """The fitted reader of sentences, which weighs each once for all of its steps."""
    return draft.once(SentenceReader, lambda: SentenceReader(draft.chapter, draft.arguments))


def _learned_facts(draft: Draft) -> None:
    bonds = draft.tells("statements", of=BONDS)
    _sentences(draft).tell(draft.facts, bonds=bonds, deeds=draft.tells("happenings", of=WRONGS))


def _clauses(draft: Draft) -> None:
    ClauseReader(draft.chapter, draft.arguments, draft.facts, dies_by).read()


READERS: tuple[Reader, ...] = (
    _Kinship(),
    Step("clauses", FACTS, _clauses),
    Step("noun bonds", FACTS, lambda d: read_noun_bonds(d.chapter, d.arguments, d.facts)),
    Step("bonds by wording", FACTS, _bond_wordings),
    Step("bonds by tone", FACTS, _bond_tone),
    _InnerLife(),
    Step("learned bonds and wrongs", FACTS, _learned_facts),
    Step("agents of wrongs", FACTS, lambda d: name_agents(d.chapter, d.arguments, d.facts)),
    Step("event frames", FACTS, lambda d: read_frames(d.chapter, d.arguments, d.facts)),
    Step("learnings", "learnings", lambda d: read_learnings(d.chapter, d.arguments, d.facts)),
    Step("learned secrets", "learnings", lambda d: _sentences(d).learnings(known=d.tells("learnings"))),
    Step("quotations", "quotations", lambda d: read_quotations(d.chapter, d.arguments.dialogue)),
    Step("traits", "traits", lambda d: read_traits(d.chapter, d.arguments, d.facts)),
    Step("odd spellings", "traits", lambda d: read_spellings(d.chapter)),
    Step("introductions", "traits", lambda d: read_introductions(d.chapter)),
    Step("full names", "traits", lambda d: read_full_names(d.chapter)),
    Step("taken as known", "traits", lambda d: read_as_known(d.chapter)),
    Step("kin hints", "traits", lambda d: read_kin_hints(d.chapter)),
    Step("deaths", "traits", lambda d: read_deaths(d.chapter, d.arguments)),
    Step("whereabouts", "traits", lambda d: read_whereabouts(d.chapter, d.arguments)),
    Step("learned looks", "traits", lambda d: read_slots(d.chapter, d.arguments, d.get("traits"))),
    Step("learned fates", "traits", lambda d: _sentences(d).traits(d.get("traits"))),
    Step("causes", "causes", lambda d: read_causes(d.chapter, d.facts)),
    Step("nicknames", "identities", lambda d: nicknames(d.chapter)),
    Step("narrator's name", "identities", lambda d: narrator_names(d.chapter)),
    Step("orders", "orders", lambda d: read_orders(d.chapter, d.facts)),
    Step("presence", "presences", lambda d: read_presences(d.chapter, d.arguments, d.get("quotations"))),
    Step("times", "times", lambda d: read_times(d.chapter, d.arguments, d.facts)),
    Step("objects", "handlings", lambda d: read_handlings(d.chapter, d.arguments, d.facts)),
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
