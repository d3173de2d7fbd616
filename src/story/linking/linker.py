"""From readings to the story's log: chapter after chapter, each record made from what was told so far."""

from __future__ import annotations

from collections.abc import Collection
from copy import deepcopy
from dataclasses import replace

from ...core.types import Chapter, Document, Span
from ...errors import EvidenceError, HorizonError
from ..corrections import Corrections
from ..graph_rag.views.story_view import entities_of, merged_ids
from ..model.chapter_reading import ChapterReading, KnownName, Mention, ToldBefore
from ..model.types import EntityKind, EntityMention, EntityMerge, StoryLog
from ..names.person_record import PersonName
from ..names.spelling import slug_of
from ..pairs.meetings import MeetingFolder
from ..pairs.pair_model import PairModel, pair_model
from .corrected import Corrected, adopt
from .identities import NARRATOR, another_teller, joined, name_cast, vouched
from .records import (
    facts_of,
    knowings_of,
    presences_of,
    quotations_of,
    states_of,
    tell_events,
    tell_statement,
    threads_of,
)
from .state import GrowingLog, KnownSoFar, Linked, ToldChapter, thing_key

WEAK_MENTIONS = 3  # so many weak mentions make a name known
_NAMED_THING = 100  # votes of "an engine called Clementine", however she acts
_MOST_NAMES, _MOST_ALIASES = 40, 5  # that a reader is given
_SELF = "I"


class Linker:
    """Folds readings, in order of telling, into one log that is only ever appended to.

    The junk filter: a name counts once the text has vouched for it (``Mention.strong``) or has used it a
    third time; before that its mentions are not recorded, and nothing is said of it. The definite nameless
    ("the castle") are recorded only where something is said of them.

    ``canon`` is what an author laid down (see ``codex.codex``): its records enter the log as they are, each
    before anything else that is told at its chapter, and its names mean whom the author says. So do those
    of ``corrections``.
    """

    def __init__(
        self,
        *,
        canon: StoryLog | None = None,
        corrections: Corrections | None = None,
        weights: PairModel | None = None,
    ) -> None:
        """``weights`` of the reader of pairs; None takes those shipped."""
        self._state = KnownSoFar()
        self._corrected = Corrected(corrections or Corrections())
        self._log = GrowingLog()
        self._meetings = MeetingFolder(weights or pair_model())
        self._canon = canon
        self._canon_told = -1
        self._tell_canon(0)

    @property
    def log(self) -> StoryLog:
        """All told so far; costs one copy of the lists."""
        return self._log.frozen()

    def _tell_canon(self, upto: int) -> None:
        if self._canon is not None:
            due = self._canon.told(upto, after=self._canon_told)
            merges = adopt(self._state, due.mentions)
            self._log.merges += merges
            self._meetings.note(due.mentions, merges)
            self._log.extend(due)
        self._canon_told = upto

    def copy(self) -> Linker:
        """A linker of its own with the same past, for trying a draft on top."""
        other = Linker(weights=self._meetings.weights)
        other._state, other._corrected = deepcopy(self._state), self._corrected.copy()
        other._log, other._meetings = GrowingLog(self.log), self._meetings.copy()
        other._canon, other._canon_told = self._canon, self._canon_told
        return other

    def told_before(self, words: str = "") -> ToldBefore:
        """What a reader of the next chapter may be given: who and what was named most so far, in order of
        their first appearance; ``words`` are the last ones told. Costs a pass over all mentions."""
        log = self._log
        roll = entities_of(log.mentions, merged_ids(log.merges), log.corrected)
        known = sorted(roll[:_MOST_NAMES], key=lambda one: (one.first_appearance, one.id))
        names = (KnownName(one.name, one.aliases[:_MOST_ALIASES], one.kind) for one in known)
        return ToldBefore(tuple(each for each in names if each.name != NARRATOR), words)

    def add(self, document: Document, chapter: Chapter, reading: ChapterReading) -> None:
        """Appends what ``chapter`` tells. ``reading`` must be the reading of ``chapter.body``'s text.

        Raises HorizonError for a chapter told before the last one added (or added twice), and EvidenceError
        for a reading of another text.
        """
        self._check(document, chapter, reading)
        self._tell_canon(chapter.number)
        told = ToldChapter(document, chapter)
        reading = vouched(self._corrected.reading(reading))
        log, before, merged = self._log, len(self._log.mentions), len(self._log.merges)
        linked = Linked(told, reading, self._link_mentions(told, reading), self._state)
        log.corrected.extend(self._corrected.tell(told))
        for entity, into, span in joined(linked):
            self._merge(told, entity, into, span)
        for statement in reading.statements:
            tell_statement(log, linked, statement)
        tell_events(log, linked)
        log.states.extend(states_of(linked))
        quotations = quotations_of(linked)
        log.quotations.extend(quotations)
        log.mentions[before:] = sorted(log.mentions[before:], key=lambda m: m.evidence.span.start)
        log.presences.extend(presences_of(linked, quotations))
        log.facts.extend(facts_of(linked))
        log.knowings.extend(knowings_of(linked))
        log.threads.extend(threads_of(linked))
        new = {"mentions": log.mentions[before:], "merges": log.merges[merged:], "quotations": quotations}
        pairs = self._meetings.add(document, chapter, **new)
        log.pairs.extend(pairs if not reading.by_model else ())  # what a model does not say is not guessed
        self._state.last = (document.id, chapter.number)

    def check_corrections(self) -> None:
        """Raises UsageError for a correction that speaks of a name which no chapter added so far uses."""
        self._corrected.check({mention.surface for mention in self._log.mentions})

    def _check(self, document: Document, chapter: Chapter, reading: ChapterReading) -> None:
        name, last = self._state.last
        if chapter.number < last or (chapter.number == last and name == document.id):
            raise HorizonError(
                f"chapter {chapter.number} cannot follow chapter {last}: "
                "add chapters in order of telling, once each"
            )
        length = len(chapter.body)
        spans = [*(scene.span for scene in reading.scenes), *(mention.span for mention in reading.mentions)]
        if any(span.end > length for span in spans):
            raise EvidenceError(
                f"the reading is not of chapter {chapter.number} of {document.title}: read its body again"
            )

    # --- who ---------------------------------------------------------------------------------------

    def _link_mentions(self, told: ToldChapter, reading: ChapterReading) -> list[str | None]:
        ids: list[str | None] = []
        mentions = reading.mentions
        told_by = self._state.book.own_voice(said=any(mention.surface == _SELF for mention in mentions))
        if told_by and (teller := another_teller(reading, self._state.book)) is not None:
            teller = teller or slug_of(NARRATOR, self._state.kinds)
            self._state.book.assign(NARRATOR, "", entity=teller)
        if told_by and any(one.name == _SELF for one in reading.cast):
            self._state.book.resolve(NARRATOR, "", fresh_id=slug_of(NARRATOR, self._state.kinds))
        name_cast(reading.cast, self._state.book)
        for mention in mentions:
            if mention.surface == _SELF:
                ids.append(self._narrator(told, mention) if told_by else None)
                continue
            entity = None
            if not self._corrected.drops(mention.surface):
                meant = replace(mention, surface=mention.meant) if mention.meant else mention
                entity = self._whom(told, meant)
            if entity is not None and self._corrected.drops(self._state.root(entity)):
                entity = None
            ids.append(entity)
            if entity is None:
                continue
            if mention.hint:
                self._state.book.hint(self._state.root(entity), mention.hint)
            self._record(told, mention, entity)
        return ids

    def _whom(self, told: ToldChapter, mention: Mention) -> str | None:
        pin = self._corrected.pin(mention.surface, told.number)
        if pin is not None:
            entity, merged = self._corrected.whom(
                mention,
                pin,
                self._state,
                usual=lambda others: self._entity(told, mention, others),
                fresh=slug_of(mention.surface, self._state.kinds),
            )
            if merged:
                self._merge(told, *merged, mention.span)
            return entity
        if self._corrected.is_person(mention):
            return self._person(told, mention)
        return self._entity(told, mention)

    def _record(self, told: ToldChapter, mention: Mention, entity: str) -> None:
        evidence = told.evidence(mention.span)
        self._corrected.see(entity, mention.surface, evidence, self._state)
        kind = self._corrected.kind(mention, entity, self._state)
        votes = self._state.kinds.setdefault(entity, {})
        named_thing = kind is EntityKind.OBJECT and mention.surface[:1].isupper()
        votes[kind] = votes.get(kind, 0) + (_NAMED_THING if named_thing else 1)
        kind = EntityKind.OBJECT if votes.get(EntityKind.OBJECT, 0) >= _NAMED_THING else kind
        self._log.mentions.append(
            EntityMention(entity, kind, mention.surface, told.number, evidence, mention.gender)
        )

    def _narrator(self, told: ToldChapter, mention: Mention) -> str:
        """The one who tells the story, whoever that turns out to be."""
        found = self._state.book.resolve(NARRATOR, "", fresh_id=slug_of(NARRATOR, self._state.kinds))
        self._record(told, mention, found.id)
        return found.id

    def _entity(self, told: ToldChapter, mention: Mention, barred: Collection[str] = ()) -> str | None:
        state, key = self._state, thing_key(mention.surface)
        laid_down = state.given.get(mention.surface.casefold())
        if laid_down is not None and mention.kind is EntityKind.CHARACTER:
            return laid_down  # the author's names win
        titled = bool(PersonName.parse(mention.surface).title)
        person = state.book.knows(mention.surface)
        if (not titled or mention.kind is EntityKind.GROUP) and not person and key in state.things:
            if not self._is_somebody(mention, state.things[key]):
                return state.things[key]
            return self._promote(told, mention, key)
        if mention.kind is EntityKind.CHARACTER or person:
            return self._person(told, mention, barred)
        if not self._counts(mention, key):
            return None
        entity = slug_of(mention.surface, state.kinds)
        state.things[key] = entity
        return entity

    def _person(self, told: ToldChapter, mention: Mention, barred: Collection[str] = ()) -> str | None:
        state = self._state
        gender = mention.gender if mention.kind is EntityKind.CHARACTER else ""
        known = state.book.find(mention.surface, gender) is not None
        if not known and not self._counts(mention, thing_key(mention.surface)):
            return None
        fresh = slug_of(mention.surface, state.kinds)
        found = state.book.resolve(
            mention.surface, gender, fresh_id=fresh, barred=barred, narrated=not mention.spoken
        )
        if found.merged:
            self._merge(told, found.merged, found.id, mention.span)
        return found.id

    def _is_somebody(self, mention: Mention, entity: str) -> bool:
        """Was a name that was first taken for a place's more often somebody's, this time among them?"""
        votes = self._state.kinds[entity]
        own = votes.get(EntityKind.CHARACTER, 0) + 1
        return mention.kind is EntityKind.CHARACTER and mention.strong and 2 * own > sum(votes.values()) + 1

    def _promote(self, told: ToldChapter, mention: Mention, key: str) -> str:
        """From now on the name is a person's: that of who is known and fits it, or somebody new."""
        entity = self._state.things.pop(key)
        found = self._state.book.resolve(
            mention.surface, mention.gender, fresh_id=entity, narrated=not mention.spoken
        )
        if found.id != entity:
            self._merge(told, entity, found.id, mention.span)
        return found.id

    def _counts(self, mention: Mention, key: str) -> bool:
        if mention.strong or mention.surface.startswith("the "):
            return True
        if mention.kind is EntityKind.CHARACTER and self._state.book.of_the_family(mention.surface):
            return True
        self._state.weak[key] = self._state.weak.get(key, 0) + 1
        return self._state.weak[key] >= WEAK_MENTIONS

    def _merge(self, told: ToldChapter, entity: str, into: str, span: Span) -> None:
        self._state.into[entity] = into
        self._log.merges.append(EntityMerge(entity, into, told.number, told.evidence(span)))
